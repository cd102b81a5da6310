//! Issues of every kind in the answers of ten types, in every dialect.

use serde_json::{Value, json};
use tests::providers::rejections;
use tool_runtime::tool_schema::{AnswerForm, ExtractError};
use tool_runtime::{Dialect, Issue};

use super::answered;
use super::types::{Answer, DIALECTS, Each, as_sent, each, form, is_wrapped, schema_of};

type Fault = (&'static str, fn(&str) -> String);

/// Texts that have only one meaning, so they are read.
const READ: [Fault; 13] = [
    ("as it is", str::to_owned),
    ("blanks", |json| format!("\n\t {json} \r\n")),
    ("a byte order mark", |json| format!("\u{feff}{json}")),
    ("a fence", |json| format!("```json\n{json}\n```")),
    ("a fence without a language", |json| format!("```\n{json}\n```")),
    ("a sentence before a fence", |json| format!("Here you are:\n\n```json\n{json}\n```")),
    ("sentences around a fence", |json| {
        format!("Of course!\n```json\n{json}\n```\nCan I help you with anything else?")
    }),
    ("a sentence before the value", |json| format!("The answer is: {json}")),
    ("sentences around the value", |json| format!("Here is the JSON: {json}\nI hope that helps.")),
    ("a block of thoughts", |json| format!("<think>The user wants an object.</think>\n{json}")),
    ("a comma too many", |json| with_end(json, ",")),
    ("a comment", |json| format!("// the answer\n{json}")),
    ("an unclosed fence", |json| format!("```json\n{json}\n")),
];

/// Texts without a value, or with more than one.
const REJECTED: [Fault; 9] = [
    ("nothing", |_| String::new()),
    ("blanks only", |_| " \n".to_owned()),
    ("prose", |_| "I am sorry, but I cannot help with that.".to_owned()),
    ("null", |_| "null".to_owned()),
    ("an empty fence", |_| "```json\n```".to_owned()),
    ("a schema", |_| r#"{"type": "object", "properties": {"name": {"type": "string"}}}"#.to_owned()),
    ("an error", |_| r#"{"error": "rate limit exceeded"}"#.to_owned()),
    ("a value inside a list", |json| format!("[{json}, {json}]")),
    ("a placeholder", |_| "{...}".to_owned()),
];

/// Texts that may be read or rejected.
const OTHER: [Fault; 16] = [
    ("single quotes", |json| json.replace('"', "'")),
    ("smart quotes", |json| json.replace('"', "”")),
    ("escaped quotes", |json| json.replace('"', "\\\"")),
    ("as a JSON string", |json| Value::from(json).to_string()),
    ("keys without quotes", |json| unquoted_keys(json)),
    ("no commas", |json| json.replace(",\"", "\"")),
    ("semicolons", |json| json.replace(",\"", ";\"")),
    ("equals signs", |json| json.replace("\":", "\"=")),
    ("Python", |json| json.replace("true", "True").replace("false", "False").replace("null", "None")),
    ("numbers as texts", |json| quoted_numbers(json)),
    ("texts as words", |json| json.replace("true", "\"yes\"").replace("false", "\"no\"")),
    ("the value twice", |json| format!("{json}\n{json}")),
    ("another value first", |json| format!("{{\"name\": \"x\"}}\n{json}")),
    ("upper case", str::to_uppercase),
    ("in a wrapper", |json| format!(r#"{{"answer": {json}}}"#)),
    ("in the wrapper of a call", |json| format!(r#"{{"name": "final_answer", "arguments": {json}}}"#)),
];

fn with_end(json: &str, before: &str) -> String {
    let (most, end) = json.split_at(json.len() - 1);
    format!("{most}{before}{end}")
}

fn unquoted_keys(json: &str) -> String {
    let mut text = String::new();
    for part in json.split("\":") {
        match part.rsplit_once('"') {
            Some((before, key)) if !key.is_empty() => text.extend([before, key, ":"]),
            _ => text.push_str(part),
        }
    }
    text
}

fn quoted_numbers(json: &str) -> String {
    let Ok(mut value) = serde_json::from_str::<Value>(json) else { return json.to_owned() };
    for place in scalars(&value) {
        if let Some(at) = value.pointer_mut(&place).filter(|at| at.is_number()) {
            *at = Value::from(at.to_string());
        }
    }
    value.to_string()
}

/// Returns the pointers of all values in a document that contain no others.
fn scalars(document: &Value) -> Vec<String> {
    let (mut found, mut open) = (Vec::new(), vec![String::new()]);
    while let Some(place) = open.pop() {
        match document.pointer(&place) {
            Some(Value::Object(members)) => open.extend(members.keys().map(|key| format!("{place}/{key}"))),
            Some(Value::Array(items)) => open.extend((0..items.len()).map(|index| format!("{place}/{index}"))),
            _ => found.push(place),
        }
    }
    found
}

/// Checks that a text is the value, or that its issues are complete sentences for the model.
struct Faults {
    read: usize,
    rejected: usize,
}

impl Faults {
    fn judge<T: Answer>(&mut self, dialect: Dialect, form: &AnswerForm<T>, good: &T, text: &str, about: &str) -> bool {
        match form.read(text) {
            Ok(read) => {
                assert_eq!(read.value, *good, "{dialect}: another value: {about}: {text}");
                self.read += 1;
                true
            }
            Err(error) => {
                self.rejected += 1;
                is_complete(&error, &format!("{dialect}: {about}: {text}"));
                false
            }
        }
    }
}

fn is_complete(error: &ExtractError, about: &str) {
    assert!(!error.issues().is_empty() && !error.to_string().is_empty(), "{about}");
    let feedback = error.feedback();
    assert!(feedback.len() < 8_192 && !feedback.contains("t-1234567"), "{about}: {feedback}");
    let feedback: Value = serde_json::from_str(&feedback).unwrap_or_else(|error| panic!("{about}: {error}"));
    assert!(feedback["errors"].as_array().is_some_and(|errors| !errors.is_empty()), "{about}: {feedback}");
    assert_eq!(feedback["recovery"], "correct_answer", "{about}");
}

impl Each for Faults {
    fn of<T: Answer>(&mut self, name: &str, good: &T) {
        for dialect in DIALECTS {
            let Some(form) = form::<T>(dialect, name) else { continue };
            let json = as_sent(&form, &serde_json::to_value(good).unwrap_or_default()).to_string();
            for (fault, change) in READ {
                let text = change(&json);
                assert!(self.judge(dialect, &form, good, &text, fault), "{dialect}: {name}: {fault}: {text}");
                let value = answered(&form, dialect, &text);
                assert_eq!(value.as_ref().ok(), Some(good), "{dialect}: {name}: {fault}: {value:?}");
            }
            for (fault, change) in REJECTED {
                let text = change(&json);
                assert!(!self.judge(dialect, &form, good, &text, fault), "{dialect}: {name}: {fault}: {text}");
                let error =
                    answered(&form, dialect, &text).err().unwrap_or_else(|| panic!("{dialect}: {name}: {fault}"));
                assert!(!error.issues().is_empty(), "{dialect}: {name}: {fault}: {error}");
            }
            for (fault, change) in OTHER {
                self.judge(dialect, &form, good, &change(&json), fault);
            }
            for end in (1..json.len()).filter(|&end| json.is_char_boundary(end)) {
                for text in
                    [json[..end].to_owned(), format!("```json\n{}", &json[..end]), format!("Sure: {}", &json[..end])]
                {
                    assert!(
                        !self.judge(dialect, &form, good, &text, "cut off"),
                        "{dialect}: {name}: a value from {text}"
                    );
                }
            }
        }
    }
}

#[test]
fn every_fault_gives_the_value_or_issues() {
    let mut faults = Faults { read: 0, rejected: 0 };
    each(&mut faults);
    assert!(faults.read > 13 * 60 && faults.rejected > 9 * 60, "{} {}", faults.read, faults.rejected);
}

struct Planted(usize);

impl Each for Planted {
    fn of<T: Answer>(&mut self, name: &str, good: &T) {
        // The branches of an untagged union share their issues.
        if name == "untagged" {
            return;
        }
        for dialect in DIALECTS {
            let Some(form) = form::<T>(dialect, name) else { continue };
            let good = as_sent(&form, &serde_json::to_value(good).unwrap_or_default());
            // A map in place of another value; the key of an entry names the entry, so it has no other type.
            let places: Vec<String> = scalars(&good).into_iter().filter(|place| !place.ends_with("/key")).collect();
            let mut all = good.clone();
            for place in &places {
                let mut one = good.clone();
                for value in [&mut one, &mut all] {
                    if let Some(at) = value.pointer_mut(place) {
                        *at = json!({"unexpected": [1]});
                    }
                }
                let issues = issues(&form, &one);
                assert_eq!(pointers(&issues), std::slice::from_ref(place), "{dialect}: {name}: {one}: {issues:?}");
                self.0 += 1;
            }
            let mut found = pointers(&issues(&form, &all));
            let mut places = places;
            found.sort();
            places.sort();
            assert_eq!(found, places, "{dialect}: {name}: {all}");
        }
    }
}

fn issues<T: Answer>(form: &AnswerForm<T>, answer: &Value) -> Vec<Issue> {
    form.read(&answer.to_string()).err().map(|error| error.issues().to_vec()).unwrap_or_default()
}

/// Returns the paths of issues as JSON pointers.
fn pointers(issues: &[Issue]) -> Vec<String> {
    issues.iter().map(|issue| issue.path.pointer()).collect()
}

#[test]
fn each_wrong_value_is_an_issue_with_the_path_that_the_model_saw() {
    let mut planted = Planted(0);
    each(&mut planted);
    assert!(planted.0 > 200, "{}", planted.0);
}

struct Accepted;

impl Each for Accepted {
    fn of<T: Answer>(&mut self, name: &str, good: &T) {
        for dialect in DIALECTS {
            let Some(form) = form::<T>(dialect, name) else { continue };
            let definition = form.definition().to_value();
            let schema = schema_of(&definition);
            assert_eq!(schema["type"], "object", "{dialect}: {name}: {schema}");
            let is_struct = serde_json::to_value(good).is_ok_and(|value| value.is_object()) && name != "map";
            assert_eq!(is_wrapped(&schema), !is_struct, "{dialect}: {name}: {schema}");
            let validator = jsonschema::options().build(&schema).unwrap_or_else(|error| panic!("{schema}: {error}"));
            let sent = as_sent(&form, &serde_json::to_value(good).unwrap_or_default());
            assert!(
                dialect == Dialect::GEMINI_SCHEMA || validator.is_valid(&sent),
                "{dialect}: {name}: {schema} {sent}"
            );
            // The provider's rules for the schemas of strict tools hold for answers, too.
            let (dialect, tool) = match form.tool_name() {
                Some(_) => (dialect.strict().unwrap_or(dialect).name(), definition),
                None => match dialect.name() {
                    "openai" => (
                        "openai-strict",
                        json!({"type": "function", "function": {"name": "a", "parameters": schema, "strict": true}}),
                    ),
                    "openai-responses" => (
                        "openai-responses-strict",
                        json!({"type": "function", "name": "a", "parameters": schema, "strict": true}),
                    ),
                    "anthropic" => ("anthropic-strict", json!({"name": "a", "input_schema": schema, "strict": true})),
                    "gemini" => ("gemini", json!({"name": "a", "parametersJsonSchema": schema})),
                    _ => ("gemini-schema", json!({"name": "a", "parameters": schema})),
                },
            };
            assert_eq!(rejections(dialect, &[tool]), Vec::<String>::new(), "{dialect}: {name}");
        }
    }
}

#[test]
fn the_providers_accept_the_schemas_of_answers() {
    each(&mut Accepted);
}
