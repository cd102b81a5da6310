//! The entry points of the macros of `tool-runtime`, with their documentation.
//!
//! Each macro is a pipeline: parse → check → model → emit. It parses the attributes, checks that they fit each other and serde's
//! attributes, and turns the checked model into `const` data and calls of the runtime's private module. All mistakes are collected and
//! reported together.

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

/// Describes a type to a model. Derive it together with `Deserialize`.
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
/// The derive supports structs of every kind, and enums in all four representations of serde. The types may be generic and recursive.
/// serde's own attributes (`rename`, `default`, `flatten`, `tag`, …) have their usual meaning and need not be repeated.
///
/// # On a field
///
/// | `#[tool(…)]` | what it does |
/// | --- | --- |
/// | `length(min = 1, max = 80)`, `length(equal = 2)` | limits the characters of a string, the items of an array or the members of a map |
/// | `range(min = 1, exclusive_max = 2.5)` | limits a number; `max` and `exclusive_min` are also possible |
/// | `multiple_of = 0.5` | requires a multiple of this number |
/// | `pattern = "^[a-z]+$"` | requires a string in which the ECMA-262 pattern occurs |
/// | `format = "date"` | requires a string of this format |
/// | `unique_items` | requires that no two items are equal |
/// | `inner(…)` | applies rules to each item of an array or each value of a map |
/// | `custom = path` | calls the function at the path, a `fn(&T) -> Result<(), Rejection>`, which accepts or refuses the value |
/// | `description = "…"` | replaces the `///` lines; takes a literal, the path of a `const`, or `include_str!` |
/// | `example = …`, `default = …` | shows a JSON value in the schema; a default also needs `#[serde(default)]` |
/// | `sensitive` | redacts the value wherever it is shown |
/// | `deprecated` | marks the field as deprecated in the schema; so does `#[deprecated]` |
/// | `hidden` | accepts the field, but does not show it in the schema |
/// | `repair = "strict"` | sets which repairs of rejected values of this field are allowed: `"strict"` (none), `"lossless"` or `"assisted"` |
/// | `undocumented` | allows the field to have no documentation, which is an error otherwise |
/// | `schemars` | describes the type by `schemars::JsonSchema`; add `#[serde(default)]` if the key may be absent |
/// | `as = Type` | declares that the JSON of a field with `#[serde(with = "…")]` has the form of `Type` |
///
/// # On a struct, an enum, a variant
///
/// Types take `description`, `custom = path` (checks the whole value), `undocumented` (for all fields), `crate = ::path` (the path of the
/// runtime crate if it is renamed) and `bound = "T: …"` (replaces the inferred `T: ToolInput`). A variant takes `description`,
/// `deprecated`, `hidden` and `as`.
///
/// # Converted types
///
/// A type with `#[serde(from = "…")]` or `#[serde(try_from = "…")]`, and a field with `as`, have the JSON form of another type, and the
/// rules of that type apply. These rules cannot run on the converted value. Therefore, the JSON of every call with such a type goes through
/// the complete check, which costs as much as checking a rejected call.
///
/// # Errors
///
/// Every mistake is reported at the tokens that cause it, with the text to write instead. serde's derive reports mistakes in serde's
/// attributes.
#[proc_macro_derive(ToolInput, attributes(tool))]
pub fn derive_tool_input(item: TokenStream) -> TokenStream {
    derive::expand(item.into(), check::default_runtime()).into()
}

/// Describes a type to a model without the tool runtime. `tool-schema` exports this macro as `ToolInput`.
///
/// It takes the same attributes as [`macro@ToolInput`] and generates the same code, except that the code names `::tool_schema` instead of
/// `::tool_runtime`.
#[proc_macro_derive(SchemaToolInput, attributes(tool))]
pub fn derive_schema_tool_input(item: TokenStream) -> TokenStream {
    derive::expand(item.into(), syn::parse_quote!(::tool_schema)).into()
}

/// Maps each variant of an error type to how the failed call is reported to the model.
///
/// Derive it together with `thiserror::Error`, or on any other type that implements `Error`.
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
/// | `#[tool(…)]` on a variant, or on a struct | error name in the answer | `recovery` |
/// | --- | --- | --- |
/// | nothing, or `rejected` | `tool_error` | `replan` |
/// | `retry` | `tool_error` | `correct_call` |
/// | `unavailable`, `rate_limited`, `timeout` | `unavailable`, `rate_limited`, `timeout` | `replan` |
/// | `internal` | `internal_error`; the error text is hidden from the model | `replan` |
/// | `field = "…"`, with `rejected` or `retry` | names the argument that caused the error | |
/// | `retry_after = field`, with `unavailable`, `rate_limited` or `timeout` | takes the pause from this field of the variant, a `Duration` or an `Option<Duration>`; in a tuple variant, write the number of the field | |
///
/// The mapping applies to every tool that returns `Result<T, E>` with such an error type as `E`. As with any other error, the model reads
/// its `Display` text, unless errors are hidden. If the runtime crate is renamed, write its path as `crate = ::path` on the type.
///
/// # Errors
///
/// Every mistake is reported at the tokens that cause it, with the text to write instead.
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
/// # Input
///
/// `#[tool]` accepts free functions, sync or async, and methods inside [`macro@plugin_container`]. Every parameter has a name and an owned
/// type: a type of std, a type that derives [`macro@ToolInput`], or any other type with `#[tool(schemars)]`. The model reads the `///`
/// lines of the function and of each parameter. The function returns nothing, a `Serialize` value, or a `Result` with one of these. The
/// error type is any type that converts into `Box<dyn Error + Send + Sync>`. A `ToolError` tells the model what to do; for any other error,
/// the model reads the `Display` text in one line.
///
/// # Output
///
/// The macro emits the function unchanged, except for its own attributes, so you can still call it. It also emits a unit struct,
/// `GetWeatherTool` for `get_weather`. You register the struct with a toolbox (`builder.tool(GetWeatherTool)`) and use it in tests:
/// `GetWeatherTool::decode(json)` returns the parameters as a struct with public fields (`<GetWeatherTool as TypedTool>::Args`, which has
/// no other constructor), and `GetWeatherTool::run(arguments, &CallContext::test())` returns the answer.
///
/// The schema, the check and the hints are made from one description, which is stored in the binary as `const` data. It contains the types
/// of the parameters with their own rules, and the rules on the parameters. Unknown keys are refused.
///
/// # Keys
///
/// On the function:
///
/// - names and texts: `name`, `description` (a literal, a `const`, `include_str!`), `undocumented`, `type` (the struct's name), `crate`
/// - effects of the tool: `read_only`, `destructive`, `idempotent` and `open_world` (each alone or with `= false`)
/// - how calls run: `blocking`, `sequential` (runs alone in a batch), `timeout_ms = 5_000`, `retry(attempts = 3)` (for an idempotent tool)
/// - arguments and answers: `allow_unknown`, `repair = "strict"`, `"lossless"` or `"assisted"` (which repairs of rejected arguments are
///   allowed), `output_schema`, `errors = "shown"` or `"hidden"`
/// - functions of a state: `available_if` (decides whether the tool is available), `description_from` (returns the description)
///
/// On a parameter, every key of a field of [`macro@ToolInput`], and:
///
/// - `rename`, `alias`
/// - `default` (a JSON value, which is used and shown in the schema), `default_fn` (a function that returns the default)
/// - functions of a state: `enum_from` (returns the allowed values), `available_if` and `description_from` (for the parameter)
/// - `mcp_header` (the HTTP header in which MCP clients repeat the value)
/// - `state` (a `&T` from the toolbox or session), `context` (the `&CallContext`)
///
/// The pages `attributes` and `tool_attributes` in the guides of `tool-runtime` describe the effect of each key on the schema, the check and
/// the hint.
///
/// # Errors
///
/// Every mistake is reported at the tokens that cause it, with the text to write instead. For example, these are mistakes: a borrowed or
/// generic parameter, a pattern in place of a parameter's name, a receiver outside of a container, a key that is unknown or has no effect,
/// a missing description of the function or a parameter, a default or an example that the parameter refuses. `Toolbox::builder().build()`
/// reports mistakes that the compiler cannot see, and names the tool and the field.
#[proc_macro_attribute]
pub fn tool(arguments: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(&arguments.into(), &item.into()).into()
}

/// Turns the methods of an `impl` block that are marked with `#[tool]` into the members of a container.
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
/// let session = Toolbox::builder().container(Math).build()?.session();
/// assert_eq!(session.tools()[0].name(), "Math");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// The type implements `PluginContainer`, which `builder.container(…)` takes. Each member gets a struct of its own, `MathAddTool` for `add`
/// of `Math`, with `decode` and `run(&math, arguments, &cx)`. For a generic container, the struct repeats the container's generic
/// parameters (`StorePutTool::<u8>::decode(…)`) and is never constructed. Members take `&self` or no receiver. Methods that are not marked
/// stay unchanged.
///
/// A method is marked with `#[tool]`, with `#[tool_runtime::tool]`, or with `tool` under the path given by `crate = …`. The `tool`
/// attribute of another crate (`#[rmcp::tool]`) is left to that crate.
///
/// # Keys
///
/// On the block: `name` (the type's name by default), `description`, `undocumented`, `instructions` (shown when the container is expanded),
/// `system_prompt` (added to the system prompt while the container is expanded), `instructions_from` and `system_prompt_from` (functions
/// that compute these texts from a state), `rename_all` (for the names of the members), `crate`. A member's keys are those of
/// [`macro@tool`].
///
/// # Errors
///
/// Every mistake is reported at the tokens that cause it. These are mistakes: a trait impl, a block without tools or without a description,
/// `&mut self`, two members with the same name, and everything that [`macro@tool`] refuses. `Toolbox::builder().build()` reports a name
/// that another container or tool already has.
#[proc_macro_attribute]
pub fn plugin_container(arguments: TokenStream, item: TokenStream) -> TokenStream {
    plugin_container::expand(&arguments.into(), &item.into()).into()
}

/// The README's example, compiled as a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
