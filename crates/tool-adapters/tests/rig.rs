//! Tests of rig's tools in a session, and of a session's tools under rig.

use std::sync::Arc;

use serde_json::{Value, json};
use tests::fixtures::SendTool;
use tool_adapters::rig::rig_core::message::{DocumentSourceKind, ImageMediaType, ToolName, ToolResultContent};
use tool_adapters::rig::rig_core::providers::openai::responses_api::ResponsesToolDefinition;
use tool_adapters::rig::rig_core::tool::{DynamicTool, ToolErrorKind, ToolExecutionError, ToolOutput};
use tool_adapters::rig::{from_rig_dynamic_tool, session_tools};
use tool_runtime::Dialect;
use tool_runtime::failure::FailureKind;
use tool_runtime::tool::{Content, ContentParts, Payload};
use tool_runtime::{Session, ToolError, Toolbox, tool};

type Tested = Result<(), Box<dyn std::error::Error>>;

/// Returns a session with one tool of rig that gives this answer.
fn session(answer: impl Fn() -> Result<ToolOutput, ToolExecutionError> + Send + Sync + 'static) -> Session {
    let schema = json!({"type": "object", "properties": {"days": {"type": "integer", "maximum": 7}}});
    let name = ToolName::new("forecast").expect("a name");
    let tool = DynamicTool::new(name, "The weather to come.", schema, move |_| {
        let answer = answer();
        Box::pin(async move { answer })
    });
    let tool = from_rig_dynamic_tool(tool).expect("a schema");
    Toolbox::builder().tool(tool).build().expect("a toolbox").session()
}

#[test]
fn the_definition_of_a_rig_tool_is_unchanged() {
    let definitions = session(|| Ok(ToolOutput::text("sun"))).definitions().to_value();
    assert_eq!(definitions[0]["function"]["name"], "forecast");
    assert_eq!(definitions[0]["function"]["description"], "The weather to come.");
    assert_eq!(
        definitions[0]["function"]["parameters"]["properties"]["days"],
        json!({"type": "integer", "maximum": 7})
    );
}

#[test]
fn a_rig_tool_only_runs_with_valid_arguments() {
    let session = session(|| Ok(ToolOutput::text("sun")));
    let call = |arguments| pollster::block_on(session.call("call_1", "forecast", arguments));
    assert_eq!(call(r#"{"days": 7}"#).to_text(), "sun");
    assert!(!call(r#"{"days": 70}"#).is_ok());
}

#[test]
fn the_output_of_a_rig_tool_reaches_the_model_unchanged() {
    let read = |output: fn() -> ToolOutput| {
        let session = session(move || Ok(output()));
        pollster::block_on(session.call("call_1", "forecast", "{}")).to_text().into_owned()
    };
    assert_eq!(read(|| ToolOutput::text("{}")), "{}");
    assert_eq!(read(|| ToolOutput::json(json!({"sky": "blue"}))), r#"{"sky":"blue"}"#);
}

#[test]
fn an_image_of_a_rig_tool_stays_an_image() {
    let session = session(|| {
        let image = ToolResultContent::image_base64("iVBORw==", Some(ImageMediaType::PNG), None);
        ToolOutput::content(vec![ToolResultContent::text("Blue sky:"), image])
    });
    let outcome = pollster::block_on(session.call("call_1", "forecast", "{}"));
    let expected = ContentParts::from_parts([Content::text("Blue sky:"), Content::image("image/png", b"\x89PNG")]);
    assert_eq!(outcome.payload(), Some(&Payload::Parts(expected)));
    // The tool is converted back to a tool of rig.
    let session = Arc::new(session);
    let output = pollster::block_on(session_tools(&session).remove(0).execute(json!({}))).expect("a result");
    let image = |content: &ToolResultContent| matches!(content, ToolResultContent::Image(image) if matches!(&image.data, DocumentSourceKind::Base64(data) if data == "iVBORw=="));
    assert_eq!(output.as_content().iter().map(image).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn the_error_of_a_rig_tool_reaches_the_model_with_its_kind() {
    let kinds = [
        (ToolErrorKind::Timeout, FailureKind::Timeout),
        (ToolErrorKind::RateLimited, FailureKind::RateLimited),
        (ToolErrorKind::Network, FailureKind::Unavailable),
        (ToolErrorKind::Other, FailureKind::DomainRejection),
    ];
    for (kind, expected) in kinds {
        let answer = move || Err(ToolExecutionError::new(kind, "password 123").with_model_feedback("No forecast."));
        let outcome = pollster::block_on(session(answer).call("call_1", "forecast", "{}"));
        assert_eq!(outcome.failure().map(tool_runtime::Failure::kind), Some(expected), "{kind}");
        assert!(
            outcome.to_text().contains("No forecast.") && !outcome.to_text().contains("123"),
            "{}",
            outcome.to_text()
        );
    }
}

/// Divides.
#[tool]
fn divide(
    /// What is divided.
    a: u32,
    /// By what.
    b: u32,
) -> Result<u32, ToolError> {
    a.checked_div(b).ok_or_else(|| ToolError::new("Nothing can be divided by 0."))
}

fn divide_for_rig() -> Result<DynamicTool, Box<dyn std::error::Error>> {
    let session = Arc::new(Toolbox::builder().tool(DivideTool).build()?.session());
    let mut tools = session_tools(&session);
    assert_eq!(tools.len(), 1);
    Ok(tools.remove(0))
}

#[test]
fn rig_receives_name_description_and_schema() -> Tested {
    let definition = divide_for_rig()?.definition();
    assert_eq!((definition.name.as_str(), definition.description.as_str()), ("divide", "Divides."));
    assert_eq!(definition.parameters["required"], json!(["a", "b"]));
    Ok(())
}

#[test]
fn calls_of_rig_go_through_the_session() -> Tested {
    let divide = divide_for_rig()?;
    let call = |arguments: Value| pollster::block_on(divide.execute(arguments));

    assert_eq!(call(json!({"a": 6, "b": 2}))?.as_json(), Some(&json!(3)));
    // The session repairs a number in quotes.
    assert_eq!(call(json!({"a": "6", "b": 2}))?.as_json(), Some(&json!(3)));

    let rejected = call(json!({"a": 6})).expect_err("b is missing");
    assert_eq!((rejected.kind(), rejected.code()), (ToolErrorKind::InvalidArgs, Some("invalid_call")));
    assert!(rejected.model_feedback().is_some_and(|text| text.contains("b is required")));

    let rejected = call(json!({"a": 6, "b": 0})).expect_err("by zero");
    assert_eq!((rejected.kind(), rejected.code()), (ToolErrorKind::Other, Some("domain_rejection")));
    Ok(())
}

/// A toolbox for a provider offers the schemas of that provider to rig, and the calls are converted back.
#[test]
fn rig_receives_the_schemas_of_the_provider() -> Tested {
    let dialect = Dialect::OPENAI_RESPONSES_STRICT;
    let session = Arc::new(Toolbox::builder().tool(SendTool).for_provider(dialect).build()?.session());
    let tool = session_tools(&session).remove(0);
    let advertised = session.definitions().to_value();
    let definition = tool.definition();
    assert_eq!(advertised[0]["parameters"], definition.parameters);
    assert_eq!(
        (&advertised[0]["description"], &advertised[0]["strict"]),
        (&json!(definition.description), &json!(true))
    );
    let of_rig = serde_json::to_value(ResponsesToolDefinition::from(definition).with_strict())?;
    assert_eq!(of_rig, advertised[0]);

    let call = |arguments: Value| pollster::block_on(tool.execute(arguments));
    let sent = json!({"url": "example.org", "headers": [{"key": "accept", "value": "*/*"}], "retries": null});
    assert_eq!(call(sent)?.as_text(), Some(r#"example.org {"accept": "*/*"} 3"#));
    let rejected = call(json!({"url": "example.org", "headers": [{"key": "accept", "value": 1}], "retries": 70}));
    let text = rejected.expect_err("it is rejected").model_feedback().unwrap_or_default().to_owned();
    assert!(text.contains("headers[0].value") && text.contains("retries"), "{text}");
    Ok(())
}
