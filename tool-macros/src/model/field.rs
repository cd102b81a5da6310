//! One place that a model fills in: a field of a struct or variant, or a parameter of a tool.

use proc_macro2::Span;
use syn::{Expr, Member, Type};

use super::{Literal, Policy, Rule};

/// One place that a model fills in.
#[expect(clippy::struct_excessive_bools, reason = "each says something of its own")]
pub(crate) struct Field {
    /// The Rust field.
    pub(crate) member: Member,
    /// The Rust type.
    pub(crate) ty: Type,
    /// Where the shape comes from.
    pub(crate) description: Description,
    /// The key on the wire.
    pub(crate) name: String,
    /// Other keys that are accepted.
    pub(crate) aliases: Vec<String>,
    /// What the value means.
    pub(crate) doc: Doc,
    /// What the value must satisfy at this place.
    pub(crate) rules: Vec<Rule>,
    /// Whether something else than the type fills the place when the key is absent.
    pub(crate) has_default: bool,
    /// The value is `None`, the default of the type `Option`.
    pub(crate) is_none_by_default: bool,
    /// What the schema says is used when the key is absent.
    pub(crate) default: Option<Literal>,
    /// A value for schemas and hints.
    pub(crate) example: Option<Literal>,
    /// The keys of the type stand beside those of this object.
    pub(crate) flatten: bool,
    /// The value is a secret.
    pub(crate) sensitive: bool,
    /// The schema says so.
    pub(crate) deprecated: bool,
    /// Accepted, but not in the schema; where that stands.
    pub(crate) hidden: Option<Span>,
    /// What may be read otherwise than it was written, where that is not for the tool to say.
    pub(crate) repair: Option<Policy>,
}

/// Where the shape of a place comes from.
pub(crate) enum Description {
    /// From the Rust type, through `ToolInput`.
    Own,
    /// From another type, because a function of the user's decodes the value: `#[tool(as = Type)]`.
    As(Box<Type>),
    /// From `schemars::JsonSchema` of the Rust type.
    Schemars {
        /// The type decodes itself, so that the checker can ask it; not so where a function of the user's decodes the value.
        decodes: bool,
    },
}

/// A text for the model.
#[derive(Default)]
pub(crate) enum Doc {
    /// Nothing was said.
    #[default]
    None,
    /// Known at expansion.
    Text(String),
    /// A `const`, or a macro such as `include_str!`.
    Expression(Expr),
}
