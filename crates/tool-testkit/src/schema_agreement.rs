//! A check that all parts that accept or reject a tool's arguments agree: [`check_contract`] and the macro
//! [`assert_tool_contract!`](crate::assert_tool_contract).
//!
//! It decodes each generated value, checks it, and validates it with `jsonschema` against the schema that the model sees. All three must accept
//! it, or all must reject it. The repair must accept a valid value, and what it makes of an invalid one must be valid. The generated values
//! are the same in every run.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use tool_runtime::Arguments;
use tool_runtime::RepairPolicy;
use tool_runtime::Toolbox;
use tool_runtime::tool::Tool;
use tool_runtime::tool_schema::check::check;
use tool_runtime::tool_schema::json::Json;
use tool_runtime::tool_schema::repair::{RepairedArguments, repair_arguments};
use tool_runtime::tool_schema::schema::schema_text;

use super::generate::{invalid_arguments, valid_arguments};

/// The number of valid values that are tried. For each number of planted issues, from one to [`FAULTS`], the same number of faulty values
/// is tried.
const VALUES: usize = 128;
/// The maximum number of planted issues in a value.
const FAULTS: usize = 2;
/// The maximum number of attempts to generate a valid value. If all fail, an error says that no valid arguments were found.
const ATTEMPTS: u32 = 512;

/// Asserts that the tool's schema, the checker, serde and the repair agree about generated arguments.
///
/// ```
/// use tool_runtime::tool;
/// use tool_testkit::assert_tool_contract;
///
/// /// Adds two numbers.
/// #[tool]
/// fn add(
///     /// First summand.
///     a: u8,
///     /// Second summand.
///     b: Option<u8>,
/// ) -> u16 {
///     u16::from(a) + u16::from(b.unwrap_or(0))
/// }
///
/// assert_tool_contract!(AddTool);
/// ```
#[macro_export]
macro_rules! assert_tool_contract {
    ($tool:expr $(,)?) => {
        if let ::core::result::Result::Err(fault) = $crate::check_contract(&$tool) {
            ::core::panic!("{fault}");
        }
    };
}

/// Checks that the tool's schema, the checker, serde and the repair agree about generated arguments.
///
/// ```
/// use tool_runtime::tool;
/// use tool_testkit::check_contract;
///
/// /// Answers at once.
/// #[tool]
/// fn ping() {}
///
/// assert_eq!(check_contract(&PingTool), Ok(()));
/// ```
///
/// # Errors
///
/// Fails if one of these parts gives the wrong verdict about generated arguments. The error contains the arguments and the verdict. Also
/// fails if no valid arguments can be generated for the tool.
pub fn check_contract(tool: &dyn Tool) -> Result<(), String> {
    let judges = Judges::of(tool)?;
    let config = Config { max_local_rejects: ATTEMPTS, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    for _ in 0..VALUES {
        let tree = valid_arguments(tool).new_tree(&mut runner).map_err(|reason| {
            format!(
                "{}: {reason}; give an `example` to each field for which no value can be generated from the rules",
                tool.spec().name
            )
        })?;
        judges.agree(&tree.current(), true)?;
    }
    for faults in 1..=FAULTS {
        // A tool may have too few parameters for this number of issues.
        let trees = (0..VALUES).map_while(|_| invalid_arguments(tool, faults).new_tree(&mut runner).ok());
        trees.map(|tree| tree.current().arguments).try_for_each(|arguments| judges.agree(&arguments, false))?;
    }
    Ok(())
}

/// Checks the [contract](check_contract) of every tool of a toolbox, with the members of its containers.
///
/// ```
/// use tool_runtime::{Toolbox, plugin_container, tool};
/// use tool_testkit::check_contracts;
///
/// struct Math;
///
/// /// Arithmetic on numbers.
/// #[plugin_container]
/// impl Math {
///     /// Adds two numbers.
///     #[tool]
///     fn add(
///         &self,
///         /// First summand.
///         a: u8,
///         /// Second summand.
///         b: u8,
///     ) -> u16 {
///         u16::from(a) + u16::from(b)
///     }
/// }
///
/// let toolbox = Toolbox::builder().container(Math).build()?;
/// assert_eq!(check_contracts(&toolbox), Ok(()));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
///
/// # Errors
///
/// Fails with the error of each tool that breaks its contract, one on each line.
pub fn check_contracts<S>(toolbox: &Toolbox<S>) -> Result<(), String> {
    let errors: Vec<String> = toolbox.tools().filter_map(|(_, tool)| check_contract(tool).err()).collect();
    if errors.is_empty() { Ok(()) } else { Err(errors.join("\n")) }
}

struct Judges<'t> {
    tool: &'t dyn Tool,
    schema: jsonschema::Validator,
}

impl<'t> Judges<'t> {
    fn of(tool: &'t dyn Tool) -> Result<Self, String> {
        let name = &tool.spec().name;
        let text = schema(tool);
        let schema =
            serde_json::from_str(&text).map_err(|error| format!("{name}: the schema is not valid JSON: {error}"))?;
        let schema = jsonschema::options().should_validate_formats(true).build(&schema);
        Ok(Self {
            tool,
            schema: schema.map_err(|error| format!("{name}: the schema is not valid JSON Schema: {error}"))?,
        })
    }

    fn agree(&self, text: &str, is_valid: bool) -> Result<(), String> {
        let spec = self.tool.spec();
        let arguments = Arguments::from(text);
        let disagree = |judge: &str, says: String| Err(format!("{}: {judge} {says} {text}", spec.name));
        let verdict = |accepts: bool| if accepts { "accepts" } else { "rejects" }.to_owned();
        let value =
            serde_json::from_str(text).map_err(|error| format!("{}: {text} is not valid JSON: {error}", spec.name))?;
        if self.tool.check(&arguments).is_ok() != is_valid {
            return disagree("the tool", verdict(!is_valid));
        }
        if self.schema.is_valid(&value) != is_valid {
            return disagree("the schema", verdict(!is_valid));
        }
        match repair_arguments(&spec.name, &spec.input, &arguments, RepairPolicy::Lossless) {
            RepairedArguments::Clean(_) if is_valid => Ok(()),
            RepairedArguments::Rejected { .. } if !is_valid => Ok(()),
            RepairedArguments::Repaired { arguments, .. } if !is_valid => self.accepts_repaired(&arguments),
            other => disagree("the repair", format!("gives {other:?} for")),
        }
    }

    /// Checks that the repaired arguments are accepted.
    fn accepts_repaired(&self, repaired: &Json<'_>) -> Result<(), String> {
        let spec = self.tool.spec();
        let text = repaired.to_text();
        let is_accepted =
            check(&spec.input.shape(), repaired).is_empty() && self.tool.check(&text.as_str().into()).is_ok();
        if is_accepted { Ok(()) } else { Err(format!("{}: the repair made {text}, which is rejected", spec.name)) }
    }
}

/// Returns the schema of a tool's arguments: the schema that the author wrote, or else the one generated from the shape.
pub(super) fn schema(tool: &dyn Tool) -> String {
    let spec = tool.spec();
    spec.declared_schema.as_ref().map_or_else(|| schema_text(&spec.input.shape()), |declared| declared.to_text())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::private::decode::check_arguments;
    use tool_dynamic::InputSchema;
    use tool_runtime::CallContext;
    use tool_runtime::ValidationError;
    use tool_runtime::tool::{AnswerOrFuture, Payload, ToolSpec};

    /// A tool with one parameter, whose verdict and schema a test chooses.
    struct Says {
        spec: ToolSpec,
        accepts: bool,
    }

    impl Tool for Says {
        fn spec(&self) -> &ToolSpec {
            &self.spec
        }

        fn check(&self, _: &Arguments<'_>) -> Result<(), ValidationError> {
            if self.accepts { Ok(()) } else { check_arguments(&self.spec.input, &"[]".into()) }
        }

        fn call<'a>(&'a self, _: Arguments<'a>, _: &'a CallContext) -> AnswerOrFuture<'a> {
            AnswerOrFuture::Ready(Ok(Payload::Done))
        }
    }

    fn says(accepts: bool, schema: &str) -> Result<Says, Box<dyn std::error::Error>> {
        let input =
            InputSchema::parse(r#"{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}"#)?;
        let mut spec = ToolSpec::new("count", "Counts.", input.shape());
        spec.declared_schema = Some(Arc::new(Json::parse(schema)?.into_owned()));
        Ok(Says { spec, accepts })
    }

    /// Returns the reported issue for these arguments, which the tool and its schema both accept or both reject. The text is empty without
    /// an issue.
    fn reported(text: &str, is_valid: bool) -> Result<String, Box<dyn std::error::Error>> {
        let tool = says(is_valid, if is_valid { "true" } else { "false" })?;
        Ok(Judges::of(&tool)?.agree(text, is_valid).err().unwrap_or_default())
    }

    #[test]
    fn a_schema_that_disagrees_is_reported() -> Result<(), Box<dyn std::error::Error>> {
        let fault = |tool: &Says, is_valid| Judges::of(tool).and_then(|judges| judges.agree(r#"{"n":1}"#, is_valid));
        assert_eq!(fault(&says(true, "false")?, true), Err(r#"count: the schema rejects {"n":1}"#.to_owned()));
        assert_eq!(fault(&says(false, "true")?, false), Err(r#"count: the schema accepts {"n":1}"#.to_owned()));
        assert_eq!(fault(&says(false, "true")?, true), Err(r#"count: the tool rejects {"n":1}"#.to_owned()));
        assert_eq!(fault(&says(true, "false")?, false), Err(r#"count: the tool accepts {"n":1}"#.to_owned()));
        Ok(())
    }

    #[test]
    fn a_repair_that_disagrees_is_reported() -> Result<(), Box<dyn std::error::Error>> {
        assert_eq!(reported(r#"{"n":1}"#, true)?, "");
        assert_eq!(reported(r#"{"n":[]}"#, false)?, "");
        for (text, is_valid, what) in
            [(r#"{"n":1}"#, false, "Clean"), (r#"{"n":[]}"#, true, "Rejected"), (r#"{"n":"1"}"#, true, "Repaired")]
        {
            let fault = reported(text, is_valid)?;
            assert!(fault.starts_with(&format!("count: the repair gives {what}")), "{fault}");
        }
        Ok(())
    }

    #[test]
    fn repaired_arguments_have_to_be_accepted() -> Result<(), Box<dyn std::error::Error>> {
        assert_eq!(reported(r#"{"n":"1"}"#, false)?, r#"count: the repair made {"n":1}, which is rejected"#);
        Ok(())
    }
}
