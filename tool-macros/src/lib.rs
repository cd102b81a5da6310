//! The macros of `tool-runtime`: entry points and their documentation, nothing else.
//!
//! Each is parse → model → check → emit: attributes are read with every mistake collected, checked against each other and against what
//! serde knows, and the checked model becomes `const` data and calls into `tool_runtime::__private`.

mod check;
mod derive;
mod emit;
mod errors;
mod model;
mod parse;
#[cfg(test)]
mod tests;

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
    derive::expand(item.into()).into()
}
