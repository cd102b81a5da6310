//! Cases of the kinds that the tests of instructor, BAML and Pydantic AI contain: the value, or a rejection.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tool_runtime::{Dialect, ToolInput};

use super::answered;
use super::types::{Answer, DIALECTS, Either, Flat, Mood, Page, form};

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[tool(ignore_unknown)]
struct Person {
    /// The name.
    name: String,
    /// Age in years.
    #[tool(range(max = 150))]
    age: Option<u8>,
    /// Mail addresses.
    mails: Vec<String>,
    /// Optional details of an optional place.
    place: Option<Place>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[tool(ignore_unknown)]
struct Place {
    /// The city.
    city: Option<String>,
    /// Latitude and longitude.
    at: Option<(f64, f64)>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[tool(ignore_unknown)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block {
    /// A heading.
    Heading {
        /// The text.
        text: String,
    },
    /// A list.
    List {
        /// The items.
        items: Vec<String>,
    },
}

/// Checks what becomes of an answer in the dialects that show the type as it is. `wrapped` is the answer below the wrapper.
pub(super) fn check<T: Answer>(answer: &str, wanted: Option<&T>) {
    for dialect in [Dialect::OPENAI, Dialect::ANTHROPIC, Dialect::GEMINI, Dialect::BEDROCK] {
        let form = form::<T>(dialect, "").unwrap_or_else(|| panic!("{dialect} has no form"));
        let got = answered(&form, dialect, answer);
        assert_eq!(got.as_ref().ok(), wanted, "{dialect}: {answer}: {got:?}");
    }
}

fn ada() -> Person {
    Person { name: "Ada".to_owned(), age: Some(36), mails: vec!["a@b.org".to_owned()], place: None }
}

#[test]
fn objects() {
    let ada = ada();
    for answer in [
        r#"{"name": "Ada", "age": 36, "mails": ["a@b.org"], "place": null}"#,
        // A number as a text, and a text for a list.
        r#"{"name": "Ada", "age": "36", "mails": ["a@b.org"], "place": null}"#,
        r#"{"name": "Ada", "age": 36, "mails": "a@b.org", "place": null}"#,
        // A list as a JSON string.
        r#"{"name": "Ada", "age": 36, "mails": "[\"a@b.org\"]", "place": null}"#,
        // In the form of the schema.
        r#"{"properties": {"name": "Ada", "age": 36, "mails": ["a@b.org"], "place": null}}"#,
        "{\n  // The name.\n  name: 'Ada',\n  age: 36, // years\n  mails: ['a@b.org',],\n  place: null,\n}",
        "I looked it up.\n\n```json\n{\"name\": \"Ada\", \"age\": 36, \"mails\": [\"a@b.org\"], \"place\": None}\n```\n\nAnything else?",
        "<json>{\"name\": \"Ada\", \"age\": 36, \"mails\": [\"a@b.org\"], \"place\": null}</json>",
    ] {
        check(answer, Some(&ada));
    }
    for answer in [
        r#"{"name": "Ada", "age": 36}"#,
        r#"{"Name": "Ada", "Age": 36, "Mails": [], "place": null}"#,
        r#"{"name": "Ada", "age": "thirty-six", "mails": [], "place": null}"#,
        r#"{"name": "Ada", "age": 3.6, "mails": [], "place": null}"#,
        r#"{"name": "Ada", "age": 151, "mails": [], "place": null}"#,
        r#"{"name": "Ada", "age": -1, "mails": [], "place": null}"#,
        r#"{"name": null, "age": 36, "mails": [], "place": null}"#,
        r#"[{"name": "Ada", "age": 36, "mails": [], "place": null}, {"name": "Bob", "age": 36, "mails": [], "place": null}]"#,
        "Ada",
        "name: Ada, age: 36",
        "My inner text is \"Ada\".",
        // Two candidates: nothing says which one is meant.
        "Either {\"name\": \"Ada\", \"age\": 36, \"mails\": [], \"place\": null} or {\"name\": \"Bob\", \"age\": 1, \"mails\": [], \"place\": null}.",
        "```json\n{\"name\": \"Ada\", \"age\": 36, \"mails\": [], \"place\": null}\n```\nor\n```json\n{\"name\": \"Bob\", \"age\": 1, \"mails\": [], \"place\": null}\n```",
    ] {
        check::<Person>(answer, None);
    }
}

#[test]
fn texts_inside_of_values_stay_as_they_are() {
    let texts = [
        "```json\n{\"name\": \"x\"}\n```",
        "{\"name\": [\"x\"]}",
        "<tool_call>{\"name\": \"x\", \"arguments\": {}}</tool_call>",
        "It's \"quoted\", // not a comment, /* nor this */ and ends with a comma,",
        "Zeile 1\nZeile 2\ttab \u{1F600} \\ / 100 %",
        "null",
        "36",
        "true",
        "",
    ];
    for text in texts {
        let person = Person { name: text.to_owned(), ..ada() };
        check(&serde_json::to_string(&person).unwrap_or_default(), Some(&person));
    }
}

#[test]
fn nested_options() {
    let with = |place| Person { place, ..ada() };
    let answer = |place: &str| format!(r#"{{"name": "Ada", "age": 36, "mails": ["a@b.org"], "place": {place}}}"#);
    check(&answer("null"), Some(&with(None)));
    check(&answer(r#"{"city": null, "at": null}"#), Some(&with(Some(Place { city: None, at: None }))));
    let paris = Place { city: Some("Paris".to_owned()), at: Some((48.9, 2.3)) };
    check(&answer(r#"{"city": "Paris", "at": [48.9, 2.3]}"#), Some(&with(Some(paris))));
    for place in [r#"{"city": 1.5, "at": "here"}"#, r#"{"city": "Paris", "at": [48.9]}"#, "[]", "5"] {
        check::<Person>(&answer(place), None);
    }
}

#[test]
fn enums_and_simple_types_at_the_root() {
    for answer in [
        r#"{"value": "very_good"}"#,
        r#"{"value": "VERY_GOOD"}"#,
        r#"{"value": "Very Good"}"#,
        r#"{"value": "veryGood"}"#,
    ] {
        check(answer, Some(&Mood::VeryGood));
    }
    // Prose around an enum value may deny it, so it is not read.
    for answer in
        ["very_good", "The answer is **bad**.", r#"{"value": "not bad"}"#, r#"{"value": ["bad", "very_good"]}"#]
    {
        check::<Mood>(answer, None);
    }
    check(r#"{"value": 7}"#, Some(&7_i32));
    check(r#"{"value": "7"}"#, Some(&7_i32));
    check(r#"{"value": 7.0}"#, Some(&7_i32));
    check(r#"{"value": true}"#, Some(&true));
    check(r#"{"value": "text"}"#, Some(&"text".to_owned()));
    check(r#"{"value": null}"#, Some(&None::<i32>));
    for answer in [
        r#"{"value": 7.5}"#,
        r#"{"value": "7 apples"}"#,
        r#"{"value": "1,000"}"#,
        r#"{"value": "1/5"}"#,
        "7",
        r#"{"answer": 7}"#,
    ] {
        check::<i32>(answer, None);
    }
    for answer in [r#"{"value": "maybe"}"#, r#"{"value": 2}"#, r#"{"value": [true, false]}"#] {
        check::<bool>(answer, None);
    }
}

#[test]
fn lists_and_unions_at_the_root() {
    let words = vec!["a".to_owned(), "b".to_owned()];
    check(r#"{"value": ["a", "b"]}"#, Some(&words));
    check(r#"{"value": "[\"a\", \"b\"]"}"#, Some(&words));
    check(r#"{"value": "a"}"#, Some(&vec!["a".to_owned()]));
    check(r#"{"value": []}"#, Some(&Vec::<String>::new()));
    // The wrapper is never guessed.
    check::<Vec<String>>(r#"["a", "b"]"#, None);
    check::<Vec<String>>(r#"{"items": ["a", "b"]}"#, None);
    check::<Vec<u8>>(r#"{"value": [1, 2, 300]}"#, None);

    check(r#"{"value": {"type": "heading", "text": "Hi"}}"#, Some(&Block::Heading { text: "Hi".to_owned() }));
    check(r#"{"value": {"type": "list", "items": ["a", "b"]}}"#, Some(&Block::List { items: words.clone() }));
    for answer in [
        r#"{"value": {"text": "Hi"}}"#,
        r#"{"value": {"type": "table", "text": "Hi"}}"#,
        r#"{"value": {"type": "heading", "items": ["a"]}}"#,
        r#"{"type": "heading", "text": "Hi"}"#,
    ] {
        check::<Block>(answer, None);
    }
    check(r#"{"value": 5}"#, Some(&Either::Number(5)));
    check(r#"{"value": {"person": "Ada"}}"#, Some(&Either::Person { person: "Ada".to_owned() }));
    check::<Either>(r#"{"value": {"animal": "Rex"}}"#, None);
    check::<Either>(r#"{"value": 300}"#, None);
    check(r#"{"value": [{"type": "list", "items": []}]}"#, Some(&vec![Block::List { items: Vec::new() }]));
}

#[test]
fn maps_are_entries_where_the_provider_wants_them() {
    let map = BTreeMap::from([("a b".to_owned(), 1_u8), (String::new(), 2)]);
    for dialect in DIALECTS {
        let form = form::<BTreeMap<String, u8>>(dialect, "").unwrap_or_else(|| panic!("{dialect} has no form"));
        let has_entries = form.definition().to_string().contains(r#""key""#);
        let entries = json!([{"key": "a b", "value": 1}, {"key": "", "value": 2}]);
        let value = if has_entries { entries } else { json!({"a b": 1, "": 2}) };
        let got = answered(&form, dialect, &json!({ "value": value }).to_string());
        assert_eq!(got.ok(), Some(map.clone()), "{dialect}");
        // In a list of entries, one key with two values has no meaning.
        if has_entries {
            let twice = r#"{"value": [{"key": "a", "value": 1}, {"key": "a", "value": 2}]}"#;
            let error = answered(&form, dialect, twice).err();
            assert!(error.is_some_and(|error| !error.issues().is_empty()), "{dialect}");
        }
    }
}

#[test]
fn generic_types_and_all_issues_at_once() {
    let page = Page { items: vec![1_u8, 2], next: None };
    check(r#"{"items": [1, "2"], "next": null}"#, Some(&page));
    for dialect in DIALECTS {
        let form = form::<Page<Flat>>(dialect, "").unwrap_or_else(|| panic!("{dialect} has no form"));
        let flat = |name: Value, count: u8| json!({"name": name, "count": count, "note": null, "done": true});
        let answer = json!({"items": [flat(json!([]), 10), flat(json!("x"), 0), flat(json!("y"), 1)], "next": "soon"});
        let error = answered(&form, dialect, &answer.to_string()).err().unwrap_or_else(|| panic!("{dialect}: a value"));
        let mut paths: Vec<String> = error.issues().iter().map(|issue| issue.path.to_string()).collect();
        paths.sort();
        assert_eq!(paths, ["items[0].count", "items[0].name", "items[1].count", "next"], "{dialect}");
    }
}
