//! The attributes of one place that a model fills in: a field, or a parameter of a tool.
//!
//! In come the attributes of a field or parameter; out goes every setting once, with its span where a later check may refuse it.

use proc_macro2::Span;
use syn::{Attribute, LitStr, Path, Type};

use super::doc::{described_by, effective};
use super::entry::{Entry, entries, once};
use super::function::policy;
use super::key::{Place, refuse_unknown};
use super::literal::literal;
use super::rule::{RawRule, rules};
use crate::errors::Errors;
use crate::model::{Doc, Literal, Policy};

/// What was written on a field or parameter.
#[derive(Default)]
pub(crate) struct FieldAttributes {
    pub(crate) rules: Vec<RawRule>,
    /// `description`, else the `///` lines.
    pub(crate) doc: Doc,
    pub(crate) example: Option<Literal>,
    pub(crate) default: Option<(Span, Literal)>,
    pub(crate) default_fn: Option<(Span, Path)>,
    pub(crate) sensitive: Option<Span>,
    pub(crate) deprecated: Option<Span>,
    /// Rust's own `#[deprecated]`, which may stand where ours has no effect.
    pub(crate) deprecated_in_rust: bool,
    pub(crate) hidden: Option<Span>,
    pub(crate) undocumented: Option<Span>,
    pub(crate) repair: Option<(Span, Policy)>,
    pub(crate) schemars: Option<Span>,
    /// `as = Type`: a function of the user's decodes the value, and the wire looks like this type.
    pub(crate) wire_type: Option<(Span, Type)>,
    pub(crate) rename: Option<LitStr>,
    pub(crate) aliases: Vec<LitStr>,
    pub(crate) enum_from: Option<(Span, Path)>,
    pub(crate) state: Option<Span>,
    pub(crate) context: Option<Span>,
    /// The first key, whatever it says: where an error about a place that has no settings sits.
    pub(crate) first: Option<Span>,
}

impl FieldAttributes {
    /// Reads `#[tool(…)]`, `#[deprecated]` and the documentation.
    pub(crate) fn parse(attributes: &[Attribute], place: Place, errors: &mut Errors) -> Self {
        let mut found = Self::default();
        let mut described = None;
        entries(attributes, errors, |entry, errors| {
            found.first.get_or_insert(entry.key.span());
            if rules(entry, &mut found.rules, errors)? {
                return Ok(());
            }
            if entry.key == "description" {
                return described_by(entry, &mut described);
            }
            if found.setting(entry)? || (place == Place::Parameter && found.parameter_setting(entry)?) {
                return Ok(());
            }
            if entry.key == "as" && place == Place::Field {
                return once(&mut found.wire_type, entry.key, (entry.key.span(), entry.value()?));
            }
            Err(refuse_unknown(entry.key, place))
        });
        found.deprecated_in_rust = deprecated_in_rust(attributes);
        found.doc = effective(described, attributes, errors);
        found
    }

    /// A setting that fields and parameters share; `false` if the key is none.
    fn setting(&mut self, entry: &Entry<'_, '_>) -> syn::Result<bool> {
        let key = entry.key;
        match key.to_string().as_str() {
            "example" => once(&mut self.example, key, entry.value_with(literal)?)?,
            "default" => once(&mut self.default, key, (key.span(), entry.value_with(literal)?))?,
            "sensitive" => once(&mut self.sensitive, key, entry.flag()?)?,
            "deprecated" => once(&mut self.deprecated, key, entry.flag()?)?,
            "hidden" => once(&mut self.hidden, key, entry.flag()?)?,
            "repair" => once(&mut self.repair, key, (key.span(), policy(&entry.value()?)?))?,
            "undocumented" => once(&mut self.undocumented, key, entry.flag()?)?,
            "schemars" => once(&mut self.schemars, key, entry.flag()?)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A setting that serde has for fields and only parameters need from us; `false` if the key is none.
    fn parameter_setting(&mut self, entry: &Entry<'_, '_>) -> syn::Result<bool> {
        let key = entry.key;
        match key.to_string().as_str() {
            "default_fn" => once(&mut self.default_fn, key, (key.span(), entry.value()?))?,
            "enum_from" => once(&mut self.enum_from, key, (key.span(), entry.value()?))?,
            "rename" => once(&mut self.rename, key, entry.value()?)?,
            "alias" => self.aliases.push(entry.value()?),
            "state" => once(&mut self.state, key, entry.flag()?)?,
            "context" => once(&mut self.context, key, entry.flag()?)?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// Whether `#[deprecated]` is there, which rustc reads too.
pub(super) fn deprecated_in_rust(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident("deprecated"))
}
