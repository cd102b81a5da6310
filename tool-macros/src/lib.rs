//! Entry points.

mod check;
mod derive;
mod emit;
mod errors;
mod model;
mod parse;
mod plugin_container;
mod tool;

use proc_macro::TokenStream;

/// Describes a type to a model, beside `#[derive(Deserialize)]`.
#[proc_macro_derive(ToolInput, attributes(tool))]
pub fn derive_tool_input(item: TokenStream) -> TokenStream {
    derive::expand(item.into()).into()
}

/// Makes a function a tool that a model can call.
///
/// The function stays callable as it is. Beside it stands a unit struct, `GetWeatherTool` for `get_weather`, which is what a toolbox
/// takes (`builder.tool(GetWeatherTool)`) and what a test calls: `GetWeatherTool::decode(json)` gives the parameters as a struct with
/// public fields (`<GetWeatherTool as TypedTool>::Args`), `GetWeatherTool::run(arguments, &CallContext::test())` the answer.
///
/// Keys: `name`, `description` (a literal, a `const`, `include_str!`), `undocumented`, `type` (the struct's name), `crate`, `read_only`,
/// `destructive`, `idempotent`, `open_world` (alone or `= false`), `errors = "shown"` or `"hidden"`, `blocking`, `output_schema`,
/// `allow_unknown`.
///
/// On a parameter: every key of a field of [`macro@ToolInput`], and `rename`, `alias`, `default` (JSON, which is used and shown),
/// `default_fn` (a function, which is used), `state` (a `&T` from the toolbox or session), `context` (the `&CallContext`).
#[proc_macro_attribute]
pub fn tool(arguments: TokenStream, item: TokenStream) -> TokenStream {
    tool::expand(&arguments.into(), &item.into()).into()
}

/// Makes the methods of an `impl` block that are marked with `#[tool]` the members of a container.
///
/// The type becomes a `PluginContainer`, which `builder.container(…)` takes; each member gets a struct of its own, `MathAddTool` for
/// `add` of `Math`, with `decode` and `run(&math, arguments, &cx)`. That of a generic container repeats its parameters
/// (`StorePutTool::<u8>::decode(…)`) and is never made. Members take `&self` or nothing; methods without the mark stay as they are.
///
/// Keys: `name` (the type's name if absent), `description`, `undocumented`, `instructions` (shown on expansion), `rename_all` (of the
/// members), `crate`.
#[proc_macro_attribute]
pub fn plugin_container(arguments: TokenStream, item: TokenStream) -> TokenStream {
    plugin_container::expand(&arguments.into(), &item.into()).into()
}
