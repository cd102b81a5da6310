//! A tool of a server with its definition: [`Offered`].

use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tool_dynamic::{DynamicTool, UnknownFields};
use tool_runtime::tool::{Annotations, portable_name};

use super::frame::object;
use super::redact::with_redacted;
use super::settings::Settings;
use super::tolerant::{Tolerant, is_closed};
use crate::private::bounded;
use tool_mcp::__private_0_1_0::described;

/// A tool that a server lists.
pub(super) struct Offered {
    pub(super) definition: Box<str>,
    pub(super) name: Box<str>,
    /// The name in the toolbox.
    pub(super) portable: Box<str>,
    pub(super) annotations: Annotations,
    /// `true` if the client may not call the tool.
    pub(super) is_hidden: bool,
    /// `true` if the user has to approve each call.
    pub(super) needs_approval: bool,
    /// `true` if another tool in the list has the same name, here or in the toolbox.
    pub(super) is_repeated: bool,
    /// The schema of the arguments, if it declares a redacted name.
    pub(super) redacted: Option<Value>,
    /// `None` if the definition cannot be used.
    pub(super) tool: Option<Arc<Tolerant>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Definition<'d> {
    name: String,
    #[serde(borrow, default)]
    description: Option<&'d RawValue>,
    #[serde(borrow, default)]
    input_schema: Option<&'d RawValue>,
    #[serde(borrow, default)]
    output_schema: Option<&'d RawValue>,
    #[serde(borrow, default)]
    annotations: Option<&'d RawValue>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Hints {
    #[serde(rename = "readOnlyHint")]
    read_only: Option<bool>,
    #[serde(rename = "destructiveHint")]
    destructive: Option<bool>,
    #[serde(rename = "idempotentHint")]
    idempotent: Option<bool>,
    #[serde(rename = "openWorldHint")]
    open_world: Option<bool>,
}

impl Offered {
    /// Returns the tool that checks the calls; `None` if they are not checked.
    pub(super) fn checked(&self) -> Option<&Arc<Tolerant>> {
        self.tool.as_ref().filter(|_| !self.is_repeated)
    }

    /// Creates a tool, and reports the fault of a definition that cannot be used.
    pub(super) fn new(definition: Box<str>, settings: &Settings, report: &mut impl FnMut(String)) -> Self {
        let Some(Definition { name, description, input_schema, output_schema, annotations }) =
            object(&definition).filter(|definition: &Definition<'_>| !definition.name.is_empty())
        else {
            report("the server lists a tool whose definition has no valid name".to_owned());
            let (annotations, name) = (Annotations::NONE, "".into());
            return Self {
                name,
                portable: "".into(),
                annotations,
                is_hidden: false,
                needs_approval: false,
                is_repeated: false,
                redacted: None,
                tool: None,
                definition,
            };
        };
        let annotations = effects(annotations);
        let schema = input_schema.map_or(r#"{"type":"object"}"#, RawValue::get);
        let description: Option<String> = description.and_then(|text| serde_json::from_str(text.get()).ok());
        let with_unknown = |unknown| {
            DynamicTool::builder(name.clone(), described(description.as_deref().unwrap_or_default()), schema)
                .unknown_fields(unknown)
                // JSON Schema leaves this check to the program, and most servers do not make it.
                .assert_formats(false)
                .annotations(annotations)
                .throttle(settings.tool(Some(&name)).map(|options| options.throttle.clone()).unwrap_or_default())
                .external()
        };
        let built = with_unknown(UnknownFields::AsStated).and_then(|stated| {
            let open = is_closed(&stated).then(|| with_unknown(UnknownFields::Ignore)).transpose()?;
            Ok(Arc::new(Tolerant::new(stated, open, settings.policy)))
        });
        let tool = match built {
            Ok(tool) => Some(tool),
            Err(error) => {
                let (name, reason) = (bounded::name(&name), error.to_string());
                report(format!("calls of {name} are not checked: {}", bounded::sentence(&reason, 300)));
                None
            }
        };
        for (keyword, schema) in [("inputSchema", input_schema), ("outputSchema", output_schema)] {
            if schema.is_some_and(|schema| !describes_object(schema)) {
                let name = bounded::name(&name);
                report(format!(
                    "{keyword} of {name} has no \"type\": \"object\": some clients drop all tools of the server"
                ));
            }
        }
        let redacted = with_redacted(&settings.redacted, schema);
        let portable = portable_name(&name).into();
        Self {
            name: name.into(),
            portable,
            annotations,
            is_hidden: false,
            needs_approval: false,
            is_repeated: false,
            redacted,
            tool,
            definition,
        }
    }
}

/// Returns `true` if the root of a schema states the only type that all revisions of the protocol allow there.
fn describes_object(schema: &RawValue) -> bool {
    #[derive(Deserialize)]
    struct Root {
        #[serde(rename = "type")]
        json_type: Option<Value>,
    }
    object(schema.get()).is_some_and(|Root { json_type }| json_type.is_some_and(|name| name == "object"))
}

/// Returns the annotations of a definition.
pub(super) fn effects(annotations: Option<&RawValue>) -> Annotations {
    let hints: Hints = annotations.and_then(|annotations| object(annotations.get())).unwrap_or_default();
    let mut effects = Annotations::NONE;
    effects.read_only = hints.read_only;
    effects.destructive = hints.destructive;
    effects.idempotent = hints.idempotent;
    effects.open_world = hints.open_world;
    effects
}
