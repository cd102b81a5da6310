//! Tests of errors of the server and of the connection, and of the messages about them.

use std::time::Duration;

use serde_json::{Value, json};
use tool_adapters::GenAi;
use tool_chat::model::{ModelError, ModelErrorKind};

use super::answers::ask;
use super::dialect::{ALL, Dialect, KEY};
use super::server::{Reply, Server};

/// Tests the error for a reply in each dialect, whole and as a stream.
async fn everywhere(reply: impl Fn(Dialect, bool) -> Reply, judge: impl Fn(&ModelError) -> bool) {
    for (dialect, streams) in ALL.into_iter().flat_map(|dialect| [(dialect, false), (dialect, true)]) {
        let server = Server::start([reply(dialect, streams)]);
        let error = ask(&dialect.model(&server), streams).await.expect_err("no answer");
        assert!(judge(&error), "{dialect:?} {streams} {error:?}");
        let text = error.to_string();
        assert!(!text.contains(KEY) && !text.contains("127.0.0.1"), "{text}");
        assert!(text.len() < 700, "{text}");
    }
}

fn said(message: &str) -> Reply {
    Reply::json(format!(r#"{{"error": {{"message": "{message}"}}}}"#))
}

#[tokio::test]
async fn a_rate_limit_is_reported_with_its_pause() {
    let pause = |_, _| said("Slow down.").status(429).header("retry-after", "7");
    let limited = ModelErrorKind::RateLimited { retry_after: Some(Duration::from_secs(7)) };
    everywhere(pause, |error| error.kind == limited && error.message == "status 429: Slow down.").await;

    let limited = ModelErrorKind::RateLimited { retry_after: None };
    everywhere(|_, _| said("Slow down.").status(429), |error| error.kind == limited).await;
}

#[tokio::test]
async fn missing_credit_is_not_reported_as_a_rate_limit() {
    let body = r#"{"error": {"message": "You exceeded your quota.", "code": "insufficient_quota"}}"#;
    everywhere(|_, _| Reply::json(body).status(429), |error| error.kind == ModelErrorKind::Rejected).await;
}

#[tokio::test]
async fn an_invalid_key_is_reported() {
    everywhere(
        |_, _| said("Invalid key.").status(401),
        |error| error.kind == ModelErrorKind::Rejected && error.message.contains("Invalid key."),
    )
    .await;
}

#[tokio::test]
async fn an_error_status_is_reported() {
    let reply = |_, _| Reply::json("x".repeat(100_000)).status(500);
    everywhere(reply, |error| error.kind == ModelErrorKind::Transport && error.message.contains("500")).await;
}

#[tokio::test]
async fn an_unreachable_server_is_reported_without_the_address() {
    let address = Server::start([]).address();
    for streams in [false, true] {
        let model = GenAi::openai_compatible(&format!("{address}/v1?secret={KEY}"), "test-model", Some(KEY));
        let error = ask(&model, streams).await.expect_err("no answer");
        assert_eq!(error.kind, ModelErrorKind::Transport, "{error}");
        assert!(!error.to_string().contains(KEY), "{error}");
    }
}

#[tokio::test]
async fn an_invalid_address_is_reported() {
    for (endpoint, streams) in [("", false), ("", true), ("no address", false), ("no address", true)] {
        let error = ask(&GenAi::openai_compatible(endpoint, "test-model", None), streams).await.expect_err("no answer");
        assert_eq!(error.kind, ModelErrorKind::Rejected, "{error}");
    }
}

#[cfg(not(feature = "genai"))]
#[tokio::test]
async fn a_program_without_tls_says_so() {
    for streams in [false, true] {
        let model = GenAi::openai_compatible("https://127.0.0.1:9/v1", "test-model", Some(KEY));
        let error = ask(&model, streams).await.expect_err("no answer");
        assert_eq!(error.kind, ModelErrorKind::Rejected, "{error}");
        assert!(error.message.ends_with("enable the feature `genai` of `tool-adapters`"), "{error}");
    }
}

#[tokio::test]
async fn a_missing_key_is_reported() {
    // For this provider, genai can only read the key from the environment, where it is missing.
    let error = ask(&GenAi::new("atlascloud::test-model"), false).await.expect_err("no answer");
    assert_eq!(error.kind, ModelErrorKind::Rejected, "{error}");
    assert!(error.message.contains("ATLASCLOUD_API_KEY"), "{error}");
}

#[tokio::test]
async fn a_malformed_answer_is_an_error() {
    let bodies = ["", "null", "{\"choices\": ", "<html>Bad gateway</html>", "{}", "[]", "{\"choices\": []}"];
    for body in bodies {
        everywhere(
            |_, streams| {
                if streams {
                    Reply::events(format!("event: content_block_start\ndata: {body}\n\n"))
                } else {
                    Reply::json(body)
                }
            },
            |error| matches!(error.kind, ModelErrorKind::Malformed | ModelErrorKind::Transport),
        )
        .await;
    }
    let server = Server::start([Reply::html("<html></html>")]);
    let error = ask(&Dialect::ChatCompletions.model(&server), false).await.expect_err("no answer");
    assert_eq!(error.kind, ModelErrorKind::Malformed, "{error}");
}

#[tokio::test]
async fn a_stream_that_ends_too_early_is_an_error() {
    let calls = [("id_1", "get_weather", r#"{"location":"Paris"}"#)];
    for dialect in ALL {
        let whole = dialect.stream("It is raining in Paris.", &calls);
        // The stream is cut off at each event before the stop reason, with and without a proper end of the connection.
        let end = whole
            .find("finish_reason\":\"")
            .or_else(|| whole.find("message_delta"))
            .or_else(|| whole.find("finishReason"))
            .or_else(|| whole.find("response.completed"));
        let ends = whole.match_indices("\n\n").map(|(at, _)| at + 2).filter(|at| Some(*at) < end);
        let replies: Vec<Reply> =
            ends.flat_map(|at| [Reply::events(&whole[..at]), Reply::events(&whole[..at]).broken()]).collect();
        assert!(replies.len() >= 10, "{dialect:?}");
        let server = Server::start(replies.clone());
        let model = dialect.model(&server);
        for reply in replies {
            let error = ask(&model, true).await.expect_err("no answer");
            assert_eq!(error.kind, ModelErrorKind::Transport, "{dialect:?} {reply:?} {error}");
        }
    }
}

#[tokio::test]
async fn a_broken_connection_is_reported() {
    everywhere(
        |dialect, streams| {
            let reply = dialect.reply(streams, "It is raining.", &[]);
            if streams { Reply::events(": hello\n\n").broken() } else { reply.broken() }
        },
        |error| error.kind == ModelErrorKind::Transport,
    )
    .await;
}

#[tokio::test]
async fn an_error_in_a_stream_is_reported() {
    let overloaded = r#"{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}"#;
    for dialect in ALL {
        let server = Server::start([Reply::events(format!("event: error\ndata: {overloaded}\n\n"))]);
        let error = ask(&dialect.model(&server), true).await.expect_err("no answer");
        assert_eq!(error.kind, ModelErrorKind::RateLimited { retry_after: None }, "{dialect:?} {error}");
        assert_eq!(error.message, "Overloaded");
    }
}

#[tokio::test]
async fn an_error_beside_an_answer_is_reported() {
    let error = json!({"code": 502, "message": "The provider went away.", "type": "server_error"});
    let choice = json!({"delta": {"content": "It is"}, "message": {"content": "It is"}, "finish_reason": "error"});
    let body = json!({"error": error, "choices": [choice]});
    for (streams, reply) in
        [(false, Reply::json(body.to_string())), (true, Reply::events(format!("data: {body}\n\ndata: [DONE]\n\n")))]
    {
        let server = Server::start([reply]);
        let error = ask(&Dialect::ChatCompletions.model(&server), streams).await.expect_err("no answer");
        assert_eq!(
            (&error.kind, &*error.message),
            (&ModelErrorKind::Transport, "The provider went away."),
            "{streams}"
        );
    }
}

#[tokio::test]
async fn an_unfinished_answer_is_an_error() {
    for reason in ["error", "MALFORMED_FUNCTION_CALL"] {
        let choice = json!({"delta": {"content": ""}, "message": {"content": ""}, "finish_reason": reason});
        let body = json!({ "choices": [choice] });
        for (streams, reply) in
            [(false, Reply::json(body.to_string())), (true, Reply::events(format!("data: {body}\n\ndata: [DONE]\n\n")))]
        {
            let server = Server::start([reply]);
            let error = ask(&Dialect::ChatCompletions.model(&server), streams).await.expect_err("no answer");
            assert_eq!(error.kind, ModelErrorKind::Malformed, "{streams}");
            assert!(error.message.contains(reason), "{error}");
        }
    }
}

#[tokio::test]
async fn a_failed_answer_of_the_responses_api_is_reported() {
    let pause = ModelErrorKind::RateLimited { retry_after: None };
    for (code, kind) in [
        ("server_error", ModelErrorKind::Transport),
        ("rate_limit_exceeded", pause),
        ("invalid_prompt", ModelErrorKind::Rejected),
    ] {
        let error = json!({"code": code, "message": "It went wrong."});
        let body = json!({"id": "r", "model": "m", "status": "failed", "output": [], "error": error});
        let failed = json!({"type": "response.failed", "response": body});
        let plain = json!({"type": "error", "code": code, "message": "It went wrong."});
        let event = |event: Value| Reply::events(format!("data: {event}\n\n"));
        for (streams, reply) in [(false, Reply::json(body.to_string())), (true, event(failed)), (true, event(plain))] {
            let server = Server::start([reply]);
            let error = ask(&Dialect::Responses.model(&server), streams).await.expect_err("no answer");
            assert_eq!((&error.kind, &*error.message), (&kind, "It went wrong."), "{streams}");
        }
    }
}

#[test]
fn without_tokio_every_answer_is_an_error() {
    let model = GenAi::openai_compatible("http://127.0.0.1:9/v1", "test-model", None);
    for streams in [false, true] {
        let error = pollster::block_on(ask(&model, streams)).expect_err("no answer");
        assert_eq!(error.message, "there is no tokio runtime here");
    }
}
