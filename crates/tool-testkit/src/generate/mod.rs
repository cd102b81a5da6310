//! Arguments for a tool, made up from its shape: [`valid_arguments`] and [`faulty_arguments`], as strategies of `proptest`.
//!
//! In: a tool. Out: arguments as JSON text, smaller ones when a test shrinks. What always holds: each value was held against the checker,
//! so the valid ones are valid, and the faulty ones have exactly the faults that are said of them.

mod plant;
mod value;

use crate::private::check::accepts;
use proptest::prelude::*;
use tool_runtime::tool::Tool;
use tool_runtime::tool_schema::issue::Path;
use tool_runtime::tool_schema::shape::Ref;

use self::plant::plant;
use self::value::Maker;

/// How many choices a value may take; the simplest is made of what is left.
const CHOICES: usize = 96;

/// Arguments with faults, and where they are.
///
/// ```
/// use tool_testkit::FaultyArguments;
///
/// fn has_one_fault(faulty: &FaultyArguments) -> bool {
///     faulty.paths.len() == 1
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FaultyArguments {
    /// The arguments, as JSON text.
    pub arguments: String,
    /// The place of each fault.
    pub paths: Vec<Path>,
}

/// Arguments that the tool accepts.
///
/// For a `pattern` the value is the field's `example` or `default`, else one text that matches. Where only an author can know what is acceptable (a rule
/// of your own, a type of `schemars`), it is the `example` or `default`; without one, no arguments are found, and `proptest` says that too many
/// were rejected.
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

/// Arguments with this many faults, each at a place of its own, at any depth.
///
/// A tool whose arguments cannot have so many faults gives none, and `proptest` says that too many were rejected.
///
/// ```
/// use proptest::prelude::*;
/// use tool_runtime::{TypedTool, tool};
/// use tool_testkit::faulty_arguments;
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
/// proptest!(|(faulty in faulty_arguments(&AddTool, 2))| {
///     let issues = AddTool::decode(faulty.arguments).map(|_| 0).map_err(|error| error.issues().len());
///     prop_assert_eq!(issues, Err(2));
/// });
/// ```
pub fn faulty_arguments(tool: &dyn Tool, faults: usize) -> impl Strategy<Value = FaultyArguments> + use<> {
    let input = tool.spec().input.clone();
    choices().prop_filter_map("no arguments with so many faults were found", move |choices| {
        let mut maker = Maker::new(choices);
        let json = maker.acceptable(&input)?;
        let (json, paths) = plant(&input.shape(), json, faults, &mut maker)?;
        Some(FaultyArguments { arguments: json.to_text(), paths })
    })
}

fn choices() -> impl Strategy<Value = Vec<u32>> {
    proptest::collection::vec(any::<u32>(), 0..CHOICES)
}

impl Maker {
    /// Arguments that the checker accepts.
    fn acceptable(&mut self, input: &Ref) -> Option<tool_runtime::tool_schema::json::Json<'static>> {
        let json = self.make(input, &[], None, 0);
        (!self.is_stuck && accepts(&input.shape(), &json)).then_some(json)
    }
}
