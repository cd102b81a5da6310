//! The macros of `tool-runtime`: entry points and their documentation, nothing else.
//!
//! Each is parse → check → model → emit: attributes are read with every mistake collected, checked against each other and against what
//! serde knows, and the checked model becomes `const` data and calls into `tool_runtime::__private`.

mod check;
mod derive;
mod emit;
mod errors;
mod group;
mod model;
mod parse;
mod plugin_container;
#[cfg(test)]
mod tests;
mod tool;
mod tool_failure;

use proc_macro::TokenStream;

/// Describes a type to a model, beside `#[derive(Deserialize)]`.
///
/// ```
/// use serde::Deserialize;
/// use tool_runtime::ToolInput;
///
/// /// A place to sleep.
/// #[derive(Deserialize, ToolInput)]
/// #[serde(deny_unknown_fields)]
/// struct Room {
///     /// Number of beds.
///     #[tool(range(min = 1, max = 4), example = 2)]
///     beds: u8,
///     /// Who sleeps there.
///     #[serde(default)]
///     #[tool(default = [], inner(length(min = 1)))]
///     guests: Vec<String>,
/// }
/// assert_eq!(Room::SHAPE.doc, "A place to sleep.");
/// assert!(!Room { beds: 9, guests: Vec::new() }.guard());
/// ```
///
/// Structs of every kind and enums in all four representations of serde are described, generic and recursive ones included. What
/// serde's own attributes say (`rename`, `default`, `flatten`, `tag`, …) is read as serde reads it and not said again.
///
/// # On a field
///
/// | `#[tool(…)]` | what it does |
/// | --- | --- |
/// | `length(min = 1, max = 80)`, `length(equal = 2)` | bounds characters of a string, items of an array, members of a map |
/// | `range(min = 1, exclusive_max = 2.5)` | bounds a number; also `max`, `exclusive_min` |
/// | `multiple_of = 0.5` | the number is a multiple |
/// | `pattern = "^[a-z]+$"` | the ECMA-262 pattern occurs in the string |
/// | `format = "date"` | the string is of the format |
/// | `unique_items` | no two items are equal |
/// | `inner(…)` | rules for each item of an array or each value of a map |
/// | `custom = path` | `fn(&T) -> Result<(), Rejection>` decides |
/// | `description = "…"` | stands for the `///` lines; a literal, the path of a `const`, or `include_str!` |
/// | `example = …`, `default = …` | a value as it stands in JSON; a default needs `#[serde(default)]` beside it |
/// | `sensitive` | the value is redacted wherever it is shown |
/// | `deprecated` | the schema says so; `#[deprecated]` does the same |
/// | `hidden` | accepted, but not in the schema |
/// | `repair = "strict"` | of what is refused here, nothing is read otherwise than it was written; also `"lossless"`, `"assisted"` |
/// | `undocumented` | says that no documentation is meant to be there; else its absence is an error |
/// | `schemars` | `schemars::JsonSchema` describes the type; add `#[serde(default)]` if the key may be absent |
/// | `as = Type` | beside `#[serde(with = "…")]`: the JSON looks like `Type` |
///
/// # On a struct, an enum, a variant
///
/// `description`, `custom = path` (run on the whole value) and `undocumented` (for all fields) stand on the type, as do
/// `crate = ::path` (the runtime under another name) and `bound = "T: …"` (in place of the inferred `T: ToolInput`). A variant takes
/// `description`, `deprecated`, `hidden` and `as`.
///
/// # What serde converts
///
/// A type with `#[serde(from = "…")]` or `#[serde(try_from = "…")]`, and a field with `as`, look like another type on the wire. That
/// type's rules hold: since they cannot be run on the converted value, its guard says no and the complete check of the JSON decides.
/// Such a call costs what a refused one costs.
///
/// # Errors
///
/// Every mistake is reported, each under the tokens that make it, with what to write instead; serde's mistakes are left to serde.
#[proc_macro_derive(ToolInput, attributes(tool))]
pub fn derive_tool_input(item: TokenStream) -> TokenStream {
    derive::expand(item.into(), check::default_runtime()).into()
}

/// Describes a type to a model without the tool runtime: exported by `tool-schema` as `ToolInput`.
///
/// It takes the same attributes as [`macro@ToolInput`] and generates the same code, except that the code names `::tool_schema` in place of
/// `::tool_runtime`.
#[proc_macro_derive(SchemaToolInput, attributes(tool))]
pub fn derive_schema_tool_input(item: TokenStream) -> TokenStream {
    derive::expand(item.into(), syn::parse_quote!(::tool_schema)).into()
}

/// Says of an error what each of its cases means for a call, beside `#[derive(thiserror::Error)]` or any other `Error`.
///
/// ```
/// use std::time::Duration;
/// use tool_runtime::failure::{ToolFailure as _, Treatment};
/// use tool_runtime::ToolFailure;
///
/// #[derive(Debug, thiserror::Error, ToolFailure)]
/// enum SearchError {
///     #[error("the index is being rebuilt")]
///     #[tool(unavailable)]
///     Rebuilding,
///     #[error("too many searches")]
///     #[tool(rate_limited, retry_after = pause)]
///     TooMany { pause: Duration },
///     #[error("the query is empty")]
///     #[tool(retry, field = "query")]
///     Empty,
///     #[error("not yours")]
///     Forbidden,
/// }
/// assert_eq!(SearchError::Rebuilding.treatment(), Treatment::unavailable());
/// assert_eq!(SearchError::Empty.treatment(), Treatment::retry().field("query"));
/// assert_eq!(SearchError::Forbidden.treatment(), Treatment::rejected());
/// ```
///
/// | `#[tool(…)]` on a variant, or on a struct | the call is answered with | `recovery` |
/// | --- | --- | --- |
/// | nothing, or `rejected` | `tool_error` | `replan` |
/// | `retry` | `tool_error` | `correct_call` |
/// | `unavailable`, `rate_limited`, `timeout` | the same name | `replan` |
/// | `internal` | `internal_error`; the model reads nothing of the error | `replan` |
/// | `field = "…"` | with `rejected` and `retry`: the argument at fault | |
/// | `retry_after = field` | with `unavailable`, `rate_limited`, `timeout`: the field of the variant that holds the pause, a `Duration` or an `Option` of one; in a tuple its number | |
///
/// A tool that returns `Result<T, E>` with such an error is answered for accordingly. Its words are those of any other error: its `Display`,
/// unless errors are hidden. `crate = ::path` on the type names the runtime where it has another name.
///
/// # Errors
///
/// Every mistake is reported, each under the tokens that make it, with what to write instead.
#[proc_macro_derive(ToolFailure, attributes(tool))]
pub fn derive_tool_failure(item: TokenStream) -> TokenStream {
    tool_failure::expand(item.into()).into()
}

/// Makes a function a tool that a model can call.
///
/// ```
/// use tool_runtime::{CallContext, TypedTool, tool};
///
/// /// Current weather for a city.
/// #[tool(read_only)]
/// fn get_weather(
///     /// City and country.
///     #[tool(length(min = 1, max = 80), example = "Paris, France")]
///     location: String,
///     /// Days of forecast.
///     #[tool(range(min = 1, max = 14), default = 1)]
///     days: u8,
/// ) -> String {
///     format!("{days} days of sun in {location}")
/// }
///
/// assert_eq!(GetWeatherTool::SPEC.description, "Current weather for a city.");
/// let arguments = GetWeatherTool::decode(r#"{"location": "Paris"}"#)?;
/// assert_eq!(arguments.days, 1);
/// let answer = GetWeatherTool::run(arguments, &CallContext::test());
/// assert!(answer.is_ok_and(|payload| payload.as_str() == "1 days of sun in Paris"));
/// assert!(GetWeatherTool::decode(r#"{"location": "", "days": 30}"#).is_err());
/// # Ok::<(), tool_runtime::ValidationError>(())
/// ```
///
/// # What goes in
///
/// A free function, sync or async; a method inside [`macro@plugin_container`]. Its parameters have names and owned types: those of std, those
/// that derive [`macro@ToolInput`], any other with `#[tool(schemars)]`. The `///` lines are what the model reads, of the function and
/// of each parameter. It returns nothing, a value that is `Serialize`, or a `Result` of either, whose error is anything that fits into
/// `Box<dyn Error + Send + Sync>`: `ToolError` says what the model should do, of others it reads the `Display` in one line.
///
/// # What comes out
///
/// The function is emitted as you wrote it, without our own attributes, and stays callable. Beside it stands a unit struct, `GetWeatherTool` for `get_weather`, which is what a toolbox
/// takes (`builder.tool(GetWeatherTool)`) and what a test calls: `GetWeatherTool::decode(json)` gives the parameters as a struct with
/// public fields (`<GetWeatherTool as TypedTool>::Args`; there is no other way to make one), `GetWeatherTool::run(arguments, &CallContext::test())` the answer.
///
/// Schema, check and hints all come from the one description that is in the binary as `const` data: the types of the parameters, with
/// their own rules, and the rules that stand on the parameters. Unknown keys are refused.
///
/// # Keys
///
/// On the function: `name`, `description` (a literal, a `const`, `include_str!`), `undocumented`, `type` (the struct's name), `crate`, `read_only`,
/// `destructive`, `idempotent`, `open_world` (alone or `= false`), `errors = "shown"` or `"hidden"`, `blocking`, `output_schema`,
/// `sequential` (in a batch it runs alone), `timeout_ms = 5_000`, `retry(attempts = 3)` (for an idempotent tool), `allow_unknown`, `repair = "strict"`, `"lossless"` or `"assisted"` (how much of refused arguments may be read otherwise than it was written),
/// `available_if` (a function of the state that says whether the tool is there), `description_from` (one that describes it).
///
/// On a parameter: every key of a field of [`macro@ToolInput`], and `rename`, `alias`, `default` (JSON, which is used and shown),
/// `default_fn` (a function, which is used), `enum_from` (a function of the state that gives the names), `available_if` and `description_from` (as above, for the parameter), `state` (a `&T` from the toolbox or session), `context` (the `&CallContext`). The page
/// `attributes` in the guides of `tool-runtime` says of each what it does to the schema, the check and the hint.
///
/// # Errors
///
/// Every mistake is reported, each under the tokens that make it, with the text to write instead: borrowed and generic parameters, patterns,
/// a receiver outside a container, a key that is unknown or has no effect, silence about the function or a parameter, a default or an
/// example that the parameter refuses. What the compiler cannot see is an error of `Toolbox::builder().build()`, which names tool and field.
#[proc_macro_attribute]
pub fn tool(arguments: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(&arguments.into(), &item.into()).into()
}

/// Makes the methods of an `impl` block that are marked with `#[tool]` the members of a container.
///
/// ```
/// use tool_runtime::{CallContext, Toolbox, plugin_container, tool};
///
/// struct Math;
///
/// /// Arithmetic on numbers.
/// #[plugin_container]
/// impl Math {
///     /// Add two numbers.
///     #[tool]
///     fn add(
///         &self,
///         /// First summand.
///         a: f64,
///         /// Second summand.
///         b: f64,
///     ) -> f64 {
///         a + b
///     }
/// }
///
/// let arguments = MathAddTool::decode(r#"{"a": 1, "b": 2}"#)?;
/// let answer = MathAddTool::run(&Math, arguments, &CallContext::test());
/// assert!(answer.is_ok_and(|payload| payload.as_str() == "3.0"));
/// assert!(Toolbox::builder().container(Math).build().is_ok());
/// # Ok::<(), tool_runtime::ValidationError>(())
/// ```
///
/// The type becomes a `PluginContainer`, which `builder.container(…)` takes; each member gets a struct of its own, `MathAddTool` for
/// `add` of `Math`, with `decode` and `run(&math, arguments, &cx)`. That of a generic container repeats its parameters
/// (`StorePutTool::<u8>::decode(…)`) and is never made. Members take `&self` or nothing; methods without the mark stay as they are.
///
/// The mark is `#[tool]` by that name, `#[tool_runtime::tool]`, or the `tool` of the path that `crate = …` gives. The `tool` attribute of another
/// crate (`#[rmcp::tool]`) is left to that crate.
///
/// # Keys
///
/// On the block: `name` (the type's name if absent), `description`, `undocumented`, `instructions` (shown on expansion), `system_prompt` (shown while it is
/// expanded), `instructions_from` and `system_prompt_from` (functions of the state that give them), `rename_all` (of the
/// members), `crate`. A member's keys are those of [`macro@tool`].
///
/// # Errors
///
/// Every mistake is reported, each under the tokens that make it: a trait's block, a block without tools or without a description, `&mut self`,
/// two members of one name, and whatever [`macro@tool`] refuses of a member. A name that another container or tool has is an error of
/// `Toolbox::builder().build()`.
#[proc_macro_attribute]
pub fn plugin_container(arguments: TokenStream, item: TokenStream) -> TokenStream {
    plugin_container::expand(&arguments.into(), &item.into()).into()
}

/// The example of the README is compiled like any other.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
