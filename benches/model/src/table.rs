//! The tables of the results.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use tool_runtime::RepairPolicy;
use tool_runtime::toolbox::FeedbackForm;

use crate::run::{Record, Verdict, call_in};
use crate::sides::{Bench, End, Side};
use crate::tasks::{is_same, tasks};

/// The side with which the others are compared.
const BASE: &str = "by-hand";

/// Returns the tables, one for each model and each way in which the first call was made.
#[must_use]
pub fn tables(records: &[Record]) -> String {
    let groups: BTreeSet<_> = records.iter().map(|record| (record.model.as_str(), !record.planted)).collect();
    let mut page = String::new();
    for (model, is_free) in groups {
        let of_group: Vec<_> =
            records.iter().filter(|record| record.model == model && record.planted != is_free).collect();
        let first = if is_free { "its own first call" } else { "a planted wrong call first" };
        let tasks: BTreeSet<_> = of_group.iter().map(|record| &record.task).collect();
        let _ = writeln!(page, "### {model}, {first}, {} tasks\n", tasks.len());
        page += &table(&of_group, is_free);
        page.push('\n');
        if is_free {
            page += &repairs(&of_group);
        }
    }
    page
}

fn table(records: &[&Record], is_free: bool) -> String {
    let mut sides: BTreeMap<&str, BTreeMap<&str, &Record>> = BTreeMap::new();
    for record in records {
        sides.entry(&record.side).or_default().insert(&record.task, record);
    }
    let corrections = records.iter().map(|record| record.turns.len()).max().unwrap_or(0);
    let mut text = "| the model reads | bytes |".to_owned();
    let numbers = if is_free { 0..corrections } else { 1..corrections + 1 };
    for number in numbers.clone() {
        let _ = match number {
            0 => write!(text, " right at once |"),
            1 => write!(text, " after 1 correction |"),
            number => write!(text, " after {number} |"),
        };
    }
    text += " 95 % | better : worse than by hand | ran, but wrong | of these by a repair : copied | no call | tokens in : out | log-likelihood |\n| ---";
    text += &" | ---".repeat(8 + numbers.len());
    text += " |\n";
    let order = Side::ALL.iter().map(|(name, _)| *name).filter(|name| sides.contains_key(name));
    for side in order {
        let records = &sides[side];
        let all = records.len();
        let bytes: usize = records.values().map(|record| record.bytes).sum();
        let asked = records.values().filter(|record| record.bytes > 0).count().max(1);
        let _ = write!(text, "| {side} | {} |", bytes / asked);
        let mut right = 0;
        for number in numbers.clone() {
            let most = if is_free { number + 1 } else { number };
            right = records.values().filter(|record| right_within(record, most)).count();
            let _ = write!(text, " {right} of {all} |");
        }
        let (low, high) = wilson(right, all);
        let paired = sides.get(BASE).map(|base| paired(records, base)).unwrap_or_default();
        let wrong: Vec<_> = records
            .values()
            .filter_map(|record| record.turns.last().filter(|turn| turn.end == Verdict::Wrong))
            .collect();
        let repaired = wrong.iter().filter(|turn| turn.repaired).count();
        let copied = wrong.iter().filter(|turn| turn.copied).count();
        let silent = records
            .values()
            .filter(|record| record.turns.last().is_some_and(|turn| turn.end == Verdict::NoCall))
            .count();
        let (mut input, mut output) = (0, 0);
        for turn in records.values().flat_map(|record| &record.turns) {
            (input, output) = (input + turn.tokens_in, output + turn.tokens_out);
        }
        let mean = |sum: u64| sum / (all.max(1) as u64);
        let _ = writeln!(
            text,
            " {low:.0}–{high:.0} | {} : {} | {} | {repaired} : {copied} | {silent} | {} : {} | {} |",
            paired.0,
            paired.1,
            wrong.len(),
            mean(input),
            mean(output),
            likelihood(records, sides.get(BASE)),
        );
    }
    text
}

fn right_within(record: &Record, turns: usize) -> bool {
    record.turns.iter().take(turns).any(|turn| turn.end == Verdict::Right)
}

/// Returns the numbers of tasks that only one of two sides brought to the right call.
fn paired(side: &BTreeMap<&str, &Record>, base: &BTreeMap<&str, &Record>) -> (usize, usize) {
    let (mut better, mut worse) = (0, 0);
    for (task, record) in side {
        let Some(other) = base.get(task) else { continue };
        match (right_within(record, usize::MAX), right_within(other, usize::MAX)) {
            (true, false) => better += 1,
            (false, true) => worse += 1,
            _ => {}
        }
    }
    (better, worse)
}

/// Returns the mean difference of the log-likelihoods from those of serde's message, and the number of tasks in which it is greater.
fn likelihood(side: &BTreeMap<&str, &Record>, base: Option<&BTreeMap<&str, &Record>>) -> String {
    let differences = side.iter().filter_map(|(task, record)| Some(record.likelihood? - base?.get(task)?.likelihood?));
    let differences: Vec<_> = differences.collect();
    if differences.is_empty() {
        return "–".to_owned();
    }
    let better = differences.iter().filter(|difference| **difference > 0.0).count();
    let mean = differences.iter().sum::<f64>() / differences.len() as f64;
    format!("{mean:+.2} ({better} of {})", differences.len())
}

/// Returns the interval of Wilson for a share, with a confidence of 95 %, in percent.
#[must_use]
pub fn wilson(right: usize, all: usize) -> (f64, f64) {
    if all == 0 {
        return (0.0, 100.0);
    }
    let (n, z) = (all as f64, 1.96_f64);
    let share = right as f64 / n;
    let middle = share + z * z / (2.0 * n);
    let spread = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    let below = 1.0 + z * z / n;
    (100.0 * (middle - spread) / below, 100.0 * (middle + spread) / below)
}

/// Returns what each policy of repairs makes of the distinct calls that the models sent.
fn repairs(records: &[&Record]) -> String {
    let bench = Bench::default();
    let sent = distinct_calls(records.iter().copied());
    let mut text = "| repairs | ran right | ran wrong | rejected |\n| --- | --- | --- | --- |\n".to_owned();
    for policy in [RepairPolicy::Strict, RepairPolicy::Lossless, RepairPolicy::Words, RepairPolicy::Assisted] {
        let mut counts = [0; 3];
        for (task, name, arguments) in &sent {
            counts[place(&bench, policy, task, name, arguments)] += 1;
        }
        let [right, wrong, rejected] = counts;
        let _ = writeln!(text, "| {} | {right} | {wrong} | {rejected} |", policy.name());
    }
    text.push('\n');
    text
}

/// Returns 0 if a call runs with the right arguments, 1 if it runs with others, and 2 if it is rejected.
fn place(bench: &Bench, policy: RepairPolicy, task: &str, name: &str, arguments: &str) -> usize {
    let tasks = tasks();
    let Some(task) = tasks.iter().find(|known| known.id == task) else { return 2 };
    match bench.call(Side::Ours(FeedbackForm::Json), policy, name, arguments) {
        End::Rejected(_) => 2,
        End::Ran(arguments, _) => usize::from(name != task.tool || !is_same(&arguments, &task.right())),
    }
}

/// A call that a model sent: the task, the tool and the arguments.
pub type Sent = (String, String, String);

/// Returns the distinct calls that the models sent.
pub fn distinct_calls<'r>(records: impl IntoIterator<Item = &'r Record>) -> BTreeSet<Sent> {
    let calls =
        records.into_iter().flat_map(|record| record.turns.iter().map(|turn| (&record.task, call_in(&turn.text))));
    calls.filter_map(|(task, call)| call.map(|(name, arguments)| (task.clone(), name, arguments.to_owned()))).collect()
}

/// Returns a line for each call: what becomes of it without and with repairs.
#[must_use]
pub fn cases(calls: &BTreeSet<Sent>) -> String {
    let bench = Bench::default();
    let word = |place: usize| ["right", "wrong", "rejected"][place];
    let mut text = String::new();
    for (task, name, arguments) in calls {
        let of = |policy| word(place(&bench, policy, task, name, arguments));
        let (strict, lossless) = (of(RepairPolicy::Strict), of(RepairPolicy::Lossless));
        let line = serde_json::json!({"task": task, "tool": name, "arguments": arguments, "strict": strict, "lossless": lossless});
        let _ = writeln!(text, "{line}");
    }
    text
}
