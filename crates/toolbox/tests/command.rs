//! Tests of the `toolbox` command as a process: files and arguments in, lines and an exit code out.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

type Outcome = Result<(), Box<dyn Error>>;

/// A folder that is deleted after the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Result<Self, Box<dyn Error>> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("toolbox-{name}"));
        fs::create_dir_all(&folder)?;
        Ok(Self(folder))
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> Result<String, Box<dyn Error>> {
        let path = self.0.join(name);
        fs::write(&path, text)?;
        Ok(path.to_string_lossy().into_owned())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn toolbox(arguments: &[&str]) -> Result<Output, Box<dyn Error>> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_toolbox"));
    command
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
        .env_remove("NO_COLOR")
        .stdin(Stdio::null());
    Ok(command.args(arguments).output()?)
}

fn lines(output: &Output) -> Result<Vec<Value>, Box<dyn Error>> {
    let text = std::str::from_utf8(&output.stdout)?;
    Ok(text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?)
}

fn complaint(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn check(name: &str, tools: &Value, calls: &[Value], options: &[&str]) -> Result<Output, Box<dyn Error>> {
    let folder = Folder::new(name)?;
    let tools = folder.file("tools.json", tools.to_string())?;
    let calls = folder.file("calls.jsonl", lines_of(calls))?;
    toolbox(&[&["check", "--tools", &tools, "--calls", &calls], options].concat())
}

/// Returns JSON Lines.
fn lines_of(rows: &[Value]) -> String {
    let lines: Vec<_> = rows.iter().map(ToString::to_string).collect();
    lines.join("\n") + "\n"
}

fn search() -> Value {
    json!([{"name": "search", "description": "Searches.", "parameters": {
        "type": "object",
        "properties": {"query": {"type": "string"}, "limit": {"type": "integer", "minimum": 1}},
        "required": ["query"],
    }}])
}

#[test]
fn verdicts_are_in_the_order_of_the_calls() -> Outcome {
    let calls = [
        json!({"id": "a", "tool": "search", "arguments": {"query": "x", "limit": 3}}),
        json!({"id": 2, "name": "search", "arguments": "{'query': 'x', 'limit': '3'}"}),
        json!({"tool": "search", "raw": "{\"limit\": 0, \"extra\": 1}"}),
        json!({"id": "d", "tool": "serch", "arguments": {}}),
    ];
    let output = check("verdicts", &search(), &calls, &["--json"])?;
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    let lines = lines(&output)?;
    let keys = ["id", "tool", "verdict", "arguments", "repairs", "issues", "failure"];
    for line in &lines {
        assert!(keys.iter().all(|key| line.get(key).is_some()), "{line}");
    }
    assert_eq!(lines[0]["verdict"], "ok");
    assert_eq!(lines[0]["arguments"], json!({"query": "x", "limit": 3}));
    assert_eq!(lines[1]["id"], 2);
    assert_eq!(lines[1]["verdict"], "repaired");
    assert_eq!(lines[1]["arguments"], json!({"query": "x", "limit": 3}));
    assert!(lines[1]["repairs"].as_array().is_some_and(|repairs| {
        repairs.iter().any(|repair| repair["path"] == "limit" && repair["before"] == "\"3\"" && repair["after"] == "3")
    }));
    assert_eq!(lines[2]["id"], Value::Null);
    assert_eq!(lines[2]["verdict"], "refused");
    let found = |path: &str, constraint: &str| {
        let issues = lines[2]["issues"].as_array().into_iter().flatten();
        issues.filter(|issue| issue["path"] == path && issue["constraint"] == constraint).count()
    };
    assert_eq!(
        (found("query", "required"), found("limit", "minimum"), found("extra", "additionalProperties")),
        (1, 1, 1)
    );
    assert_eq!(lines[2]["failure"]["error_type"], "validation_error");
    assert_eq!(lines[3]["failure"]["error_type"], "unknown_tool");
    assert_eq!(lines[3]["failure"]["did_you_mean"], json!(["search"]));
    Ok(())
}

#[test]
fn a_refused_call_also_lists_faults_that_can_be_repaired() -> Outcome {
    let calls = [json!({"tool": "search", "arguments": {"limit": "3"}})];
    let lines = lines(&check("all", &search(), &calls, &["--json"])?)?;
    let issues = lines[0]["issues"].as_array().into_iter().flatten();
    // The order of issues is the order of properties, which depends on a feature of `serde_json`.
    let paths: BTreeSet<_> = issues.filter_map(|issue| issue["path"].as_str()).collect();
    assert_eq!(paths, BTreeSet::from(["limit", "query"]));
    assert_eq!(lines[0]["failure"]["errors"].as_array().map(Vec::len), Some(1));
    Ok(())
}

#[test]
fn the_policy_and_the_treatment_of_unknown_keys_are_options() -> Outcome {
    let verdict = |name: &str, arguments: Value, options: &[&str]| {
        let calls = [json!({"tool": "search", "arguments": arguments})];
        let output = check(name, &search(), &calls, &[&["--json"], options].concat())?;
        Ok::<_, Box<dyn Error>>(lines(&output)?[0]["verdict"].clone())
    };
    let spelt = json!({"query": "x", "limit": "3"});
    assert_eq!(verdict("strict", spelt.clone(), &["--policy", "strict"])?, "refused");
    assert_eq!(verdict("lossless", spelt, &[])?, "repaired");
    let renamed = json!({"querry": "x"});
    assert_eq!(verdict("renamed", renamed.clone(), &[])?, "refused");
    assert_eq!(verdict("assisted", renamed, &["--policy", "assisted"])?, "repaired");
    let unknown = json!({"query": "x", "page": 2});
    assert_eq!(verdict("reject", unknown.clone(), &[])?, "refused");
    assert_eq!(verdict("ignore", unknown, &["--unknown", "ignore"])?, "ok");
    Ok(())
}

#[test]
fn an_object_that_lists_no_properties_is_open() -> Outcome {
    let tools = json!([{"name": "log", "parameters": {"type": "object"}}, {"name": "ping"}]);
    let calls = [json!({"tool": "log", "arguments": {"anything": 1}}), json!({"tool": "ping", "arguments": {"x": 1}})];
    let lines = lines(&check("open", &tools, &calls, &["--json"])?)?;
    assert_eq!([&lines[0]["verdict"], &lines[1]["verdict"]], ["ok", "ok"]);
    Ok(())
}

#[test]
fn a_byte_order_mark_is_skipped() -> Outcome {
    let folder = Folder::new("marks")?;
    let call = "{\"tool\": \"search\", \"arguments\": {\"query\": \"x\"}}\n";
    let tools = search();
    for marked in [tools.to_string(), tools[0].to_string()] {
        let tools = folder.file("tools.json", format!("\u{feff}{marked}"))?;
        let calls = folder.file("calls.jsonl", format!("\u{feff}{call}{call}"))?;
        let output = toolbox(&["check", "--tools", &tools, "--calls", &calls, "--json"])?;
        assert_eq!(lines(&output)?.len(), 2, "{}", complaint(&output));
        assert!(lines(&output)?.iter().all(|line| line["verdict"] == "ok"), "{}", complaint(&output));
    }
    // A file that only contains a byte order mark is empty. A mark in the middle of a file is an error.
    let tools = folder.file("tools.json", tools.to_string())?;
    let calls = folder.file("calls.jsonl", "\u{feff}")?;
    assert_eq!(lines(&toolbox(&["check", "--tools", &tools, "--calls", &calls, "--json"])?)?.len(), 0);
    let calls = folder.file("calls.jsonl", format!("{call}\u{feff}{call}"))?;
    assert_eq!(toolbox(&["check", "--tools", &tools, "--calls", &calls, "--json"])?.status.code(), Some(2));
    Ok(())
}

#[test]
fn utf_16_is_reported() -> Outcome {
    let folder = Folder::new("utf-16")?;
    let good = folder.file("good.json", search().to_string())?;
    let (little, big) = (|unit: u16| unit.to_le_bytes(), |unit: u16| unit.to_be_bytes());
    let wide = |text: &str, bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
    let call = "{\"tool\": \"search\"}\n";
    for (mark, bytes) in [("\u{feff}", little as fn(u16) -> [u8; 2]), ("\u{feff}", big), ("", little), ("", big)] {
        let calls = folder.file("calls.jsonl", wide(&format!("{mark}{call}"), bytes))?;
        let tools = folder.file("tools.json", wide(&format!("{mark}{}", search()), bytes))?;
        for arguments in [["--tools", &good, "--calls", &calls], ["--tools", &tools, "--calls", &good]] {
            let output = toolbox(&[&["check"], &arguments[..]].concat())?;
            assert_eq!(output.status.code(), Some(2));
            assert!(complaint(&output).contains("it is UTF-16, not UTF-8; save it as UTF-8"), "{}", complaint(&output));
        }
    }
    Ok(())
}

#[test]
fn a_ref_takes_precedence_over_a_name() -> Outcome {
    let tool = |reference: &str, kind: &str| json!({"ref": reference, "name": "t", "parameters": {"type": "object", "properties": {"v": {"type": kind}}}});
    let tools = json!([tool("one", "string"), tool("two", "boolean")]);
    let calls = [
        json!({"tool": "t", "tool_ref": "one", "arguments": {"v": "x"}}),
        json!({"tool": "other", "tool_ref": "two", "arguments": {"v": true}}),
    ];
    let output = check("refs", &tools, &calls, &["--json"])?;
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    let verdicts: Vec<_> = lines(&output)?.iter().map(|line| line["verdict"].clone()).collect();
    assert_eq!(verdicts, ["ok", "ok"]);
    let output = check("no-ref", &tools, &[json!({"tool": "t", "arguments": {}})], &["--json"])?;
    assert_eq!(output.status.code(), Some(2));
    Ok(())
}

#[test]
fn the_error_for_a_shared_name_names_both_lines() -> Outcome {
    let folder = Folder::new("shared")?;
    let tools = folder.file("tools.jsonl", "{\"name\": \"t\"}\n\n{\"name\": \"t\"}\n")?;
    let output = toolbox(&["check", "--tools", &tools])?;
    assert_eq!(output.status.code(), Some(2));
    let complaint = complaint(&output);
    assert!(complaint.contains("tools.jsonl, lines 1 and 3") && complaint.contains("\"t\""), "{complaint}");
    Ok(())
}

#[test]
fn an_invalid_line_does_not_affect_the_others() -> Outcome {
    let folder = Folder::new("lines")?;
    let tools = folder.file("tools.json", search().to_string())?;
    let good = "{\"tool\": \"search\", \"arguments\": {\"query\": \"x\"}}";
    let text = [good.as_bytes(), b"\n\xff\xfe\n{\"tool\": 1}\n[]\n{\n\n", good.as_bytes()].concat();
    let calls = folder.file("calls.jsonl", text)?;
    let output = toolbox(&["check", "--tools", &tools, "--calls", &calls, "--json"])?;
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(lines(&output)?.len(), 2);
    let complaint = complaint(&output);
    for line in 2..=5 {
        assert!(complaint.contains(&format!("calls.jsonl, line {line}: ")), "{line} in {complaint}");
    }
    Ok(())
}

#[test]
fn the_output_does_not_depend_on_the_number_of_threads() -> Outcome {
    let folder = Folder::new("threads")?;
    let tools = folder.file("tools.json", search().to_string())?;
    let call = |number: usize| match number % 7 {
        0 => format!(r#"{{"id": {number}, "tool": "search", "raw": "{{'query': 'x'}}"}}"#),
        1 => format!(r#"{{"id": {number}, "tool": "search", "arguments": {{"limit": 0}}}}"#),
        2 => format!(r#"{{"id": {number}, "tool": "serch{}", "arguments": {{}}}}"#, number % 50),
        3 => format!("invalid line {number}"),
        4 => String::new(),
        _ => {
            format!(r#"{{"id": {number}, "tool": "search", "arguments": {{"query": "{}"}}}}"#, "x".repeat(number % 90))
        }
    };
    // Several blocks for each thread.
    let mut calls: Vec<u8> = (0..6_000).flat_map(|number| (call(number) + "\n").into_bytes()).collect();
    calls.extend(b"\xff is not UTF-8\n");
    let calls = folder.file("calls.jsonl", &calls)?;
    for options in [&["--json"][..], &[]] {
        let with = |threads: &str| {
            let command = ["check", "--tools", &tools, "--calls", &calls, "--threads", threads];
            toolbox(&[&command, options].concat())
        };
        let alone = with("1")?;
        assert_eq!(alone.status.code(), Some(2));
        assert!(alone.stdout.len() > 150_000 && complaint(&alone).contains("calls.jsonl, line 6001: the line is not"));
        for threads in ["2", "8"] {
            assert_eq!(with(threads)?, alone, "{threads} threads");
        }
    }
    Ok(())
}

#[test]
fn an_unusable_definition_is_reported_and_the_others_are_used() -> Outcome {
    let folder = Folder::new("bad-tool")?;
    let good = search()[0].clone();
    let bad = json!({"name": "bad", "parameters": {"type": "object", "properties": {"x": {"type": "strnig"}}}});
    let tools = folder.file("tools.jsonl", format!("{good}\n{bad}\n"))?;
    let calls = folder.file(
        "calls.jsonl",
        "{\"tool\": \"search\", \"arguments\": {\"query\": \"x\"}}\n{\"tool\": \"bad\", \"arguments\": {}}\n",
    )?;
    let output = toolbox(&["check", "--tools", &tools, "--calls", &calls, "--json"])?;
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(lines(&output)?.len(), 1);
    let complaint = complaint(&output);
    assert!(complaint.contains("bad") && complaint.contains("strnig"), "{complaint}");
    Ok(())
}

#[test]
fn the_exit_code_follows_the_options() -> Outcome {
    let repaired = [json!({"tool": "search", "arguments": {"query": "x", "limit": "3"}})];
    let refused = [json!({"tool": "search", "arguments": {}})];
    let code = |name: &str, calls: &[Value], options: &[&str]| {
        Ok::<_, Box<dyn Error>>(check(name, &search(), calls, options)?.status.code())
    };
    assert_eq!(code("e1", &refused, &[])?, Some(0));
    assert_eq!(code("e2", &refused, &["--fail-on", "refused"])?, Some(1));
    assert_eq!(code("e3", &repaired, &["--fail-on", "refused"])?, Some(0));
    assert_eq!(code("e4", &repaired, &["--fail-on", "repaired"])?, Some(1));
    assert_eq!(code("e5", &refused, &["--fail-on", "repaired"])?, Some(1));
    assert_eq!(toolbox(&["check", "--tools", "there-is-no-such-file"])?.status.code(), Some(2));
    assert_eq!(toolbox(&["check"])?.status.code(), Some(2));
    Ok(())
}

#[test]
fn a_report_in_a_pipe_has_no_colours_and_no_control_characters() -> Outcome {
    let calls = [json!({"tool": "\u{1b}[31msearch", "arguments": {}}), json!({"tool": "search", "arguments": {}})];
    let output = check("plain", &search(), &calls, &[])?;
    assert!(!output.stdout.contains(&0x1b));
    let text = String::from_utf8(output.stdout)?;
    for line in ["     2 calls", "     0 ok", "     2 refused", "     1 calls of unknown tools"] {
        assert!(text.contains(line), "{text}");
    }
    Ok(())
}

#[test]
fn texts_are_parsed_line_by_line() -> Outcome {
    let folder = Folder::new("parse")?;
    let texts = ["{\"a\": 1}", "{'a': True}", "{\"a\": [1", "not JSON at all"];
    let rows: Vec<_> = texts.iter().enumerate().map(|(id, raw)| json!({"id": id, "raw": raw})).collect();
    let input = lines_of(&rows);
    let output = toolbox(&["parse", "--input", &folder.file("texts.jsonl", input)?, "--json"])?;
    assert_eq!(output.status.code(), Some(0));
    let lines = lines(&output)?;
    let statuses: Vec<_> = lines.iter().map(|line| line["status"].as_str().unwrap_or_default()).collect();
    assert_eq!(statuses, ["clean", "repaired", "incomplete", "refused"]);
    assert_eq!(lines[1]["value"], json!({"a": true}));
    assert!(lines[1]["repairs"].as_array().is_some_and(|repairs| !repairs.is_empty()));
    assert!(lines[3]["errors"].as_array().is_some_and(|errors| !errors.is_empty()));
    Ok(())
}

#[test]
fn lint_finds_definitions_that_can_never_work() -> Outcome {
    let folder = Folder::new("lint")?;
    let tools = json!([
        {"name": "bad name", "description": "x", "parameters": {"type": "object", "properties": {
            "a": {"type": "integer", "minLength": 1, "minimum": 5, "maximum": 1, "description": "A."},
            "b": {"type": "string", "enum": ["x"], "default": "y", "minLenght": 1},
        }, "required": ["c"]}},
        {"name": "get_it", "description": "x", "parameters": {"type": "object", "anyOf": [{}]}},
        {"name": "getIt", "parameters": {"type": "object"}},
    ]);
    let tools = folder.file("tools.json", tools.to_string())?;
    let output = toolbox(&["lint", "--tools", &tools, "--json", "--fail-on", "error"])?;
    assert_eq!(output.status.code(), Some(1));
    let lines = lines(&output)?;
    let found = |tool: &str, rule: &str| lines.iter().any(|line| line["tool"] == tool && line["rule"] == rule);
    for rule in ["name", "dead_rule", "impossible", "default", "unknown_keyword", "undeclared", "description"] {
        assert!(found("bad name", rule), "{rule}: {lines:#?}");
    }
    assert!(found("get_it", "root") && found("getIt", "similar_name") && found("getIt", "description"));
    Ok(())
}

#[test]
fn explain_shows_invalid_json_in_every_form() -> Outcome {
    let folder = Folder::new("explain")?;
    let tools = folder.file("tools.json", search().to_string())?;
    let output = toolbox(&["explain", "--tools", &tools, "search", "{\"query\": \"a\""])?;
    let text = String::from_utf8(output.stdout)?;
    let forms = [
        "\"error_type\": \"invalid_json\"",
        "{\"query\": \"a\"❌\n❌ the text ends here, before the JSON is complete\n",
        "**search was not run.** Its arguments are not valid JSON:\n",
    ];
    for form in forms {
        assert!(text.contains(form), "{text}");
    }
    Ok(())
}

/// Returns the findings of `lint` for one schema, except those about descriptions: severity, rule and pointer.
fn linted(name: &str, parameters: &Value) -> Result<Vec<String>, Box<dyn Error>> {
    let folder = Folder::new(name)?;
    let tools = json!([{"name": "t", "description": "x", "parameters": parameters}]).to_string();
    let output = toolbox(&["lint", "--tools", &folder.file("tools.json", tools)?, "--json"])?;
    let found = lines(&output)?.into_iter().filter(|line| line["rule"] != "description");
    let word = |line: &Value, key: &str| line[key].as_str().unwrap_or_default().to_owned();
    Ok(found
        .map(|line| format!("{} {} {}", word(&line, "severity"), word(&line, "rule"), word(&line, "pointer")))
        .collect())
}

#[test]
fn lint_finds_schemas_that_no_value_satisfies() -> Outcome {
    let cases = [
        (json!({"type": "integer", "exclusiveMinimum": 5, "maximum": 5}), true),
        (json!({"type": "integer", "minimum": 5, "exclusiveMaximum": 5}), true),
        (json!({"type": "integer", "exclusiveMinimum": 6, "exclusiveMaximum": 5}), true),
        (json!({"type": "integer", "enum": ["1", "2"]}), true),
        (json!({"type": "string", "enum": [1]}), true),
        (json!({"type": "string", "const": 5}), true),
        (json!({"type": ["string", "integer"], "const": 5}), false),
        (json!({"type": "integer", "minimum": 5, "maximum": 5}), false),
        (json!({"type": "integer", "exclusiveMinimum": 4, "maximum": 5}), false),
        (json!({"type": "integer", "enum": [1.0]}), false),
        (json!({"type": ["string", "null"], "enum": [null, 3]}), false),
    ];
    for (index, (property, is_impossible)) in cases.into_iter().enumerate() {
        let found = linted(&format!("impossible_{index}"), &json!({"type": "object", "properties": {"a": property}}))?;
        let wanted: &[&str] = if is_impossible { &["error impossible /properties/a"] } else { &[] };
        assert_eq!(found, wanted, "{property}");
    }
    Ok(())
}

/// `then: {required: [...]}` applies to the same object as the surrounding schema, which lists the key.
#[test]
fn lint_does_not_check_a_part_of_an_object_as_a_whole() -> Outcome {
    let found = linted(
        "parts",
        &json!({
            "type": "object",
            "properties": {"kind": {"enum": ["a", "b"]}, "x": {}},
            "if": {"properties": {"kind": {"const": "a"}}, "required": ["kind"]},
            "then": {"required": ["x"]},
            "else": {"not": {"required": ["x"]}},
            "dependentSchemas": {"x": {"required": ["kind"]}},
        }),
    )?;
    assert!(found.is_empty(), "{found:?}");
    let default = json!({"type": "object", "properties": {"a": {"enum": ["x"], "default": "y"}}, "required": ["b"]});
    assert_eq!(linted("default", &default)?, ["warning undeclared ", "warning default /properties/a"]);
    Ok(())
}

fn settings() -> Value {
    json!([
        {"name": "set", "description": "Sets options.", "parameters": {
            "type": "object",
            "properties": {
                "user": {"type": "string", "minLength": 2},
                "level": {"type": "integer"},
                "options": {"type": "object", "additionalProperties": {"type": "string"}},
            },
            "required": ["user"],
        }},
        {"name": "free", "description": "Takes anything.", "parameters": {
            "type": "object", "properties": {"data": {"type": "array"}}, "required": ["data"],
        }},
        {"name": "not a name", "description": "Is left out.", "parameters": {"type": "object"}},
    ])
}

#[test]
fn the_schema_command_prints_the_form_of_each_tool_in_a_dialect() -> Outcome {
    let folder = Folder::new("dialect-schema")?;
    let tools = folder.file("tools.json", settings().to_string())?;
    let output = toolbox(&["schema", "--tools", &tools, "--dialect", "openai-strict", "--json"])?;
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    let lines = lines(&output)?;
    assert!(lines.iter().all(|line| line.as_object().is_some_and(|line| line.len() == 4)), "{lines:?}");
    let forms: Vec<_> = lines.iter().map(|line| (&line["tool"], &line["form"])).collect();
    assert_eq!(
        format!("{forms:?}"),
        r#"[(String("set"), String("strict")), (String("free"), String("plain")), (String("not a name"), String("omitted"))]"#
    );
    assert_eq!(lines[0]["definition"]["function"]["strict"], true);
    assert_eq!(lines[0]["notes"], json!([]));
    assert_eq!(lines[1]["notes"], json!(["not strict: data: has items of any kind"]));
    assert_eq!(lines[1]["definition"]["function"].get("strict"), None);
    assert_eq!(lines[2]["definition"], Value::Null);

    let output = toolbox(&["schema", "--tools", &tools, "--dialect", "openai-strict"])?;
    let array: Value = serde_json::from_slice(&output.stdout)?;
    assert_eq!(array.as_array().map(Vec::len), Some(2));
    assert!(complaint(&output).contains("not a name: the name is refused"), "{}", complaint(&output));

    let output = toolbox(&["schema", "--tools", &tools, "--dialect", "smoke-signals"])?;
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint(&output).contains("openai-responses-strict"), "{}", complaint(&output));
    Ok(())
}

#[test]
fn calls_in_a_dialect_are_restored_before_they_are_checked() -> Outcome {
    let calls = [
        json!({"tool": "set", "arguments": {"user": "Ada", "level": null, "options": [{"key": "a", "value": "1"}]}}),
        json!({"tool": "set", "raw": "{'user': 'Ada', 'level': '3', 'options': null,}"}),
        json!({"tool": "set", "arguments": {"user": "Ada", "options": [{"key": "a", "value": "1"}, {"key": "a", "value": "2"}]}}),
        json!({"tool": "set", "arguments": {"user": "A", "level": null, "options": null}}),
        json!({"tool": "set", "arguments": ""}),
        json!({"tool": "free", "arguments": {"data": [null]}}),
    ];
    let lines = lines(&check("dialect-check", &settings(), &calls, &["--json", "--dialect", "openai-strict"])?)?;
    assert_eq!(
        (&lines[0]["verdict"], &lines[0]["arguments"]),
        (&json!("ok"), &json!({"user": "Ada", "options": {"a": "1"}}))
    );
    assert_eq!(
        (&lines[1]["verdict"], &lines[1]["arguments"]),
        (&json!("repaired"), &json!({"user": "Ada", "level": 3}))
    );
    assert_eq!(lines[2]["verdict"], "refused");
    assert_eq!(lines[2]["issues"][0]["path"], "options[1].key");
    assert_eq!(lines[3]["issues"][0]["constraint"], "minLength");
    assert_eq!(lines[4]["issues"][0]["constraint"], "required");
    assert_eq!((&lines[5]["verdict"], &lines[5]["arguments"]), (&json!("ok"), &json!({"data": [null]})));
    Ok(())
}

#[test]
fn issues_use_the_paths_of_the_definition_that_the_model_saw() -> Outcome {
    let tools = json!([{"name": "query", "description": "Queries.", "parameters": {
        "type": "object",
        "properties": {
            "$top": {"type": "integer", "minimum": 1},
            "labels": {"type": "object", "additionalProperties": {"type": "string", "minLength": 2}},
        },
        "required": ["$top"],
    }}]);
    let labels = json!([{"key": "x", "value": "long"}, {"key": "a b", "value": "s"}]);
    let calls = [
        json!({"tool": "query", "arguments": {"_top": 0, "labels": labels}}),
        json!({"tool": "query", "arguments": {}}),
    ];
    let lines = lines(&check("dialect-paths", &tools, &calls, &["--json", "--dialect", "anthropic-strict"])?)?;
    let paths = |line: &Value| {
        let issues = line["issues"].as_array().into_iter().flatten();
        issues.filter_map(|issue| Some(issue["path"].as_str()?.to_owned())).collect::<BTreeSet<_>>()
    };
    assert_eq!(paths(&lines[0]), BTreeSet::from(["_top".to_owned(), "labels[1].value".to_owned()]));
    assert_eq!(paths(&lines[1]), BTreeSet::from(["_top".to_owned()]));
    let failure = lines[0]["failure"].to_string();
    assert!(failure.contains("_top must be at least 1") && !failure.contains("$top"), "{failure}");
    Ok(())
}

#[test]
fn lint_finds_tools_that_a_dialect_rejects_or_cannot_express() -> Outcome {
    let folder = Folder::new("dialect-lint")?;
    let tools = folder.file("tools.json", settings().to_string())?;
    let output = toolbox(&["lint", "--tools", &tools, "--json", "--dialect", "openai-strict", "--fail-on", "error"])?;
    assert_eq!(output.status.code(), Some(1));
    let lines = lines(&output)?;
    let of = |rule: &str| lines.iter().find(|line| line["rule"] == rule).cloned().unwrap_or_default();
    let (plain, omitted) = (of("not_strict"), of("omitted"));
    assert_eq!(
        (&plain["tool"], &plain["severity"], &plain["pointer"]),
        (&json!("free"), &json!("warning"), &json!("/properties/data"))
    );
    assert_eq!((&omitted["tool"], &omitted["severity"]), (&json!("not a name"), &json!("error")));
    Ok(())
}

/// Otherwise, the second reader would get nothing, and a check of no calls would find no fault.
#[test]
fn standard_input_is_not_read_twice() -> Outcome {
    for arguments in [&["check", "--tools", "-"][..], &["explain", "--tools", "-", "search", "-"]] {
        let output = toolbox(arguments)?;
        assert_eq!(output.status.code(), Some(2));
        assert!(complaint(&output).contains("name a file for one of them"), "{}", complaint(&output));
    }
    Ok(())
}

#[test]
fn the_guides_show_what_the_command_prints() -> Outcome {
    shows_what_is_printed("crates/toolbox/docs/toolbox-command.md", 4)?;
    shows_what_is_printed("crates/toolbox/docs/toolbox-definitions.md", 2)?;
    shows_what_is_printed("tool-runtime/docs/dialects.md", 3)
}

/// Runs the command of each `$ toolbox …` block in a guide, and compares its output with the text below the command.
fn shows_what_is_printed(page: &str, least: usize) -> Outcome {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
    let guide = fs::read_to_string(&path)?;
    let mut shown = String::new();
    let mut blocks = 0;
    let mut rest = guide.as_str();
    while let Some((before, block)) = rest.split_once("```console\n$ toolbox ") {
        // The fence is longer if the output contains fences.
        let fence = "`".repeat(3 + before.bytes().rev().take_while(|byte| *byte == b'`').count());
        let (block, after) = block.split_once(&format!("\n{fence}\n")).ok_or("a block is not closed")?;
        let command = block.lines().next().ok_or("a block without a command")?;
        let output = toolbox(&words(command).iter().map(String::as_str).collect::<Vec<_>>())?;
        assert!(output.stderr.is_empty(), "{}", complaint(&output));
        let printed = String::from_utf8(output.stdout)?;
        shown.extend([before, "```console\n$ toolbox ", command, "\n", &printed, &fence, "\n"]);
        rest = after;
        blocks += 1;
    }
    shown.push_str(rest);
    assert!(blocks >= least, "{blocks} blocks");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(path, shown)?;
    } else {
        assert_eq!(shown, guide, "run with UPDATE_GOLDEN=1 to bless");
    }
    Ok(())
}

/// Splits a command into words. A word in single quotes may contain spaces.
fn words(command: &str) -> Vec<String> {
    let quoted = command.split('\'').enumerate();
    quoted
        .flat_map(|(position, part)| match position % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect(),
            _ => vec![part.to_owned()],
        })
        .collect()
}
