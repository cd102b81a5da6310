//! Limits for the memory of a rejected call: a multiple of the length of its text, in every form, with and without the throttle.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use allocation_counter::measure;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use tool_dynamic::DynamicTool;
use tool_runtime::clock::SimulatedClock;
use tool_runtime::toolbox::FeedbackForm;
use tool_runtime::{CallContext, Session, ToolInput, Toolbox, tool};
use tool_schema::issue::MAX_ISSUES;

/// The maximum number of bytes that a rejected call may hold: per byte of its text, plus a constant.
const EACH: usize = 64;
const FREE: usize = 1 << 20;

macro_rules! wide {
    ($($field:ident)*) => {
        /// A row of thirty required columns.
        #[derive(Deserialize, ToolInput)]
        #[tool(ignore_unknown)]
        #[allow(dead_code)]
        struct Wide { $(
            /// A column with a description of usual length.
            #[tool(length(max = 80))]
            $field: String,
        )* }
    };
}
wide!(a00 a01 a02 a03 a04 a05 a06 a07 a08 a09 a10 a11 a12 a13 a14 a15 a16 a17 a18 a19 a20 a21 a22 a23 a24 a25 a26 a27 a28 a29);

/// Stores rows.
#[tool]
fn store(
    /// The rows.
    list: Vec<Wide>,
) -> usize {
    list.len()
}

/// Stores numbers.
#[tool]
fn numbers(
    /// The numbers.
    #[tool(inner(range(max = 5)))]
    list: Vec<u8>,
) -> usize {
    list.len()
}

/// Stores names.
#[tool]
fn names(
    /// Ages by name.
    map: BTreeMap<String, u8>,
) -> usize {
    map.len()
}

#[derive(Deserialize, ToolInput)]
#[allow(dead_code)]
enum Colour {
    Red,
    Green,
    Blue,
}

/// Paints.
#[tool]
fn paint(
    /// The colours.
    list: Vec<Colour>,
) -> usize {
    list.len()
}

macro_rules! many {
    ($($variant:ident $field:ident)*) => {
        $(
            #[derive(Deserialize, ToolInput)]
                #[tool(ignore_unknown)]
            #[allow(dead_code)]
            struct $variant {
                /// A number.
                $field: u8,
                /// A list.
                list: Vec<$field::Item>,
            }
            #[allow(non_snake_case, dead_code)]
            mod $field {
                #[derive(serde::Deserialize, tool_runtime::ToolInput)]
                #[tool(ignore_unknown)]
                pub(super) struct Item {
                    /// A number.
                    pub(super) $field: u8,
                    /// A text.
                    pub(super) other: String,
                }
            }
        )*
        #[derive(Deserialize, ToolInput)]
        #[serde(untagged)]
        #[allow(dead_code)]
        enum Many { $($variant($variant),)* }
    };
}
many!(A a B b C c D d E e F f G g H h I i J j K k L l);

/// Takes one of many forms.
#[tool]
fn forms(
    /// The form.
    form: Many,
) -> bool {
    matches!(form, Many::A(_))
}

/// Takes many of many forms.
#[tool]
fn all_forms(
    /// The forms.
    list: Vec<Many>,
) -> usize {
    list.len()
}

fn dynamic(name: &'static str, schema: &Value) -> DynamicTool {
    let handler = |arguments: Map<String, Value>, _: &CallContext| Ok::<_, String>(arguments.len());
    DynamicTool::builder(name, "A tool from a schema.", schema).sync_handler(handler).expect("the schema can be read")
}

fn toolbox(form: FeedbackForm, throttled: bool) -> Toolbox {
    let columns: Vec<_> = (0..30).map(|column| format!("a{column:02}")).collect();
    let properties: Map<String, Value> =
        columns.iter().map(|name| (name.clone(), json!({"type": "string", "maxLength": 80}))).collect();
    let row = json!({"type": "object", "properties": properties, "required": columns});
    let list = |item: Value| json!({"type": "object", "properties": {"list": {"type": "array", "items": item}}});
    let forms: Vec<_> = (0..12)
        .map(|form| {
            let (key, item) = (format!("a{form:02}"), json!({"type": "object", "required": columns}));
            json!({"type": "object", "properties": {"list": {"type": "array", "items": item}}, "required": [key, "list"]})
        })
        .collect();
    let operands = |key: String| json!({"properties": {"left": {"$ref": "#/$defs/node"}, "right": {"$ref": "#/$defs/node"}}, "required": ["left", "right", key]});
    let branches: Vec<_> =
        (0..8).map(|form| operands(format!("a{form:02}"))).chain([json!({"type": "number"})]).collect();
    let tree = json!({"properties": {"list": {"$ref": "#/$defs/node"}}, "$defs": {"node": {"anyOf": branches}}});
    let twice = |index: usize| {
        let below = json!({"$ref": format!("#/$defs/a{}", index + 1)});
        (format!("a{index}"), json!({"anyOf": [below, below]}))
    };
    let mut doubled: Map<String, Value> = (0..14).map(twice).collect();
    doubled.insert("a14".to_owned(), json!({"type": "string"}));
    let double = json!({"properties": {"list": {"items": {"$ref": "#/$defs/a0"}}}, "$defs": doubled});
    let builder = Toolbox::builder()
        .tool(StoreTool)
        .tool(NumbersTool)
        .tool(NamesTool)
        .tool(PaintTool)
        .tool(FormsTool)
        .tool(AllFormsTool)
        .tool(dynamic("store_d", &list(row.clone())))
        .tool(dynamic("numbers_d", &list(json!({"type": "integer", "maximum": 5}))))
        .tool(dynamic("enum_d", &list(json!({"enum": ["red", "green", "blue"]}))))
        .tool(dynamic("not_d", &list(json!({"not": {"type": "object"}}))))
        .tool(dynamic("unique_d", &json!({"type": "object", "properties": {"list": {"type": "array", "uniqueItems": true}}})))
        .tool(dynamic("closed_d", &json!({"type": "object", "properties": {"list": {}}, "additionalProperties": false})))
        .tool(dynamic("one_d", &list(json!({"oneOf": [{"required": ["a"]}, {"required": ["b"]}]}))))
        .tool(dynamic("forms_d", &json!({"type": "object", "properties": {"form": {"anyOf": forms}}})))
        .tool(dynamic("names_d", &json!({"type": "object", "propertyNames": {"maxLength": 1}})))
        .tool(dynamic("if_d", &list(json!({"if": {}, "then": {"required": columns}}))))
        .tool(dynamic("tree_d", &tree))
        .tool(dynamic("double_d", &double))
        .tool(dynamic("either_d", &json!({"properties": {"word": {"anyOf": [{"enum": (0..20_000).map(|word| format!("word number {word}")).collect::<Vec<_>>()}, {"type": "null"}]}}})))
        .tool(dynamic("many_d", &json!({
            "type": "object",
            "properties": {"word": {"enum": (0..20_000).map(|word| format!("word number {word}")).collect::<Vec<_>>()}},
            "required": ["word"],
        })))
        .clock(SimulatedClock::new())
        .feedback(form);
    let builder = if throttled { builder } else { builder.no_throttle() };
    builder.build().expect("the tools have different names")
}

/// Returns arguments of about this many bytes: a beginning, repetitions of one part, and an end.
fn repeated(begin: &str, part: &str, end: &str, bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 64);
    text.push_str(begin);
    text.push_str(part);
    while text.len() < bytes {
        text.push(',');
        text.push_str(part);
    }
    text + end
}

fn keyed(begin: &str, end: &str, bytes: usize) -> String {
    let mut text = begin.to_owned();
    let mut key = 0;
    while text.len() < bytes {
        let _ = write!(text, "{}\"k{key}\":0", if key > 0 { "," } else { "" });
        key += 1;
    }
    text + end
}

/// Returns the shapes that were reported by users.
fn named(bytes: usize) -> Vec<(&'static str, &'static str, String)> {
    let list = repeated("{\"list\":[", "{}", "]}", bytes);
    vec![
        ("required fields of many rows", "store", list.clone()),
        ("required fields of many rows, from a schema", "store_d", list),
        ("one value of 20,000, from a schema", "many_d", r#"{"word":"word nimber 19999"}"#.to_owned()),
        ("one value of 20,000 or null, from a schema", "either_d", r#"{"word":"word nimber 19999"}"#.to_owned()),
    ]
}

/// Returns further hostile shapes: the name of a tool and arguments of about this many bytes. Not all of them are rejected.
fn shapes(bytes: usize) -> Vec<(&'static str, &'static str, String)> {
    let list = |part: &str| repeated("{\"list\":[", part, "]}", bytes);
    vec![
        ("a wrong type in a list", "store", list("1")),
        ("lists in a list", "store", list("[1]")),
        ("rows with one key", "store", list(r#"{"":1}"#)),
        ("numbers out of range", "numbers", list("9")),
        ("texts for numbers", "numbers", list(r#""x""#)),
        ("texts that are numbers", "numbers", list(r#""9""#)),
        ("wrong values", "paint", list(r#""Rad""#)),
        ("nested lists", "numbers", "[".repeat(bytes)),
        ("nested lists, closed", "numbers", format!("{}{}", "[".repeat(bytes / 2), "]".repeat(bytes / 2))),
        ("unknown keys", "numbers", keyed("{", "}", bytes)),
        ("repeated keys", "numbers", repeated("{", r#""list":[]"#, "}", bytes)),
        ("repeated unknown keys", "numbers", repeated("{", r#""":0"#, "}", bytes)),
        ("values of a map", "names", keyed("{\"map\":{", "},\"x\":0}", bytes)),
        ("wrong values of a map", "names", repeated("{\"map\":{", r#""a":-1"#, "}}", bytes)),
        ("a long text of a wrong type", "numbers", format!("{{\"list\":\"{}\"}}", "x".repeat(bytes))),
        ("a long text with quotes", "numbers", format!("{{\"list\":\"{}\"}}", "\\\"".repeat(bytes / 2))),
        ("a long text with newlines", "numbers", format!("{{\"list\":\"{}\"}}", "\n".repeat(bytes))),
        ("a list as text", "numbers", format!("{{\"list\":\"{}\"}}", repeated("[", "9", "]", bytes))),
        ("a long key", "numbers", format!("{{\"{}\":1}}", "x".repeat(bytes))),
        ("many forms", "forms", repeated("{\"form\":{\"list\":[", "{}", "]}}", bytes)),
        ("many forms, a near one", "forms", repeated("{\"form\":{\"a\":1,\"list\":[", "{}", "]}}", bytes)),
        ("a list of many forms", "all_forms", list("{}")),
        ("a list of many forms, lists", "all_forms", list(r#"{"list":[{}]}"#)),
        ("commas", "numbers", format!("{{\"list\":[{}]}}", ",".repeat(bytes))),
        ("items between two commas", "numbers", format!("{{\"list\":[{}]}}", "1,,".repeat(bytes / 3))),
        ("single quotes", "numbers", repeated("{'list':[", "''", "]}", bytes)),
        ("comments", "numbers", format!("{{\"list\":[{}]}}", "1,/**/".repeat(bytes / 6))),
        ("bare keys", "numbers", repeated("{", "a:1", "}", bytes)),
        ("constants", "numbers", repeated("{list:[", "None", "]}", bytes)),
        ("bare words", "numbers", repeated("{\"list\":[", "a", "]}", bytes)),
        ("cut off", "numbers", repeated("{\"list\":[", "9", "", bytes)),
        ("cut off rows", "store", repeated("{\"list\":[", "{}", "", bytes)),
        ("backticks", "numbers", "`".repeat(bytes)),
        ("fences", "numbers", "```".repeat(bytes / 3)),
        ("brackets that close", "numbers", "]".repeat(bytes)),
        ("brackets behind the value", "numbers", format!("{{\"list\":[9]{}", "}".repeat(bytes))),
        ("numbers out of range, from a schema", "numbers_d", list("9")),
        ("texts that are numbers, from a schema", "numbers_d", list(r#""9""#)),
        ("texts, from a schema", "numbers_d", list(r#""""#)),
        ("wrong values, from a schema", "enum_d", list(r#""rad""#)),
        ("not, from a schema", "not_d", list("{}")),
        ("equal items, from a schema", "unique_d", list("1")),
        ("unknown keys, from a schema", "closed_d", keyed("{", "}", bytes)),
        ("one of two, from a schema", "one_d", list("{}")),
        ("many forms, from a schema", "forms_d", repeated("{\"form\":{\"list\":[", "{}", "]}}", bytes)),
        ("names of properties, from a schema", "names_d", keyed("{", "}", bytes)),
        ("a condition, from a schema", "if_d", list("{}")),
        ("lists in a list, from a schema", "store_d", list("[1]")),
        ("an expression, from a schema", "tree_d", expression(120, "\"a\"")),
        ("many expressions, from a schema", "tree_d", expression(20, &format!("[{}]", vec!["1"; bytes / 2].join(",")))),
        ("references that multiply, from a schema", "double_d", list("1")),
        (
            "a key that is repeated in paths, from a schema",
            "double_d",
            format!("{{\"list\":{{\"{}\":1}}}}", "x".repeat(bytes)),
        ),
    ]
}

/// Returns an expression that is nested this deeply.
fn expression(levels: usize, leaf: &str) -> String {
    let open = r#"{"a07":1,"right":2,"left":"#.repeat(levels);
    format!("{{\"list\":{open}{leaf}{}}}", "}".repeat(levels))
}

/// Returns the most bytes that a call holds at a time, including its text. A second call is answered as a repetition.
fn peak(session: &Session, tool: &str, arguments: &str) -> usize {
    let info = measure(|| {
        let call = pin!(session.call("call_1", tool, black_box(arguments)));
        let Poll::Ready(outcome) = call.poll(&mut Context::from_waker(Waker::noop())) else { panic!("it is sync") };
        black_box(outcome.to_text());
    });
    usize::try_from(info.bytes_max).unwrap_or(usize::MAX)
}

/// Makes each call twice, in every form.
fn assert_bounded(throttled: bool, calls: &[(&str, &str, String)]) {
    let mut found = Vec::new();
    for form in [FeedbackForm::Sentences, FeedbackForm::Json, FeedbackForm::Markdown] {
        let toolbox = toolbox(form, throttled);
        for (name, tool, arguments) in calls {
            let session = toolbox.session();
            for call in ["first", "second"] {
                let held = peak(&session, tool, arguments);
                if held > EACH * arguments.len() + FREE {
                    found.push(format!("{name}, {form:?}, {call}: {held} bytes for {}", arguments.len()));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_rejected_call_needs_memory_proportional_to_its_text() {
    let calls: Vec<_> = [300, 150_000].into_iter().flat_map(named).collect();
    assert_bounded(true, &calls);
    assert_bounded(false, &calls);
}

#[test]
fn other_hostile_calls_also_need_memory_proportional_to_their_text() {
    assert_bounded(true, &[3_000, 20_000].into_iter().flat_map(shapes).collect::<Vec<_>>());
}

#[test]
fn a_valid_expression_needs_memory_proportional_to_its_text() {
    let session = toolbox(FeedbackForm::Json, false).session();
    for levels in [10, 30, 60, 120] {
        let arguments = expression(levels, "1");
        let held = peak(&session, "tree_d", &arguments);
        assert!(held <= EACH * arguments.len(), "{levels}: {held} bytes for {}", arguments.len());
    }
    assert!(pollster::block_on(session.call("call_1", "tree_d", &expression(120, "1"))).failure().is_none());
}

#[test]
fn a_rejected_call_names_a_bounded_number_of_issues() {
    let text = |form: FeedbackForm, (tool, arguments): (&str, &str)| {
        let session = toolbox(form, true).session();
        let call = pin!(session.call("call_1", tool, arguments));
        let Poll::Ready(outcome) = call.poll(&mut Context::from_waker(Waker::noop())) else { panic!("it is sync") };
        let Err(failure) = outcome.as_result() else { panic!("every row has faults") };
        (failure.issues().len(), outcome.to_text().into_owned())
    };
    for tool in ["store", "store_d"] {
        for (rows, issues, words) in [(33, 990, ""), (34, MAX_ISSUES + 1, "more than ")] {
            let arguments = format!("{{\"list\":[{}]}}", vec!["{}"; rows].join(","));
            let (found, json) = text(FeedbackForm::Json, (tool, &arguments));
            assert_eq!(found, issues);
            let counted = issues.min(MAX_ISSUES);
            assert!(json.contains(&format!("; and {words}{} more", counted - 5)), "{json}");
            assert!(json.contains(&format!("Correct {words}{} more fields", counted - 3)), "{json}");
            let markdown = text(FeedbackForm::Markdown, (tool, &arguments)).1;
            assert!(markdown.contains("more issues."), "{markdown}");
            assert_eq!(markdown.contains("More than 1000 issues"), !words.is_empty(), "{markdown}");
        }
    }
}
