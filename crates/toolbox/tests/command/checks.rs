//! `toolbox check`: the verdicts, the options and the exit code.

use std::error::Error;

use serde_json::{Value, json};

use super::{Folder, Outcome, check, complaint, lines, search, toolbox};

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
    assert_eq!(lines[2]["verdict"], "rejected");
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

/// The issues are those of the answer, as in a session: `"0"` is no issue, because it is read as 0, but 0 is one.
#[test]
fn an_issue_that_a_repair_has_corrected_is_only_listed_as_the_repair() -> Outcome {
    let calls = [
        json!({"tool": "search", "arguments": {"limit": "3"}}),
        json!({"tool": "search", "arguments": {"query": "x", "limit": "0"}}),
        json!({"tool": "search", "arguments": "{'limit': '3'}"}),
    ];
    let lines = lines(&check("left", &search(), &calls, &["--json"])?)?;
    let issues = [("query", "required"), ("limit", "minimum"), ("query", "required")];
    for (line, (path, constraint)) in lines.iter().zip(issues) {
        let listed = line["issues"].as_array().ok_or("a list")?;
        assert_eq!((&listed[0]["path"], &listed[0]["constraint"]), (&json!(path), &json!(constraint)), "{line}");
        assert_eq!((listed.len(), line["failure"]["errors"].as_array().map(Vec::len)), (1, Some(1)), "{line}");
        assert!(
            line["repairs"].as_array().is_some_and(|repairs| repairs.iter().any(|repair| repair["path"] == "limit"))
        );
    }
    let text = String::from_utf8(check("left-table", &search(), &calls, &[])?.stdout)?;
    assert!(text.contains("  Read limit \"3\" as 3.\n  REQUIRED_FIELD query is required\n"), "{text}");
    assert!(text.ends_with("     3 rejected\n            1 INVALID_RANGE\n            2 REQUIRED_FIELD\n"), "{text}");
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
    assert_eq!(verdict("strict", spelt.clone(), &["--policy", "strict"])?, "rejected");
    assert_eq!(verdict("lossless", spelt, &[])?, "repaired");
    let renamed = json!({"Query": "x"});
    assert_eq!(verdict("renamed", renamed.clone(), &[])?, "rejected");
    assert_eq!(verdict("assisted", renamed, &["--policy", "assisted"])?, "repaired");
    let unknown = json!({"query": "x", "page": 2});
    assert_eq!(verdict("reject", unknown.clone(), &[])?, "rejected");
    assert_eq!(verdict("ignore", unknown, &["--unknown", "ignore"])?, "ok");
    Ok(())
}

#[test]
fn names_are_read_as_in_a_session() -> Outcome {
    let names = ["functions.search", "default_api.Search", "search:0", "search()", "search<|channel|>x"];
    let others = ["search_123", "searchsearch", "search{\"query\":\"x\"}", "search<arg_key>query", "functions__search"];
    let calls = names.iter().chain(&others).map(|name| json!({"tool": name, "arguments": {"query": "x"}}));
    let lines = lines(&check("names", &search(), &calls.collect::<Vec<_>>(), &["--json"])?)?;
    for (line, name) in lines.iter().zip(names) {
        assert_eq!(line["verdict"], "repaired", "{name}: {line}");
    }
    for (line, name) in lines[names.len()..].iter().zip(others) {
        assert_eq!(line["failure"]["did_you_mean"], json!(["search"]), "{name}: {line}");
    }
    Ok(())
}

/// Definitions that do not contain themselves are not remembered, so both branches of each of the 24 levels are read.
#[test]
fn a_call_that_cannot_be_checked_within_the_bounds_is_unchecked() -> Outcome {
    let level = |index: usize| {
        let below = json!({"properties": {"a": {"$ref": format!("#/$defs/d{}", index + 1)}}});
        (format!("d{index}"), json!({"anyOf": [{"allOf": [below, {"required": ["z"]}]}, below]}))
    };
    let mut levels: serde_json::Map<_, _> = (0..24).map(level).collect();
    levels.insert("d24".to_owned(), json!({"type": "string"}));
    let tools =
        json!([{"name": "t", "parameters": {"properties": {"a": {"$ref": "#/$defs/d0"}, "b": {}}, "$defs": levels}}]);
    let arguments = (0..25).fold(json!("text"), |value, _| json!({"a": value}));
    let calls = [json!({"tool": "t", "arguments": arguments}), json!({"tool": "t", "arguments": {"a": {"a": {}}}})];
    let output = check("unchecked", &tools, &calls, &["--json", "--fail-on", "rejected"])?;
    assert_eq!(output.status.code(), Some(0), "{}", complaint(&output));
    let lines = lines(&output)?;
    assert_eq!([&lines[0]["verdict"], &lines[1]["verdict"]], ["unchecked", "ok"]);
    assert_eq!([&lines[0]["arguments"], &lines[0]["failure"]], [&arguments, &json!(null)]);
    let deep = format!(r#"{{"b":{}{}}}"#, "[".repeat(300), "]".repeat(300));
    let calls = [
        calls[0].clone(),
        json!({"tool": "t", "arguments": deep}),
        json!({"tool": "t", "arguments": r#"{"b":["\ud800",1e400]}"#}),
    ];
    let text = String::from_utf8(check("unchecked-deep", &tools, &calls, &["--json"])?.stdout)?;
    let verdicts = [r#""verdict":"unchecked""#, r#""verdict":"unchecked""#, r#""verdict":"ok""#];
    assert!(text.lines().zip(verdicts).all(|(line, verdict)| line.contains(verdict)), "{text}");
    let output = check("unchecked-table", &tools, &calls, &[])?;
    let text = String::from_utf8(output.stdout)?;
    assert!(text.contains("     2 unchecked\n") && text.contains("NOT_CHECKED"), "{text}");
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
fn the_exit_code_follows_the_options() -> Outcome {
    let repaired = [json!({"tool": "search", "arguments": {"query": "x", "limit": "3"}})];
    let rejected = [json!({"tool": "search", "arguments": {}})];
    let code = |name: &str, calls: &[Value], options: &[&str]| {
        Ok::<_, Box<dyn Error>>(check(name, &search(), calls, options)?.status.code())
    };
    assert_eq!(code("e1", &rejected, &[])?, Some(0));
    assert_eq!(code("e2", &rejected, &["--fail-on", "rejected"])?, Some(1));
    assert_eq!(code("e3", &repaired, &["--fail-on", "rejected"])?, Some(0));
    assert_eq!(code("e4", &repaired, &["--fail-on", "repaired"])?, Some(1));
    assert_eq!(code("e5", &rejected, &["--fail-on", "repaired"])?, Some(1));
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
    for line in ["     2 calls", "     0 ok", "     2 rejected", "     1 calls of unknown tools"] {
        assert!(text.contains(line), "{text}");
    }
    Ok(())
}
