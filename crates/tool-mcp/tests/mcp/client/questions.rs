//! Questions of a server to the user.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Map, Value, json};
use tool_mcp::client::{Elicitation, ElicitationKind, ElicitationReply};
use tool_runtime::clock::SimulatedClock;

use super::script::{Reply, Script, act, session};

fn question() -> Value {
    json!({"message": "Which branch?", "requestedSchema": {"type": "object", "properties": {"branch": {"type": "string"}}}})
}

#[tokio::test]
async fn a_question_reaches_the_user_and_the_answer_reaches_the_server() {
    let replies = [
        (
            ElicitationReply::Accept(json!({"branch": "main"}).as_object().unwrap().clone()),
            json!({"action": "accept", "content": {"branch": "main"}}),
        ),
        (ElicitationReply::Decline, json!({"action": "decline"})),
        (ElicitationReply::Cancel, json!({"action": "cancel"})),
    ];
    for (reply, result) in replies {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let asks = Arc::clone(&asked);
        let hook = move |elicitation: Elicitation| {
            asks.lock().unwrap().push((elicitation.server, elicitation.message, elicitation.kind));
            let reply = reply.clone();
            async move { reply }
        };
        let script = Script::acting(|| Reply::Question(question()));
        let server = script.connect().elicitation(hook).await.unwrap();
        let answer: Value = serde_json::from_str(&act(&session(&server)).await.to_text()).unwrap();
        assert_eq!(answer, json!({"jsonrpc": "2.0", "id": "question", "result": result}));
        let schema = question()["requestedSchema"].clone();
        assert_eq!(
            *asked.lock().unwrap(),
            [("files".to_owned(), "Which branch?".to_owned(), ElicitationKind::Form { schema })]
        );
        assert_eq!(
            script.received("initialize")[0]["params"]["capabilities"]["elicitation"],
            json!({"form": {}, "url": {}})
        );
    }
}

#[tokio::test]
async fn without_a_hook_questions_are_declined() {
    let script = Script::acting(|| Reply::Question(question()));
    let server = script.connect().await.unwrap();
    let answer: Value = serde_json::from_str(&act(&session(&server)).await.to_text()).unwrap();
    assert_eq!(answer["result"]["action"], "decline");
    assert_eq!(script.received("initialize")[0]["params"]["capabilities"].get("elicitation"), None);
}

#[tokio::test(start_paused = true)]
async fn the_time_until_the_user_answers_is_not_part_of_the_time_limit() {
    let clock = SimulatedClock::new();
    let advanced = clock.clone();
    let hook = move |_| {
        let clock = advanced.clone();
        async move {
            for _ in 0..10 {
                tokio::time::sleep(Duration::from_millis(10)).await;
                clock.advance(Duration::from_secs(60));
            }
            ElicitationReply::Decline
        }
    };
    let script = Script::acting(|| Reply::Question(question()));
    let server = script.connect().clock(clock).elicitation(hook).await.unwrap();
    assert!(act(&session(&server)).await.is_ok());
}

fn values(value: &Value) -> Map<String, Value> {
    value.as_object().unwrap().clone()
}

/// Asks for a name and a number of nights. Returns the questions to the host, and the answer to the server.
async fn booked(replies: Vec<ElicitationReply>) -> (Vec<Vec<String>>, Value) {
    let form = json!({"message": "Who stays?", "requestedSchema": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "minLength": 1},
            "nights": {"type": "integer", "minimum": 1, "maximum": 30},
            "room": {"type": "string", "enum": ["north", "south"]},
        },
        "required": ["name", "nights"],
    }});
    let script = Script::acting(move || Reply::Question(form.clone()));
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (asks, replies) = (Arc::clone(&asked), Arc::new(Mutex::new(replies.into_iter())));
    let hook = move |elicitation: Elicitation| {
        asks.lock().unwrap().push(elicitation.issues);
        let reply = replies.lock().unwrap().next().unwrap();
        async move { reply }
    };
    let server = script.connect().elicitation(hook).await.unwrap();
    let answer: Value = serde_json::from_str(&act(&session(&server)).await.to_text()).unwrap();
    let asked = asked.lock().unwrap().clone();
    (asked, answer["result"].clone())
}

#[tokio::test]
async fn values_that_do_not_fit_the_form_are_not_sent() {
    let accept = |value: Value| ElicitationReply::Accept(values(&value));
    let good = json!({"name": "Ada", "nights": 3, "room": "north"});
    let bad = json!({"nights": 90, "room": "west", "password": "1234"});

    let (asked, result) = booked(vec![accept(bad.clone()), accept(good.clone())]).await;
    assert_eq!(result, json!({"action": "accept", "content": good}));
    assert_eq!(asked[0], Vec::<String>::new());
    let issues = asked[1].join("; ");
    for issue in ["name is required", "nights must be at most 30", "room must be", "password is not a known field"] {
        assert!(issues.contains(issue), "{issues}");
    }

    let (asked, result) = booked(vec![accept(bad.clone()), ElicitationReply::Decline]).await;
    assert_eq!((asked.len(), result), (2, json!({"action": "decline"})));
    let (asked, result) = booked(vec![accept(bad); 3]).await;
    assert_eq!((asked.len(), result), (3, json!({"action": "cancel"})));
}

#[tokio::test]
async fn the_answer_to_a_question_with_a_url_contains_no_values() {
    let params = json!({"mode": "url", "message": "Sign in?", "url": "https://example.com/a", "elicitationId": "1"});
    let script = Script::acting(move || Reply::Question(params.clone()));
    let hook = |elicitation: Elicitation| async move {
        assert_eq!(elicitation.kind, ElicitationKind::Url { url: "https://example.com/a".to_owned() });
        ElicitationReply::Accept(values(&json!({"a": 1})))
    };
    let server = script.connect().elicitation(hook).await.unwrap();
    let answer: Value = serde_json::from_str(&act(&session(&server)).await.to_text()).unwrap();
    assert_eq!(answer["result"], json!({"action": "accept"}));
}
