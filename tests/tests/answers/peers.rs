//! Further kinds of answers that the tests of instructor and Pydantic AI contain, with values of our own. The comments say what a careful
//! reader wants where these libraries decide otherwise.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use tool_chat::conversation::{AnswerError, Conversation, TurnEnd, TurnLimits};
use tool_chat::model::{Message, Response, ScriptedModel, StopReason, ToolCall};

use tool_runtime::tool_schema::dialect::Definitions;
use tool_runtime::tool_schema::{AnswerForm, extract};
use tool_runtime::{CustomRuleError, Dialect, Session, ToolInput, Toolbox, tool};

use super::cases::check;
use super::types::{Answer, DIALECTS, no_tools};

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[tool(ignore_unknown)]
struct Sailor {
    /// The name.
    name: String,
    /// Age in years.
    age: u8,
    /// The skills of the sailor.
    #[serde(default)]
    skills: Vec<String>,
}

/// Every field has a default, so serde decodes any object.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[tool(ignore_unknown)]
struct Dose {
    /// The name of the drug.
    #[serde(default)]
    drug: String,
    /// The amount.
    #[serde(default)]
    amount: u32,
    /// A note.
    note: Option<String>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[tool(ignore_unknown)]
#[serde(untagged)]
enum Contact {
    /// A name.
    Basic {
        /// The name.
        name: String,
    },
    /// A name with an address. It can only be decoded if the variant before it does not accept the same objects.
    Detailed {
        /// The name.
        name: String,
        /// The address.
        mail: String,
    },
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[serde(untagged)]
enum Scalar {
    /// A number.
    Number(i64),
    /// A text.
    Text(String),
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[tool(ignore_unknown)]
#[serde(tag = "kind", content = "data")]
enum Fruit {
    /// An apple.
    Apple {
        /// The color.
        color: String,
    },
    /// A banana.
    Banana {
        /// The length.
        length: f64,
    },
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[serde(rename_all = "snake_case")]
enum Label {
    /// Unwanted mail.
    Spam,
    /// Other mail.
    NotSpam,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
enum Code {
    /// The first.
    #[serde(rename = "1231")]
    First,
    /// The second.
    #[serde(rename = "212")]
    Second,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[tool(ignore_unknown)]
struct Numbers {
    /// A whole number.
    count: u64,
    /// A number.
    ratio: f64,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[tool(ignore_unknown)]
struct Port {
    /// The name.
    #[serde(rename = "loc", alias = "place")]
    location: String,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[tool(ignore_unknown)]
struct Shouted {
    /// The name, in capital letters.
    #[tool(custom = is_upper)]
    name: String,
}

#[expect(clippy::ptr_arg, reason = "the function gets the declared type")]
fn is_upper(name: &String) -> Result<(), CustomRuleError> {
    let is_upper = name.chars().all(|letter| !letter.is_lowercase());
    if is_upper { Ok(()) } else { Err(CustomRuleError::new("must be in capital letters")) }
}

fn ann() -> Sailor {
    Sailor { name: "Ann".to_owned(), age: 30, skills: vec!["knots".to_owned()] }
}

const ANN: &str = r#"{"name": "Ann", "age": 30, "skills": ["knots"]}"#;
const BOB: &str = r#"{"name": "Bob", "age": 31, "skills": []}"#;

/// Checks that an answer is rejected in every dialect, with an issue of this code.
fn rejected<T: Answer>(answer: &str, code: &str) {
    for dialect in DIALECTS {
        let Ok(form) = AnswerForm::<T>::new(dialect, &Definitions::default()) else {
            assert_eq!(dialect, Dialect::GEMINI_SCHEMA, "only this dialect has no form for tuples");
            continue;
        };
        match form.read(answer) {
            Ok(read) => panic!("{dialect}: {answer}: {:?}", read.value),
            Err(error) => {
                let codes: Vec<_> = error.issues().iter().map(|issue| issue.constraint.code()).collect();
                assert!(codes.contains(&code), "{dialect}: {answer}: {codes:?}: {error}");
            }
        }
    }
}

#[test]
fn fences_and_the_text_around_them() {
    for answer in [
        format!("# The crew\nHere it is:\n\n```json\n{ANN}\n```\nThat is all."),
        format!("# The crew\nHere it is:\n\n```\n{ANN}\n```"),
        format!("**The crew**\n\n```json\n{ANN}\n```"),
        format!("``json\n{ANN}\n``\nDone"),
        format!("```json\n, here\n{ANN}\n```\nWhat do you think?"),
        format!("Outside\n```\nInside\n```json\n{ANN}\n```\nInside\n```\nOutside"),
        format!("~~~json\n{ANN}\n~~~"),
        format!("```JSON\n{ANN}\n```"),
        format!("```javascript\nconst answer = {ANN};\n```"),
        format!("json\n{ANN}"),
        format!("result = {ANN}"),
        format!("<answer>{ANN}</answer>"),
        format!("```json\n{ANN}   \n"),
        format!("\n\t {ANN} \n\n"),
    ] {
        check(&answer, Some(&ann()));
    }
    for answer in [
        // instructor takes the text in braces or brackets for prose. Here, it may be a part of the value.
        format!("I kept {{Note: the spelling}} as it was. The result: {ANN}"),
        format!("See [section] for details.\n```json\n{ANN}\n```"),
        // instructor takes the last value.
        format!("The user sent {{\"checked\": true}}. The result is {ANN}."),
        format!("{ANN}{BOB}"),
        format!("```json\n{ANN}{BOB}\n```"),
        format!("First: {ANN}\nSecond: {BOB}"),
        "Name: Ann, age: 30".to_owned(),
        "not valid JSON {{{".to_owned(),
    ] {
        rejected::<Sailor>(&answer, "INVALID_JSON");
    }
}

#[test]
fn thoughts_before_the_answer_are_no_answer() {
    for answer in [
        format!("<think>First I took {BOB}.</think>\n{ANN}"),
        format!("<think>With {{no JSON}} over\nlines.</think>\n```json\n{ANN}\n```"),
        format!("<thinking>{BOB}</thinking>{ANN}"),
        format!("<reasoning>{BOB}</reasoning>{ANN}"),
        format!("The name is easy.</think>{ANN}"),
        format!("{ANN}<think>That is it.</think>"),
        // DeepTutor 1388: braces in the thoughts are not those of the answer.
        format!("<think>With \\frac{{1}}{{2}} and x_{{pos, 2i}}.</think><think>{BOB}</think>{ANN}"),
        format!("<Think>That is easy.</Think>{ANN}"),
    ] {
        check(&answer, Some(&ann()));
    }
    for answer in [
        format!("<think>{BOB}"),
        format!("<think>{BOB}</think>"),
        // The template of a model may contain the tag that begins the thoughts.
        format!("It may be {BOB}</think>"),
        format!("{BOB}\n</think>"),
        format!("{BOB} would be wrong.\n</think>\n"),
        format!("It may be {BOB}</think>{ANN}"),
        format!("Well. <think>{BOB}"),
        format!("Well. <think>{BOB}</think>"),
        format!("Well. <thinking>\n{BOB}\n</thinking>"),
        // DeepTutor 675: the tags are spelled in other ways. mlx-lm 1867: a server passed the channels of gpt-oss on.
        format!("<Think>{BOB}</Think>"),
        format!("<THINKING>\n{BOB}\n</THINKING>\n"),
        format!("<scratchpad>{BOB}</scratchpad>"),
        format!("◁think▷It may be {BOB}◁/think▷"),
        format!("It may be {BOB}[/THINK]"),
        format!("<|channel|>analysis<|message|>It may be {BOB}<|end|>"),
        format!("<|channel|>analysis<|message|>It may be {BOB}"),
    ] {
        rejected::<Sailor>(&answer, "INVALID_JSON");
    }
    // In a text of the value, the tags are a part of the value.
    let name = "</think> and <think>";
    let sailor = Sailor { name: name.to_owned(), ..ann() };
    check(&serde_json::to_string(&sailor).unwrap_or_default(), Some(&sailor));
}

#[test]
fn broken_json_has_one_meaning_or_none() {
    let named = |name: &str| Sailor { name: name.to_owned(), ..ann() };
    check(r#"{"name": "He said, \"Ahoy\"", "age": 30, "skills": ["knots"]}"#, Some(&named("He said, \"Ahoy\"")));
    check(r#"{"name": "C:\\ships\\", "age": 30, "skills": ["knots"]}"#, Some(&named("C:\\ships\\")));
    check("{\"name\": \"Ann\nof\tthe sea\", \"age\": 30, \"skills\": [\"knots\"]}", Some(&named("Ann\nof\tthe sea")));
    check(r#"{"name": "first\\nsecond", "age": 30, "skills": ["knots"]}"#, Some(&named("first\\nsecond")));
    check(r#"{"name": "a } b { c ] [", "age": 30, "skills": ["knots"]}"#, Some(&named("a } b { c ] [")));
    check(r#"{"name": "`a` and ```b```", "age": 30, "skills": ["knots"]}"#, Some(&named("`a` and ```b```")));
    let fenced = "```json\n{\"name\": \"```b\\n```\", \"age\": 30, \"skills\": [\"knots\"]}\n```";
    check(fenced, Some(&named("```b\n```")));
    check(r#"{"name": "雪 \u2603", "age": 30, "skills": ["knots"]}"#, Some(&named("雪 ☃")));
    check(
        "{\n  \"name\": \"Ann\", // The name.\n  /* years,\n     at sea */\n  \"age\": 30,\n  \"skills\": [\"knots\"]\n}",
        Some(&ann()),
    );
    check(&serde_json::Value::from(ANN).to_string(), Some(&ann()));
    for answer in [
        r#"{"name": "Ann, "age": 30, "skills": []}"#,
        // `\s` is no escape, and `\n` may be one.
        r#"{"name": "C:\ships\new", "age": 30, "skills": []}"#,
        r#"{"name": "\u12", "age": 30, "skills": []}"#,
        r#"{"name": "Ann", "age": 1x, "skills": []}"#,
        r#"{"name": "Ann", "age": 30, "skills": ["a", "b"#,
        // A comment in a line of its own may stand for the other members.
        "{\n  \"name\": \"Ann\",\n  \"age\": 30\n  /* the skills\n  */\n}",
    ] {
        rejected::<Sailor>(answer, "INVALID_JSON");
    }
    rejected::<Sailor>(r#"{"name": "Ann", "age": 0, "skills": [], "age": 30}"#, "REPEATED_FIELD");
}

#[test]
fn an_object_with_defaults_is_not_the_answer_to_everything() {
    let dose = Dose { drug: "x".to_owned(), amount: 5, note: None };
    check(r#"{"drug": "x", "amount": 5, "note": null}"#, Some(&dose));
    check(r#"{"drug": "x", "amount": 5}"#, Some(&dose));
    // A remark beside the value loses nothing.
    check(r#"{"drug": "x", "amount": 5, "confidence": 0.9}"#, Some(&dose));
    check("{}", Some(&Dose { drug: String::new(), amount: 0, note: None }));
    for answer in ["null", "[]", "```json\nnull\n```", "```json\n[]\n```", "0", "false", "\"\""] {
        rejected::<Dose>(answer, "INVALID_TYPE");
    }
    for answer in [
        r#"{"answer": {"drug": "x", "amount": 5}}"#,
        r#"{"result": {"drug": "x", "amount": 5}}"#,
        r#"{"parameters": {"drug": "x", "amount": 5}}"#,
        r#"{"properties": {"drug": {"type": "string"}}, "type": "object"}"#,
        r#"{"name": "final_answer", "arguments": {"drug": "x", "amount": 5}}"#,
        r#"{"error": "rate limit exceeded"}"#,
        r#"{"error": true, "message": "no drug found"}"#,
        r#"{"Drug": "x", "Amount": 5}"#,
        r#"{"drug": "x", "Amount": 5}"#,
        r#"{"drug": "x", "amount": 5, "notes": "twice a day"}"#,
    ] {
        rejected::<Dose>(answer, "UNKNOWN_FIELD");
        assert!(extract::<Dose>(answer).is_err(), "{answer}");
    }
    // Below the root, and in lists.
    rejected::<Vec<Dose>>(r#"{"value": [{"drug": "x", "amount": 5}, {"error": "none"}]}"#, "UNKNOWN_FIELD");
    rejected::<Option<Dose>>(r#"{"value": {"Drug": "x"}}"#, "UNKNOWN_FIELD");
    // The output limit of a model cut off the last fields, which have defaults.
    let cut_off = Response::from_text(r#"{"drug": "x"}"#).with_stop(StopReason::Length);
    let model = ScriptedModel::new().answer(cut_off).text(r#"{"drug": "x", "amount": 5}"#);
    assert_eq!(ask::<Dose>(no_tools(), &model, 1).ok(), Some(dose));
}

#[test]
fn flattened_and_tagged_keys_are_known() {
    #[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
    #[tool(ignore_unknown)]
    #[serde(tag = "kind", rename_all = "snake_case")]
    enum Kind {
        /// Nothing to add.
        Plain {},
        /// A ship.
        Ship {
            /// The number of masts.
            masts: Option<u8>,
        },
    }
    #[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
    #[tool(ignore_unknown)]
    struct Inner {
        /// The color.
        color: Option<String>,
    }
    #[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
    struct Outer {
        /// The kind of thing.
        #[serde(flatten)]
        kind: Kind,
        /// The appearance.
        #[serde(flatten)]
        inner: Inner,
    }
    let inner = Inner { color: Some("red".to_owned()) };
    for (answer, kind) in [
        (r#"{"kind": "plain", "color": "red"}"#, Kind::Plain {}),
        (r#"{"kind": "ship", "color": "red"}"#, Kind::Ship { masts: None }),
        (r#"{"kind": "ship", "masts": 3, "color": "red"}"#, Kind::Ship { masts: Some(3) }),
    ] {
        let outer = Outer { kind, inner: inner.clone() };
        assert_eq!(extract::<Outer>(answer).map(|read| read.value).ok(), Some(outer), "{answer}");
    }
    assert_eq!(extract::<Kind>(r#"{"kind": "ship"}"#).map(|read| read.value).ok(), Some(Kind::Ship { masts: None }));
    assert!(extract::<Kind>(r#"{"kind": "ship", "mast": 3}"#).is_err(), "the number of masts would be lost");
}

#[test]
fn numbers_stay_exact() {
    check(r#"{"value": "123"}"#, Some(&Scalar::Text("123".to_owned())));
    check(r#"{"value": 123}"#, Some(&Scalar::Number(123)));
    let texts = |words: [&str; 2]| words.map(|word| Scalar::Text(word.to_owned()));
    let [fizz, buzz] = texts(["Fizz", "Buzz"]);
    check(r#"{"value": [1, "Fizz", 2, "Buzz"]}"#, Some(&vec![Scalar::Number(1), fizz, Scalar::Number(2), buzz]));
    rejected::<Scalar>(r#"{"value": 1.5}"#, "INVALID_TYPE");
    rejected::<Scalar>(r#"{"value": true}"#, "INVALID_TYPE");
    let numbers = |count, ratio| Some(Numbers { count, ratio });
    check(r#"{"count": 18446744073709551615, "ratio": 9}"#, numbers(u64::MAX, 9.0).as_ref());
    check(r#"{"count": 30.0, "ratio": "9.8"}"#, numbers(30, 9.8).as_ref());
    for answer in [
        r#"{"count": 18446744073709551616, "ratio": 1}"#,
        r#"{"count": 12345678901234567890123, "ratio": 1}"#,
        r#"{"count": 1, "ratio": 1e400}"#,
    ] {
        rejected::<Numbers>(answer, "INVALID_RANGE");
    }
    for answer in [
        r#"{"count": 1.5, "ratio": 1}"#,
        r#"{"count": true, "ratio": 1}"#,
        r#"{"count": 1, "ratio": false}"#,
        r#"{"count": 1, "ratio": "$1,250.50"}"#,
        r#"{"count": 1, "ratio": "50%"}"#,
    ] {
        rejected::<Numbers>(answer, "INVALID_TYPE");
    }
    for answer in
        [r#"{"count": 1, "ratio": 3 + 4}"#, r#"{"count": 1, "ratio": 1.2.3}"#, r#"{"count": 1, "ratio": NaN}"#]
    {
        rejected::<Numbers>(answer, "INVALID_JSON");
    }
    rejected::<Vec<i32>>(r#"{"value": [1, 2.5]}"#, "INVALID_TYPE");
    rejected::<Option<i32>>(r#"{"value": 1.5}"#, "INVALID_TYPE");
}

#[test]
fn labels_that_contain_each_other() {
    for text in ["spam", "SPAM", "Spam"] {
        check(&format!(r#"{{"value": "{text}"}}"#), Some(&Label::Spam));
    }
    for text in ["not_spam", "not spam", "Not-Spam", "NOT_SPAM", "notSpam"] {
        check(&format!(r#"{{"value": "{text}"}}"#), Some(&Label::NotSpam));
    }
    for text in ["no spam", "nospam", "spam?", "spa", "not", "spam, not_spam", "this is spam", "not not_spam"] {
        rejected::<Label>(&format!(r#"{{"value": "{text}"}}"#), "INVALID_ENUM_VALUE");
    }
    rejected::<Label>(r#"{"value": ["spam"]}"#, "INVALID_TYPE");
    rejected::<Label>(r#"{"class_label": "spam"}"#, "UNKNOWN_FIELD");
    rejected::<Label>("spam", "INVALID_JSON");
    check(r#"{"value": ["spam", "not_spam"]}"#, Some(&vec![Label::Spam, Label::NotSpam]));
    rejected::<Vec<Label>>(r#"{"value": "spam, not_spam"}"#, "INVALID_TYPE");
    check(r#"{"value": "1231"}"#, Some(&Code::First));
    check(r#"{"value": 212}"#, Some(&Code::Second));
    for value in [r#""2 12""#, "\"First\"", "\"12\""] {
        rejected::<Code>(&format!(r#"{{"value": {value}}}"#), "INVALID_ENUM_VALUE");
    }
}

#[test]
fn unions_lose_nothing() {
    let apple = Fruit::Apple { color: "red".to_owned() };
    check(r#"{"value": {"kind": "Apple", "data": {"color": "red"}}}"#, Some(&apple));
    check(r#"{"value": {"data": {"color": "red"}, "kind": "Apple"}}"#, Some(&apple));
    check(r#"{"value": {"kind": "Apple", "data": "{\"color\": \"red\"}"}}"#, Some(&apple));
    rejected::<Fruit>(r#"{"value": {"kind": "Apple", "data": {"length": 12.0}}}"#, "REQUIRED_FIELD");
    for kind in ["Cherry", "App"] {
        let answer = format!(r#"{{"value": {{"kind": "{kind}", "data": {{"color": "red"}}}}}}"#);
        rejected::<Fruit>(&answer, "INVALID_ENUM_VALUE");
    }
    rejected::<Fruit>(r#"{"result": {"kind": "Apple", "data": {"color": "red"}}}"#, "UNKNOWN_FIELD");
    // serde takes the first variant, which ignores the address. instructor takes the variant with more of the keys.
    check(r#"{"value": {"name": "Ann"}}"#, Some(&Contact::Basic { name: "Ann".to_owned() }));
    rejected::<Contact>(r#"{"value": {"name": "Ann", "mail": "a@b.org"}}"#, "NO_MATCHING_VARIANT");
    rejected::<Vec<Contact>>(
        r#"{"value": [{"name": "Bob"}, {"name": "Ann", "mail": "a@b.org"}]}"#,
        "NO_MATCHING_VARIANT",
    );
}

#[test]
fn tuples_sets_maps_and_aliases() {
    let pair = ("a".to_owned(), "b".to_owned());
    check(r#"{"value": ["a", "b"]}"#, Some(&pair));
    check(r#"{"value": "[\"a\", \"b\"]"}"#, Some(&pair));
    for value in [r#"["a"]"#, r#"["a", "b", "c"]"#] {
        rejected::<(String, String)>(&format!(r#"{{"value": {value}}}"#), "INVALID_LENGTH");
    }
    for value in [r#""a, b""#, r#"{"0": "a", "1": "b"}"#] {
        rejected::<(String, String)>(&format!(r#"{{"value": {value}}}"#), "INVALID_TYPE");
    }
    rejected::<(String, i32)>(r#"{"value": ["hello", "no"]}"#, "INVALID_TYPE");
    check(r#"{"value": [2, 1]}"#, Some(&BTreeSet::from([1, 2])));
    rejected::<BTreeSet<i32>>(r#"{"value": [1, 2, 2]}"#, "INVALID_LENGTH");
    rejected::<BTreeMap<String, i32>>(r#"{"a": 1}"#, "UNKNOWN_FIELD");
    let port = Port { location: "x".to_owned() };
    check(r#"{"loc": "x"}"#, Some(&port));
    check(r#"{"place": "x"}"#, Some(&port));
    rejected::<Port>(r#"{"location": "x"}"#, "REQUIRED_FIELD");
    rejected::<Port>(r#"{"loc": "x", "place": "y"}"#, "REPEATED_FIELD");
}

#[test]
fn nothing_is_an_answer_only_if_it_was_said() {
    check(r#"{"value": null}"#, Some(&None::<String>));
    check(r#"{"value": "null"}"#, Some(&Some("null".to_owned())));
    check(r#"{"value": "None"}"#, Some(&None::<i32>));
    for value in ["\"\"", "\"N/A\""] {
        rejected::<Option<i32>>(&format!(r#"{{"value": {value}}}"#), "INVALID_TYPE");
    }
    rejected::<Option<String>>("{}", "REQUIRED_FIELD");
    // Pydantic AI takes an empty answer for `None`. An empty answer may also be a failure.
    rejected::<Option<String>>("", "INVALID_JSON");
    let lists = [r#"{"value": []}"#, r#"{"value": "[]"}"#];
    for answer in lists {
        check(answer, Some(&Vec::<Sailor>::new()));
    }
    rejected::<Vec<Sailor>>(r#"{"value": null}"#, "INVALID_TYPE");
    rejected::<Vec<Sailor>>(&format!(r#"{{"value": [{ANN}, null]}}"#), "INVALID_TYPE");
    rejected::<Vec<Sailor>>(&format!("{ANN}\n{BOB}"), "INVALID_JSON");
    rejected::<Vec<Sailor>>(&format!("[{ANN}, {BOB}]"), "INVALID_TYPE");
    rejected::<Vec<Sailor>>(&format!(r#"{{"tasks": [{ANN}]}}"#), "UNKNOWN_FIELD");
}

/// Returns the name of a port.
#[tool]
fn find_port(
    /// The number of the port.
    number: u8,
) -> String {
    format!("port {number}")
}

fn ports() -> Session {
    Toolbox::builder().tool(FindPortTool).build().expect("a tool").session()
}

fn ask<T: Answer>(session: Session, model: &ScriptedModel, corrections: usize) -> Result<T, AnswerError> {
    let mut limits = TurnLimits::default();
    limits.corrections = corrections;
    let mut conversation = Conversation::new(session, model.clone()).limits(limits);
    pollster::block_on(conversation.answer("Who?"))
}

fn told(model: &ScriptedModel, request: usize) -> String {
    model.requests()[request].messages.last().map_or("", Message::text).to_owned()
}

#[test]
fn answers_beside_calls_wait_for_the_calls() {
    let call = || ToolCall::new("a", "find_port", r#"{"number": 1}"#);
    let answer = |id: &str, text: &str| ToolCall::new(id, "final_answer", text);
    // Pydantic AI can end with an answer that was written before the results of the calls were known.
    for first in [
        Response::from_text(BOB).with_calls([call()]),
        Response::from_calls([call(), answer("b", BOB)]),
        Response::from_calls([answer("b", BOB), call()]),
    ] {
        let model = ScriptedModel::new().with_answer_forms(false).answer(first).call("final_answer", ANN);
        assert_eq!(ask(ports(), &model, 0).ok(), Some(ann()));
        assert_eq!(told(&model, 1), "port 1");
    }
    // Two answers say two things, also if one of them is wrong. The same answer twice says one.
    for other in [BOB, r#"{"nmae": "Ann"}"#] {
        let two = Response::from_calls([answer("a", other), answer("b", ANN)]);
        let model = ScriptedModel::new().with_answer_forms(false).answer(two);
        assert!(ask::<Sailor>(no_tools(), &model, 0).is_err_and(|error| !error.issues().is_empty()), "{other}");
    }
    let twice = Response::from_calls([answer("a", ANN), answer("b", ANN)]);
    let model = ScriptedModel::new().with_answer_forms(false).answer(twice);
    assert_eq!(ask(no_tools(), &model, 0).ok(), Some(ann()));
}

#[test]
fn a_text_is_an_answer_too_if_a_tool_stands_for_it() {
    let model = || ScriptedModel::new().with_answer_forms(false);
    assert_eq!(ask(ports(), &model().text(ANN), 0).ok(), Some(ann()));
    assert_eq!(ask(ports(), &model().text("Hello.").call("final_answer", ANN), 1).ok(), Some(ann()));
    let with_text = Response::from_text("I will answer now.").with_calls([ToolCall::new("a", "final_answer", ANN)]);
    assert_eq!(ask(ports(), &model().answer(with_text), 0).ok(), Some(ann()));
    // An unknown tool is rejected, and the answer after it is read.
    let unknown = Response::from_calls([ToolCall::new("a", "Unknown", ANN)]);
    assert_eq!(ask(ports(), &model().answer(unknown).call("final_answer", ANN), 1).ok(), Some(ann()));
}

#[test]
fn thoughts_alone_are_an_empty_answer() {
    let thought = || Response::from_text("").with_thoughts(vec![serde_json::json!({ "text": BOB })]);
    let model = ScriptedModel::new().answer(thought()).text(ANN);
    assert_eq!(ask(no_tools(), &model, 1).ok(), Some(ann()));
    let model = ScriptedModel::new().answer(thought()).answer(thought());
    let error = ask::<Sailor>(no_tools(), &model, 1).expect_err("nothing was said");
    assert!(matches!(error.end(), TurnEnd::Rejected { attempts: 2, .. }), "{error}");
}

#[test]
fn rules_of_the_type_ask_again() {
    let model = ScriptedModel::new().text(r#"{"name": "ann"}"#).text(r#"{"name": "Ann"}"#).text(r#"{"name": "ANN"}"#);
    assert_eq!(ask::<Shouted>(no_tools(), &model, 2).map(|shouted| shouted.name).ok().as_deref(), Some("ANN"));
    assert!(told(&model, 1).contains("must be in capital letters"), "{}", told(&model, 1));
    // Each conversation counts its own corrections.
    let model = ScriptedModel::new().text(r#"{"name": "ann"}"#).text(r#"{"name": "ann"}"#);
    assert!(ask::<Shouted>(no_tools(), &model, 1).is_err());
}

#[test]
fn the_pieces_of_a_stream_do_not_matter() {
    let hard = Sailor { name: "} {, ][ \" \\ 雪 ```".to_owned(), age: 12, skills: vec!["</think>".to_owned()] };
    let json = serde_json::to_string(&hard).unwrap_or_default();
    let fruit = r#"{"value": {"data": {"color": "red"}, "kind": "Apple"}}"#;
    for piece in 1..8 {
        for is_native in [true, false] {
            let streamed = |text: &str| {
                let model = ScriptedModel::new().with_answer_forms(is_native).delta_size(piece);
                if is_native { model.text(text) } else { model.call("final_answer", text) }
            };
            let answered = |model: ScriptedModel| {
                let mut conversation = Conversation::new(no_tools(), model).streaming(true);
                pollster::block_on(conversation.answer::<Sailor>("Who?")).ok()
            };
            assert_eq!(answered(streamed(&json)), Some(hard.clone()), "{piece}");
            assert_eq!(answered(streamed(&format!("```json\n{ANN}\n```"))), Some(ann()), "{piece}");
            let mut conversation = Conversation::new(no_tools(), streamed(fruit)).streaming(true);
            let value = pollster::block_on(conversation.answer::<Fruit>("Which?"));
            assert_eq!(value.ok(), Some(Fruit::Apple { color: "red".to_owned() }), "{piece}");
            // The piece `1` of `1.5` is no value.
            let mut limits = TurnLimits::default();
            limits.corrections = 0;
            let mut conversation =
                Conversation::new(no_tools(), streamed(r#"{"value": 1.5}"#)).streaming(true).limits(limits);
            assert!(pollster::block_on(conversation.answer::<i32>("How many?")).is_err(), "{piece}");
        }
    }
}

#[test]
fn descriptions_in_other_scripts_and_of_the_type_are_sent() {
    /// 一个水手。
    #[derive(Deserialize, ToolInput)]
    #[tool(ignore_unknown)]
    struct Named {
        /// 水手的名字
        name: String,
    }
    for dialect in DIALECTS {
        let form =
            AnswerForm::<Named>::new(dialect, &Definitions::default()).unwrap_or_else(|e| panic!("{dialect}: {e}"));
        let text = form.definition().to_string();
        assert!(text.contains("水手的名字") && text.contains("一个水手。"), "{dialect}: {text}");
    }
}
