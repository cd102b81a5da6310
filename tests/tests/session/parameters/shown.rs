//! The definition, the check and the tool agree on the parameters that the model has seen.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use tool_runtime::hook::{ProposedCall, Verdict};
use tool_runtime::session::AdvertisedItem;
use tool_runtime::tool::Payload;
use tool_runtime::tool_schema::check::check;
use tool_runtime::tool_schema::json::Json;
use tool_runtime::tool_schema::repair::RepairPolicy;
use tool_runtime::{CallContext, Toolbox, plugin_container, tool};

use super::super::tools::{call, rejection, visible};
use super::{DeleteTool, Disk, bins, built, definition, disk, is_admin, now, parameters, session, set};

#[test]
fn a_parameter_is_visible_while_its_condition_holds() {
    let disk = disk(false, false);
    let session = session(&disk);
    assert_eq!(parameters(&session), ["copies", "path"]);
    assert_eq!(call(&session, "delete", r#"{"path": "a"}"#).to_text(), "a None nowhere 1");
    let revision = session.revision();
    set(&disk, Disk { is_admin: true, ..now(&disk) });
    assert_ne!(session.revision(), revision);
    assert_eq!(parameters(&session), ["copies", "overpower", "path"]);
    assert_eq!(call(&session, "delete", r#"{"path": "a", "overpower": true}"#).to_text(), "a Some(true) nowhere 1");
}

#[test]
fn the_state_describes_tools_and_parameters() {
    let disk = disk(false, false);
    let session = session(&disk);
    let definition = definition(&session);
    assert_eq!(definition["description"], "Deletes one of 7 files.");
    assert_eq!(definition["input_schema"]["properties"]["path"]["description"], "One of 7 files.");
    assert_eq!(session.tools()[0].description(), "Deletes one of 7 files.");
    set(&disk, Disk { files: 8, ..now(&disk) });
    assert!(
        call(&session, "delete", "{}").to_text().contains("<One of 7 files>"),
        "the description that the model has seen"
    );
    assert_eq!(session.tools()[0].description(), "Deletes one of 8 files.");
    assert!(call(&session, "delete", "{}").to_text().contains("<One of 8 files>"));
}

#[test]
fn the_schema_that_the_model_has_seen_applies_until_it_gets_a_new_one() {
    let disk = disk(true, false);
    let session = session(&disk);
    assert_eq!(parameters(&session), ["copies", "overpower", "path"]);
    set(&disk, Disk { is_admin: false, ..now(&disk) });
    let arguments = r#"{"path": "a", "overpower": true}"#;
    assert!(call(&session, "delete", arguments).is_ok(), "the model has the old schema");
    let _ = session.definitions();
    assert_eq!(rejection(&call(&session, "delete", arguments))["errors"][0]["error_code"], "UNKNOWN_FIELD");
}

#[test]
fn a_deferred_call_is_checked_against_the_last_seen_schema() {
    let disk = disk(true, false);
    let hook = |_: &ProposedCall<'_>| Verdict::Defer;
    let session = built(Toolbox::builder().tool(DeleteTool).before_call(hook).state(Arc::clone(&disk)));
    assert!(call(&session, "delete", r#"{"path": "a", "overpower": true}"#).is_deferred());
    set(&disk, Disk { is_admin: false, ..now(&disk) });
    let _ = session.definitions();
    let outcome = pollster::block_on(session.resume("call_1")).expect("the call waits");
    assert_eq!(rejection(&outcome)["errors"][0]["error_code"], "UNKNOWN_FIELD");
}

/// Passes over what it does not know.
#[tool(ignore_unknown)]
fn open(
    /// The target.
    #[tool(enum_from = bins)]
    shredder: Option<String>,
) -> String {
    format!("{shredder:?}")
}

#[test]
fn a_tool_that_allows_unknown_fields_is_hidden_without_allowed_values() {
    let disk = disk(true, true);
    let session = built(Toolbox::builder().tool(OpenTool).state(Arc::clone(&disk)));
    assert_eq!(visible(&session), ["open"]);
    set(&disk, Disk { bins: Vec::new(), ..now(&disk) });
    assert_eq!(visible(&session), Vec::<String>::new());
    assert_eq!(rejection(&call(&session, "open", r#"{"shredder": "red"}"#))["error_type"], "unavailable");
}

struct Office;

/// An office.
#[plugin_container]
impl Office {
    /// Files something.
    #[tool]
    fn file(
        &self,
        /// A name.
        name: String,
        /// Files it in the safe.
        #[tool(available_if = is_admin)]
        safe: Option<bool>,
    ) -> String {
        format!("{name} {safe:?}")
    }
}

#[test]
fn members_have_conditional_parameters_too() {
    let disk = disk(false, false);
    let session = built(Toolbox::builder().container(Office).state(Arc::clone(&disk)));
    let _ = call(&session, "Office", "");
    assert_eq!(
        rejection(&call(&session, "file", r#"{"name": "a", "safe": true}"#))["errors"][0]["error_code"],
        "UNKNOWN_FIELD"
    );
    set(&disk, Disk { is_admin: true, ..now(&disk) });
    let Some(AdvertisedItem::Tool { input, .. }) = session.tools().into_iter().nth(1) else { panic!("it is expanded") };
    assert!(
        check(&input.shape(), &Json::parse(r#"{"name": "a", "safe": true}"#).expect("the text is JSON")).is_empty()
    );
    assert_eq!(call(&session, "file", r#"{"name": "a", "safe": true}"#).to_text(), "a Some(true)");
}

fn state() -> impl Strategy<Value = Disk> {
    let bins = prop::collection::vec(prop::sample::select(vec!["red", "blue", "green"]), 0..3);
    (any::<bool>(), any::<bool>(), bins, 0..3_usize).prop_map(|(is_admin, has_bins, bins, files)| Disk {
        is_admin,
        has_bins,
        bins,
        files,
    })
}

fn arguments() -> impl Strategy<Value = Value> {
    let name = prop::sample::select(vec!["path", "overpower", "unprotect", "shredder", "copies", "colour"]);
    let value = prop::sample::select(vec![json!("a"), json!("red"), json!(""), json!(true), json!(null), json!(3)]);
    let rest = prop::collection::vec((name, value), 0..4);
    (prop::bool::weighted(0.8), rest).prop_map(|(has_path, rest)| {
        let path = has_path.then(|| ("path".to_owned(), json!("a")));
        rest.into_iter().map(|(name, value)| (name.to_owned(), value)).chain(path).collect::<Map<_, _>>().into()
    })
}

proptest! {
    #[test]
    fn schema_check_and_tool_agree_in_every_state(
        states in prop::collection::vec((state(), any::<bool>(), prop::collection::vec(arguments(), 1..6)), 1..6),
        is_asked in any::<bool>(),
    ) {
        let shared = disk(false, false);
        let builder = Toolbox::builder().no_throttle().repair(RepairPolicy::Strict).tool(DeleteTool).state(Arc::clone(&shared));
        let builder = if is_asked { builder.before_call(|_: &ProposedCall<'_>| Verdict::Run) } else { builder };
        let session = built(builder);
        let look = || {
            let tools = session.tools().into_iter();
            let mut inputs = tools.filter_map(|tool| if let AdvertisedItem::Tool { input, .. } = tool { Some(input) } else { None });
            (inputs.next().expect("the tool exists"), definition(&session), now(&shared))
        };
        let mut seen = look();
        for (state, looks, calls) in states {
            set(&shared, state);
            if looks {
                seen = look();
            }
            let (input, definition, state) = &seen;
            for arguments in calls {
                let text = arguments.to_string();
                let by_schema = jsonschema::is_valid(&definition["input_schema"], &arguments);
                let by_check = check(&input.shape(), &Json::parse(&text).expect("the text is JSON")).is_empty();
                let outcome = call(&session, "delete", &text);
                let has_alias = state.is_admin && arguments.get("unprotect").is_some();
                prop_assert_eq!(by_check, outcome.is_ok(), "{} {:?}", text, state);
                if !has_alias {
                    prop_assert_eq!(by_schema, by_check, "{} {:?}", text, state);
                }
                if outcome.is_ok() {
                    let args = DeleteTool::decode(&*text).expect("the tool decodes the arguments too");
                    let expected = format!("{} {:?} {} {}", args.path, args.overpower, args.shredder, args.copies);
                    prop_assert_eq!(outcome.to_text(), expected);
                    prop_assert!(state.is_admin || !outcome.to_text().contains("Some("));
                    prop_assert!(state.has_bins || outcome.to_text().contains(" nowhere "));
                }
            }
        }
    }
}

#[test]
fn calling_the_function_directly_needs_no_state() {
    let arguments = DeleteTool::decode(r#"{"path": "a", "overpower": true}"#)
        .expect("without a session every parameter is visible");
    let answer = DeleteTool::run(arguments, &CallContext::for_test());
    assert!(matches!(answer, Ok(Payload::Text(text)) if text == "a Some(true) nowhere 1"));
}
