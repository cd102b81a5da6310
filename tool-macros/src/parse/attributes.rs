//! All settings of `#[tool(…)]` and `#[plugin_container(…)]`, for every kind of item.
//!
//! The table in `key.rs` lists which keys are allowed on which items, so only the fields of allowed keys can be filled.

use proc_macro2::{Ident, Span};
use syn::{LitStr, Member, Path, Type, WherePredicate};

use super::rule::RawRule;
use super::throttle::RawThrottle;
use crate::model::{Casing, Doc, Literal, Settings};

/// The raw settings of one item.
#[derive(Default)]
pub(crate) struct Attributes {
    /// The span of the first key, for an error about an item that takes no settings.
    pub(crate) first: Option<Span>,
    /// `description`, or else the `///` lines.
    pub(crate) doc: Doc,
    pub(super) description: Option<Doc>,
    pub(crate) undocumented: Option<Span>,
    /// `crate = ::path`
    pub(crate) runtime: Option<(Span, Path)>,
    pub(crate) bound: Option<Vec<WherePredicate>>,

    pub(crate) rules: Vec<RawRule>,
    /// The number of `inner(…)` levels that may still be nested here.
    pub(super) depth: usize,
    pub(crate) example: Option<Literal>,
    pub(crate) default: Option<(Span, Literal)>,
    pub(crate) default_fn: Option<(Span, Path)>,
    pub(crate) sensitive: Option<Span>,
    pub(crate) deprecated: Option<Span>,
    /// `true` if the item has Rust's own `#[deprecated]`. Unlike the key `deprecated`, it is also allowed on items where it has no effect
    /// on the schema.
    pub(crate) deprecated_in_rust: bool,
    pub(crate) hidden: Option<Span>,
    pub(crate) schemars: Option<Span>,
    /// `as = Type`: the user's function decodes the value, and the JSON has the form of this type.
    pub(crate) wire_type: Option<(Span, Type)>,
    pub(crate) rename: Option<LitStr>,
    pub(crate) aliases: Vec<LitStr>,
    pub(crate) enum_from: Option<(Span, Path)>,
    /// `available_if = path` of a parameter.
    pub(crate) shown_if: Option<(Span, Path)>,
    /// `description_from = path` of a parameter.
    pub(crate) described_from: Option<(Span, Path)>,
    /// `mcp_header = "…"`: the name of the HTTP header that repeats the value.
    pub(crate) header: Option<LitStr>,
    /// `flatten`: the fields of the type are the arguments.
    pub(crate) flatten: Option<Span>,
    /// `host`: the host supplies the value.
    pub(crate) host: Option<Span>,
    pub(crate) state: Option<Span>,
    pub(crate) context: Option<Span>,

    pub(crate) name: Option<LitStr>,
    /// `aliases("…")` of a tool.
    pub(crate) other_names: Option<Vec<LitStr>>,
    pub(crate) title: Option<LitStr>,
    pub(crate) icons: Option<Vec<LitStr>>,
    pub(crate) meta: Option<Literal>,
    pub(crate) type_name: Option<Ident>,
    pub(crate) settings: Settings,
    pub(crate) throttle: RawThrottle,

    pub(crate) instructions: Option<Doc>,
    pub(crate) instructions_from: Option<(Span, Path)>,
    pub(crate) system_prompt: Option<Doc>,
    pub(crate) system_prompt_from: Option<(Span, Path)>,
    pub(crate) rename_all: Option<Casing>,

    /// The kind of failure to which a variant of an error is mapped.
    pub(crate) kind: Option<Ident>,
    /// `field = "…"`: the argument that caused the error.
    pub(crate) argument: Option<(Ident, LitStr)>,
    /// `retry_after = name`: the field that contains the pause.
    pub(crate) pause: Option<(Ident, Member)>,
}
