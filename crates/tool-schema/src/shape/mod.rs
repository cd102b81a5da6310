//! The description of an input: [`Shape`].
//!
//! Schema, checker, suggestions, hints and examples are computed from it. The macros write it as `const` data, or it is created from a JSON
//! Schema at run time. This module only describes inputs; the functions that walk a shape are in `schema`, `check` and `hint`.

pub(crate) mod accepted_types;
pub(crate) mod ambiguity;
pub(crate) mod const_loop;
mod edge;
mod format;
mod node;
mod object;
mod repair_policy;
mod rule;
mod rule_error;
pub(crate) mod satisfiable;
pub(crate) mod serde_buffer;
mod shared_slice;
mod tag_shape;
mod text;
mod type_cache;
mod union;
pub(crate) mod verify_literal;
pub(crate) mod walk;

pub(crate) use accepted_types::AcceptedTypes;
pub(crate) use edge::MOST_HOPS;
pub use edge::{Ref, Resolved};
pub use format::StringFormat;
pub use node::{Identity, Kind, Precision, Shape};
pub use object::{Field, Object, UnknownKeys};
pub use repair_policy::RepairPolicy;
pub use rule::{Custom, Length, Measure, Pattern, PatternMatcher, Range, Rule};
pub use rule_error::CustomRuleError;
pub use shared_slice::SharedSlice;
pub use text::Text;
pub(crate) use type_cache::TypeCache;
pub use union::{Tagging, Union, Variant};
