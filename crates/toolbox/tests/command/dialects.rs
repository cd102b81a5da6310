//! Definitions and calls in a provider's dialect.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Folder, Outcome, check, complaint, lines, toolbox};

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
    assert!(complaint(&output).contains("not a name: the name is rejected"), "{}", complaint(&output));

    let output = toolbox(&["schema", "--tools", &tools, "--dialect", "smoke-signals"])?;
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint(&output).contains("openai-responses-strict"), "{}", complaint(&output));
    Ok(())
}

#[test]
fn the_schema_command_leaves_out_a_tool_whose_name_the_provider_rejects() -> Outcome {
    let folder = Folder::new("rejected-names")?;
    let long = "n".repeat(65);
    let tool = |name: &str| json!({"name": name, "description": "x", "parameters": {"type": "object"}});
    let tools = folder.file("tools.json", json!([tool(&long), tool("good")]).to_string())?;
    let default = [&["schema", "--tools", &tools][..], &["schema", "--tools", &tools, "--dialect", "gemini"]];
    for arguments in default {
        let output = toolbox(arguments)?;
        let printed: Value = serde_json::from_slice(&output.stdout)?;
        assert_eq!(printed.as_array().map(Vec::len), Some(1), "{arguments:?}");
        assert!(complaint(&output).contains(&format!("{long}: the name is rejected")), "{}", complaint(&output));
        assert_eq!(output.status.code(), Some(0));
    }
    for dialect in ["anthropic", "mcp"] {
        let output = toolbox(&["schema", "--tools", &tools, "--dialect", dialect])?;
        let printed: Value = serde_json::from_slice(&output.stdout)?;
        assert_eq!((printed.as_array().map(Vec::len), complaint(&output).as_str()), (Some(2), ""), "{dialect}");
    }
    Ok(())
}

#[test]
fn an_unknown_dialect_is_an_error_with_a_suggestion() -> Outcome {
    let output = toolbox(&["schema", "--tools", "-", "--dialect", "open-ai-strict"])?;
    assert_eq!(output.status.code(), Some(2));
    assert!(complaint(&output).contains("did you mean `openai-strict`?"), "{}", complaint(&output));
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
    assert_eq!(lines[2]["verdict"], "rejected");
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
