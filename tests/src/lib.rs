//! Shared code of the tests: JSON in its text form, values for a shape, and a fixer that only reads hints.
//!
//! The library is never compared with itself, but with crates of others: `serde`, `serde_json`, `jsonschema`, `schemars`.

mod cases;
pub mod deep;
pub mod dialects;
pub mod fixer;
pub mod fixtures;
pub mod generate;
pub mod obedient;
pub mod providers;
pub mod replay;
pub mod rows;
pub mod script;
pub mod source;
pub mod table;
pub mod tree;

pub use cases::cases;
/// Internals with their own tests.
pub use tool_runtime::__private_0_1_0 as private;

/// The examples of the macros need `tool-runtime`. A crate of macros that depended on it would have it built a second time.
#[cfg(doctest)]
mod of_macros {
    #[doc = include_str!("../../tool-macros/README.md")]
    struct Readme;
    #[doc = include_str!("../../tool-macros/docs/plugin-container.md")]
    struct PluginContainer;
    #[doc = include_str!("../../tool-macros/docs/tool.md")]
    struct Tool;
    #[doc = include_str!("../../tool-macros/docs/tool-failure.md")]
    struct ToolFailure;
    #[doc = include_str!("../../tool-macros/docs/tool-input.md")]
    struct ToolInput;
}
