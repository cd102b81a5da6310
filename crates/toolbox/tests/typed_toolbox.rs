//! Tests of `toolbox::run` in a program with its own tools: one line in `main`, the same commands, and `call`.
//!
//! The test binary is also the program. If an environment variable is set, it acts as the command. Otherwise, it starts itself with that
//! variable and checks the output. Therefore, it has its own `main`, and runs its checks one after another.

use std::error::Error;
use std::process::{Command, ExitCode, Output, Stdio};

use serde_json::{Value, json};
use tool_runtime::{Toolbox, plugin_container, tool};

/// The environment variable.
const IS_PROGRAM: &str = "TYPED_TOOLBOX_IS_PROGRAM";

type Checked = Result<(), Box<dyn Error>>;

/// The name of a check, and the check.
type Check = (&'static str, fn() -> Checked);

/// Repeats a text.
#[tool]
fn repeat(
    /// What.
    text: String,
    /// How often.
    #[tool(range(min = 1, max = 3))]
    times: u8,
) -> String {
    text.repeat(times.into())
}

/// Never works.
#[tool]
fn fail() -> Result<(), String> {
    Err("the disk is full".to_owned())
}

/// Says yes later.
#[tool]
async fn later() -> bool {
    std::future::ready(true).await
}

struct Math;

/// Arithmetic.
#[plugin_container]
impl Math {
    /// Adds two numbers.
    #[tool]
    fn add(
        &self,
        /// First summand.
        a: i64,
        /// Second summand.
        b: i64,
    ) -> i64 {
        a + b
    }
}

fn main() -> ExitCode {
    if std::env::var_os(IS_PROGRAM).is_some() {
        let builder = Toolbox::builder().tool(RepeatTool).tool(FailTool).tool(LaterTool).container(Math);
        return match builder.build() {
            Ok(toolbox) => toolbox::run(toolbox),
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        };
    }
    let checks: [Check; 9] = [
        ("a_call_prints_what_a_model_would_read", a_call_prints_what_a_model_would_read),
        ("a_call_without_arguments_runs", a_call_without_arguments_runs),
        ("a_member_is_called_without_expanding_its_container", a_member_is_called_without_expanding_its_container),
        ("a_repaired_call_runs_and_prints_its_repairs", a_repaired_call_runs_and_prints_its_repairs),
        ("arguments_can_be_read_from_a_pipe", arguments_can_be_read_from_a_pipe),
        ("a_failed_call_ends_with_exit_code_1", a_failed_call_ends_with_exit_code_1),
        ("recorded_calls_are_checked_against_the_typed_tools", recorded_calls_are_checked_against_the_typed_tools),
        ("schema_and_lint_use_the_typed_tools", schema_and_lint_use_the_typed_tools),
        ("one_call_is_explained_in_every_form", one_call_is_explained_in_every_form),
    ];
    let mut failed = 0;
    for (name, check) in checks {
        match check() {
            Ok(()) => println!("test {name} ... ok"),
            Err(error) => {
                failed += 1;
                println!("test {name} ... FAILED\n{error}");
            }
        }
    }
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs the program.
fn program(arguments: &[&str], input: &str) -> Result<Output, Box<dyn Error>> {
    use std::io::Write;

    let mut command = Command::new(std::env::current_exe()?);
    command.args(arguments).env(IS_PROGRAM, "1").env_remove("NO_COLOR");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    if let Some(mut pipe) = child.stdin.take() {
        // This fails if the command has already ended without reading its input, which is not an error.
        let _ = pipe.write_all(input.as_bytes());
    }
    Ok(child.wait_with_output()?)
}

/// Compares the exit code and both outputs exactly.
fn ends(output: &Output, code: i32, stdout: &str, stderr: &str) -> Checked {
    let found =
        (output.status.code(), String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let is_as_expected = found.0 == Some(code) && found.1 == stdout && found.2 == stderr;
    if is_as_expected { Ok(()) } else { Err(format!("{found:?} is not {:?}", (code, stdout, stderr)).into()) }
}

/// Returns an error with the output unless the condition holds.
fn holds(it: bool, output: &Output) -> Checked {
    if it { Ok(()) } else { Err(format!("{output:?}").into()) }
}

fn a_call_prints_what_a_model_would_read() -> Checked {
    ends(&program(&["call", "repeat", r#"{"text": "ab", "times": 2}"#], "")?, 0, "abab\n", "")
}

fn a_call_without_arguments_runs() -> Checked {
    ends(&program(&["call", "later"], "")?, 0, "true\n", "")
}

fn a_member_is_called_without_expanding_its_container() -> Checked {
    ends(&program(&["call", "add", r#"{"a": 1, "b": -3}"#], "")?, 0, "-2\n", "")
}

fn a_repaired_call_runs_and_prints_its_repairs() -> Checked {
    let output = program(&["call", "Repeat", r#"{"text": "ab", "times": "2"}"#], "")?;
    ends(&output, 0, "abab\n", "Read tool \"Repeat\" as repeat.\nRead times \"2\" as 2.\n")
}

fn arguments_can_be_read_from_a_pipe() -> Checked {
    ends(&program(&["call", "repeat", "-"], r#"{"text": "ab", "times": 1}"#)?, 0, "ab\n", "")
}

fn a_failed_call_ends_with_exit_code_1() -> Checked {
    for (arguments, answer) in [
        (&["call", "fail"][..], r#"{"error_type":"tool_error""#),
        (&["call", "repeat", r#"{"text": "ab"}"#], "repeat was not run: times is required.\n"),
        (
            &["call", "repeat", r#"{"text": "ab", "#],
            "repeat was not run: the arguments end before the JSON is complete.\n",
        ),
        (&["call", "reboot"], r#"{"error_type":"unknown_tool""#),
    ] {
        let output = program(arguments, "")?;
        holds(output.status.code() == Some(1) && output.stdout.starts_with(answer.as_bytes()), &output)?;
    }
    let output = program(&["call"], "")?;
    holds(output.status.code() == Some(2) && output.stdout.is_empty(), &output)
}

fn recorded_calls_are_checked_against_the_typed_tools() -> Checked {
    let calls = [
        json!({"id": 1, "tool": "repeat", "arguments": {"text": "a", "times": 1}}),
        json!({"id": 2, "tool": "add", "arguments": "{'a': '1', 'b': 2}"}),
        json!({"id": 3, "tool": "repeat", "arguments": {"text": "a", "times": 9}}),
        json!({"id": 4, "tool": "later"}),
    ];
    let lines: Vec<_> = calls.iter().map(ToString::to_string).collect();
    let input = lines.join("\n") + "\n";
    let output = program(&["check", "--json", "--fail-on", "rejected"], &input)?;
    let lines: Vec<Value> =
        std::str::from_utf8(&output.stdout)?.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let verdicts: Vec<_> = lines.iter().map(|line| line["verdict"].as_str().unwrap_or_default()).collect();
    holds(output.status.code() == Some(1) && verdicts == ["ok", "repaired", "rejected", "ok"], &output)?;
    holds(lines[1]["arguments"] == json!({"a": 1, "b": 2}) && lines[2]["issues"][0]["constraint"] == "maximum", &output)
}

fn schema_and_lint_use_the_typed_tools() -> Checked {
    let output = program(&["schema", "--dialect", "anthropic"], "")?;
    let definitions: Value = serde_json::from_slice(&output.stdout)?;
    let names: Vec<_> = definitions.as_array().into_iter().flatten().map(|tool| &tool["name"]).collect();
    holds(names == ["repeat", "fail", "later", "add"], &output)?;
    holds(definitions[0]["input_schema"]["properties"]["times"]["maximum"] == 3, &output)?;
    ends(&program(&["lint"], "")?, 0, "4 tools: 0 errors, 0 warnings\n", "")
}

fn one_call_is_explained_in_every_form() -> Checked {
    let output = program(&["explain", "repeat", r#"{"text": "ab", "times": 4}"#], "")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let parts = [
        "repeat: rejected",
        "\"error_type\": \"validation_error\"",
        "repeat was not run: times must be at most 3.\nSend this call, with",
        "\"times\": 4 // ❌ integer from 1 to 3",
        "**Fix**",
    ];
    holds(output.status.code() == Some(0) && parts.iter().all(|part| text.contains(part)), &output)
}
