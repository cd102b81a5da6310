//! Instructions of each side of a comparison for one call, and their ratio: repeatable, unlike times. Needs valgrind.
//!
//! Each side runs twice under callgrind, and only its job is counted. The difference of both runs does not contain the preparation of the
//! first rounds.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::process::{Done, executable, output, program, root};

/// Prints the comparisons whose names contain the first argument, or all of them and the checks that work is linear. The argument `mcp`
/// stands for calls over MCP, for which rmcp is built.
pub(crate) fn run(arguments: &[String]) -> Done {
    if program("valgrind", &["--version"]).output().is_err() {
        return Err("install valgrind, or measure times with `cargo bench --manifest-path benches/Cargo.toml`".into());
    }
    let part = arguments.first().map_or("", String::as_str);
    let exceeded = if part == "mcp" {
        mcp()?
    } else {
        let bench = Bench::build()?;
        let mut exceeded = bench.comparisons(part)?;
        if part.is_empty() {
            exceeded += bench.faults()? + bench.rejected()? + bench.registration()?;
        }
        exceeded
    };
    if exceeded > 0 { Err(format!("{exceeded} limits are exceeded").into()) } else { Ok(()) }
}

/// The comparisons of calls through the proxy: the name, both sides of the example `proxy_cost`, the limit, and their description.
const PROXY: [(&str, &str, &str, &str, &str); 6] = [
    ("mcp proxy", "proxy", "pipe", "4.6", "a call through the proxy / through a pipe"),
    ("mcp proxy, translated", "translated", "pipe", "6.7", "a translated call / a call through a pipe"),
    ("mcp proxy, session", "session", "direct", "6.3", "a call through the proxy over HTTP / a direct one"),
    ("mcp proxy, 2026-07-28", "stateless", "direct", "7.2", "a call through the proxy over HTTP / a direct one"),
    ("mcp proxy, remote", "remote", "direct", "9", "a call through the proxy to a server over HTTP / a direct one"),
    ("mcp proxy, several", "several", "one", "1.15", "a call behind three servers / behind one"),
];

fn mcp() -> Done<usize> {
    let build = ["build", "--release", "-p", "tool-mcp"];
    let server = executable(&[&build[..], &["--example", "cost"]].concat(), "cost")?;
    let client = executable(&[&build[..], &["--test", "memory"]].concat(), "memory")?;
    let proxy = executable(
        &["build", "--release", "-p", "tool-proxy", "--features", "http,remote", "--example", "proxy_cost"],
        "proxy_cost",
    )?;
    // The server reads the side and the number of calls from its arguments, and the client from its environment.
    let of_call = |program: &Path, side: &str| -> Done<u64> {
        let count = |calls: &str| {
            let mut callgrind = callgrind(Path::new("/dev/null"));
            callgrind.arg(program).args([side, calls]).env("COST", side).env("CALLS", calls);
            collected(callgrind)
        };
        Ok((count("1200")? - count("200")?) / 1000)
    };
    heading();
    let (a, b) = (of_call(&server, "ours")?, of_call(&server, "plain")?);
    let mut exceeded = row("mcp server", a, b, "1.2", "a call of a toolbox / a server written with rmcp");
    let (a, b) = (of_call(&client, "ours")?, of_call(&client, "plain")?);
    exceeded += row("mcp client", a, b, "1.25", "a call in a session / the client of rmcp");
    for (name, side, other, limit, sides) in PROXY {
        exceeded += row(name, of_call(&proxy, side)?, of_call(&proxy, other)?, limit, sides);
    }
    Ok(exceeded)
}

/// Returns callgrind, without the program that it runs.
fn callgrind(profile: &Path) -> Command {
    let mut command = program("valgrind", &["--tool=callgrind"]);
    command.arg(format!("--callgrind-out-file={}", profile.display()));
    command
}

/// Runs callgrind and returns the number of instructions.
fn collected(mut callgrind: Command) -> Done<u64> {
    let ended = callgrind.output()?;
    let report = String::from_utf8_lossy(&ended.stderr);
    let collected = report.lines().find_map(|line| line.split_once("Collected : "));
    let (_, count) = collected.ok_or_else(|| format!("{callgrind:?}: {report}"))?;
    Ok(count.trim().parse()?)
}

fn heading() {
    println!("{:26} {:>12} {:>12} {:>7} {:>7}  ours / other", "comparison", "ours", "other", "ratio", "limit");
}

/// Prints a row of the table. Returns 1 if the ratio exceeds its limit, and 0 if not.
fn row(name: &str, ours: u64, other: u64, limit: &str, sides: &str) -> usize {
    let ratio = ratio(ours, other);
    let is_exceeded = limit.parse().is_ok_and(|limit: f64| ratio > limit);
    println!("{name:26} {ours:12} {other:12} {ratio:7.3} {limit:>7}  {sides}{}", mark(is_exceeded));
    usize::from(is_exceeded)
}

/// The program `benches/benches/instructions.rs`.
struct Bench(PathBuf);

impl Bench {
    fn build() -> Done<Self> {
        let target = ["build", "--profile", "bench", "--manifest-path", "benches/Cargo.toml", "--target-dir", "target"];
        executable(&[&target[..], &["--bench", "instructions"]].concat(), "instructions").map(Self)
    }

    /// Returns the number of instructions of one run.
    fn count(&self, arguments: &[&str], profile: &Path) -> Done<u64> {
        let mut callgrind = callgrind(profile);
        callgrind.arg("--toggle-collect=instructions::measured").arg(&self.0).args(arguments);
        collected(callgrind)
    }

    /// Returns the number of instructions of one call: the difference of two runs, divided by the difference of their iterations.
    fn per_call(&self, arguments: &[&str], few: u64, many: u64) -> Done<u64> {
        let count = |iterations: u64| {
            let iterations = iterations.to_string();
            self.count(&[arguments, &["--iterations", &iterations]].concat(), Path::new("/dev/null"))
        };
        Ok((count(many)? - count(few)?) / (many - few))
    }

    fn listed(&self, option: &str) -> Done<Vec<Vec<String>>> {
        let lines = output(program(&self.0, &[option]))?;
        Ok(lines.lines().map(|line| line.split('\t').map(str::to_owned).collect()).collect())
    }

    fn comparisons(&self, part: &str) -> Done<usize> {
        heading();
        let mut exceeded = 0;
        for listed in self.listed("--list")? {
            let [name, limit, ours, other] = &listed[..] else {
                return Err(format!("{listed:?} has no four columns").into());
            };
            if name.contains(part) {
                let side = |side: &str| self.per_call(&["--case", name, "--side", side], 10, 60);
                exceeded += row(name, side("ours")?, side("other")?, limit, &format!("{ours} / {other}"));
            }
        }
        Ok(exceeded)
    }

    /// Twice the issues never take 2.2 times the instructions.
    fn faults(&self) -> Done<usize> {
        println!("\na rejection to its text for the model, by faults");
        let (mut exceeded, mut before) = (0, None);
        for faults in (0..10).map(|power| 1_u64 << power) {
            let now = self.per_call(&["--faults", &faults.to_string()], 10, 60)?;
            let growth = before.map(|before| ratio(now, before));
            let is_exceeded = growth.is_some_and(|growth| growth > 2.2);
            exceeded += usize::from(is_exceeded);
            let shown = growth.map(|growth| format!("{growth:.2}x")).unwrap_or_default();
            println!("{faults:26} {now:12} {shown:>12}{}", mark(is_exceeded));
            before = Some(now);
        }
        Ok(exceeded)
    }

    /// At 1, 2 and 4 times the size, a unit (a byte that is sent, or a value of an enum) never takes more than 1.1 times as much.
    fn rejected(&self) -> Done<usize> {
        println!("\nrejected calls and streams, by size, with the instructions for each unit");
        let mut exceeded = 0;
        for row in self.listed("--shapes")? {
            let [shape, units] = &row[..] else { return Err(format!("{row:?} has no two columns").into()) };
            let (units, mut before) = (units.parse::<u64>()?, None);
            for units in [1, 2, 4].map(|times| units * times) {
                let now = self.per_call(&["--rejected", shape, "--units", &units.to_string()], 1, 3)?;
                let each = ratio(now, units);
                let is_exceeded = before.is_some_and(|before| each > 1.1 * before);
                exceeded += usize::from(is_exceeded);
                println!("{shape:>26} {units:12} {each:12.1}{}", mark(is_exceeded));
                before = Some(each);
            }
        }
        Ok(exceeded)
    }

    fn registration(&self) -> Done<usize> {
        let profile = root().join("target/registration.callgrind");
        self.count(&["--case", "register/1000", "--side", "ours", "--iterations", "1"], &profile)?;
        let functions = std::fs::read_to_string(&profile)?;
        std::fs::remove_file(&profile)?;
        let costly = ["regex_automata", "regex_syntax", "tool_schema::schema::"];
        let is_exceeded = costly.iter().any(|name| functions.contains(name));
        println!("\nregistering compiles no regex and renders no schema{}", mark(is_exceeded));
        Ok(usize::from(is_exceeded))
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts of instructions are far below 2^52")]
fn ratio(a: u64, b: u64) -> f64 {
    a as f64 / b as f64
}

fn mark(is_exceeded: bool) -> &'static str {
    if is_exceeded { "  EXCEEDED" } else { "" }
}
