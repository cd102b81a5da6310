//! Conversations with planned calls: several turns, deferred calls, limits, cancellation, and workers that stop in the middle of a call.

use std::fs;

use serde_json::{Value, json};
use tool_chat::run::Run;
use tool_chat::transcript::Entry;
use tool_runtime::Dialect;
use tool_runtime::tool_schema::AnswerForm;
use tool_runtime::tool_schema::dialect::Definitions;

use super::cluster::Cluster;
use super::server::until;

impl Cluster {
    pub(crate) fn ask(&self, id: &str, prompt: &str) -> (u16, Value) {
        self.server.call(id, "ask", Some(&json!(prompt)))
    }

    pub(crate) fn answers(&self, id: &str) -> Vec<String> {
        self.run(id).transcript().calls().map(|call| call.outcome.to_text().into_owned()).collect()
    }

    /// Waits until a turn that was begun with `send` has ended.
    pub(crate) fn ended(&self, id: &str, turns: usize) -> Vec<String> {
        until("the turn ends", || {
            let (_, history) = self.server.call(id, "history", None);
            let run: Run = serde_json::from_value(history).ok()?;
            (run.turn_count() == turns && matches!(run.next(), tool_chat::run::Next::Done(_))).then_some(())
        });
        self.answers(id)
    }

    pub(crate) fn ran(&self, id: &str) -> Vec<String> {
        let world = fs::read_to_string(self.server.folder.join("world")).unwrap_or_default();
        let of_id = world.lines().filter(|line| line.contains(&format!(" {id}:")));
        of_id.filter_map(|line| line.split(' ').nth(1)).map(str::to_owned).collect()
    }

    fn answer(&self, id: &str, answer: &Value) -> u16 {
        self.server.call(id, "answer", Some(answer)).0
    }
}

#[test]
#[ignore = "needs a server: scripts/judges-restate"]
fn turns_run_and_deferred_calls_wait() {
    let cluster = Cluster::start();
    assert_eq!(cluster.server.call("new", "history", None), (200, Value::Null));

    let plan = "a pay, b look, c reject, d unknown, e Web, f alone, g look\nh fetch, i pay";
    let (status, end) = cluster.ask("turns", plan);
    assert_eq!((status, &end["answered"]["text"]), (200, &json!("Done.")), "{end}");
    let answers = cluster.answers("turns");
    assert_eq!(
        [&answers[0], &answers[1], &answers[6], &answers[7], &answers[8]],
        ["paid", "seen", "seen", "fetched", "paid"]
    );
    assert!(answers[2].contains(r#""error_message":"No.""#) && answers[3].contains("unknown_tool"), "{answers:?}");
    assert!(answers[4].contains(r#""expanded":"Web""#), "{}", answers[4]);
    assert_eq!(answers[5], "0 others");
    // The container is still expanded in the next turn.
    assert_eq!(cluster.ask("turns", "j fetch").0, 200);
    assert_eq!(cluster.answers("turns").last().map(String::as_str), Some("fetched"));
    // Calls of a batch run at the same time, except for the call that runs alone.
    let mut ran = cluster.ran("turns");
    assert_eq!((ran[3].as_str(), ran[4].as_str()), ("f", "g"), "{ran:?}");
    ran.sort_unstable();
    assert_eq!(ran, ["a", "b", "c", "f", "g", "h", "i", "j"]);

    cluster.send("waits", "later1 pay, later2 pay, now pay, later3 pay, later4 reject");
    let waiting = cluster.server.waiting("waits", 4);
    assert_eq!((&waiting[0]["call_id"], &waiting[0]["tool"]), (&json!("later1"), &json!("pay")));
    assert_eq!(cluster.ran("waits"), ["now"]);
    assert_eq!(cluster.answer("waits", &json!({"call_id": "now", "answer": {"approved": {}}})), 404);
    let answers = [
        json!({"call_id": "later1", "answer": {"approved": {}}}),
        json!({"call_id": "later2", "answer": {"denied": {"reason": "Too much."}}}),
        json!({"call_id": "later3", "answer": {"completed": {"result": "by hand"}}}),
        json!({"call_id": "later4", "answer": {"failed": {"message": "Nobody is there."}}}),
    ];
    for answer in &answers {
        assert_eq!(cluster.answer("waits", answer), 200);
    }
    let answers = cluster.ended("waits", 1);
    assert_eq!([&answers[0], &answers[2], &answers[3]], ["paid", "paid", "by hand"]);
    assert!(answers[1].contains("Too much.") && answers[4].contains("Nobody is there."), "{answers:?}");
    assert_eq!(cluster.ran("waits"), ["now", "later1"]);
}

#[test]
#[ignore = "needs a server: scripts/judges-restate"]
fn an_interrupted_call_runs_again_only_if_it_is_repeatable() {
    let cluster = Cluster::start();
    cluster.send("dies", "a pay, b die, c look\nd die_once, e pay");
    cluster.worker.wait();
    cluster.worker.restart();
    cluster.worker.wait();
    cluster.worker.restart();
    let answers = cluster.ended("dies", 1);
    assert!(answers[1].starts_with(r#"{"error_type":"effect_unknown","tool":"die","#), "{}", answers[1]);
    assert!(answers[0] == "paid" || answers[0].contains("effect_unknown"), "{}", answers[0]);
    assert_eq!([&answers[2], &answers[3]], ["seen", "alive"]);
    let ran = cluster.ran("dies");
    let count = |id: &str| ran.iter().filter(|ran| *ran == id).count();
    // The other two calls may not have run, although their start is in the journal.
    assert!(count("b") == 1 && count("d") == 2 && count("a") <= 1 && count("e") <= 1, "{ran:?}");
    assert!((answers[0] != "paid" || count("a") == 1) && (answers[4] != "paid" || count("e") == 1), "{answers:?}");

    // An approved call is interrupted while the conversation waits for the answer to another call.
    cluster.send("approved", "later1 die, later2 pay");
    cluster.server.waiting("approved", 2);
    assert_eq!(cluster.answer("approved", &json!({"call_id": "later1", "answer": {"approved": {}}})), 200);
    cluster.worker.wait();
    cluster.worker.restart();
    assert_eq!(cluster.answer("approved", &json!({"call_id": "later2", "answer": {"approved": {}}})), 200);
    let answers = cluster.ended("approved", 1);
    assert!(answers[0].contains("effect_unknown"), "{}", answers[0]);
    assert_eq!((answers[1].as_str(), cluster.ran("approved")), ("paid", vec!["later1".into(), "later2".into()]));
}

#[test]
#[ignore = "needs a server: scripts/judges-restate"]
fn a_time_limit_and_a_cancellation_end_a_turn() {
    let cluster = Cluster::start();
    let (status, end) = cluster.ask("limited", "a hang, b pay, c alone");
    assert_eq!(status, 200, "{end}");
    assert!(end["limited"]["limit"]["time"].is_object(), "{end}");
    let answers = cluster.answers("limited");
    assert!(
        answers[0].contains("cancelled") && answers[1] == "paid" && answers[2].contains("cancelled"),
        "{answers:?}"
    );

    // The longest possible limit.
    assert_eq!(cluster.ask("unlimited", "a pay").0, 200);
    assert_eq!(cluster.answers("unlimited"), ["paid"]);

    let invocation = cluster.send("cancelled", "a hang, b pay");
    until("the calls run", || (cluster.ran("cancelled").len() == 2).then_some(()));
    cluster.server.cancel(&invocation);
    let answers = cluster.ended("cancelled", 1);
    assert!(answers.iter().all(|answer| answer.contains("effect_unknown")), "{answers:?}");
    // The conversation can continue.
    assert_eq!(cluster.ask("cancelled", "c pay").0, 200);
    assert_eq!(cluster.answers("cancelled").last().map(String::as_str), Some("paid"));
}

#[test]
#[ignore = "needs a server: scripts/judges-restate"]
fn a_typed_answer_is_corrected_in_the_journal() {
    let cluster = Cluster::start();
    let (status, end) = cluster.ask("typed", "How many?");
    assert_eq!((status, &end["answered"]["text"]), (200, &json!(r#"{"value": "7"}"#)), "{end}");
    let run = cluster.run("typed");
    let rejected = run.transcript().entries().iter().filter_map(|entry| match entry {
        Entry::Rejected { text, .. } => Some(text.as_str()),
        _ => None,
    });
    let rejected: Vec<_> = rejected.collect();
    assert!(matches!(*rejected, [text] if text.contains("value must be at most 255")), "{rejected:?}");
    let form = AnswerForm::<u8>::new(Dialect::OPENAI, &Definitions::default()).expect("a form");
    assert_eq!(form.read(end["answered"]["text"].as_str().unwrap_or_default()).map(|read| read.value).ok(), Some(7));
}
