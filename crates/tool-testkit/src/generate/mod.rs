//! Strategies of `proptest` that generate arguments for a tool from its shape: [`valid_arguments`] and [`invalid_arguments`].
//!
//! Invariants: each value is checked before it is returned, so valid arguments are valid, and faulty arguments have exactly the stated
//! issues. Values shrink to simpler values.

mod inject;
mod value;

use crate::private::check::accepts;
use proptest::prelude::*;
use tool_runtime::tool::Tool;
use tool_runtime::tool_schema::issue::Path;
use tool_runtime::tool_schema::shape::Ref;

use self::inject::inject;
use self::value::Maker;

/// The maximum number of random choices for a value. Any further decision takes the simplest option.
const CHOICES: usize = 96;

/// Arguments with issues, and the path of each issue.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidArguments {
    /// The arguments as JSON text.
    pub arguments: String,
    /// The path of each issue.
    pub paths: Vec<Path>,
}

/// Generates arguments that the tool accepts.
///
/// A field with a `pattern` gets its `example` or `default`, or else a text that matches. A field with a custom rule or a type of
/// `schemars` gets its `example` or `default`, because the generator does not know which values are acceptable. If such a field has
/// neither, no arguments can be generated, and `proptest` reports that too many values were rejected.
///
/// ```
/// use proptest::prelude::*;
/// use tool_runtime::{TypedTool, tool};
/// use tool_testkit::valid_arguments;
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
/// proptest!(|(arguments in valid_arguments(&AddTool))| {
///     prop_assert!(AddTool::decode(arguments).is_ok());
/// });
/// ```
pub fn valid_arguments(tool: &dyn Tool) -> impl Strategy<Value = String> + use<> {
    let input = tool.spec().input.clone();
    choices().prop_filter_map("no acceptable arguments were found", move |choices| {
        Some(Maker::new(choices).acceptable(&input)?.to_text())
    })
}

/// Generates arguments with this number of issues, each at a different path, at any depth.
///
/// If the arguments of the tool cannot have that many issues, no arguments can be generated, and `proptest` reports that too many values
/// were rejected.
///
/// ```
/// use proptest::prelude::*;
/// use tool_runtime::{TypedTool, tool};
/// use tool_testkit::invalid_arguments;
///
/// /// Adds two numbers.
/// #[tool]
/// fn add(
///     /// First summand.
///     a: u8,
///     /// Second summand.
///     b: u8,
/// ) -> u16 {
///     u16::from(a) + u16::from(b)
/// }
///
/// proptest!(|(faulty in invalid_arguments(&AddTool, 2))| {
///     let issues = AddTool::decode(faulty.arguments).map(|_| 0).map_err(|error| error.issues().len());
///     prop_assert_eq!(issues, Err(2));
/// });
/// ```
pub fn invalid_arguments(tool: &dyn Tool, faults: usize) -> impl Strategy<Value = InvalidArguments> + use<> {
    let input = tool.spec().input.clone();
    choices().prop_filter_map("no arguments with so many faults were found", move |choices| {
        let mut maker = Maker::new(choices);
        let json = maker.acceptable(&input)?;
        let (json, paths) = inject(&input.shape(), json, faults, &mut maker)?;
        Some(InvalidArguments { arguments: json.to_text(), paths })
    })
}

fn choices() -> impl Strategy<Value = Vec<u32>> {
    proptest::collection::vec(any::<u32>(), 0..CHOICES)
}

impl Maker {
    /// Returns arguments that the checker accepts.
    fn acceptable(&mut self, input: &Ref) -> Option<tool_runtime::tool_schema::json::Json<'static>> {
        let json = self.make(input, &[], None, 0);
        (!self.is_stuck && accepts(&input.shape(), &json)).then_some(json)
    }
}
