//! Files that are damaged, ambiguous or in another encoding.

use serde_json::json;

use super::{Folder, Outcome, complaint, lines, search, toolbox};

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

/// Otherwise, the second reader would get nothing, and a check of no calls would find no issue.
#[test]
fn standard_input_is_not_read_twice() -> Outcome {
    for arguments in [&["check", "--tools", "-"][..], &["explain", "--tools", "-", "search", "-"]] {
        let output = toolbox(arguments)?;
        assert_eq!(output.status.code(), Some(2));
        assert!(complaint(&output).contains("name a file for one of them"), "{}", complaint(&output));
    }
    Ok(())
}
