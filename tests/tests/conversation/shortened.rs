//! Expansions in the history, once their container has collapsed.

use proptest::prelude::*;
use tool_chat::conversation::Conversation;
use tool_chat::model::{Message, ScriptedModel};
use tool_runtime::container::{ExpansionScope, ExpansionSettings};
use tool_runtime::{Container, Session, Toolbox, tool};

/// Reads a page.
#[tool]
fn read_page() -> &'static str {
    "A page."
}

/// Lists the files.
#[tool]
fn list_files() -> &'static str {
    "No files."
}

const COLLAPSED: &str = "Web has collapsed. To see its functions again, call Web.";

fn session(scope: ExpansionScope) -> Session {
    let web = Container::new("Web", "All about pages.").tool(ReadPageTool);
    let files = Container::new("Files", "All about files.").tool(ListFilesTool);
    let builder = Toolbox::builder()
        .no_throttle()
        .container(web)
        .container(files)
        .expansion(ExpansionSettings::new().scope(scope));
    builder.build().expect("the names differ").session()
}

/// The messages of every request of a conversation in which the model makes these calls, one turn for each list.
fn requests(turns: &[Vec<&str>], scope: ExpansionScope, shortens: bool) -> Vec<Vec<Message>> {
    let script = turns.iter().fold(ScriptedModel::new(), |model, calls| {
        calls.iter().fold(model, |model, name| model.call(*name, "{}")).text("Done.")
    });
    let mut conversation = Conversation::new(session(scope), script.clone()).shorten_expansions(shortens);
    for _ in turns {
        pollster::block_on(conversation.ask("Go on."));
    }
    script.requests().iter().map(|request| request.messages.clone()).collect()
}

fn answers(messages: &[Message]) -> Vec<&str> {
    messages.iter().filter(|message| matches!(message, Message::Tool { .. })).map(Message::text).collect()
}

#[test]
fn the_answer_to_an_expansion_becomes_one_line_after_the_collapse() {
    let turns = [vec!["Web", "read_page"], vec!["Files"]];
    let sent = requests(&turns, ExpansionScope::Turn, true);
    assert!(answers(&sent[2])[0].starts_with(r#"{"expanded":"Web""#), "it is expanded in its turn");
    assert_eq!(answers(&sent[3]), [COLLAPSED, "A page."]);
    assert!(answers(&sent[4])[2].starts_with(r#"{"expanded":"Files""#));
    let within_a_turn = requests(&[vec!["Web", "Files"]], ExpansionScope::AtMost(1), true);
    assert_eq!(answers(&within_a_turn[2])[0], COLLAPSED);
}

#[test]
fn without_the_option_the_history_is_not_changed() {
    let sent = requests(&[vec!["Web", "read_page"], vec!["Files"]], ExpansionScope::Turn, false);
    for (before, after) in sent.iter().zip(&sent[1..]) {
        assert_eq!(before[..], after[..before.len()]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_call_keeps_exactly_one_answer(
        turns in prop::collection::vec(prop::collection::vec(prop::sample::select(vec!["Web", "Files", "read_page", "list_files", "nobody"]), 0..3), 1..4),
        most in 1_usize..3,
    ) {
        let scope = || ExpansionScope::AtMost(most);
        let (short, long) = (requests(&turns, scope(), true), requests(&turns, scope(), false));
        prop_assert_eq!(short.len(), long.len());
        for (short, long) in short.iter().zip(&long) {
            let calls = |messages: &[Message]| -> Vec<String> {
                messages.iter().flat_map(|message| match message {
                    Message::Assistant { calls, .. } => calls.iter().map(|call| call.id.clone()).collect(),
                    _ => Vec::new(),
                }).collect()
            };
            let answered = |messages: &[Message]| -> Vec<String> {
                messages.iter().filter_map(|message| match message {
                    Message::Tool { call_id, .. } => Some(call_id.clone()),
                    _ => None,
                }).collect()
            };
            prop_assert_eq!(calls(short), answered(short));
            prop_assert_eq!(short.len(), long.len());
            for (short, long) in answers(short).into_iter().zip(answers(long)) {
                prop_assert!(short == long || (long.starts_with(r#"{"expanded""#) && short.len() < 100), "{} {}", short, long);
            }
        }
    }
}
