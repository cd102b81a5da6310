//! Typed answers: the value, or every issue, in every dialect.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Debug;

use serde::{Deserialize, Serialize};
use tool_chat::conversation::{Conversation, TurnEnd, TurnLimits};
use tool_chat::model::{RecordingModel, Redaction, ReplayModel, Response, ScriptedModel, ToolCall, ToolChoice};
use tool_chat::transcript::Entry;
use tool_runtime::tool_schema::dialect::Definitions;
use tool_runtime::tool_schema::{AnswerForm, ToolInput, extract};
use tool_runtime::{Dialect, Session, Toolbox, tool};

use super::recordings::File;
use super::tools::session;

const DIALECTS: [Dialect; 6] = [
    Dialect::OPENAI,
    Dialect::OPENAI_RESPONSES,
    Dialect::ANTHROPIC,
    Dialect::GEMINI,
    Dialect::GEMINI_SCHEMA,
    Dialect::BEDROCK,
];

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[tool(ignore_unknown)]
struct Flat {
    /// The name.
    name: String,
    /// The count.
    #[tool(range(min = 1, max = 9))]
    count: u8,
    /// The note.
    note: Option<String>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[tool(ignore_unknown)]
struct Nested {
    /// The flat.
    flat: Flat,
    /// The lines.
    lines: Vec<Flat>,
    /// The labels.
    labels: BTreeMap<String, u8>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[serde(rename_all = "snake_case")]
enum Mood {
    /// Good mood.
    Good,
    /// Bad mood.
    Bad,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[tool(ignore_unknown)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Shape {
    /// A circle.
    Circle {
        /// The radius.
        radius: u8,
    },
    /// A square.
    Square {
        /// The side.
        side: u8,
    },
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[serde(untagged)]
enum Either {
    /// A number.
    Number(u8),
    /// Words.
    Words(Vec<String>),
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[tool(ignore_unknown)]
struct Tree {
    /// The name.
    name: String,
    /// The children.
    children: Vec<Tree>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[tool(ignore_unknown)]
struct Coded {
    /// The code.
    #[tool(pattern = "^[A-Z]{3}$")]
    code: String,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[tool(ignore_unknown)]
struct Secret {
    /// The token.
    #[tool(sensitive)]
    token: String,
    /// The level.
    #[tool(range(max = 3))]
    level: u8,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[tool(ignore_unknown)]
struct Page<T> {
    /// The items.
    items: Vec<T>,
}

fn no_tools() -> Session {
    Toolbox::builder().build().expect("nothing is registered").session()
}

/// A value is read in every dialect, natively and by a tool; a value that `extract` rejects is rejected in every dialect, too.
fn check<T: ToolInput + Serialize + PartialEq + Debug + Clone>(good: &T, is_wrapped: bool, bad: &str) {
    for dialect in DIALECTS {
        for is_native in [true, false] {
            let form = if is_native { AnswerForm::<T>::new } else { AnswerForm::<T>::via_tool };
            let form = form(dialect, &Definitions::default()).unwrap_or_else(|error| panic!("{dialect}: {error}"));
            let json = serde_json::to_value(good).unwrap_or_default();
            let json = if is_wrapped { serde_json::json!({ "value": json }) } else { json };
            // Values with entries in place of maps are in a test of their own.
            let has_entries = form.definition().to_string().contains(r#""key""#);
            let read = form.read(&json.to_string());
            if !has_entries {
                assert_eq!(read.as_ref().map(|read| &read.value).ok(), Some(good), "{dialect} {json} {read:?}");
            }
            let bad = if is_wrapped { format!(r#"{{"value": {bad}}}"#) } else { bad.to_owned() };
            assert!(form.read(&bad).is_err(), "{dialect} {bad}");

            let model = ScriptedModel::new().in_dialect(dialect).with_answer_forms(is_native);
            let model = (0..4).fold(model, |model, _| match form.tool_name() {
                Some(tool) => model.call(tool, &*bad),
                None => model.text(&*bad),
            });
            let mut conversation = Conversation::new(no_tools(), model.clone());
            let error = pollster::block_on(conversation.answer::<T>("Go.")).err();
            let error = error.unwrap_or_else(|| panic!("{dialect}: a value from {bad}"));
            assert!(matches!(error.end(), TurnEnd::Rejected { attempts: 4, issues } if !issues.is_empty()), "{error}");
            assert_eq!(model.remaining(), 0);
        }
    }
}

#[test]
fn ten_types_are_values_or_issues_in_every_dialect() {
    let flat = Flat { name: "Ada".to_owned(), count: 2, note: Some("x".to_owned()) };
    check(&flat, false, r#"{"name": "Ada", "count": 0, "note": "x"}"#);
    let labels = BTreeMap::from([("a".to_owned(), 1)]);
    check(&Nested { flat: flat.clone(), lines: vec![flat.clone()], labels }, false, r#"{"flat": 1}"#);
    check(&Mood::Good, true, r#""awful""#);
    check(&Shape::Circle { radius: 1 }, true, r#"{"kind": "triangle"}"#);
    check(&Either::Words(vec!["a".to_owned()]), true, "true");
    check(&vec![flat.clone()], true, r#"[{"name": "Ada"}]"#);
    check(&HashMap::from([("a".to_owned(), 1_u8)]), true, r#""a""#);
    check(&Coded { code: "ABC".to_owned() }, false, r#"{"code": "abc"}"#);
    check(&Secret { token: "t-123456".to_owned(), level: 1 }, false, r#"{"token": "t-123456", "level": 9}"#);
    check(&Page { items: vec![flat] }, false, r#"{"items": 1}"#);
    check(&7_u8, true, "300");
}

#[test]
fn a_recursive_type_is_answered_by_a_tool_where_the_strict_form_has_no_recursion() {
    let tree = r#"{"name": "a", "children": [{"name": "b", "children": []}]}"#;
    for dialect in [Dialect::OPENAI, Dialect::ANTHROPIC, Dialect::GEMINI, Dialect::BEDROCK] {
        let form =
            AnswerForm::<Tree>::new(dialect, &Definitions::default()).unwrap_or_else(|e| panic!("{dialect}: {e}"));
        assert_eq!(form.tool_name().is_some(), [Dialect::ANTHROPIC, Dialect::BEDROCK].contains(&dialect), "{dialect}");
        let read = form.read(tree).unwrap_or_else(|error| panic!("{dialect}: {error}"));
        assert_eq!(read.value.children[0].name, "b");
    }
}

type Map = HashMap<String, HashMap<String, u8>>;

#[test]
fn what_a_strict_form_changes_is_changed_back() {
    let form = AnswerForm::<Nested>::new(Dialect::OPENAI, &Definitions::default()).unwrap_or_else(|e| panic!("{e}"));
    let flat = r#"{"name": "Ada", "count": 2, "note": null}"#;
    let text = format!(r#"{{"flat": {flat}, "lines": [], "labels": [{{"key": "a", "value": 1}}]}}"#);
    let value = form.read(&text).map_or_else(|error| panic!("{error}"), |read| read.value);
    assert_eq!((value.flat.note, value.labels["a"]), (None, 1));

    let text = text.replace(r#""value": 1"#, r#""value": 300"#);
    let error = form.read(&text).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains("labels[0].value"), "the path is the one that the model saw: {error}");

    // A map whose only key is that of the wrapper is not mistaken for the wrapper.
    let form = AnswerForm::<Map>::new(Dialect::GEMINI, &Definitions::default()).unwrap_or_else(|e| panic!("{e}"));
    let value = form.read(r#"{"value": {"value": {"a": 1}}}"#).map(|read| read.value);
    assert_eq!(value.ok(), Some(HashMap::from([("value".to_owned(), HashMap::from([("a".to_owned(), 1)]))])));
}

#[test]
fn requests_have_the_keys_of_the_providers() {
    let keys = |dialect| {
        let model = ScriptedModel::new().in_dialect(dialect).text(r#"{"code": "ABC"}"#);
        let mut conversation = Conversation::new(no_tools(), model.clone());
        let value = pollster::block_on(conversation.answer::<Coded>("Which?"));
        assert!(value.is_ok(), "{dialect}: {value:?}");
        *model.requests()[0].options.answer.clone().unwrap_or_default()
    };
    let openai = keys(Dialect::OPENAI);
    let format = &openai["response_format"];
    assert_eq!((&format["type"], &format["json_schema"]["strict"]), (&"json_schema".into(), &true.into()));
    assert_eq!(format["json_schema"]["schema"]["additionalProperties"], false);
    assert_eq!(keys(Dialect::OPENAI_RESPONSES)["text"]["format"]["type"], "json_schema");
    assert_eq!(keys(Dialect::ANTHROPIC)["output_config"]["format"]["schema"]["required"][0], "code");
    let gemini = keys(Dialect::GEMINI);
    assert_eq!(gemini["generationConfig"]["responseMimeType"], "application/json");
    assert_eq!(gemini["generationConfig"]["responseJsonSchema"]["type"], "object");
    assert_eq!(keys(Dialect::GEMINI_SCHEMA)["generationConfig"]["responseSchema"]["type"], "object");
    assert_eq!(keys(Dialect::BEDROCK), serde_json::Value::Null);
}

#[test]
fn tools_run_first_and_a_tool_stands_for_the_answer() {
    let weather = || ToolCall::new("a", "get_weather", r#"{"location": "Paris"}"#);
    let early = ToolCall::new("b", "final_answer", r#"{"code": "XYZ"}"#);
    let model = ScriptedModel::new().in_dialect(Dialect::BEDROCK).answer(Response::from_calls([weather(), early]));
    let model = model.call("final_answer", r#"{"code": "abc"}"#).call("final_answer", r#"{"code": "ABC"}"#);
    let mut conversation = Conversation::new(session(), model.clone());
    let value = pollster::block_on(conversation.answer::<Coded>("Which?"));
    assert_eq!(value.map(|value| value.code).ok().as_deref(), Some("ABC"));
    let sent = model.requests();
    assert!(sent.iter().all(|asked| asked.options.tool_choice == ToolChoice::Required));
    assert!(sent[0].tools.get("final_answer").is_some() && sent[0].tools.get("get_weather").is_some());
    // The early answer is left out, because the result of the call was not known yet.
    assert_eq!(conversation.transcript().calls().count(), 1);
    let feedback = sent[2].messages.last().map_or("", |message| message.text());
    assert!(feedback.contains(r#""error_code":"INVALID_PATTERN""#) && !feedback.contains(r#""tool""#), "{feedback}");
    let rejected = conversation.transcript().entries().iter().filter(|entry| matches!(entry, Entry::Rejected { .. }));
    assert_eq!(rejected.count(), 1);

    // The next prompt asks for a text again.
    let model = ScriptedModel::new().text(r#"{"code": "ABC"}"#).text("You are welcome.");
    let mut conversation = Conversation::new(session(), model.clone());
    assert!(pollster::block_on(conversation.answer::<Coded>("Which?")).is_ok());
    assert_eq!(pollster::block_on(conversation.ask("Thanks.")).text(), Some("You are welcome."));
    assert_eq!(model.requests()[1].options.answer, None);
}

#[test]
fn no_corrections_give_no_value() {
    let mut limits = TurnLimits::default();
    limits.corrections = 0;
    let model = ScriptedModel::new().text(r#"{"code": "abc"}"#);
    let mut conversation = Conversation::new(no_tools(), model).limits(limits);
    let error = pollster::block_on(conversation.answer::<Coded>("Which?")).err();
    assert_eq!(error.map(|error| error.issues().len()), Some(1));
}

#[test]
fn a_sensitive_value_is_not_in_the_feedback() {
    let error = extract::<Secret>(r#"{"token": "t-123456", "level": 9}"#).err();
    let feedback = error.map(|error| error.feedback()).unwrap_or_default();
    assert!(feedback.contains("level must be at most 3") && !feedback.contains("t-123456"), "{feedback}");
}

#[test]
fn rejected_answers_are_stored_recorded_and_replayed() -> Result<(), Box<dyn std::error::Error>> {
    let file = File::default();
    let script = ScriptedModel::new().text(r#"{"code": "abc"}"#).text(r#"{"code": "ABC"}"#);
    {
        let recorder = RecordingModel::new(script, file.clone(), Redaction::new());
        let mut conversation = Conversation::new(no_tools(), recorder);
        pollster::block_on(conversation.answer::<Coded>("Which?"))?;
        let stored = serde_json::to_string(conversation.run_state())?;
        let mut again =
            Conversation::from_run(no_tools(), ScriptedModel::new().text("No."), serde_json::from_str(&stored)?);
        assert_eq!(again.transcript().entries().len(), 4);
        assert_eq!(pollster::block_on(again.ask("More?")).text(), Some("No."));
    }
    let replay = ReplayModel::from_text(&file.text(), Redaction::new())?;
    let mut conversation = Conversation::new(no_tools(), replay);
    assert_eq!(pollster::block_on(conversation.answer::<Coded>("Which?"))?.code, "ABC");

    Ok(())
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[tool(ignore_unknown)]
struct Account {
    /// The owner.
    owner: String,
    /// The PIN.
    #[tool(sensitive)]
    pin: String,
}

/// Logs the user in.
#[tool]
fn log_in(
    /// The password.
    #[tool(sensitive)]
    phrase: String,
) {
    drop(phrase);
}

#[test]
fn sensitive_fields_of_an_answer_are_hidden_in_recordings() -> Result<(), Box<dyn std::error::Error>> {
    let toolbox = Toolbox::builder().tool(LogInTool).build()?;
    let session = || toolbox.session();
    let answer = r#"{"owner": "Ada", "pin": "0815-4711"}"#;
    for is_native in [true, false] {
        let file = File::default();
        let redaction = || Redaction::new().add_toolbox(&toolbox).add_answer_type::<Account>();
        let script = ScriptedModel::new().with_answer_forms(is_native);
        let script = if is_native { script.text(answer) } else { script.call("final_answer", answer) };
        {
            let mut conversation = Conversation::new(session(), RecordingModel::new(script, file.clone(), redaction()));
            assert_eq!(pollster::block_on(conversation.answer::<Account>("Whose?"))?.pin, "0815-4711");
        }
        assert!(file.text().contains("Ada") && !file.text().contains("0815"), "{}", file.text());
        let mut conversation = Conversation::new(session(), ReplayModel::from_text(&file.text(), redaction())?);
        assert_eq!(pollster::block_on(conversation.answer::<Account>("Whose?"))?.owner, "Ada");
    }
    Ok(())
}
