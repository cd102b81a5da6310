//! Runs one side of one comparison a number of times. `cargo xtask instructions` runs this program under callgrind.
//!
//! - `--list` prints every comparison as `name<TAB>limit<TAB>ours<TAB>other`.
//! - `--case NAME --side ours|other --iterations N` runs one side.
//! - `--issues N` rejects an input with N issues, for the doubling test.
//! - `--shapes` lists the shapes of rejected calls. `--rejected SHAPE --units N` makes a call of that shape.

#![allow(missing_docs)]

use benches::{cases, rejected};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let value =
        |name: &str| arguments.iter().position(|argument| argument == name).map(|at| arguments[at + 1].as_str());
    let comparisons = cases::all();
    let iterations: u32 = value("--iterations").and_then(|number| number.parse().ok()).unwrap_or(1);
    if let Some(faults) = value("--faults").and_then(|number| number.parse().ok()) {
        return measured(&cases::rejection_of(faults), iterations);
    }
    if let Some(shape) = value("--rejected") {
        let units = value("--units").and_then(|number| number.parse().ok()).expect("`--units N`");
        return measured(&*rejected::job(shape, units), iterations);
    }
    if arguments.iter().any(|argument| argument == "--shapes") {
        return rejected::SHAPES.iter().for_each(|(name, units)| println!("{name}\t{units}"));
    }
    let Some(name) = value("--case") else {
        for cases::Comparison { name, limit, ours, other } in &comparisons {
            println!(
                "{name}\t{}\t{}\t{}",
                limit.map_or("-".to_owned(), |limit| limit.to_string()),
                ours.name,
                other.name
            );
        }
        return;
    };
    let comparison =
        comparisons.into_iter().find(|comparison| comparison.name == name).expect("a name that `--list` prints");
    let side = if value("--side") == Some("other") { comparison.other } else { comparison.ours };
    measured(&*(side.prepare)(), iterations);
}

/// Runs the job. `cargo xtask instructions` finds this function by its name and counts its instructions. The preparation is not counted,
/// because its cost differs from run to run: hash tables have random keys.
#[inline(never)]
fn measured(job: &dyn Fn(), iterations: u32) {
    (0..iterations).for_each(|_| job());
}
