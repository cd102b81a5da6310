//! Joins the `///` lines of an item into one text, with its Markdown unchanged.

use quote::quote;
use syn::{Attribute, Expr, ExprLit, Lit, Meta, parse_quote};

use super::entry::{Entry, once};
use crate::errors::Errors;
use crate::model::Doc;
use crate::ungroup::ungrouped_expression;

/// Returns the documentation of an item. A `#[doc = include_str!("…")]` is left to the compiler to expand.
pub(crate) fn documentation(attributes: &[Attribute]) -> Doc {
    let values = attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => Some(&pair.value),
        _ => None,
    });
    let mut parts = Vec::new();
    for value in values {
        match (ungrouped_expression(value.clone()), parts.last_mut()) {
            (Expr::Lit(ExprLit { lit: Lit::Str(text), .. }), Some(Part::Lines(lines))) => {
                lines.extend(lines_of(&text.value()));
            }
            (Expr::Lit(ExprLit { lit: Lit::Str(text), .. }), _) => parts.push(Part::Lines(lines_of(&text.value()))),
            (other, _) => parts.push(Part::Included(other)),
        }
    }
    joined(parts)
}

/// A part of documentation.
enum Part {
    Lines(Vec<String>),
    /// A macro that the compiler expands.
    Included(Expr),
}

/// Joins the parts with line breaks, like rustdoc.
fn joined(mut parts: Vec<Part>) -> Doc {
    parts.retain(|part| !matches!(part, Part::Lines(lines) if lines.iter().all(|line| line.trim().is_empty())));
    match parts.as_mut_slice() {
        [] => Doc::None,
        [Part::Lines(lines)] => Doc::Text(lines.join("\n").trim().to_owned()),
        [Part::Included(expression)] => Doc::Expression(expression.clone()),
        several => {
            let parts = several.iter().enumerate().map(|(index, part)| {
                let above = (index > 0).then(|| quote!("\n",));
                match part {
                    Part::Lines(lines) => {
                        let text = lines.join("\n");
                        quote!(#above #text)
                    }
                    Part::Included(expression) => quote!(#above #expression),
                }
            });
            Doc::Expression(parse_quote!(::core::concat!(#(#parts),*)))
        }
    }
}

/// Returns the lines of a doc attribute: one line for `///`, or the lines of a `/** … */` comment without the spaces and the `*` in front
/// of each line.
fn lines_of(text: &str) -> Vec<String> {
    let Some((first, rest)) = text.split_once('\n') else { return vec![unindented(text)] };
    let is_filled = |line: &&str| !line.trim().is_empty();
    let is_starred =
        rest.split('\n').filter(is_filled).all(|line| line.starts_with(' ') && line.trim_start().starts_with('*'));
    let unstarred = |line| if is_starred { str::trim_start(line).strip_prefix('*').unwrap_or_default() } else { line };
    let rest: Vec<&str> = rest.split('\n').map(unstarred).collect();
    let indentation = |line: &&str| line.len() - line.trim_start_matches(' ').len();
    let margin = rest.iter().copied().filter(is_filled).map(|line| indentation(&line)).min().unwrap_or(0);
    let rest = rest.iter().map(|line| line.get(margin..).unwrap_or_default().trim_end().to_owned());
    std::iter::once(unindented(first)).chain(rest).collect()
}

/// Removes the space after `///`; deeper indentation belongs to the Markdown.
fn unindented(line: &str) -> String {
    line.strip_prefix(' ').unwrap_or(line).trim_end().to_owned()
}

/// The maximum length of a description.
const LONGEST: usize = 1_024;

/// Parses `description = …`. If there is an error, stores an empty text instead of none, so that the item is not also reported as
/// undocumented.
pub(super) fn described_by(entry: &Entry<'_, '_>, described: &mut Option<Doc>) -> syn::Result<()> {
    let doc = entry.value().and_then(description);
    let (doc, result) = doc.map_or_else(|error| (Doc::Text(String::new()), Err(error)), |doc| (doc, Ok(())));
    result.and(once(described, entry.key, doc))
}

/// Parses a literal, the path of a `const`, or a macro such as `include_str!`.
fn description(value: Expr) -> syn::Result<Doc> {
    match ungrouped_expression(value) {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
            too_long(&text.value()).map_or(Ok(()), |message| Err(syn::Error::new(text.span(), message)))?;
            Ok(Doc::Text(text.value()))
        }
        value @ (Expr::Path(_) | Expr::Macro(_)) => Ok(Doc::Expression(value)),
        other => Err(syn::Error::new_spanned(
            other,
            "write the description as a literal, as the path of a `const`, or as `include_str!(\"…\")`",
        )),
    }
}

/// Returns the `description`, or else the `///` lines; notes an error if these are too long.
pub(super) fn effective(described: Option<Doc>, attributes: &[Attribute], errors: &mut Errors) -> Doc {
    let doc = described.unwrap_or_else(|| documentation(attributes));
    if let Doc::Text(text) = &doc
        && let Some(message) = too_long(text)
        && let Some(first) = attributes.iter().find(|attribute| attribute.path().is_ident("doc"))
    {
        errors.on(first, message);
    }
    doc
}

/// Returns `true` if there is a `#[deprecated]`, which rustc also uses.
pub(super) fn deprecated_in_rust(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| attribute.path().is_ident("deprecated"))
}

fn too_long(text: &str) -> Option<String> {
    let length = text.chars().count();
    (length > LONGEST).then(|| {
        format!("a description has at most {LONGEST} characters, and this one has {length}: write a shorter one with `#[tool(description = \"…\")]`")
    })
}
