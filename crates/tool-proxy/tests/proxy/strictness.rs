//! The proxy is not stricter than the server: unknown keys and booleans, compared with models of servers.
//!
//! The models follow the documentation of their libraries: zod ("Objects": unknown keys are stripped by default, and an error for
//! `z.strictObject`; `z.boolean()` accepts only booleans; `.optional()` does not accept `null`) and Pydantic ("Conversion Table", lax mode
//! from JSON: integers from whole floats and numeric texts, booleans from `0`, `1` and some words; unknown keys are ignored).

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tool_proxy::{Access, Approval};
use tool_runtime::RepairPolicy;

use super::rig::{Recording, Rig, call, text};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Server {
    ZodStrip,
    ZodStrict,
    Pydantic,
}

#[derive(Clone, Debug)]
enum Kind {
    Text,
    Integer,
    Number,
    Boolean,
    List(Box<Kind>),
    Object(Vec<Field>),
}

#[derive(Clone, Debug)]
struct Field {
    name: &'static str,
    kind: Kind,
    is_required: bool,
    is_nullable: bool,
}

impl Server {
    fn schema(self, kind: &Kind) -> Value {
        match kind {
            Kind::Text => json!({"type": "string"}),
            Kind::Integer => json!({"type": "integer"}),
            Kind::Number => json!({"type": "number"}),
            Kind::Boolean => json!({"type": "boolean"}),
            Kind::List(item) => json!({"type": "array", "items": self.schema(item)}),
            Kind::Object(fields) => {
                let property = |field: &Field| {
                    let schema = self.schema(&field.kind);
                    let schema = if field.is_nullable { json!({"anyOf": [schema, {"type": "null"}]}) } else { schema };
                    (field.name.to_owned(), schema)
                };
                let required: Vec<_> =
                    fields.iter().filter(|field| field.is_required).map(|field| field.name).collect();
                let properties: Map<String, Value> = fields.iter().map(property).collect();
                let mut schema = json!({"type": "object", "properties": properties, "required": required});
                if self != Self::Pydantic {
                    schema["additionalProperties"] = false.into();
                }
                schema
            }
        }
    }

    fn accepts(self, kind: &Kind, value: &Value) -> bool {
        let is_lax = self == Self::Pydantic;
        match (kind, value) {
            (Kind::Text, Value::String(_)) | (Kind::Boolean, Value::Bool(_)) | (Kind::Number, Value::Number(_)) => true,
            (Kind::Integer, Value::Number(number)) => number.as_f64().is_some_and(|number| number.fract() == 0.0),
            (Kind::Boolean, Value::Number(number)) => is_lax && [Some(0.0), Some(1.0)].contains(&number.as_f64()),
            (Kind::Boolean, Value::String(text)) => {
                let words = ["0", "off", "f", "false", "n", "no", "1", "on", "t", "true", "y", "yes"];
                is_lax && words.contains(&&*text.to_lowercase())
            }
            (Kind::Integer, Value::String(text)) => {
                is_lax && text.trim().parse::<f64>().is_ok_and(|number| number.fract() == 0.0)
            }
            (Kind::Number, Value::String(text)) => is_lax && text.trim().parse::<f64>().is_ok(),
            (Kind::List(item), Value::Array(items)) => items.iter().all(|value| self.accepts(item, value)),
            (Kind::Object(fields), Value::Object(members)) => {
                let accepts = |field: &Field| match members.get(field.name) {
                    None => !field.is_required,
                    Some(Value::Null) => field.is_nullable,
                    Some(value) => self.accepts(&field.kind, value),
                };
                let is_known = |key: &String| fields.iter().any(|field| field.name == key);
                fields.iter().all(accepts) && (self != Self::ZodStrict || members.keys().all(is_known))
            }
            _ => false,
        }
    }
}

/// Names that do not resemble each other, nor an [unknown key](UNKNOWN).
const NAMES: [&str; 5] = ["path", "limit", "recursive", "encoding", "head"];

const UNKNOWN: [&str; 11] = [
    "description",
    "reason",
    "random_string",
    "explanation",
    "why",
    "_note",
    "toolCallId",
    "x",
    "security_risk",
    "ключ",
    "thought",
];

fn kind() -> impl Strategy<Value = Kind> {
    let scalar = prop::sample::select(vec![Kind::Text, Kind::Integer, Kind::Number, Kind::Boolean, Kind::Boolean]);
    scalar.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![inner.clone().prop_map(|item| Kind::List(Box::new(item))), object(inner)]
    })
}

fn object(kinds: impl Strategy<Value = Kind> + 'static) -> impl Strategy<Value = Kind> {
    prop::collection::vec((kinds, any::<bool>(), any::<bool>()), 0..=NAMES.len()).prop_map(|fields| {
        let field = |(name, (kind, is_required, is_nullable))| Field { name, kind, is_required, is_nullable };
        Kind::Object(NAMES.into_iter().zip(fields).map(field).collect())
    })
}

/// Values for a kind: right ones, and ones that a lax server reads.
fn value(kind: &Kind) -> BoxedStrategy<Value> {
    let of = |values: &[Value]| prop::sample::select(values.to_vec()).boxed();
    match kind {
        Kind::Text => of(&[json!("a"), json!(""), json!("1"), json!("yes"), json!("{}")]),
        Kind::Integer => of(&[json!(5), json!(-2), json!(5.0), json!("5"), json!("5.0"), json!(" 7 "), json!(1e3)]),
        Kind::Number => of(&[json!(5), json!(0.5), json!("0.5"), json!("1e3"), json!("-2")]),
        Kind::Boolean => of(&[
            json!(true),
            json!(false),
            json!(1),
            json!(0),
            json!(1.0),
            json!(0.0),
            json!("1"),
            json!("0"),
            json!("true"),
            json!("False"),
            json!("TRUE"),
            json!("yes"),
            json!("No"),
            json!("on"),
            json!("OFF"),
            json!("t"),
            json!("f"),
            json!("Y"),
            json!("n"),
            json!("fAlSe"),
        ]),
        Kind::List(item) => prop::collection::vec(value(item), 0..3).prop_map(Value::from).boxed(),
        Kind::Object(fields) => {
            let members: Vec<_> = fields
                .iter()
                .map(|field| {
                    let (name, is_required) = (field.name, field.is_required);
                    let nothing = u32::from(field.is_nullable);
                    let sent = prop_oneof![9 => value(&field.kind), nothing => Just(Value::Null)];
                    (Just(name), sent, any::<bool>().prop_map(move |is_sent| is_sent || is_required))
                })
                .collect();
            let unknown = prop::collection::vec(
                (prop::sample::select(UNKNOWN.to_vec()), of(&[json!(1), json!("a"), json!({}), json!([true])])),
                0..3,
            );
            (members, unknown)
                .prop_map(|(members, unknown)| {
                    let sent =
                        members.into_iter().filter(|(_, _, is_sent)| *is_sent).map(|(name, value, _)| (name, value));
                    sent.chain(unknown).map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>().into()
                })
                .boxed()
        }
    }
}

/// Returns the line that the server gets, or the answer of the proxy.
fn forwarded(schema: &Value, arguments: &Value) -> Result<Value, Value> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut rig = Rig::new();
        rig.list(&[json!({"name": "act", "inputSchema": schema})]).await;
        rig.client.send(call(1, "act", &arguments.to_string())).await;
        tokio::select! {
            line = rig.server.line() => Ok(serde_json::from_str(&line).unwrap()),
            answer = rig.client.message() => Err(answer),
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// A call that the server would accept is never rejected, unless a value would be lost, and the server accepts the repaired call.
    #[test]
    fn calls_that_the_server_accepts_are_forwarded(
        (server, kind, arguments) in (
            prop::sample::select(vec![Server::ZodStrip, Server::ZodStrict, Server::Pydantic]),
            object(kind()),
        ).prop_flat_map(|(server, kind)| {
            let value = value(&kind);
            (Just(server), Just(kind), value)
        })
    ) {
        let is_accepted = server.accepts(&kind, &arguments);
        match forwarded(&server.schema(&kind), &arguments) {
            Ok(call) => {
                let sent = &call["params"]["arguments"];
                prop_assert!(!is_accepted || server.accepts(&kind, sent), "{} became {}", arguments, sent);
            }
            Err(answer) => prop_assert!(!is_accepted, "{:?} accepts {}, but: {}", server, arguments, answer),
        }
    }
}

fn closed() -> Value {
    json!({
        "type": "object",
        "properties": {"path": {"type": "string"}, "recursive": {"type": "boolean"}, "limit": {"type": "integer"}},
        "required": ["path"],
        "additionalProperties": false,
    })
}

#[test]
fn an_unknown_key_that_resembles_an_absent_one_is_rejected_with_a_suggestion() {
    for (key, name) in [
        ("recursiv", "recursive"),
        ("Recursive", "recursive"),
        ("RECURSIVE", "recursive"),
        ("re-cursive", "recursive"),
        ("LIMIT", "limit"),
        ("Limit", "limit"),
        ("lim", "limit"),
    ] {
        let answer = forwarded(&closed(), &json!({"path": "a", key: 1})).expect_err(key);
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        let is_suggested = text.contains(&format!("with {name} in place of {key} if you mean it"));
        assert!(is_suggested || text.contains(&format!("\"{name}\": ")), "{key}: {text}");
    }
}

#[test]
fn other_unknown_keys_are_forwarded_as_they_were_sent() {
    for arguments in [
        json!({"path": "a", "description": "why"}),
        json!({"path": "a", "pth": "b"}),
        json!({"path": "a", "Path": "b"}),
        json!({"path": "a", "limit": 1, "max_limit": 2}),
        json!({"path": "a", "input": 5}),
        json!({"path": "a", "": null}),
        json!({"path": "a", "x": {"deep": [1, {}]}}),
        json!({"path": "a", "a": 1, "b": 2, "c": 3}),
        json!({"path": "a", "$schema": "x"}),
    ] {
        let call = forwarded(&closed(), &arguments).unwrap_or_else(|answer| panic!("{arguments}: {answer}"));
        assert_eq!(call["params"]["arguments"], arguments);
    }
    // A repair keeps the unknown key.
    let call = forwarded(&closed(), &json!({"path": "a", "limit": "5", "recursive": "yes", "why": "x"})).unwrap();
    assert_eq!(call["params"]["arguments"], json!({"path": "a", "limit": 5, "recursive": true, "why": "x"}));
    // A wrapper is removed even if every argument is optional.
    let mut optional = closed();
    optional["required"] = json!([]);
    let call = forwarded(&optional, &json!({"arguments": {"limit": 5}})).unwrap();
    assert_eq!(call["params"]["arguments"], json!({"limit": 5}));
    // A tool without parameters.
    let nothing = json!({"type": "object", "properties": {}, "additionalProperties": false});
    assert!(forwarded(&nothing, &json!({"random_string": "x"})).is_ok());
}

#[tokio::test]
async fn a_server_that_rejects_unknown_keys_is_explained() {
    let mut rig = Rig::with(tool_proxy::ProxyBuilder::no_throttle);
    rig.list(&[json!({"name": "read", "inputSchema": closed()})]).await;
    let arguments = r#"{"path": "a", "why": "x"}"#;
    rig.reaches_server(&call(1, "read", arguments)).await;
    rig.reaches_client(&text(1, "the text")).await;
    rig.reaches_server(&call(2, "read", arguments)).await;
    rig.server
        .send(r#"{"id":2,"result":{"isError":true,"content":[{"type":"text","text":"unrecognized_keys"}]}}"#)
        .await;
    let content = &rig.client.message().await["result"]["content"];
    assert_eq!(content[0]["text"], "unrecognized_keys");
    assert!(content[1]["text"].as_str().unwrap().contains("why is not a known field"), "{content}");
    rig.reaches_server(&call(3, "read", arguments)).await;
    rig.server.send(r#"{"id":3,"error":{"code":-32602,"message":"Unrecognized key: why"}}"#).await;
    let result = &rig.client.message().await["result"];
    let shown = result.to_string();
    assert!(result["isError"] == true && shown.contains("Unrecognized key: why"), "{shown}");
    assert!(shown.contains("why is not a known field"), "{shown}");
    // A call without unknown keys keeps the error of the server.
    rig.reaches_server(&call(4, "read", r#"{"path": "a"}"#)).await;
    rig.reaches_client(r#"{"id":4,"error":{"code":-32602,"message":"no"}}"#).await;
}

#[tokio::test]
async fn words_are_not_repaired_under_the_lossless_policy() {
    let mut rig = Rig::with(|proxy| proxy.repair(RepairPolicy::Lossless));
    rig.list(&[json!({"name": "read", "inputSchema": closed()})]).await;
    let rejected = rig.rejected(1, "read", r#"{"path": "a", "recursive": "yes"}"#).await;
    assert!(rejected.contains("recursive must be a boolean"), "{rejected}");
    let repaired = call(2, "read", r#"{"path":"a","recursive":true}"#);
    assert_eq!(rig.forwarded(2, "read", r#"{"path": "a", "recursive": 1}"#).await, repaired);
}

/// Returns a tool whose calls can only be checked in exponential time, and arguments that it accepts. Definitions that do not contain
/// themselves are not remembered, so both branches of each of the 24 levels are read.
fn exponential(is_closed: bool) -> (Value, Value) {
    let level = |index: usize| {
        let below = json!({"properties": {"a": {"$ref": format!("#/$defs/d{}", index + 1)}}});
        (format!("d{index}"), json!({"anyOf": [{"allOf": [below, {"required": ["z"]}]}, below]}))
    };
    let mut levels: Map<String, Value> = (0..24).map(level).collect();
    levels.insert("d24".to_owned(), json!({"type": "string"}));
    let mut schema = json!({
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/d0"}, "token": {"type": "string"}},
        "$defs": levels,
    });
    if is_closed {
        schema["additionalProperties"] = false.into();
    }
    let mut arguments = (0..25).fold(json!("text"), |value, _| json!({"a": value}));
    arguments["token"] = "s3cret".into();
    (json!({"name": "act", "inputSchema": schema}), arguments)
}

#[tokio::test]
async fn a_call_that_cannot_be_checked_within_the_bounds_is_forwarded_unchecked() {
    let recording = Recording::default();
    let mut rig = Rig::with(|proxy| proxy.redact(["token"]).record_with(recording.writer()));
    let (tool, arguments) = exponential(false);
    let (mut closed, mut more) = exponential(true);
    closed["name"] = "closed".into();
    more["elsewhere"] = json!(1);
    rig.list(&[tool, closed]).await;
    for id in 1..=12 {
        rig.reaches_server(&call(id, "act", &format!("{} ", arguments.to_string().replace("text", &id.to_string()))))
            .await;
        rig.reaches_client(&text(id, &format!("done {id}"))).await;
    }
    rig.reaches_server(&call(13, "closed", &more.to_string())).await;
    rig.rejected(14, "act", r#"{"token":1}"#).await;
    rig.reaches_server(&call(15, "act", r#"{"a":{"a":{}},"token":"s3cret"}"#)).await;
    let report = rig.report();
    let counts = |name: &str| {
        let tool = &report.tools[name];
        (tool.calls, tool.unchecked, tool.rejected, tool.repaired)
    };
    assert_eq!((counts("act"), counts("closed")), ((14, 12, 1, 0), (1, 1, 0, 0)));
    rig.reaches_client(&text(15, "done")).await;
    let lines = recording.lines();
    assert!(lines.iter().all(|line| !line.to_string().contains("s3cret")), "{lines:?}");
    let line = |id: u64| lines.iter().find(|line| line["id"] == id).unwrap();
    assert_eq!((&line(1)["arguments"], &line(1)["verdict"]), (&json!("[redacted]"), &json!("unchecked")));
    assert_eq!(line(15)["arguments"], json!({"a": {"a": {}}, "token": "[redacted]"}));
}

#[tokio::test]
async fn access_and_approval_apply_to_a_call_that_cannot_be_checked() {
    let (tool, arguments) = exponential(false);
    let mut rig = Rig::with(|proxy| proxy.access(Access::new().deny(["act"])));
    rig.client.send(r#"{"id":"list","method":"tools/list"}"#).await;
    rig.server.line().await;
    rig.server.send(json!({"id": "list", "result": {"tools": [tool]}}).to_string()).await;
    assert_eq!(rig.client.message().await["result"]["tools"], json!([]));
    rig.rejected(1, "act", &arguments.to_string()).await;

    let mut rig = Rig::with(|proxy| proxy.require_approval(Approval::new().tools(["act"])).redact(["token"]));
    rig.initialize(r#"{"elicitation":{}}"#).await;
    rig.list(&[tool]).await;
    rig.client.send(call(1, "act", &arguments.to_string())).await;
    let question = rig.client.message().await;
    assert_eq!(question["params"]["message"], r#"May act run with "[redacted]"?"#);
    rig.server_got_nothing().await;
    rig.client.send(format!(r#"{{"id":{},"result":{{"action":"accept"}}}}"#, question["id"])).await;
    assert_eq!(rig.server.line().await, call(1, "act", &arguments.to_string()));
    rig.reaches_client(&text(1, "done")).await;
    assert_eq!(rig.report().tools["act"].unchecked, 1);
}

fn any_arguments() -> Value {
    json!({"name": "act", "inputSchema": {"type": "object", "properties": {
        "text": {"type": "string", "maxLength": 3},
        "number": {"type": "number"},
        "small": {"type": "integer", "maximum": 9},
    }}})
}

#[tokio::test]
async fn valid_json_that_rust_cannot_represent_is_forwarded_as_it_is() {
    let mut rig = Rig::new();
    rig.list(&[any_arguments()]).await;
    let deep = |levels: usize| format!(r#"{{"x":{}"[]",1{}}}"#, "[".repeat(levels), "]".repeat(levels));
    let texts = [
        r#"{"text":"\ud800"}"#.to_owned(),
        r#"{"text":"a\udc00\uD83D", "\ud800":[{"\uDFFF":"\\ud800"}]}"#.to_owned(),
        r#"{"number":1e400,"x":[-1e400, 1e999999999999]}"#.to_owned(),
        deep(126),
        deep(127),
        deep(100_000),
    ];
    let count = texts.len() as u64;
    for (id, arguments) in (1..).zip(&texts) {
        rig.reaches_server(&call(id, "act", arguments)).await;
        rig.reaches_client(&text(id, "done")).await;
    }
    for (id, arguments) in (100..).zip([
        r#"{"text":"\ud800\ud800\ud800\ud800"}"#,
        r#"{"small":1e400}"#,
        r#"{"text":1e400}"#,
        r#"{"number":"\ud800"}"#,
    ]) {
        let answer = rig.rejected(id, "act", arguments).await;
        assert!(!answer.contains("not valid JSON"), "{answer}");
    }
    let tool = &rig.report().tools["act"];
    assert_eq!((tool.calls, tool.unchecked, tool.rejected, tool.repaired), (count + 4, 2, 4, 0));
}

#[tokio::test]
async fn a_repaired_call_has_no_halves_of_surrogate_pairs() {
    let mut rig = Rig::new();
    rig.list(&[any_arguments()]).await;
    let line = rig.forwarded(1, "act", r#"{"text":"\ud800","number":"5"}"#).await;
    assert_eq!(line, call(1, "act", r#"{"text":"\ufffd","number":5}"#).replace(r"\ufffd", "\u{fffd}"));
}

#[tokio::test]
async fn deep_arguments_are_redacted_as_a_whole() {
    let recording = Recording::default();
    let mut rig = Rig::with(|proxy| proxy.redact(["token"]).record_with(recording.writer()));
    rig.list(&[any_arguments()]).await;
    let arguments = format!(r#"{{"token":"s3cret","x":{}{}}}"#, "[".repeat(200), "]".repeat(200));
    rig.reaches_server(&call(1, "act", &arguments)).await;
    rig.reaches_server(&call(2, "act", r#"{"token":"s3cret","text":"\ud800"}"#)).await;
    rig.reaches_client(&text(1, "done")).await;
    rig.reaches_client(&text(2, "done")).await;
    let verdicts: Vec<Value> =
        recording.lines()[1..].iter().map(|line| json!([line["id"], line["arguments"], line["verdict"]])).collect();
    assert_eq!(json!(verdicts), json!([[1, "[redacted]", "unchecked"], [2, "[redacted]", "ok"]]));
}

#[tokio::test]
async fn halves_of_surrogate_pairs_in_a_result_are_replaced_with_a_remark() {
    const REMARK: &str = "U+FFFD stands for halves of surrogate pairs in the result.";
    let mut rig = Rig::new();
    rig.list(&[any_arguments()]).await;
    let mut answered = async |id: u64, members: &str| {
        rig.reaches_server(&call(id, "act", "{}")).await;
        rig.server.send(format!(r#"{{"jsonrpc":"2.0","id":{id},{members}}}"#)).await;
        rig.client.message().await
    };
    let answer = answered(1, r#""result":{"content":[{"type":"text","text":"a\ud83d"}],"\udc00":1}"#).await;
    let content = json!([{"type": "text", "text": "a\u{fffd}"}, {"type": "text", "text": REMARK}]);
    assert_eq!(answer["result"], json!({"content": content, "\u{fffd}": 1}));
    let answer = answered(2, r#""result":{"content":[{"type":"text","text":"\udc00"}],"isError":true}"#).await;
    assert_eq!(answer["result"]["content"][0]["text"], "\u{fffd}");
    assert!(answer["result"]["content"][1]["text"].as_str().unwrap().contains(REMARK), "{answer}");
    let answer = answered(3, r#""result":{"structuredContent":{"a":"\udc00"}}"#).await;
    assert_eq!(answer["result"], json!({"structuredContent": {"a": "\u{fffd}"}}));
    let answer = answered(4, r#""error":{"code":1,"message":"\udc00"}"#).await;
    assert_eq!(answer["error"], json!({"code": 1, "message": "\u{fffd}"}));
    let answer = answered(5, r#""result":{"content":[{"type":"text","text":"\\ud83d\ud83d\ude00"}]}"#).await;
    assert_eq!(answer["result"]["content"], json!([{"type": "text", "text": "\\ud83d😀"}]));
}
