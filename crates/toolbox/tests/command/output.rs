//! `toolbox parse` and `toolbox explain`, and the outputs in the guides.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::{Folder, Outcome, complaint, lines, lines_of, search, toolbox};

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
    assert_eq!(statuses, ["clean", "repaired", "incomplete", "rejected"]);
    assert_eq!(lines[1]["value"], json!({"a": true}));
    assert!(lines[1]["repairs"].as_array().is_some_and(|repairs| !repairs.is_empty()));
    assert!(lines[3]["errors"].as_array().is_some_and(|errors| !errors.is_empty()));
    Ok(())
}

#[test]
fn calls_in_answers_are_found() -> Outcome {
    let folder = Folder::new("answers")?;
    let answer = "Look.\n<tool_call>now\n<arg_key>zone</arg_key>\n<arg_value>UTC</arg_value>\n</tool_call>";
    let rows = [json!({"id": 1, "raw": answer}), json!({"id": 2, "raw": "Nothing."})];
    let input = folder.file("answers.jsonl", lines_of(&rows))?;
    let found = lines(&toolbox(&["parse", "--format", "auto", "--input", &input, "--json"])?)?;
    let call = json!({"name": "now", "arguments": "{\"zone\":\"UTC\"}", "format": "glm4"});
    assert_eq!(found[0], json!({"id": 1, "text": "Look.\n", "calls": [call]}));
    assert_eq!(found[1], json!({"id": 2, "text": "Nothing.", "calls": []}));
    let found = lines(&toolbox(&["parse", "--format", "hermes", "--input", &input, "--json"])?)?;
    assert_eq!(found[0]["calls"], json!([]));
    let output = toolbox(&["parse", "--format", "hermess", "--input", &input])?;
    assert!(complaint(&output).contains("there are hermes, qwen3-coder"), "{}", complaint(&output));
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

#[test]
fn the_guides_show_what_the_command_prints() -> Outcome {
    shows_what_is_printed("crates/toolbox/docs/toolbox-command.md", 4)?;
    shows_what_is_printed("crates/toolbox/docs/toolbox-definitions.md", 2)?;
    #[cfg(feature = "proxy")]
    shows_what_is_printed("crates/toolbox/docs/proxy-settings.md", 1)?;
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
