//! Reports of people who use structured outputs, reduced to the answer of the model.

use serde::{Deserialize, Serialize};
use tool_chat::conversation::{AnswerError, Conversation, TurnEnd, TurnLimits};
use tool_chat::model::{Message, Response, ScriptedModel, StopReason, ToolCall};
use tool_chat::run::AnswerType;
use tool_runtime::tool_schema::dialect::Definitions;
use tool_runtime::tool_schema::{AnswerForm, extract};
use tool_runtime::{Dialect, Session, ToolInput, Toolbox, tool};

use super::types::{DIALECTS, Mood, no_tools, schema_of};

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[tool(ignore_unknown)]
struct Salad {
    /// The name.
    name: String,
    /// The ingredients.
    items: Vec<String>,
}

/// The weather in a city.
#[tool]
fn get_weather(
    /// The city.
    name: String,
) -> String {
    format!("{name}: sun")
}

fn weather() -> Session {
    Toolbox::builder().tool(GetWeatherTool).build().expect("a tool").session()
}

const WHOLE: &str = r#"{"name": "Ana", "items": ["lettuce", "carrot"]}"#;

fn salad() -> Salad {
    Salad { name: "Ana".to_owned(), items: vec!["lettuce".to_owned(), "carrot".to_owned()] }
}

fn ask(session: Session, model: &ScriptedModel, corrections: usize) -> Result<Salad, AnswerError> {
    let mut limits = TurnLimits::default();
    limits.corrections = corrections;
    let mut conversation = Conversation::new(session, model.clone()).limits(limits);
    pollster::block_on(conversation.answer("What is in it?"))
}

/// mastra 24442, instructor 2210, anthropic-sdk-python 1850: JSON that the output limit cut off was closed and returned as a complete value, or
/// reported as malformed. Here, the model reads the reason, and the number of attempts is bounded.
#[test]
fn an_answer_that_the_output_limit_cut_off_is_no_value() {
    let cut_off = |text: &str| Response::from_text(text).with_stop(StopReason::Length);
    for text in [
        r#"{"name": "Ana", "items": ["lettuce", "carrot""#,
        // Parts of longer answers that happen to be values.
        WHOLE,
        &format!("For example {WHOLE} would be wrong. So"),
        &format!("```json\n{WHOLE}\n```\nWait,"),
        "",
    ] {
        let model = ScriptedModel::new().answer(cut_off(text)).answer(cut_off(text));
        let error = ask(no_tools(), &model, 1).expect_err("it was cut off");
        assert!(matches!(error.end(), TurnEnd::Rejected { attempts: 2, issues } if issues.len() == 1), "{error}");
        let told = model.requests()[1].messages.last().map_or("", Message::text).to_owned();
        assert!(told.contains("Your answer reached its output limit"), "{told}");
        assert!(told.contains(r#""error_type":"invalid_json""#), "{told}");
    }
    // A call that stands for the answer is cut off in the same way.
    let call = ToolCall::new("1", "final_answer", WHOLE);
    let cut_off = Response::from_calls([call]).with_stop(StopReason::Length);
    let model = ScriptedModel::new().with_answer_forms(false).answer(cut_off).call("final_answer", WHOLE);
    assert_eq!(ask(no_tools(), &model, 1).ok(), Some(salad()));
    assert!(model.requests()[1].messages.last().is_some_and(|told| told.text().contains("output limit")));
}

/// pydantic-ai 4310, openai-agents-python 3055: the text of a rejection was validated as the answer, and the model was asked again until a limit.
#[test]
fn a_rejection_ends_the_turn_without_a_value() {
    for text in ["I am sorry, but I cannot help with that.", WHOLE, ""] {
        let model = ScriptedModel::new().answer(Response::from_text(text).with_stop(StopReason::Filtered));
        let error = ask(no_tools(), &model, 3).expect_err("it was withheld");
        assert!(matches!(error.end(), TurnEnd::Answered { stop: StopReason::Filtered, .. }), "{error}");
        assert_eq!((error.issues().len(), model.requests().len()), (0, 1), "{error}");
        assert_eq!(error.to_string(), "the provider withheld the answer, or the model refused to give it");
    }
}

/// pydantic-ai 6403: after an empty answer, the text that announced an earlier call became the result.
#[test]
fn an_empty_answer_does_not_revive_an_earlier_text() {
    let call = ToolCall::new("1", "get_weather", r#"{"name": "Paris"}"#);
    let announced = Response::from_text(WHOLE).with_calls([call]);
    let model = ScriptedModel::new().answer(announced).text("").text(" \n").text("");
    let error = ask(weather(), &model, 2).expect_err("nothing was said");
    assert!(matches!(error.end(), TurnEnd::Rejected { attempts: 3, .. }), "{error}");
}

/// pydantic-ai 943, langchain 34970, neurolink 1691: lists, enums and unions at the root were rejected by the provider, or became empty objects.
#[test]
fn the_root_of_a_schema_is_an_object_with_members() {
    #[derive(Deserialize, ToolInput)]
    #[tool(ignore_unknown)]
    #[serde(tag = "status", rename_all = "snake_case")]
    enum Outcome {
        /// Success.
        Done {
            /// The value.
            value: u8,
        },
        /// Failure.
        Failed {
            /// The reason.
            reason: String,
        },
    }
    fn root<T: ToolInput>(dialect: Dialect) {
        let form = AnswerForm::<T>::new(dialect, &Definitions::default()).unwrap_or_else(|e| panic!("{dialect}: {e}"));
        let schema = schema_of(&form.definition().to_value());
        assert_eq!((&schema["type"], schema.get("anyOf")), (&"object".into(), None), "{dialect}: {schema}");
        assert_eq!(schema["required"][0], "value", "{dialect}: {schema}");
    }
    for dialect in DIALECTS {
        root::<Vec<Salad>>(dialect);
        root::<Mood>(dialect);
        root::<Outcome>(dialect);
        root::<Option<Salad>>(dialect);
    }
}

/// pydantic-ai 2829: models sent the wrapped list as a JSON string. fenic 386: models put the JSON into a code fence.
#[test]
fn lists_in_strings_and_values_in_fences_are_read() {
    let form = AnswerForm::<Vec<Salad>>::new(Dialect::BEDROCK, &Definitions::default()).expect("a form");
    let quoted = serde_json::json!({ "value": format!("[{WHOLE}]") }).to_string();
    for answer in [quoted.clone(), format!("```json\n{quoted}\n```"), format!(r#"{{"value": [{WHOLE}]}}"#)] {
        assert_eq!(form.read(&answer).map(|read| read.value).ok(), Some(vec![salad()]), "{answer}");
    }
}

/// claude-agent-sdk-python 510: the list of a report was a JSON string, in every attempt. ai-parrot 338: the value was below a key that names
/// its kind. vercel/ai 1999, raptor 123: models answered with an empty object.
#[test]
fn values_in_strings_are_read_and_values_below_other_keys_are_not_lost() {
    #[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
    #[tool(ignore_unknown)]
    struct Report {
        /// The name.
        name: String,
        /// The salads.
        salads: Vec<Salad>,
    }
    #[derive(Debug, Deserialize, PartialEq, ToolInput)]
    #[tool(ignore_unknown)]
    struct Plan {
        /// The first course.
        first: Option<String>,
        /// The second course.
        second: Option<String>,
    }
    let report = Report { name: "May".to_owned(), salads: vec![salad()] };
    let texts = [
        serde_json::json!({"name": "May", "salads": format!("[{WHOLE}]")}),
        serde_json::json!({"name": "May", "salads": [WHOLE]}),
    ];
    for text in texts {
        assert_eq!(extract::<Report>(&text.to_string()).map(|read| read.value).ok(), Some(report.clone()), "{text}");
    }
    let model = ScriptedModel::new()
        .text(r#"{"dinner_plan": {"first": "soup", "second": "pasta"}}"#)
        .text(r#"{"first": "soup", "second": "pasta"}"#);
    let mut conversation = Conversation::new(no_tools(), model.clone());
    let plan = pollster::block_on(conversation.answer::<Plan>("What do we eat?"));
    let (first, second) = (Some("soup".to_owned()), Some("pasta".to_owned()));
    assert_eq!(plan.ok(), Some(Plan { first, second }));
    let told = model.requests()[1].messages.last().map_or("", Message::text).to_owned();
    assert!(told.contains("dinner_plan is not a known field"), "{told}");
    let model = ScriptedModel::new().text("{}").text(WHOLE);
    assert_eq!(ask(no_tools(), &model, 1).ok(), Some(salad()));
}

/// Servers that do not recognize the calls of a model pass them on as text. Their arguments look like an answer.
#[test]
fn a_call_in_the_text_is_no_answer() {
    let arguments = r#"{"name": "Paris", "items": []}"#;
    for text in [
        format!("<tool_call>\n{arguments}\n</tool_call>"),
        format!("<tool_call>{{\"name\": \"get_weather\", \"arguments\": {arguments}}}</tool_call>"),
        format!("[TOOL_CALLS]get_weather{arguments}"),
        format!("{arguments}<|tool_call_end|>"),
        format!("<function=get_weather>{arguments}</function>"),
    ] {
        // Without the check of the answer, at least the first of these would be a value.
        let model = ScriptedModel::new().text(&text).text(WHOLE);
        assert_eq!(ask(weather(), &model, 3).ok(), Some(salad()), "{text}");
        let told = model.requests()[1].messages.last().map_or("", Message::text).to_owned();
        assert!(told.contains("Your answer contains a tool call as text"), "{text}: {told}");
    }
    assert!(extract::<Salad>(&format!("<tool_call>\n{arguments}\n</tool_call>")).is_ok());
    // In a text of the value, markup is a part of the value, also if the value breaks a rule.
    let name = "How to write <tool_call> and </tool_call>";
    let value = serde_json::json!({ "name": name, "items": ["x"] }).to_string();
    // The text for the list is repaired, and the markup is still a part of the name.
    let value = value.replace(r#"["x"]"#, r#""x""#);
    let wrong = serde_json::json!({ "name": name, "items": [[]] }).to_string();
    let model = ScriptedModel::new().text(wrong).text(value);
    assert_eq!(ask(weather(), &model, 1).map(|salad| salad.name).ok().as_deref(), Some(name));
    let told = model.requests()[1].messages.last().map_or("", Message::text).to_owned();
    assert!(told.contains("items[0]") && !told.contains("tool call as text"), "{told}");
}

#[test]
fn a_turn_for_a_text_that_was_cut_off_gives_no_value_later() {
    let model = ScriptedModel::new().answer(Response::from_text(WHOLE).with_stop(StopReason::Length));
    let mut conversation = Conversation::new(no_tools(), model);
    assert_eq!(pollster::block_on(conversation.ask("What is in it?")).text(), Some(WHOLE));
    let answer = AnswerType::new::<Salad>();
    let end = |stop| TurnEnd::Answered { text: WHOLE.to_owned(), stop };
    let value = |stop| answer.value::<Salad>(end(stop), conversation.session(), &ScriptedModel::new());
    assert_eq!(value(StopReason::Finished).ok(), Some(salad()));
    assert!(value(StopReason::Length).is_err_and(|error| matches!(error.end(), TurnEnd::Rejected { .. })));
    assert!(value(StopReason::Filtered).is_err_and(|error| matches!(error.end(), TurnEnd::Answered { .. })));
}

/// Models spell the name of the tool that stands for the answer as they spell other names.
#[test]
fn other_spellings_of_the_tool_that_stands_for_the_answer() {
    for name in
        ["final_answer", "Final_Answer", "finalAnswer", "functions.final_answer", "final-answer", "final_answer:0"]
    {
        let model = ScriptedModel::new().with_answer_forms(false).call(name, WHOLE);
        assert_eq!(ask(weather(), &model, 0).ok(), Some(salad()), "{name}");
    }
    // Another tool is never mistaken for it.
    let model = ScriptedModel::new().with_answer_forms(false).call("final", WHOLE).call("final_answer", WHOLE);
    assert_eq!(ask(weather(), &model, 3).ok(), Some(salad()));
    assert_eq!(model.requests().len(), 2);
}
