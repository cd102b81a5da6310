//! The description of an input: [`Shape`].
//!
//! Schema, checker, suggestions, hints and examples are computed from it. The macros write it as `const` data, or it is created from a JSON
//! Schema at run time. This module only describes inputs; the functions that walk a shape are in `schema`, `check` and `hint`.

pub(crate) mod ambiguity;
mod cache;
pub(crate) mod const_loop;
mod edge;
mod format;
mod list;
mod node;
mod object;
mod policy;
mod rule;
mod rule_error;
pub(crate) mod satisfiable;
pub(crate) mod serde_buffer;
mod tag;
mod text;
pub(crate) mod types;
mod union;
pub(crate) mod verify;
pub(crate) mod walk;

pub(crate) use cache::Remembered;
pub(crate) use edge::MOST_HOPS;
pub use edge::{Ref, Resolved};
pub use format::StringFormat;
pub use list::List;
pub use node::{Identity, Kind, Precision, Shape};
pub use object::{Field, Object, UnknownKeys};
pub use policy::RepairPolicy;
pub use rule::{Custom, Length, Measure, Pattern, PatternMatcher, Range, Rule};
pub use rule_error::RuleError;
pub use text::Text;
pub(crate) use types::Types;
pub use union::{Tagging, Union, Variant};
