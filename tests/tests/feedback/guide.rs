//! Compares `tool-runtime/docs/feedback.md` with the texts that a model reads.
//!
//! In the guide, a line `<!-- told: FORM [again] TOOL ARGUMENTS -->` precedes a fenced block. In the block, a line with only `…` matches
//! any number of lines. Wire JSON is indented. `UPDATE_GOLDEN=1` updates the blocks of the other forms.

use std::path::{Path, PathBuf};

use tool_runtime::__private_0_1_0::json::laid_out;
use tool_runtime::toolbox::FeedbackForm;
use tool_schema::json::Json;

use crate::feedback::samples::session;

fn guide() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../tool-runtime/docs/feedback.md")
}

/// Returns the answer to a call as written in the guide: `Sentences again get_weather {…}`.
fn told(call: &str) -> String {
    let (form, call) = call.split_once(' ').expect("the form comes first");
    let (is_again, call) = call.strip_prefix("again ").map_or((false, call), |call| (true, call));
    let (tool, arguments) = call.split_once(' ').expect("the tool comes before the arguments");
    let form = match form {
        "Sentences" => FeedbackForm::Sentences,
        "Json" => FeedbackForm::Json,
        "Markdown" => FeedbackForm::Markdown,
        other => panic!("unknown form {other}"),
    };
    let session = session(form);
    let call = || pollster::block_on(session.call("call_1", tool, arguments)).to_text().into_owned();
    let mut text = call();
    if is_again {
        text = call();
    }
    if form == FeedbackForm::Json { laid_out(&Json::parse(&text).expect("the wire is JSON"), 0) } else { text }
}

/// Returns `true` if a text matches a block in which `…` matches any lines.
fn is_like(block: &str, text: &str) -> bool {
    let mut parts = block.split("\n…\n").map(|part| format!("\n{}\n", part.trim_matches('\n')));
    let text = format!("\n{text}\n");
    let Some(first) = parts.next().filter(|first| text.starts_with(first.as_str())) else { return false };
    let mut rest = &text[first.len() - 1..];
    let mut last = first;
    for part in parts {
        let Some(at) = rest.find(&part) else { return false };
        rest = &rest[at + part.len() - 1..];
        last = part;
    }
    text.ends_with(&last)
}

#[test]
fn the_guide_shows_the_real_answers() {
    let text = std::fs::read_to_string(guide()).expect("the guide is there");
    let (mut written, mut judged) = (String::new(), 0);
    for (index, part) in text.split("<!-- told: ").enumerate() {
        if index == 0 {
            written += part;
            continue;
        }
        let (call, rest) = part.split_once(" -->\n").expect("the comment ends");
        let fence: String = rest.chars().take_while(|&character| character == '`').collect();
        let (open, rest) = rest.split_once('\n').expect("a block follows");
        let (block, rest) = rest.split_once(&format!("\n{fence}\n")).expect("the block ends");
        let told = told(call);
        let is_whole = std::env::var_os("UPDATE_GOLDEN").is_some() && !call.starts_with("Json");
        let block = if is_whole { &told } else { block };
        assert!(is_like(block, &told), "{call} is told:\n{told}\nnot:\n{block}");
        written.extend(["<!-- told: ", call, " -->\n", open, "\n", block, "\n", &fence, "\n", rest]);
        judged += 1;
    }
    assert!(judged >= 6, "only {judged} answers are shown");
    if written != text {
        std::fs::write(guide(), written).expect("the guide can be written");
    }
}
