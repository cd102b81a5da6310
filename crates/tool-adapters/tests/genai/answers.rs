//! Tests of parsed answers, in each dialect, whole and as a stream.

use serde_json::{Value, json};
use tool_adapters::GenAi;
use tool_chat::model::{
    ChatModel, Delta, DeltaAssembler, Message, ModelError, ModelErrorKind, Options, Request, Response, StopReason,
    ToolCall, Usage, next_delta,
};

use tool_runtime::tool_schema::dialect::Definitions;

use super::dialect::{ALL, Called, Dialect};
use super::server::{Reply, Server};

pub(crate) async fn ask(model: &GenAi, streams: bool) -> Result<Response, ModelError> {
    let messages = [Message::User("What is the weather?".to_owned())];
    let (tools, options) = (Definitions::default(), Options::default());
    let request = Request::new(&messages, &tools, &options);
    if !streams {
        return model.complete(request).await;
    }
    let (mut stream, mut assembler) = (model.stream(request), DeltaAssembler::new());
    while let Some(delta) = next_delta(&mut stream).await {
        match delta {
            Ok(delta) => assembler.push(delta),
            Err(error) => {
                assert_eq!(next_delta(&mut stream).await, None, "after an error nothing follows");
                return Err(error);
            }
        }
    }
    Ok(assembler.finish())
}

async fn answer(dialect: Dialect, streams: bool, text: &str, calls: &[Called<'_>]) -> Result<Response, ModelError> {
    let server = Server::start([dialect.reply(streams, text, calls)]);
    ask(&dialect.model(&server), streams).await
}

const COST: Usage = Usage::new(12, 3);

#[tokio::test]
async fn text_is_parsed_in_every_dialect() {
    for (dialect, streams) in ALL.into_iter().flat_map(|dialect| [(dialect, false), (dialect, true)]) {
        let response = answer(dialect, streams, "It is raining in Paris.", &[]).await;
        let expected = Response::from_text("It is raining in Paris.").with_usage(COST);
        assert_eq!(response, Ok(expected), "{dialect:?} {streams}");
    }
}

#[tokio::test]
async fn several_calls_keep_their_order_and_their_ids() {
    let calls =
        [("id_1", "get_weather", r#"{"location":"Paris"}"#), ("id_2", "get_weather", r#"{"location":"London"}"#)];
    for (dialect, streams) in ALL.into_iter().flat_map(|dialect| [(dialect, false), (dialect, true)]) {
        let response = answer(dialect, streams, "Let me see.", &calls).await.expect("an answer");
        assert_eq!(
            (response.text.as_str(), response.stop),
            ("Let me see.", StopReason::ToolCalls),
            "{dialect:?} {streams}"
        );
        assert_eq!(response.usage, COST, "{dialect:?} {streams}");
        let called: Vec<_> = response.calls.iter().map(|call| (call.name.as_str(), call.arguments.as_str())).collect();
        assert_eq!(called, calls.map(|(_, name, arguments)| (name, arguments)), "{dialect:?} {streams}");
        let ids: Vec<_> = response.calls.iter().map(|call| call.id.as_str()).collect();
        match dialect {
            // The server sent no ids.
            Dialect::Gemini => assert_ne!(ids[0], ids[1]),
            _ => assert_eq!(ids, ["id_1", "id_2"], "{dialect:?} {streams}"),
        }
    }
}

#[tokio::test]
async fn arguments_that_are_not_valid_json_arrive_unchanged() {
    let malformed = [r#"{"location": "Paris"#, "{location: 'Paris',}", r#"{"a": 1, "a": 2, "b": 1.0}"#, "", "null"];
    for arguments in malformed {
        let calls = [("id_1", "get_weather", arguments)];
        let texts = [Dialect::ChatCompletions, Dialect::Responses];
        let cases = texts.into_iter().flat_map(|dialect| [(dialect, false), (dialect, true)]);
        let cases = cases.chain([(Dialect::Anthropic, true)]);
        for (dialect, streams) in cases {
            let response = answer(dialect, streams, "", &calls).await.expect("an answer");
            let expected = [ToolCall::new("id_1", "get_weather", arguments)];
            assert_eq!(response.calls, expected, "{dialect:?} {streams}");
        }
    }
}

#[tokio::test]
async fn a_stream_of_the_responses_api_loses_no_call() {
    let arguments = r#"{"location": "Paris"}"#;
    let item =
        |arguments: &str| json!({"type": "function_call", "call_id": "id_1", "name": "now", "arguments": arguments});
    let added = json!({"type": "response.output_item.added", "output_index": 1, "item": item("")});
    let delta =
        |piece: &str| json!({"type": "response.function_call_arguments.delta", "output_index": 1, "delta": piece});
    let done =
        |arguments: &str| json!({"type": "response.output_item.done", "output_index": 1, "item": item(arguments)});
    let completed = |output: Value| {
        let usage = json!({"input_tokens": 12, "output_tokens": 3, "total_tokens": 15});
        let response = json!({"id": "r", "model": "m", "status": "completed", "output": output, "usage": usage});
        json!({"type": "response.completed", "response": response})
    };
    let none = || completed(json!([]));
    let cases = [
        ("no pieces", vec![added.clone(), done(arguments), none()], arguments),
        ("only the end", vec![done(arguments), none()], arguments),
        ("only the last event", vec![completed(json!([item(arguments)]))], arguments),
        ("pieces and no end", vec![added.clone(), delta(arguments), none()], arguments),
        (
            "fewer pieces than the whole call",
            vec![added.clone(), delta(&arguments[..9]), done(arguments), none()],
            arguments,
        ),
        (
            "all of it, three times",
            vec![added.clone(), delta(arguments), done(arguments), completed(json!([item(arguments)]))],
            arguments,
        ),
        ("no arguments", vec![added.clone(), done(""), none()], ""),
    ];
    for (case, events, arguments) in cases {
        let server = Server::start([Reply::data(&events)]);
        let response = ask(&Dialect::Responses.model(&server), true).await.expect(case);
        assert_eq!(response.calls, [ToolCall::new("id_1", "now", arguments)], "{case}");
        assert_eq!((response.usage, response.stop), (COST, StopReason::ToolCalls), "{case}");
    }
}

#[tokio::test]
async fn pieces_of_calls_at_other_indices_or_without_an_index_are_placed() {
    let chunk = |call: Value| json!({"choices": [{"delta": {"tool_calls": [call]}}]});
    let header =
        |index: Value, id: &str| chunk(json!({"index": index, "id": id, "function": {"name": "now", "arguments": ""}}));
    let piece = |index: Value, text: &str| chunk(json!({"index": index, "function": {"arguments": text}}));
    let end = json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]});
    let (first, second) = (r#"{"zone":"a"}"#, r#"{"zone":"b"}"#);
    let none = || Value::Null;
    let both = vec![("now", first), ("now", second)];
    for (case, events, expected) in [
        ("another index", vec![header(json!(0), "a"), piece(json!(1), first)], vec![("now", first)]),
        (
            "no index",
            vec![header(json!(0), "a"), piece(none(), r#"{"zone":"#), piece(none(), r#""a"}"#)],
            vec![("now", first)],
        ),
        (
            "no index, two calls",
            vec![header(json!(0), "a"), piece(none(), first), header(json!(1), "b"), piece(none(), second)],
            both.clone(),
        ),
        (
            "never an index",
            vec![header(none(), "a"), piece(none(), first), header(none(), "b"), piece(none(), second)],
            both,
        ),
        (
            "two open calls",
            vec![header(json!(0), "a"), header(json!(1), "b"), piece(none(), first)],
            vec![("now", "{"), ("now", "{"), ("", first)],
        ),
    ] {
        let server = Server::start([Reply::data(&[events, vec![end.clone()]].concat())]);
        let response = ask(&Dialect::ChatCompletions.model(&server), true).await.expect(case);
        let calls: Vec<_> = response.calls.iter().map(|call| (&*call.name, &*call.arguments)).collect();
        assert_eq!(calls, expected, "{case}");
    }
}

#[tokio::test]
async fn an_event_that_cannot_be_parsed_is_an_error() {
    // If the broken event were ignored, the rest of the stream would be assembled wrongly.
    let begun = json!({"type": "function_call", "call_id": "id_1", "name": "now", "arguments": ""});
    let chat =
        json!({"choices": [{"delta": {"tool_calls": [{"index": 0, "id": "id_1", "function": {"name": "now"}}]}}]});
    for (dialect, first, last) in [
        (
            Dialect::Responses,
            json!({"type": "response.output_item.added", "output_index": 0, "item": begun}),
            json!({"type": "response.completed", "response": {"id": "r", "model": "m", "status": "completed"}}),
        ),
        (Dialect::ChatCompletions, chat, json!({"choices": [{"delta": {}, "finish_reason": "tool_calls"}]})),
    ] {
        let body = format!("data: {first}\n\ndata: {{\"type\": \"respon\n\ndata: {last}\n\ndata: [DONE]\n\n");
        let server = Server::start([Reply::events(body)]);
        let error = ask(&dialect.model(&server), true).await.expect_err("no answer");
        assert_eq!(error.kind, ModelErrorKind::Malformed, "{dialect:?} {error}");
    }
}

#[tokio::test]
async fn the_text_of_a_model_refusal_becomes_the_text_of_the_response() {
    let refusal = json!({"type": "message", "content": [{"type": "refusal", "refusal": "I will not."}]});
    let body = json!({"id": "r", "model": "m", "status": "completed", "output": [refusal]});
    let delta = json!({"type": "response.refusal.delta", "output_index": 0, "delta": "I will not."});
    let stream = [delta, json!({"type": "response.completed", "response": body})];
    for (streams, reply) in [(false, Reply::json(body.to_string())), (true, Reply::data(&stream))] {
        let server = Server::start([reply]);
        let response = ask(&Dialect::Responses.model(&server), streams).await.expect("an answer");
        assert_eq!((&*response.text, response.stop), ("I will not.", StopReason::Filtered), "{streams}");
    }
    let dialect = Dialect::ChatCompletions;
    let refuse = |body: String| body.replace("\"content\":\"No.\"", "\"content\":null,\"refusal\":\"No.\"");
    let whole = refuse(dialect.whole("No.", &[]).to_string());
    let stream = refuse(dialect.stream("No.", &[]));
    for (streams, reply) in [(false, Reply::json(whole)), (true, Reply::events(stream))] {
        let server = Server::start([reply]);
        let response = ask(&dialect.model(&server), streams).await.expect("an answer");
        assert_eq!((&*response.text, response.stop), ("No.", StopReason::Filtered), "{streams}");
    }
}

#[tokio::test]
async fn a_truncated_answer_of_the_responses_api_is_recognised() {
    for (reason, stop) in [("max_output_tokens", StopReason::Length), ("content_filter", StopReason::Filtered)] {
        let call = json!({"type": "function_call", "call_id": "id_1", "name": "now", "arguments": "{\"a"});
        let body = json!({"id": "r", "model": "m", "status": "incomplete", "output": [call],
            "incomplete_details": {"reason": reason}, "usage": {"input_tokens": 12, "output_tokens": 3, "total_tokens": 15}});
        let stream = [json!({"type": "response.incomplete", "response": body})];
        for (streams, reply) in [(false, Reply::json(body.to_string())), (true, Reply::data(&stream))] {
            let server = Server::start([reply]);
            let response = ask(&Dialect::Responses.model(&server), streams).await.expect("an answer");
            assert_eq!(response.calls, [ToolCall::new("id_1", "now", "{\"a")], "{streams}");
            assert_eq!((response.usage, response.stop), (COST, stop), "{streams}");
        }
    }
}

pub(crate) fn over(server: &Server, name: &str) -> GenAi {
    use tool_adapters::genai::Client;
    use tool_adapters::genai::adapter::AdapterKind;
    use tool_adapters::genai::resolver::{AuthData, Endpoint};

    let endpoint = Endpoint::from_owned(format!("{}/", server.address()));
    let kind = AdapterKind::from_model(name).expect("a name that genai knows");
    let client = Client::builder().append_provider_config(kind, (endpoint, AuthData::from_single("key")));
    GenAi::from_client(client.build().expect("a client"), name)
}

#[tokio::test]
async fn answers_of_ollama_are_parsed() {
    let whole = r#"{"model": "m", "message": {"role": "assistant", "content": "", "tool_calls": [
        {"function": {"name": "get_weather", "arguments": {"location": "Paris"}}}
    ]}, "done": true, "done_reason": "stop", "prompt_eval_count": 12, "eval_count": 3}"#;
    for streams in [false, true] {
        let body = if streams { format!("{}\n", whole.replace('\n', " ")) } else { whole.to_owned() };
        let server = Server::start([Reply::json(body)]);
        let response = ask(&over(&server, "ollama::m"), streams).await.expect("an answer");
        assert_eq!(response.calls[0].arguments, r#"{"location":"Paris"}"#, "{streams}");
        assert_eq!((response.usage, response.stop), (COST, StopReason::ToolCalls), "{streams}");
    }
}

#[tokio::test]
async fn a_stream_comes_piece_by_piece() {
    let server = Server::start([Dialect::ChatCompletions.reply(true, "It is raining.", &[])]);
    let model = Dialect::ChatCompletions.model(&server);
    let (tools, options) = (Definitions::default(), Options::default());
    let mut stream = model.stream(Request::new(&[], &tools, &options));
    let mut texts = Vec::new();
    while let Some(delta) = next_delta(&mut stream).await {
        if let Delta::Text(text) = delta.expect("a piece") {
            texts.push(text);
        }
    }
    assert_eq!(texts, ["It is r", "aining."]);
}

#[tokio::test]
async fn streams_without_indices_or_an_end_marker_are_parsed() {
    // The calls have no index, `[DONE]` is missing, and the stop reason is `stop` although there are calls.
    let call = |id| format!(r#"{{"id": "{id}", "function": {{"name": "now", "arguments": "{{}}"}}}}"#);
    let chunk = |calls: String, reason| {
        format!(
            "data: {{\"choices\": [{{\"delta\": {{\"tool_calls\": [{calls}]}}, \"finish_reason\": {reason}}}]}}\n\n"
        )
    };
    let body = chunk(call("id_1"), "null") + &chunk(call("id_2"), "\"stop\"");
    let server = Server::start([Reply::events(body)]);
    let response = ask(&Dialect::ChatCompletions.model(&server), true).await.expect("an answer");
    assert_eq!(response.calls, ["id_1", "id_2"].map(|id| ToolCall::new(id, "now", "{}")));
    assert_eq!(response.stop, StopReason::ToolCalls);
}

#[tokio::test]
async fn the_stop_reason_of_an_answer_is_reported() {
    let cases = [
        (Dialect::ChatCompletions, "\"finish_reason\":\"stop\"", "\"finish_reason\":\"length\"", StopReason::Length),
        (
            Dialect::ChatCompletions,
            "\"finish_reason\":\"stop\"",
            "\"finish_reason\":\"content_filter\"",
            StopReason::Filtered,
        ),
        (Dialect::Anthropic, "\"stop_reason\":\"end_turn\"", "\"stop_reason\":\"max_tokens\"", StopReason::Length),
        (Dialect::Anthropic, "\"stop_reason\":\"end_turn\"", "\"stop_reason\":\"refusal\"", StopReason::Filtered),
        (Dialect::Gemini, "\"finishReason\":\"STOP\"", "\"finishReason\":\"MAX_TOKENS\"", StopReason::Length),
        (Dialect::Gemini, "\"finishReason\":\"STOP\"", "\"finishReason\":\"SAFETY\"", StopReason::Filtered),
    ];
    for (dialect, usual, other, stop) in cases {
        let replies = [
            Reply::json(dialect.whole("It is", &[]).to_string().replace(usual, other)),
            Reply::events(dialect.stream("It is", &[]).replace(usual, other)),
        ];
        for (streams, reply) in [false, true].into_iter().zip(replies) {
            let server = Server::start([reply]);
            let response = ask(&dialect.model(&server), streams).await.expect("an answer");
            assert_eq!((response.text.as_str(), response.stop), ("It is", stop), "{dialect:?} {streams}");
        }
    }
}

#[tokio::test]
async fn a_call_that_gemini_drops_is_an_error() {
    let dialect = Dialect::Gemini;
    let drop = |body: String| body.replace("\"STOP\"", "\"MALFORMED_FUNCTION_CALL\"");
    let replies = [Reply::json(drop(dialect.whole("", &[]).to_string())), Reply::events(drop(dialect.stream("", &[])))];
    for (streams, reply) in [false, true].into_iter().zip(replies) {
        let server = Server::start([reply]);
        let error = ask(&dialect.model(&server), streams).await.expect_err("no answer");
        assert_eq!(error.kind, ModelErrorKind::Malformed, "{streams} {error}");
    }
}
