//! A field of a struct or variant, or a parameter of a tool.

use proc_macro2::Span;
use syn::{Expr, Member, Type};

use super::{Literal, Policy, Rule};

/// A field or parameter that a model fills in.
#[expect(clippy::struct_excessive_bools, reason = "the settings are independent")]
pub(crate) struct Field {
    /// The Rust field.
    pub(crate) member: Member,
    /// The Rust type.
    pub(crate) ty: Type,
    /// The source of the shape of the value.
    pub(crate) description: Description,
    /// The key in the JSON.
    pub(crate) name: String,
    /// Other keys that are accepted.
    pub(crate) aliases: Vec<String>,
    /// The text for the model.
    pub(crate) doc: Doc,
    /// The rules on this field.
    pub(crate) rules: Vec<Rule>,
    /// `true` if an absent key has a default other than the one that the type itself provides.
    pub(crate) has_default: bool,
    /// `true` if the default is `None`.
    pub(crate) is_none_by_default: bool,
    /// `true` if `null` is another value than an absent key. For a parameter with a shape of its own, the type decides.
    pub(crate) distinct_null: bool,
    /// The default that the schema shows.
    pub(crate) default: Option<Literal>,
    /// An example value for schemas and hints.
    pub(crate) example: Option<Literal>,
    /// `true` if the keys of the type are part of the surrounding object.
    pub(crate) flatten: bool,
    /// `true` if the value is a secret.
    pub(crate) sensitive: bool,
    /// `true` if the schema marks the field as deprecated.
    pub(crate) deprecated: bool,
    /// The span of `hidden`. The key is accepted, but the schema does not contain it.
    pub(crate) hidden: Option<Span>,
    /// The repair policy of this field, if it differs from the tool's.
    pub(crate) repair: Option<Policy>,
}

/// The source of a field's shape.
pub(crate) enum Description {
    /// The Rust type itself, which implements `ToolInput`.
    Own,
    /// Another type, because the user's function decodes the value: `#[tool(as = Type)]`.
    As(Box<Type>),
    /// The Rust type itself, which implements `schemars::JsonSchema`.
    Schemars {
        /// `true` if the `Deserialize` impl of the type decodes the value, so that the checker can try it; `false` if the user's function
        /// does.
        decodes: bool,
    },
}

/// A text for the model.
#[derive(Default)]
pub(crate) enum Doc {
    /// There is no text.
    #[default]
    None,
    /// A text that is known when the macro is expanded.
    Text(String),
    /// The path of a `const`, or a macro such as `include_str!`, that the compiler evaluates.
    Expression(Expr),
}
