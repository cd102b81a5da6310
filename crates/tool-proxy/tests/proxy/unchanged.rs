//! Everything that is not about tools is forwarded byte for byte.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::rig::{Rig, call, search, text};

/// Returns JSON texts with white space, repeated keys, numbers of every kind and escapes.
fn json_text() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        Just("null".to_owned()),
        Just(" true".to_owned()),
        "-?(0|[1-9][0-9]{0,24})(\\.[0-9]{1,5})?([eE][+-]?[0-9]{1,3})?",
        any::<String>().prop_map(|text| Value::from(text).to_string()),
        Just(r#""\u00e4\/\ud83d\ude00\ud800""#.to_owned()),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        let member = ("[a-c]{0,2}", inner.clone()).prop_map(|(key, value)| format!("\"{key}\" :{value}"));
        prop_oneof![
            prop::collection::vec(inner, 0..4).prop_map(|items| format!("[{} ]", items.join(" , "))),
            prop::collection::vec(member, 0..4).prop_map(|members| format!("{{ {}}}", members.join(","))),
        ]
    })
}

fn method() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "initialize",
        "server/discover",
        "ping",
        "prompts/get",
        "resources/read",
        "completion/complete",
        "logging/setLevel",
        "sampling/createMessage",
        "elicitation/create",
        "tasks/get",
        "notifications/progress",
        "notifications/message",
        "subscriptions/listen",
    ]);
    prop_oneof![known.prop_map(str::to_owned), "[a-z/]{1,12}".prop_map(|method| format!("x/{method}"))]
}

/// Returns a message without an id, as its members in random order with further ones.
fn message(method: String, params: Option<String>, others: Vec<String>, id: Option<u64>, first: bool) -> String {
    let mut members = vec![r#""jsonrpc": "2.0""#.to_owned(), format!("\"method\":{}", Value::from(method))];
    members.extend(params.map(|params| format!("\"params\" : {params}")));
    members.extend(others.into_iter().enumerate().map(|(index, value)| format!("\"x{index}\":{value}")));
    if let Some(id) = id {
        members.insert(if first { 0 } else { members.len() }, format!("\"id\": {id}"));
    }
    format!("{{{}}}", members.join(", "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn messages_are_forwarded_byte_for_byte_in_both_directions(
        messages in prop::collection::vec(
            (
                any::<[bool; 3]>(),
                method(),
                prop::option::of(json_text()),
                prop::collection::vec(json_text(), 0..3),
                json_text(),
            ),
            1..8,
        ),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut rig = Rig::new();
            for (id, ([is_client, is_request, id_first], method, params, others, answer)) in messages.into_iter().enumerate() {
                let id = is_request.then_some(id as u64);
                let line = message(method, params, others, id, id_first);
                let answer = id.map(|id| format!(r#"{{"result":{answer} ,"id":{id}}}"#));
                if is_client {
                    rig.reaches_server(&line).await;
                } else {
                    rig.reaches_client(&line).await;
                }
                match answer {
                    Some(answer) if is_client => rig.reaches_client(&answer).await,
                    Some(answer) => rig.reaches_server(&answer).await,
                    None => {}
                }
            }
            let report = rig.report();
            prop_assert_eq!((report.stray_answers, report.bad_lines), (0, 0));
            Ok(())
        })?;
    }

    #[test]
    fn only_arguments_that_the_schema_accepts_reach_the_server(arguments in json_text()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut rig = Rig::new();
            let schema = json!({"type": "object", "properties": {"a": {"type": "integer"}}, "additionalProperties": {"type": "string"}});
            rig.list(&[json!({"name": "act", "inputSchema": schema})]).await;
            let line = call(1, "act", &arguments);
            rig.client.send(&line).await;
            rig.client.send(r#"{"method":"end"}"#).await;
            let got = rig.server.line().await;
            if got == r#"{"method":"end"}"# {
                let answer = rig.client.message().await;
                prop_assert_eq!(&answer["result"]["isError"], true);
                return Ok(());
            }
            let read = |text: &str| serde_json::from_str::<Value>(&text.replace(r"\ud800", r"\ufffd"));
            let sent = match read(&got) {
                Ok(sent) => sent,
                // The schema allows numbers of any size.
                Err(error) => {
                    prop_assert!(error.to_string().starts_with("number out of range"), "{}: {}", error, got);
                    return Ok(());
                }
            };
            let is_valid = jsonschema::is_valid(&schema, &sent["params"]["arguments"]);
            prop_assert!(is_valid, "{}", got);
            if read(&arguments).is_ok_and(|own| jsonschema::is_valid(&schema, &own)) {
                prop_assert_eq!(got, line);
            }
            Ok(())
        })?;
    }
}

#[tokio::test]
async fn carriage_returns_are_kept() {
    let mut rig = Rig::new();
    rig.reaches_server("{\"id\":1,\"method\":\"ping\"}\r").await;
    rig.list(&[search()]).await;
    rig.reaches_server(&format!("{}\r", call(2, "search", r#"{"query":"a"}"#))).await;
    rig.reaches_client(&text(2, "a")).await;
}
