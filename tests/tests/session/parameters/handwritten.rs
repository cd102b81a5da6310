//! Conditions and descriptions of tools without a macro, and mistakes in them.

use tool_runtime::tool::{Payload, ToolSpec};
use tool_runtime::tool_schema::shape::{Ref, Shape};
use tool_runtime::toolbox::RegistrationError;
use tool_runtime::{ToolInput, Toolbox, TypedTool};

use super::super::tools::{call, sync, without_states};
use super::{DeleteTool, built, definition, parameters};

#[test]
fn a_long_description_is_truncated() {
    let spec = || ToolSpec::new("say", "Says it.", Ref::Static(Shape::ANY));
    for (length, shown) in [(1_024, 1_024), (1_025, 1_024), (5_000, 1_024)] {
        let mut say = sync("say", |_| Ok(Payload::Done));
        say.spec = spec().description_from(move |_: &u8| "ä".repeat(length));
        let session = built(Toolbox::builder().tool(say).state(1_u8));
        let description = session.tools()[0].description().into_owned();
        assert_eq!((description.chars().count(), description.ends_with('…')), (shown, length > 1_024));
    }
}

#[test]
fn without_a_session_or_the_state_every_parameter_is_visible() {
    let schema = DeleteTool::SPEC.schema();
    assert!(schema.contains("overpower") && schema.contains("shredder") && schema.contains("Which file."));
    assert_eq!(DeleteTool::SPEC.description, "Deletes a file.");
    let spec = ToolSpec::new("delete", "Deletes a file.", Ref::Static(Options::SHAPE))
        .parameter_available_if("overpower", |is_admin: &bool| *is_admin)
        .parameter_description_from("path", |is_admin: &bool| format!("For {is_admin}."))
        .description_from(|is_admin: &bool| format!("Deletes for {is_admin}."));
    let mut delete = sync("delete", |_| Ok(Payload::Done));
    delete.spec = spec;
    let toolbox =
        Toolbox::builder().tool(delete).require_session_state::<bool>().build().expect("the state is declared");
    let bare = without_states(&toolbox);
    assert_eq!(parameters(&bare), ["overpower", "path"]);
    assert_eq!(bare.tools()[0].description(), "Deletes a file.");
    let guest = toolbox.session_with(false).expect("the state has the declared type");
    assert_eq!(parameters(&guest), ["path"]);
    assert_eq!(definition(&guest)["input_schema"]["properties"]["path"]["description"], "For false.");
    assert!(
        !call(&guest, "delete", r#"{"path": "a", "overpower": true}"#).is_ok(),
        "handwritten tools are checked too"
    );
}

/// Arguments of a handwritten tool.
#[derive(serde::Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct Options {
    /// Which file.
    path: String,
    /// Deletes protected files too.
    overpower: Option<bool>,
}

/// Arguments of a handwritten tool that ignores other keys.
#[derive(serde::Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct OpenOptions {
    /// Deletes protected files too.
    overpower: Option<bool>,
}

#[test]
fn a_condition_that_panics_hides_the_parameter() {
    let mut delete = sync("delete", |_| Ok(Payload::Done));
    delete.spec = ToolSpec::new("delete", "Deletes a file.", Ref::Static(Options::SHAPE))
        .parameter_available_if("overpower", |_: &u8| panic!("the host has a fault"))
        .parameter_description_from("path", |_: &u8| panic!("the host has another"));
    let session = built(Toolbox::builder().tool(delete).state(1_u8));
    assert_eq!(parameters(&session), ["path"]);
    assert_eq!(definition(&session)["input_schema"]["properties"]["path"]["description"], "Which file.");
}

#[test]
fn invalid_conditions_and_descriptions_are_errors_of_the_registration() {
    let error = Toolbox::builder().tool(DeleteTool).build().expect_err("nobody brings the disk");
    assert!(!error.errors().is_empty());
    assert!(error.errors().iter().all(|problem| matches!(problem, RegistrationError::MissingState { .. })), "{error}");
    let of = |shape: &'static Shape| ToolSpec::new("delete", "Deletes a file.", Ref::Static(shape));
    for (spec, parameter, words) in [
        (of(Options::SHAPE).parameter_available_if("path", |_: &u8| true), "path", "which is required"),
        (of(Options::SHAPE).parameter_available_if("paht", |_: &u8| true), "paht", "which is not a parameter"),
        (of(OpenOptions::SHAPE).parameter_available_if("overpower", |_: &u8| true), "overpower", "ignores unknown"),
        (of(Shape::ANY).parameter_description_from("path", |_: &u8| String::new()), "path", "which is not a parameter"),
    ] {
        let mut delete = sync("delete", |_| Ok(Payload::Done));
        delete.spec = spec;
        let error = Toolbox::builder().tool(delete).state(1_u8).build().expect_err("it is out of reach");
        let [problem @ RegistrationError::UnsupportedCondition { parameter: found, .. }] = error.errors() else {
            panic!("{error}")
        };
        assert!(found == parameter && problem.to_string().contains(words), "{problem}");
    }
}
