//! Tests of data that must be sent back to a provider with the results of its calls. Without this data, the provider rejects the request,
//! or its answers get worse.

use serde_json::{Value, json};
use tests::fixtures::GetWeatherTool;
use tool_chat::conversation::Conversation;
use tool_runtime::{Session, Toolbox};

use super::dialect::Dialect;
use super::server::{Reply, Server};

fn session() -> Session {
    Toolbox::builder().tool(GetWeatherTool).build().expect("a toolbox").session()
}

/// Returns two requests after an answer with thoughts and calls: the next request, and the first request of the next turn.
async fn sent(dialect: Dialect, streams: bool, thinking: Reply) -> [Value; 2] {
    let server = Server::start([thinking, dialect.reply(streams, "Sun.", &[]), dialect.reply(streams, "Bye.", &[])]);
    let mut conversation = Conversation::new(session(), dialect.model(&server)).streaming(streams);
    assert_eq!(conversation.ask("What is the weather?").await.text(), Some("Sun."));
    assert_eq!(conversation.ask("Thanks.").await.text(), Some("Bye."));
    let asked = server.asked();
    [asked[1].body.clone(), asked[2].body.clone()]
}

#[tokio::test]
async fn thoughts_are_sent_back_to_anthropic_in_order() {
    let blocks = [
        json!({"type": "thinking", "thinking": "Which tool? This one.", "signature": "c2lnbmF0dXJl"}),
        json!({"type": "redacted_thinking", "data": "b3BhcXVl"}),
        json!({"type": "thinking", "thinking": "And where?", "signature": "bmV4dA=="}),
    ];
    let call = json!({"type": "tool_use", "id": "id_1", "name": "get_weather", "input": {"location": "Paris"}});
    let usage = json!({"input_tokens": 12, "output_tokens": 3});
    let content: Vec<Value> = blocks.iter().chain([&call]).cloned().collect();
    let whole = json!({"id": "msg_1", "content": content, "stop_reason": "tool_use", "usage": usage});

    let event = |kind: &str, mut data: Value| {
        data["type"] = kind.into();
        format!("event: {kind}\ndata: {data}\n\n")
    };
    let mut stream = event("message_start", json!({"message": {"usage": usage}}));
    for block in &blocks {
        let begun = match block["type"].as_str() {
            Some("thinking") => json!({"type": "thinking", "thinking": "", "signature": ""}),
            _ => block.clone(),
        };
        stream += &event("content_block_start", json!({"content_block": begun}));
        if let Some(text) = block["thinking"].as_str() {
            for piece in [&text[..5], &text[5..]] {
                stream +=
                    &event("content_block_delta", json!({"delta": {"type": "thinking_delta", "thinking": piece}}));
                stream += &event("ping", json!({}));
            }
            let signature = json!({"type": "signature_delta", "signature": block["signature"]});
            stream += &event("content_block_delta", json!({ "delta": signature }));
        }
        stream += &event("content_block_stop", json!({}));
    }
    let begun = json!({"type": "tool_use", "id": "id_1", "name": "get_weather", "input": {}});
    stream += &event("content_block_start", json!({ "content_block": begun }));
    let arguments = json!({"type": "input_json_delta", "partial_json": "{\"location\": \"Paris\"}"});
    stream += &event("content_block_delta", json!({ "delta": arguments }));
    stream += &event("content_block_stop", json!({}));
    stream += &event("message_delta", json!({"delta": {"stop_reason": "tool_use"}, "usage": usage}));
    stream += &event("message_stop", json!({}));

    for (streams, reply) in [(false, Reply::json(whole.to_string())), (true, Reply::events(stream))] {
        let expected: Vec<Value> = blocks.iter().chain([&call]).cloned().collect();
        for sent in sent(Dialect::Anthropic, streams, reply).await {
            assert_eq!(sent["messages"][1]["content"], json!(expected), "{streams}");
        }
    }
}

#[tokio::test]
async fn signatures_are_sent_back_to_gemini_with_their_call() {
    let call = |city, signature: Value| {
        let mut part = json!({"functionCall": {"name": "get_weather", "args": {"location": city}}});
        part["thoughtSignature"] = signature;
        part
    };
    let signed =
        [call("Paris", json!("c2ln")), json!({"functionCall": {"name": "get_weather", "args": {"location": "Rome"}}})];
    let usage = json!({"promptTokenCount": 12, "candidatesTokenCount": 3});
    let whole = json!({"candidates": [{"content": {"role": "model", "parts": signed}, "finishReason": "STOP"}], "usageMetadata": usage});
    let stream = [
        json!({"candidates": [{"content": {"role": "model", "parts": [signed[0]]}}]}),
        json!({"candidates": [{"content": {"role": "model", "parts": [signed[1]]}}]}),
        json!({"candidates": [{"finishReason": "STOP"}], "usageMetadata": usage}),
    ];
    for (streams, reply) in [(false, Reply::json(whole.to_string())), (true, Reply::data(&stream))] {
        for sent in sent(Dialect::Gemini, streams, reply).await {
            assert_eq!(sent["contents"][1]["parts"], json!(signed), "{streams}");
        }
    }
}

#[tokio::test]
async fn reasoning_is_sent_back_to_chat_completions_with_its_calls() {
    let details = json!([
        {"type": "reasoning.text", "text": "Which tool? This one.", "signature": "c2ln", "format": "x", "index": 0},
        {"type": "reasoning.encrypted", "data": "b3BhcXVl", "format": "x", "index": 1},
    ]);
    let function = json!({"name": "get_weather", "arguments": "{\"location\":\"Paris\"}"});
    let call = json!({"id": "id_1", "type": "function", "function": function});
    let message =
        json!({"content": null, "reasoning_content": "This one.", "reasoning_details": details, "tool_calls": [call]});
    let whole = json!({"choices": [{"message": message, "finish_reason": "tool_calls"}]});
    let chunk = |delta: Value| json!({"choices": [{"delta": delta}]});
    let text = |text: &str| json!({"type": "reasoning.text", "text": text, "format": "x", "index": 0});
    let stream = [
        chunk(json!({"reasoning_content": "This ", "reasoning_details": [text("Which tool? ")]})),
        chunk(json!({"reasoning_content": "one.", "reasoning_details": [text("This one.")]})),
        chunk(json!({"reasoning_details": [{"type": "reasoning.text", "signature": "c2ln", "index": 0}]})),
        chunk(json!({"reasoning_details": [details[1]]})),
        chunk(json!({"tool_calls": [call]})),
        json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]}),
    ];
    for (streams, reply) in [(false, Reply::json(whole.to_string())), (true, Reply::data(&stream))] {
        for sent in sent(Dialect::ChatCompletions, streams, reply).await {
            let message = &sent["messages"][1];
            assert_eq!(message["reasoning_content"], "This one.", "{streams}");
            assert_eq!(message["reasoning_details"], details, "{streams}");
        }
    }
}

#[tokio::test]
async fn a_server_that_sent_no_reasoning_receives_none() {
    let calls = [("id_1", "get_weather", r#"{"location":"Paris"}"#)];
    for streams in [false, true] {
        let dialect = Dialect::ChatCompletions;
        let [sent, _] = sent(dialect, streams, dialect.reply(streams, "", &calls)).await;
        let keys: Vec<_> = sent["messages"][1].as_object().expect("a message").keys().cloned().collect();
        assert!(keys.iter().all(|key| !key.starts_with("reasoning")), "{keys:?}");
    }
    // Thoughts of an answer without calls are not sent back, because some servers reject them.
    let message = json!({"content": "Sun.", "reasoning_content": "This one."});
    let whole = json!({"choices": [{"message": message, "finish_reason": "stop"}]});
    let server = Server::start([Reply::json(whole.to_string()), Dialect::ChatCompletions.reply(false, "Bye.", &[])]);
    let mut conversation = Conversation::new(session(), Dialect::ChatCompletions.model(&server));
    for prompt in ["What is the weather?", "Thanks."] {
        conversation.ask(prompt).await;
    }
    assert_eq!(server.asked()[1].body["messages"][1].get("reasoning_content"), None);
}

#[tokio::test]
async fn encrypted_reasoning_is_sent_back_to_the_responses_api() {
    let reasoning = json!({"type": "reasoning", "id": "rs_1", "encrypted_content": "b3BhcXVl", "summary": []});
    let plain = json!({"type": "reasoning", "id": "rs_2", "summary": []});
    let call = json!({"type": "function_call", "call_id": "id_1", "name": "get_weather", "arguments": "{\"location\": \"Paris\"}"});
    let body = json!({"id": "r", "model": "m", "status": "completed", "output": [reasoning, plain, call]});
    let done =
        |index: usize, item: &Value| json!({"type": "response.output_item.done", "output_index": index, "item": item});
    let completed = json!({"type": "response.completed", "response": body});
    let stream = [done(0, &reasoning), done(1, &plain), done(2, &call), completed.clone()];
    for (streams, reply) in
        [(false, Reply::json(body.to_string())), (true, Reply::data(&stream)), (true, Reply::data(&[completed]))]
    {
        for sent in sent(Dialect::Responses, streams, reply).await {
            let input = sent["input"].as_array().expect("a list");
            let found: Vec<_> = input.iter().filter(|item| item["type"] == "reasoning").collect();
            assert_eq!(found, [&json!({"type": "reasoning", "encrypted_content": "b3BhcXVl", "summary": []})]);
        }
    }
}
