//! Tests with the tools of real MCP servers, if they are available in the folder that `TOOLBOX_CORPORA` names.

use std::collections::{BTreeMap, BTreeSet};

use tests::dialects::recorded::tools;
use tests::providers::DIALECTS;

use crate::dialects::judge::Judge;
use crate::dialects::render;

#[test]
fn no_provider_rejects_a_tool_and_every_value_is_restored() {
    let Some(tools) = tools() else { return };
    let (mut all, mut judged) = (Vec::new(), 0);
    let mut forms: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for tool in &tools {
        let judge = Judge::of(tool);
        for name in DIALECTS {
            let dialect = crate::dialects::dialect(name);
            let rendition = render(dialect, &tool.name, &tool.schema);
            *forms.entry((name, rendition.strictness().name())).or_default() += 1;
            judged += judge.faults(dialect, &rendition, &mut all);
        }
    }
    println!("{:<26}{:>8}{:>8}{:>9}", "dialect", "strict", "plain", "omitted");
    for name in DIALECTS {
        let count = |form| forms.get(&(name, form)).copied().unwrap_or_default();
        println!("{name:<26}{:>8}{:>8}{:>9}", count("strict"), count("plain"), count("omitted"));
    }
    let number = all.len();
    all.truncate(30);
    assert!(all.is_empty(), "{number} faults:\n{}", all.join("\n"));
    assert!(judged > 50_000, "only {judged} values were tested");
}

/// Checks the figures of the page. `UPDATE_GOLDEN=1` updates them.
#[test]
fn the_page_about_dialects_has_current_figures() {
    let Some(tools) = tools() else { return };
    let mut table =
        String::from("| dialect | strict | plain | omitted | with an inverse |\n| --- | ---: | ---: | ---: | ---: |\n");
    let mut reasons: BTreeMap<&str, BTreeMap<String, usize>> = BTreeMap::new();
    for name in DIALECTS {
        let mut counts = [0_usize; 4];
        for tool in &tools {
            let rendition = render(crate::dialects::dialect(name), &tool.name, &tool.schema);
            counts[rendition.strictness() as usize] += 1;
            counts[3] += usize::from(rendition.inverse().is_some());
            // Each different reason counts once, without its location.
            let words: BTreeSet<_> =
                rendition.notes().iter().filter_map(|note| note.reason().rsplit(": ").next()).collect();
            for words in words {
                *reasons.entry(name).or_default().entry(words.to_owned()).or_default() += 1;
            }
        }
        let [strict, plain, omitted, inverse] = counts;
        table.extend([format!("| `{name}` | {strict} | {plain} | {omitted} | {inverse} |\n")]);
    }
    let mut causes = String::from("| dialect | reason | tools |\n| --- | --- | ---: |\n");
    for name in ["openai-strict", "anthropic-strict", "gemini-schema"] {
        let mut rows: Vec<_> = reasons.remove(name).unwrap_or_default().into_iter().collect();
        rows.sort_by(|one, other| other.1.cmp(&one.1).then(one.0.cmp(&other.0)));
        for (words, count) in rows {
            causes.extend([format!("| `{name}` | {words} | {count} |\n")]);
        }
    }
    tests::dialects::page::compare(&[("forms", &table), ("reasons", &causes)]);
}
