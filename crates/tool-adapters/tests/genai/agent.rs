//! The program of the page "An agent with a real endpoint": the page shows it, and it runs over a server on this machine.

#[allow(dead_code)] // `main` is not called.
#[path = "../../examples/agent.rs"]
mod example;

use std::fs;
use std::path::Path;

use super::dialect::Dialect::ChatCompletions;
use super::server::Server;

#[test]
fn the_page_shows_the_program() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let source = fs::read_to_string(here.join("examples/agent.rs")).expect("the example can be read");
    let program: Vec<&str> = source.lines().skip_while(|line| line.starts_with("//!") || line.is_empty()).collect();
    let page = fs::read_to_string(here.join("../../docs/agent.md")).expect("the page can be read");
    let block = page.split_once("```rust,ignore\n").and_then(|(_, rest)| rest.split_once("\n```")).expect("a block").0;
    assert_eq!(block.lines().collect::<Vec<_>>(), program);
}

#[tokio::test]
async fn the_agent_repairs_corrects_and_asks_the_user() {
    let call = |name, arguments| ChatCompletions.reply(false, "", &[("call", name, arguments)]);
    let server = Server::start([
        call("save_note", r#"{"title": "Ada", "text": "May 4",}"#),
        call("delete_note", r#"{"titel": "Bob"}"#),
        call("delete_note", r#"{"title": "Bob"}"#),
        ChatCompletions.reply(false, "Saved, and Bob stays.", &[]),
        call("delete_note", r#"{"title": "Ada"}"#),
        ChatCompletions.reply(false, "Ada is gone.", &[]),
    ]);
    let input = "Note Ada, delete Bob.\nn\nDelete Ada.\ny\n";
    let mut output = Vec::new();
    example::talk(ChatCompletions.model(&server), input.as_bytes(), &mut output).await.expect("the input ends");

    let output = String::from_utf8(output).expect("text");
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines.len(), 3, "{output}");
    assert!(lines[0].starts_with("> May ") && lines[0].ends_with(" run? [y/n] Saved, and Bob stays."), "{output}");
    assert!(lines[1].starts_with("> May ") && lines[1].ends_with(" run? [y/n] Ada is gone."), "{output}");
    assert_eq!(lines[2], "> ");
    let asked = server.asked();
    assert_eq!(asked.len(), 6);
    let last = |index: usize| asked[index].body["messages"].as_array().and_then(|all| all.last()).expect("messages");
    assert_eq!(last(1)["content"], "saved");
    assert!(last(2)["content"].as_str().is_some_and(|text| text.contains("title is required")), "{}", last(2));
    assert!(last(3)["content"].as_str().is_some_and(|text| text.contains("The user said no.")), "{}", last(3));
    assert_eq!(last(5)["content"], "deleted");
}
