//! The type of the functions with which a session decodes arguments before a tool runs: [`DecodeFn`].

use crate::context::DecodedArguments;
use crate::decode::Rejected;
use crate::input::Arguments;

/// A function that decodes the arguments of a tool without running it, or rejects them with every issue.
///
/// ```
/// use tool_runtime::{TypedTool, tool};
/// use tool_runtime::tool::DecodeFn;
///
/// /// Waits.
/// #[tool]
/// fn wait(
///     /// How long.
///     seconds: u8,
/// ) {
///     let _ = seconds;
/// }
///
/// let decode: DecodeFn = WaitTool::SPEC.decode.ok_or("a tool of a function has one")?;
/// assert!(decode(&r#"{"seconds": 3}"#.into()).is_ok());
/// assert!(decode(&r#"{"seconds": 300}"#.into()).is_err_and(|rejected| rejected.error().issues().len() == 1));
/// # Ok::<(), &str>(())
/// ```
pub type DecodeFn = for<'a> fn(&Arguments<'a>) -> Result<DecodedArguments, Box<Rejected<'a>>>;
