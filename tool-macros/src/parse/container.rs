//! The attributes of a type that derives `ToolInput`, and of its variants.

use proc_macro2::Span;
use syn::parse::ParseStream;
use syn::punctuated::Punctuated;
use syn::{Attribute, LitStr, Path, Token, Type, WherePredicate};

use super::doc::{described_by, effective};
use super::entry::{entries, once};
use super::field::deprecated_in_rust;
use super::key::{Place, refuse_unknown};
use super::rule::{RawRule, RawRuleKind};
use crate::errors::Errors;
use crate::model::Doc;

/// What was written on a struct or enum.
#[derive(Default)]
pub(crate) struct ContainerAttributes {
    /// `custom` rules alone.
    pub(crate) rules: Vec<RawRule>,
    pub(crate) doc: Doc,
    pub(crate) undocumented: Option<Span>,
    pub(crate) runtime: Option<Path>,
    pub(crate) bound: Option<Vec<WherePredicate>>,
}

impl ContainerAttributes {
    /// Reads `#[tool(…)]` and the documentation.
    pub(crate) fn parse(attributes: &[Attribute], errors: &mut Errors) -> Self {
        let mut found = Self::default();
        let mut described = None;
        entries(attributes, errors, |entry, _| {
            let key = entry.key;
            match key.to_string().as_str() {
                "description" => described_by(entry, &mut described),
                "undocumented" => once(&mut found.undocumented, key, entry.flag()?),
                "crate" => once(&mut found.runtime, key, entry.value_with(absolute_path)?),
                "bound" => once(&mut found.bound, key, entry.value_with(predicates)?),
                "custom" => {
                    found.rules.push(RawRule { key: key.clone(), kind: RawRuleKind::Custom(entry.value()?) });
                    Ok(())
                }
                _ => Err(refuse_unknown(key, Place::Container)),
            }
        });
        found.doc = effective(described, attributes, errors);
        found
    }
}

/// What was written on a variant.
#[derive(Default)]
pub(crate) struct VariantAttributes {
    pub(crate) doc: Doc,
    pub(crate) deprecated: bool,
    pub(crate) hidden: bool,
    pub(crate) wire_type: Option<(Span, Type)>,
    /// The first key, whatever it says.
    pub(crate) first: Option<Span>,
}

impl VariantAttributes {
    /// Reads `#[tool(…)]`, `#[deprecated]` and the documentation.
    pub(crate) fn parse(attributes: &[Attribute], errors: &mut Errors) -> Self {
        let mut found = Self::default();
        let (mut described, mut deprecated, mut hidden) = (None, None, None);
        entries(attributes, errors, |entry, _| {
            let key = entry.key;
            found.first.get_or_insert(key.span());
            match key.to_string().as_str() {
                "description" => described_by(entry, &mut described),
                "deprecated" => once(&mut deprecated, key, entry.flag()?),
                "hidden" => once(&mut hidden, key, entry.flag()?),
                "as" => once(&mut found.wire_type, key, (key.span(), entry.value()?)),
                _ => Err(refuse_unknown(key, Place::Variant)),
            }
        });
        found.doc = effective(described, attributes, errors);
        found.deprecated = deprecated.is_some() || deprecated_in_rust(attributes);
        found.hidden = hidden.is_some();
        found
    }
}

/// A path that means the same wherever the generated code stands.
pub(crate) fn absolute_path(input: ParseStream<'_>) -> syn::Result<Path> {
    let path = Path::parse_mod_style(input)?;
    let first = path.segments.first().map(|segment| segment.ident.to_string());
    if path.leading_colon.is_some() || matches!(first.as_deref(), Some("crate" | "$crate")) {
        return Ok(path);
    }
    let shown = path.segments.iter().map(|segment| segment.ident.to_string()).collect::<Vec<_>>().join("::");
    Err(syn::Error::new_spanned(path, format!("only an absolute path holds everywhere: write `crate = ::{shown}`")))
}

fn predicates(input: ParseStream<'_>) -> syn::Result<Vec<WherePredicate>> {
    let text: LitStr = input.parse()?;
    let parsed = text.parse_with(Punctuated::<WherePredicate, Token![,]>::parse_terminated)?;
    Ok(parsed.into_iter().collect())
}
