//! Measures the cost of a call: instructions under callgrind, and time.

use std::fmt::Write as _;
use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

use crate::calls::{BAD, TOOL, good};
use crate::sides::{ALL, Side};

/// The numbers of calls in the two runs whose difference is measured.
const CALLS: [usize; 2] = [10, 60];

/// Returns the table of costs, in Markdown.
///
/// # Errors
///
/// Fails if valgrind is not installed or prints no number.
pub fn table() -> Result<String, String> {
    let time = times();
    let mut table = String::from(
        "| | good call: instructions | ratio | time | number in a string: instructions | three issues: instructions |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    let mut base = 0;
    for (index, side) in ALL.iter().enumerate() {
        let [good, text, issues] = [Kind::Good, Kind::Text, Kind::Issues].map(|kind| instructions(index, kind));
        let (good, text, issues) = (good?, text?, issues?);
        if index == 0 {
            base = good;
        }
        #[expect(clippy::cast_precision_loss, reason = "a ratio with two digits")]
        let instructions = good as f64 / base as f64;
        let time = time[index];
        let _ = writeln!(table, "| {} | {good} | {instructions:.2} | {time:.2} | {text} | {issues} |", side().name());
    }
    Ok(table)
}

/// Returns the times of good calls, in Markdown. This takes a few seconds, so that it can be repeated.
#[must_use]
pub fn time_table() -> String {
    let mut table = String::from("| | time |\n| --- | --- |\n");
    for (side, time) in ALL.iter().zip(times()) {
        let _ = writeln!(table, "| {} | {time:.3} |", side().name());
    }
    table
}

/// A kind of call that is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A call that runs without a repair.
    Good,
    /// A call with a number in a string, which some sides repair.
    Text,
    /// A call with three issues.
    Issues,
}

impl Kind {
    const ALL: [(&'static str, Self); 3] = [("good", Self::Good), ("text", Self::Text), ("issues", Self::Issues)];

    /// Returns the kind with a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
    }

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// Returns the arguments of this number of different calls. If the calls were equal, a session would stop the model.
    fn arguments(self, calls: usize) -> Vec<String> {
        let bad = |fault: &str| BAD.iter().find(|call| call.fault == fault).map_or("", |call| call.arguments);
        (0..calls)
            .map(|number| match self {
                Self::Good => good(number),
                Self::Text => bad("number in a string").replace("Oslo", &format!("City {number}")),
                Self::Issues => bad("three issues").replace("many", &format!("many {number}")),
            })
            .collect()
    }
}

/// Makes calls of one side. The measurement runs this under callgrind.
pub fn run(side: usize, kind: Kind, calls: usize) {
    let arguments = kind.arguments(calls);
    // A session counts rejections, so each rejection gets a new session, to keep the throttle out of the measurement.
    let sides: Vec<_> = (0..if kind == Kind::Issues { calls } else { 1 }).map(|_| ALL[side]()).collect();
    for (number, arguments) in arguments.iter().enumerate() {
        measured(&*sides[number % sides.len()], arguments);
    }
}

/// Makes one call. callgrind counts the instructions of this function.
#[inline(never)]
fn measured(side: &dyn Side, arguments: &str) {
    let _ = black_box(side.call(TOOL, black_box(arguments)));
}

/// Returns the number of instructions of one call, computed from the difference between many calls and few calls.
fn instructions(side: usize, kind: Kind) -> Result<u64, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut all = [0_u64; 2];
    for (sum, calls) in all.iter_mut().zip(CALLS) {
        let output = Command::new("valgrind")
            .args(["--tool=callgrind", "--toggle-collect=peers::cost::measured", "--callgrind-out-file=/dev/null"])
            .arg(&program)
            .args(["run", &side.to_string(), kind.name(), &calls.to_string()])
            .output()
            .map_err(|error| format!("valgrind: {error}"))?;
        let text = String::from_utf8_lossy(&output.stderr);
        let number = text
            .lines()
            .find_map(|line| line.split("Collected : ").nth(1))
            .and_then(|number| number.trim().parse().ok());
        *sum = number.ok_or_else(|| format!("valgrind printed no number: {text}"))?;
    }
    Ok((all[1] - all[0]) / (CALLS[1] - CALLS[0]) as u64)
}

/// Returns the time of good calls of each side, in multiples of the first side's time. The speed of a machine varies, so the sides take turns,
/// and the result is the median of the ratios within each round of a thousand calls.
fn times() -> Vec<f64> {
    let mut ratios = vec![Vec::new(); ALL.len()];
    let sides: Vec<_> = ALL.iter().map(|side| side()).collect();
    for round in 0..200 {
        let arguments: Vec<_> = (0..1_000).map(|number| good(round * 1_000 + number)).collect();
        let times = sides.iter().map(|side| {
            let start = Instant::now();
            arguments.iter().for_each(|arguments| measured(&**side, arguments));
            start.elapsed().as_secs_f64()
        });
        let times: Vec<f64> = times.collect();
        ratios.iter_mut().zip(&times).for_each(|(ratios, time)| ratios.push(time / times[0]));
    }
    let median = |mut ratios: Vec<f64>| {
        ratios.sort_unstable_by(f64::total_cmp);
        ratios[ratios.len() / 2]
    };
    ratios.into_iter().map(median).collect()
}
