//! Checks results against the output schema of their tool: a host sets an [`OutputSchemaCompiler`], and [`ResultSchema`] applies it to one tool.
//!
//! The schema is compiled at the first result. Invariant: the warning names locations and never quotes a value of the result. Results are
//! not checked if the schema cannot be compiled.

use std::sync::{Arc, OnceLock};

use serde_json::Value;

use super::warning_text::{PLACES, unfitting};
use crate::shape::Text;
use crate::tool::{OutputSchema, Payload};

/// Compiles output schemas, for [`ToolboxBuilder::output_check`](crate::toolbox::ToolboxBuilder::output_check).
///
/// This crate contains no validator. `tool_dynamic::JsonSchemaOutputCheck` uses the `jsonschema` crate.
///
/// ```
/// use serde_json::Value;
/// use tool_runtime::toolbox::{OutputSchemaCompiler, OutputValidator};
/// use tool_runtime::{Toolbox, tool};
///
/// /// Checks the type of the whole result, and nothing else.
/// struct TypeCheck;
///
/// impl OutputSchemaCompiler for TypeCheck {
///     fn compile(&self, schema: &Value) -> Option<OutputValidator> {
///         let is_string = schema["type"] == "string";
///         Some(Box::new(move |result, _| if result.is_string() == is_string { vec![] } else { vec![String::new()] }))
///     }
/// }
///
/// /// Returns the time.
/// #[tool(output_schema)]
/// fn now() -> Option<String> {
///     None
/// }
/// let session = Toolbox::builder().tool(NowTool).output_check(TypeCheck).build()?.session();
/// let outcome = pollster::block_on(session.call("call_1", "now", "{}"));
/// assert_eq!(outcome.warnings(), ["Tool succeeded but returned nothing."]); // its type is `["string", "null"]`
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
pub trait OutputSchemaCompiler: Send + Sync {
    /// Compiles the output schema of one tool. This method is called at most once for each tool, at the tool's first result. If it returns
    /// `None`, the schema cannot be used, and the results of the tool are not checked.
    fn compile(&self, schema: &Value) -> Option<OutputValidator>;
}

/// A check of results. It takes a result and a maximum number, and returns at most that number of JSON Pointers (RFC 6901) to locations
/// that do not fit the schema, in any order. The pointer to the whole result is empty. For a result that fits, the list is empty.
pub type OutputValidator = Box<dyn Fn(&Value, usize) -> Vec<String> + Send + Sync>;

/// The check of one tool's results.
#[derive(Default)]
pub(crate) struct ResultSchema(Option<CompiledSchema>);

struct CompiledSchema {
    schema: OutputSchema,
    check: Arc<dyn OutputSchemaCompiler>,
    validator: OnceLock<Option<OutputValidator>>,
}

impl ResultSchema {
    pub(crate) fn new(schema: Option<&OutputSchema>, check: Option<&Arc<dyn OutputSchemaCompiler>>) -> Self {
        let known = |(schema, check): (&OutputSchema, &Arc<_>)| CompiledSchema {
            schema: schema.clone(),
            check: Arc::clone(check),
            validator: OnceLock::new(),
        };
        Self(schema.zip(check).map(known))
    }

    /// Returns `true` if results can be checked.
    #[inline]
    pub(crate) const fn is_checked(&self) -> bool {
        self.0.is_some()
    }

    /// Returns a warning if the result does not fit the schema.
    pub(crate) fn warning(&self, payload: &Payload) -> Option<Text> {
        let CompiledSchema { schema, check, validator } = self.0.as_ref()?;
        let validator = validator.get_or_init(|| check.compile(&schema.to_value())).as_ref()?;
        let mut locations = validator(&payload.to_value(), PLACES + 1);
        let has_more = locations.len() > PLACES;
        locations.truncate(PLACES);
        (!locations.is_empty()).then(|| unfitting(&locations, has_more))
    }
}
