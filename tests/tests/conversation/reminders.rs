//! Reminders of the host, which live for one turn.

use proptest::prelude::*;
use tool_chat::conversation::Conversation;
use tool_chat::model::{Message, ScriptedModel};
use tool_runtime::Toolbox;

use super::tools::session;

const PARIS: &str = r#"{"location": "Paris, France"}"#;

fn block(line: &str) -> String {
    let lead = "This is from the application, not from the user. Do not mention it to the user.";
    format!("<reminder>\n{lead}\n- {line}\n</reminder>")
}

#[test]
fn a_reminder_ends_every_request_of_its_turn_and_of_no_other_turn() {
    let model = ScriptedModel::new().call("get_weather", PARIS).text("Sun.").text("You are welcome.");
    let mut conversation = Conversation::new(session(), model.clone());
    conversation.session().add_reminder("The user is\n in a hurry.");
    pollster::block_on(conversation.ask("Paris?"));
    pollster::block_on(conversation.ask("Thanks."));
    let requests = model.requests();
    let last: Vec<_> = requests.iter().map(|request| request.messages.last().cloned()).collect();
    let reminder = block("The user is in a hurry.");
    assert_eq!(last[0], Some(Message::User(format!("Paris?\n\n{reminder}"))));
    assert_eq!(last[1], Some(Message::User(reminder)), "behind the outcomes of the calls");
    let before_last = &requests[1].messages[requests[1].messages.len() - 2];
    assert!(matches!(before_last, Message::Tool { .. }), "{before_last:?}");
    assert_eq!(last[2], Some(Message::User("Thanks.".to_owned())));
    let third = format!("{:?}", requests[2].messages);
    assert!(!third.contains("reminder"), "{third}");
    assert!(!format!("{:?}", conversation.transcript()).contains("hurry"));
}

#[test]
fn a_new_turn_removes_the_reminders_of_the_previous_one() {
    let session = Toolbox::builder().build().expect("it is empty").session();
    session.begin_turn();
    session.add_reminder("One.");
    assert_eq!(session.clone().reminders(), Some(block("One.")));
    session.begin_turn();
    assert_eq!(session.reminders(), None);
    for line in ["1", "2", "2", "3", "4", "5", " "] {
        session.add_reminder(line);
    }
    assert_eq!(session.reminders(), Some(block("2\n- 3\n- 4\n- 5")));
}

#[test]
fn the_wire_page_shows_the_reminder_block() {
    let page = include_str!("../../../docs/wire.md");
    assert!(page.contains(&format!("```text\n{}\n```", block("The build is red since 10:40."))));
    let session = Toolbox::builder().build().expect("it is empty").session();
    session.add_reminder("The build is red since 10:40.");
    assert_eq!(session.reminders(), Some(block("The build is red since 10:40.")));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(tests::cases(64)) })]

    #[test]
    fn a_reminder_block_is_bounded_and_has_one_end_tag(lines in prop::collection::vec("(</reminder>|[a-z\\n ]|\\PC){0,400}", 1..8)) {
        let session = Toolbox::builder().build().expect("it is empty").session();
        for line in &lines {
            session.add_reminder(line);
        }
        if let Some(block) = session.reminders() {
            prop_assert_eq!(block.matches("</").count(), 1);
            prop_assert!(block.lines().count() <= 7, "{}", block);
            prop_assert!(block.len() <= 4 * 515 + 120, "{} bytes", block.len());
        }
    }
}
