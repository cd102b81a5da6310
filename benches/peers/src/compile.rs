//! Measures how long 100 tools take to compile, and how large the program with these tools is.
//!
//! For each side, a package with 100 tools is written into a temporary folder. Each package is first checked once. After that, the sides
//! take turns.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The number of tools in each package.
const TOOLS: usize = 100;

/// The number of times that the source of each package is touched and the package is checked again.
const ROUNDS: usize = 5;

/// A package that is written for one side.
struct Package {
    name: &'static str,
    dependencies: &'static [&'static str],
    /// The beginning of `main.rs`.
    imports: &'static str,
    tool: fn(usize) -> String,
    /// The body of `main`, which uses every tool.
    main: fn() -> String,
}

const SERDE: &str = "serde = { version = \"1\", features = [\"derive\"] }";
const SERDE_JSON: &str = "serde_json = \"1\"";
const SCHEMARS: &str = "schemars = { version = \"1\", default-features = false, features = [\"derive\", \"std\"] }";

/// Returns the fields of a tool. Each field is preceded by a documentation line and `prefix`.
fn fields(prefix: &str) -> String {
    ["a: String", "b: u32", "c: Option<String>", "d: f64", "e: bool"].iter().fold(String::new(), |mut all, field| {
        let _ = write!(all, "    /// Field.\n    {prefix}{field},\n");
        all
    })
}

/// Returns a copy of the pattern for each tool, with the tool's number in place of `#`.
fn each(pattern: &str) -> String {
    (0..TOOLS).map(|number| pattern.replace('#', &number.to_string())).collect()
}

fn arguments(derive: &str, number: usize) -> String {
    format!(
        "/// Tool.\n#[derive({derive})]\n#[serde(deny_unknown_fields)]\npub struct Tool{number} {{\n{}}}\n",
        fields("pub ")
    )
}

const PACKAGES: [Package; 6] = [
    Package {
        name: "by hand: serde + schemars",
        dependencies: &[SERDE, SERDE_JSON, SCHEMARS],
        imports: "use schemars::JsonSchema;\nuse serde::Deserialize;\n",
        tool: |number| arguments("Deserialize, JsonSchema", number),
        main: || {
            let arms = each(
                "        \"tool_#\" => serde_json::from_str::<Tool#>(&arguments).map(|call| call.b).map_err(|error| error.to_string()),\n",
            );
            let schemas = each("    println!(\"{}\", schemars::schema_for!(Tool#).to_value());\n");
            format!(
                "    let result = match &*name {{\n{arms}        _ => Err(name),\n    }};\n    println!(\"{{result:?}}\");\n{schemas}"
            )
        },
    },
    Package {
        name: "ours",
        dependencies: &["tool-runtime = { path = \"{root}/tool-runtime\" }", SERDE],
        imports: "use tool_runtime::{Toolbox, tool};\n",
        tool: |number| {
            format!(
                "/// Tool.\n#[tool]\nfn tool_{number}(\n{}) -> u32 {{\n    let _ = (a, c, d, e);\n    b\n}}\n",
                fields("")
            )
        },
        main: || {
            let tools = each(".tool(Tool#Tool)");
            format!(
                "    let session = Toolbox::builder(){tools}.build().unwrap().session();\n    println!(\"{{}}\", session.definitions().len());\n    println!(\"{{}}\", block_on(session.call(\"1\", &name, &*arguments)).to_text());\n"
            )
        },
    },
    Package {
        name: "rig-core 0.44.0",
        dependencies: &[
            "rig-core = { version = \"=0.44.0\", default-features = false, features = [\"derive\"] }",
            SERDE,
            SERDE_JSON,
            SCHEMARS,
        ],
        imports: "use rig_core::tool::{ErasedTool, ToolContext, ToolExecutionError};\nuse rig_core::rig_tool;\n",
        tool: |number| {
            let fields = fields("").replace("    /// Field.\n", "");
            format!(
                "/// Tool.\n#[rig_tool]\nfn tool_{number}(\n{fields}) -> Result<u32, ToolExecutionError> {{\n    let _ = (a, c, d, e);\n    Ok(b)\n}}\n"
            )
        },
        main: || {
            let tools = each("        Box::new(Tool#),\n");
            format!(
                "    let tools: Vec<Box<dyn ErasedTool>> = vec![\n{tools}    ];\n    for tool in &tools {{\n        println!(\"{{}} {{}}\", tool.name(), tool.parameters());\n    }}\n    let tool = tools.iter().find(|tool| tool.name() == name).unwrap();\n    println!(\"{{}}\", block_on(tool.execute(arguments, &mut ToolContext::new())).output().render());\n"
            )
        },
    },
    Package {
        name: "llm-tool 0.10.5",
        dependencies: &["llm-tool = \"=0.10.5\"", SERDE, SERDE_JSON, SCHEMARS],
        imports: "use llm_tool::{ToolContext, ToolRegistry, llm_tool};\n",
        tool: |number| {
            format!(
                "/// Tool.\n#[llm_tool]\nfn tool_{number}(\n{}) -> u32 {{\n    let _ = (a, c, d, e);\n    b\n}}\n",
                fields("")
            )
        },
        main: || {
            let tools = each(".with_tool(Tool#)");
            format!(
                "    let registry = ToolRegistry::new(){tools};\n    println!(\"{{}}\", registry.definitions().len());\n    println!(\"{{}}\", block_on(registry.dispatch_str(&name, &arguments, &ToolContext::new())).is_ok());\n"
            )
        },
    },
    Package {
        name: "typia 0.1.1",
        dependencies: &["typia = \"=0.1.1\"", SERDE, SERDE_JSON],
        imports: "use typia::LLMData;\nuse serde::{Deserialize, Serialize};\n",
        tool: |number| arguments("Debug, Serialize, Deserialize, LLMData", number),
        main: || {
            let arms = each("        \"tool_#\" => format!(\"{:?}\", Tool#::parse(&arguments)),\n");
            format!(
                "    let result = match &*name {{\n{arms}        _ => name,\n    }};\n    println!(\"{{result}}\");\n"
            )
        },
    },
    Package {
        name: "rmcp 3.11.0",
        dependencies: &[
            "rmcp = { version = \"=3.11.0\", default-features = false, features = [\"macros\", \"server\"] }",
            SERDE,
            SERDE_JSON,
            SCHEMARS,
        ],
        imports: "use rmcp::handler::server::wrapper::Parameters;\nuse rmcp::schemars::JsonSchema;\nuse rmcp::{tool, tool_router};\nuse serde::Deserialize;\n",
        tool: |number| arguments("Deserialize, JsonSchema", number),
        main: || "    println!(\"{} {name} {arguments}\", Server::tool_router().list_all().len());\n".to_owned(),
    },
];

impl Package {
    fn source(&self) -> String {
        let mut source =
            format!("//! Generated.\n#![allow(dead_code, unused_imports, missing_docs)]\n{}\n", self.imports);
        (0..TOOLS).for_each(|number| source.push_str(&(self.tool)(number)));
        if self.name.starts_with("rmcp") {
            let methods = each("    /// Tool.\n    @[tool]\n    fn tool_#(&self, Parameters(call): Parameters<Tool#>) -> String {\n        call.b.to_string()\n    }\n").replace('@', "#");
            let _ = write!(source, "pub struct Server;\n#[tool_router]\nimpl Server {{\n{methods}}}\n");
        }
        if (self.main)().contains("block_on") {
            source.push_str("use pollster::block_on;\n");
        }
        let _ = write!(
            source,
            "fn main() {{\n    let name = std::env::args().nth(1).unwrap_or_default();\n    let arguments = std::env::args().nth(2).unwrap_or_default();\n{}}}\n",
            (self.main)()
        );
        source
    }

    /// Writes the package and returns its folder.
    fn write(&self, root: &Path, folder: &Path, number: usize) -> std::io::Result<PathBuf> {
        let folder = folder.join(format!("side-{number}"));
        fs::create_dir_all(folder.join("src"))?;
        let dependencies = self.dependencies.join("\n").replace("{root}", &root.display().to_string());
        let manifest = format!(
            "[package]\nname = \"side-{number}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n{dependencies}\npollster = \"0.4\"\n\n[profile.release]\nstrip = true\n\n[workspace]\n"
        );
        fs::write(folder.join("Cargo.toml"), manifest)?;
        fs::write(folder.join("src/main.rs"), self.source())?;
        fs::copy(root.join("benches/peers/Cargo.lock"), folder.join("Cargo.lock"))?;
        Ok(folder)
    }
}

/// Returns the table of compile times, crates and sizes, in Markdown.
///
/// # Errors
///
/// Fails if a package cannot be written or does not compile.
pub fn table() -> Result<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().map_err(|error| error.to_string())?;
    let folder = std::env::temp_dir().join(format!("peers-{}", std::process::id()));
    let result = measure(&root, &folder);
    let _ = fs::remove_dir_all(&folder);
    result
}

fn measure(root: &Path, folder: &Path) -> Result<String, String> {
    let mut rows = Vec::new();
    for (number, package) in PACKAGES.iter().enumerate() {
        let place = package.write(root, folder, number).map_err(|error| format!("{}: {error}", package.name))?;
        let crates = output(cargo(&place, &["tree", "-e", "normal", "--prefix", "none"]))?;
        let crates: std::collections::BTreeSet<_> =
            crates.lines().map(|line| line.trim_end_matches(" (*)").to_owned()).collect();
        let cold = cpu(cargo(&place, &["check", "--quiet"]))?;
        rows.push((package.name, place, crates.len() - 1, cold, Vec::new()));
    }
    for _ in 0..ROUNDS {
        for (_, place, _, _, touched) in &mut rows {
            let file = place.join("src/main.rs");
            let source = fs::read(&file).and_then(|source| fs::write(&file, source));
            source.map_err(|error| error.to_string())?;
            touched.push(cpu(cargo(place, &["check", "--quiet"]))?);
        }
    }
    let mut table = String::from(
        "| | crates | `cargo check`, cold | `cargo check` after a touch | ratio | program |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    let mut base = 0.0;
    for (name, place, crates, cold, mut touched) in rows {
        touched.sort_by(f64::total_cmp);
        let touched = touched[touched.len() / 2];
        if base == 0.0 {
            base = touched;
        }
        output(cargo(&place, &["build", "--quiet", "--release"]))?;
        let file =
            fs::read_dir(place.join("target/release")).map_err(|error| error.to_string())?.filter_map(Result::ok);
        let size = file.filter(|file| {
            file.file_name().to_string_lossy().starts_with("side-") && file.path().extension().is_none()
        });
        let size = size.filter_map(|file| file.metadata().ok()).map(|data| data.len()).max().unwrap_or(0);
        #[expect(clippy::cast_precision_loss, reason = "megabytes with one digit")]
        let size = size as f64 / 1e6;
        let _ = writeln!(
            table,
            "| {name} | {crates} | {cold:.1} s | {touched:.2} s | {:.2} | {size:.1} MB |",
            touched / base
        );
        let _ = fs::remove_dir_all(place.join("target"));
    }
    Ok(table)
}

fn cargo(place: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command
        .args(arguments)
        .arg("--offline")
        .current_dir(place)
        .env("CARGO_INCREMENTAL", "0")
        .env_remove("CARGO_TARGET_DIR");
    command
}

fn output(mut command: Command) -> Result<String, String> {
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| error.to_string())?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        Err(format!("{command:?} failed"))
    }
}

/// Runs a command and returns the processor time that it and its children took, in seconds.
///
/// Other work on the machine changes the processor time less than the time on the clock.
fn cpu(command: Command) -> Result<f64, String> {
    let before = children()?;
    output(command)?;
    Ok(children()? - before)
}

/// Returns the processor time of all children that have ended, in seconds. Linux reports it in units of 10 ms.
fn children() -> Result<f64, String> {
    let stat = fs::read_to_string("/proc/self/stat").map_err(|error| format!("/proc/self/stat: {error}"))?;
    let fields: Vec<_> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    let ticks = |index: usize| fields.get(index).and_then(|ticks| ticks.parse::<u32>().ok());
    let (Some(user), Some(system)) = (ticks(13), ticks(14)) else {
        return Err("/proc/self/stat has another form".to_owned());
    };
    Ok(f64::from(user + system) / 100.0)
}
