//! Planted misspellings: valid values of every type with up to four misspellings are repaired to the original values.
//!
//! Nothing is planted if the planting might lose information: in untagged unions and in place of `null`.

use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use tests::generate::{Choices, Place, Site, What, numbers, valid};
use tests::private::repair::coerce;
use tests::replay::replay_values;
use tests::rows::rows;
use tests::tree::{Step, Tree};
use tool_runtime::RepairPolicy;
use tool_schema::check::check;
use tool_schema::json::Json;
use tool_schema::shape::{Kind, Shape, Tagging};

/// The number of uses of each rule.
type Seen = std::collections::BTreeMap<&'static str, usize>;

#[test]
fn planted_defects_of_every_rule_are_repaired() {
    let seen = std::cell::RefCell::new(Seen::new());
    let wrong: Vec<String> = rows().into_iter().filter_map(|row| unrepaired(row.name, row.shape, &seen)).collect();
    let seen = seen.into_inner();
    println!("lines by rule: {seen:?}");
    assert!(wrong.is_empty(), "{} types:\n{}", wrong.len(), wrong.join("\n"));
    for rule in ["text", "whole_number", "stringified", "single_item", "absent", "enum_spelling"] {
        assert!(seen.get(rule).is_some_and(|count| *count > 15), "{rule} was not tried: {seen:?}");
    }
}

/// Returns the simplest value of a type that is not repaired to the original.
fn unrepaired(name: &str, shape: &'static Shape, seen: &std::cell::RefCell<Seen>) -> Option<String> {
    let config =
        Config { cases: tests::cases(30), failure_persistence: None, max_shrink_iters: 4_000, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &[3; 32]));
    let outcome = runner.run(&numbers(), |numbers| {
        let mut choices = Choices::new(&numbers);
        let picks: Vec<[usize; 2]> = (0..4).map(|_| [choices.below(1 << 16), choices.below(1 << 16)]).collect();
        let generated = valid(shape, &mut choices);
        let meant = generated.tree.to_string();
        // A value that the checker rejects is covered by another test.
        if !Json::parse(&meant).is_ok_and(|json| check(shape, &json).is_empty()) {
            return Ok(());
        }
        let mut tree = generated.tree.clone();
        // Inner values first: an outer value that is quoted afterwards contains the inner misspellings.
        let mut sites: Vec<(&Site, usize)> = picks
            .iter()
            .map(|[site, kind]| (&generated.sites[site % generated.sites.len()], *kind))
            .filter(|(site, _)| !site.sealed)
            .collect();
        sites.sort_by_key(|(site, _)| std::cmp::Reverse(site.path.len()));
        for (index, (site, kind)) in sites.iter().enumerate() {
            // Each location is misspelt at most once.
            if sites[..index].iter().any(|(other, _)| other.path == site.path) {
                continue;
            }
            misspell(&mut tree, site, *kind);
        }
        let text = tree.to_string();
        let sent = Json::parse(&text).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let coerced = coerce(shape, sent.clone(), RepairPolicy::Lossless);
        for line in &coerced.repairs {
            *seen.borrow_mut().entry(line.rule.name()).or_default() += 1;
        }
        if !coerced.issues.is_empty() || !same_but_for_nothing(&coerced.value, &meant) {
            let issues: Vec<_> = coerced.issues.iter().map(tool_runtime::Issue::message).collect();
            return Err(TestCaseError::fail(format!(
                "{text} was read as {}, {issues:?}, but was {meant}",
                coerced.value.to_text()
            )));
        }
        let replayed = replay_values(sent, &coerced.repairs);
        if replayed.as_ref() != Some(&coerced.value) {
            return Err(TestCaseError::fail(format!("{text} is replayed as {replayed:?}")));
        }
        Ok(())
    });
    outcome.err().map(|error| format!("{name}: {}", error.to_string().lines().next().unwrap_or_default()))
}

/// Returns `true` if a value equals the original; an optional `null` may be absent.
fn same_but_for_nothing(value: &Json<'_>, meant: &str) -> bool {
    Json::parse(meant).is_ok_and(|meant| value.to_text() == meant.to_text())
}

/// Replaces the value at a site by a misspelling.
fn misspell(tree: &mut Tree, site: &Site, kind: usize) {
    match &site.what {
        What::Value(place) => {
            let is_item = matches!(site.path.last(), Some(Step::Index(_)));
            let Some(here) = tree.at_mut(&site.path) else { return };
            let spellings = spellings(place, here, is_item);
            if let Some(spelling) = spellings.get(kind % spellings.len().max(1)) {
                *here = spelling.clone();
            }
        }
        What::Keys(keys) => {
            let Some(Tree::Object(members)) = tree.at_mut(&site.path) else { return };
            let given = |key: &str| members.iter().any(|(known, _)| known == key);
            let absent = keys.fields.iter().find(|field| {
                let names = std::iter::once(&field.name).chain(&field.aliases);
                !field.required
                    && !field.flatten
                    && !names.into_iter().any(|name| given(name))
                    && rejects_nothing(field)
            });
            if let Some(field) = absent {
                members.push((field.name.to_string(), Tree::text("")));
            }
        }
        What::Tag { .. } => {}
    }
}

/// Returns `true` if the field's type rejects an empty text.
fn rejects_nothing(field: &tool_schema::shape::Field) -> bool {
    let place = |shape: &Shape| match &shape.kind {
        Kind::Nullable(inner) => matches!(inner.shape().kind, Kind::Integer | Kind::Boolean | Kind::Number(_)),
        kind => matches!(kind, Kind::Integer | Kind::Boolean | Kind::Number(_)),
    };
    place(&field.shape.shape())
}

/// Returns other spellings of a value.
fn spellings(place: &Place, here: &Tree, is_item: bool) -> Vec<Tree> {
    let text = || Tree::String(here.to_string());
    match (&place.shape.kind, here) {
        (Kind::Integer, Tree::Number(number)) => {
            vec![
                text(),
                Tree::Number(format!("{number}.0")),
                Tree::Number(format!("{number}.0e0")),
                Tree::String(format!(" {number}.0")),
            ]
        }
        (Kind::Boolean, Tree::Bool(value)) => vec![text(), Tree::text(if *value { "True" } else { "False" })],
        (Kind::Array(_), Tree::Array(items)) => {
            let is_single = |item: &&Tree| !matches!(item, Tree::Array(_) | Tree::Null) && *item != &Tree::text("");
            let single = match &items[..] {
                [item] if !is_item => Some(item).filter(is_single),
                _ => None,
            };
            // A text that is itself an array is never an item.
            let single = single.filter(|item| !matches!(item, Tree::String(text) if text.starts_with(['[', '"'])));
            std::iter::once(text()).chain(single.cloned()).collect()
        }
        (Kind::Number(_), Tree::Number(_))
        | (Kind::Tuple(_), Tree::Array(_))
        | (Kind::Object(_) | Kind::Map { .. }, Tree::Object(_)) => vec![text()],
        (Kind::Union(union), Tree::String(name)) if union.tagging == Tagging::External => {
            let untold = union.variants.iter().any(|variant| variant.untagged || variant.other);
            let other = name.to_uppercase();
            let is_name =
                union.variants.iter().any(|v| v.name == *other || v.aliases.iter().any(|alias| *alias == *other));
            // A misspelt alias is corrected to the name of its field.
            let is_alias = union.variants.iter().all(|variant| variant.name != **name);
            // In shorter names, the case of a letter may carry meaning.
            let is_symbol = name.chars().filter(|letter| letter.is_alphabetic()).count() < 3;
            if untold || is_name || is_alias || is_symbol { Vec::new() } else { vec![Tree::String(other)] }
        }
        _ => Vec::new(),
    }
}
