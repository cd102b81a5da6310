//! Keys of JSON Schema, of MCP and of other crates, and the text to write instead of each.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, ExprParen, Ident, Lit, Meta, RangeLimits, Token};

use super::entry::{Entry, rest_of_entry};
use super::item_kind::Place::{self, Case, Error, Function, Inner, Parameter, Variant};
use super::keyword::fold;

/// The text to write instead of a foreign key.
enum Instead {
    /// Another key with the same value.
    Key(&'static str),
    /// A key without a value.
    Mark(&'static str),
    /// A bound in the list of a rule.
    Bound(&'static str, &'static str),
    /// A sentence.
    Advice(&'static str),
}
use Instead::{Advice, Bound, Key, Mark};

const A_SET_OF_VALUES: &str = "a fixed set of values is an enum: write `#[derive(serde::Deserialize, tool_runtime::ToolInput)]` above a Rust \
     enum, and use it as the type";

/// The foreign keys in lower case, without `_`.
const FOREIGN: &[(&str, Instead)] = &[
    ("desc", Key("description")),
    ("doc", Key("description")),
    ("help", Key("description")),
    ("regex", Key("pattern")),
    ("secret", Mark("sensitive")),
    ("redact", Mark("sensitive")),
    ("min", Bound("range", "min")),
    ("max", Bound("range", "max")),
    ("minimum", Bound("range", "min")),
    ("maximum", Bound("range", "max")),
    ("exclusiveminimum", Bound("range", "exclusive_min")),
    ("exclusivemaximum", Bound("range", "exclusive_max")),
    ("ge", Bound("range", "min")),
    ("le", Bound("range", "max")),
    ("gt", Bound("range", "exclusive_min")),
    ("lt", Bound("range", "exclusive_max")),
    ("minlength", Bound("length", "min")),
    ("maxlength", Bound("length", "max")),
    ("minitems", Bound("length", "min")),
    ("maxitems", Bound("length", "max")),
    ("minproperties", Bound("length", "min")),
    ("maxproperties", Bound("length", "max")),
    ("len", Bound("length", "equal")),
    ("readonlyhint", Key("read_only")),
    ("destructivehint", Key("destructive")),
    ("idempotenthint", Key("idempotent")),
    ("openworldhint", Key("open_world")),
    ("enum", Advice(A_SET_OF_VALUES)),
    ("choices", Advice(A_SET_OF_VALUES)),
    ("oneof", Advice(A_SET_OF_VALUES)),
    ("optional", Advice("write `Option<…>` as the type, or give a default with `default = …`")),
    ("required", Advice("a value is required unless its type is an `Option` or it has a default: remove `required`")),
    ("examples", Advice("one example is shown: write `example = …`")),
    ("timeout", Advice("the time limit is a number of milliseconds: write `timeout_ms = 5_000`")),
];

/// Returns the error for a foreign key, whose value is consumed, or `None` if the key is not known. It marks the whole entry.
pub(super) fn instead(entry: &Entry<'_, '_>, place: Place) -> Option<syn::Error> {
    let name = fold(&entry.key.unraw().to_string());
    if let (Error | Case, _) | (Variant | Inner, "desc" | "doc" | "help") = (place, name.as_str()) {
        return None;
    }
    let key = entry.key;
    let written = match (place, name.as_str()) {
        (Parameter, "name") => with_key("rename", rest_of_entry(entry.input)),
        (Function, "rename") => with_key("name", rest_of_entry(entry.input)),
        (Function, "annotations") => {
            let rest = rest_of_entry(entry.input);
            let text = annotations(rest.clone()).unwrap_or_else(|| "read_only = true".into());
            return Some(syn::Error::new_spanned(quote!(#key #rest), format!("write `{text}`")));
        }
        _ => match &FOREIGN.iter().find(|(foreign, _)| *foreign == name)?.1 {
            Key(ours) => with_key(ours, rest_of_entry(entry.input)),
            Mark(ours) => (rest_of_entry(entry.input), format!("write `{ours}`")),
            Bound(rule, _) => bounds(rule, &name, entry),
            Advice(sentence) => (rest_of_entry(entry.input), (*sentence).to_owned()),
        },
    };
    let (rest, message) = written;
    Some(syn::Error::new_spanned(quote!(#key #rest), message))
}

fn with_key(ours: &str, rest: TokenStream) -> (TokenStream, String) {
    let message = format!("write `{ours}{}`", spaced(&rest));
    (rest, message)
}

/// Returns the message for a bound, together with the bounds of the same rule that follow it.
fn bounds(rule: &str, name: &str, entry: &Entry<'_, '_>) -> (TokenStream, String) {
    let mut consumed = rest_of_entry(entry.input);
    let mut list = vec![format!("{}{}", bound(rule, name).unwrap_or("min"), spaced(&consumed))];
    loop {
        let ahead = entry.input.fork();
        let next = ahead.parse::<Token![,]>().and_then(|comma| Ok((comma, Ident::parse_any(&ahead)?)));
        let Ok((comma, key)) = next else { break };
        let Some(name) = bound(rule, &fold(&key.to_string())) else { break };
        let value = rest_of_entry(&ahead);
        list.push(format!("{name}{}", spaced(&value)));
        consumed.extend(quote!(#comma #key #value));
        // The bounds that were read ahead are consumed.
        let (_, _) = (entry.input.parse::<Token![,]>(), Ident::parse_any(entry.input));
        rest_of_entry(entry.input);
    }
    let list = list.join(", ");
    let message = match name {
        "min" | "max" => format!("write `range({list})` for a number, or `length({list})` for a text, a list or a map"),
        _ => format!("write `{rule}({list})`"),
    };
    (consumed, message)
}

/// Returns the name that a foreign key has in the list of a rule.
fn bound(rule: &str, name: &str) -> Option<&'static str> {
    FOREIGN.iter().find_map(|(foreign, instead)| match instead {
        Bound(of, ours) if *foreign == name && *of == rule => Some(*ours),
        _ => None,
    })
}

/// Returns `true` if an attribute with a mistake has a description that is not read: a text without a key, or one under another key.
pub(super) fn describes(attribute: &Attribute) -> bool {
    let Meta::List(list) = &attribute.meta else { return false };
    let mut begins = true;
    list.tokens.clone().into_iter().any(|token| {
        let first = std::mem::replace(&mut begins, matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ','));
        first
            && match token {
                TokenTree::Literal(_) => true,
                TokenTree::Ident(key) => {
                    matches!(fold(&key.to_string()).as_str(), "desc" | "doc" | "help" | "description")
                }
                TokenTree::Group(_) | TokenTree::Punct(_) => false,
            }
    })
}

/// Translates the annotations of rmcp: `(title = "…", read_only_hint = true)`.
fn annotations(rest: TokenStream) -> Option<String> {
    let metas: Meta = syn::parse2(quote!(annotations #rest)).ok()?;
    let list = metas.require_list().ok()?.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok()?;
    let translated = list.iter().map(|meta| {
        let name = meta.path().get_ident()?.to_string();
        let name = name.strip_suffix("_hint").unwrap_or(&name).to_owned();
        let value = meta.require_name_value().ok()?.value.to_token_stream();
        Some(format!("{name} = {value}"))
    });
    translated.collect::<Option<Vec<_>>>().map(|texts| texts.join(", ")).filter(|text| !text.is_empty())
}

/// Returns the error for the attribute of another crate on a parameter, or `None` for any other attribute. No attribute of a parameter
/// reaches these crates.
pub(super) fn attribute_of_another_crate(attribute: &Attribute) -> Option<syn::Error> {
    let name = attribute.path().get_ident()?.to_string();
    if !matches!(name.as_str(), "serde" | "schemars" | "garde" | "validate" | "arg") {
        return None;
    }
    let entries = match &attribute.meta {
        Meta::List(list) => list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated).ok(),
        _ => None,
    };
    let written = entries.and_then(|entries| entries.iter().map(ours).collect::<Option<Vec<_>>>());
    let message = match written {
        Some(texts) if !texts.is_empty() => format!("write `#[tool({})]`", texts.join(", ")),
        _ => format!(
            "`{name}` does not see the parameters of a tool: write `#[tool(…)]`, or move the value into a struct"
        ),
    };
    Some(syn::Error::new_spanned(attribute, message))
}

/// Returns the entry of `#[tool(…)]` for an entry of serde, schemars, garde or validator, if there is one.
fn ours(meta: &Meta) -> Option<String> {
    let name = meta.path().get_ident()?.to_string();
    match (name.as_str(), meta) {
        ("default", Meta::Path(_)) => Some("default_fn = Default::default".into()),
        ("default", Meta::NameValue(pair)) => {
            let Expr::Lit(ExprLit { lit: Lit::Str(path), .. }) = &pair.value else { return None };
            Some(format!("default_fn = {}", path.value()))
        }
        (
            "rename" | "alias" | "description" | "length" | "range" | "pattern" | "inner",
            Meta::NameValue(_) | Meta::List(_),
        ) => Some(spaced(&meta.to_token_stream())),
        ("regex", Meta::List(list)) => {
            let inside: Meta = list.parse_args().ok()?;
            inside.path().is_ident("pattern").then(|| spaced(&inside.to_token_stream()))
        }
        ("email", Meta::Path(_)) => Some("format = \"email\"".into()),
        ("url", Meta::Path(_)) => Some("format = \"uri\"".into()),
        _ => None,
    }
}

/// Rejects a Rust range in the list of a rule: `range(1..=8)`. The list is consumed.
pub(super) fn reject_rust_range(entry: &Entry<'_, '_>) -> syn::Result<()> {
    let key = entry.key;
    let Ok(Expr::Paren(ExprParen { expr, .. })) = entry.input.fork().parse() else { return Ok(()) };
    let Expr::Range(range) = *expr else { return Ok(()) };
    let rest = rest_of_entry(entry.input);
    let of_numbers = key != "length";
    let text = |bound: &Expr| spaced(&bound.to_token_stream());
    let min = range.start.as_deref().map(|start| format!("min = {}", text(start)));
    let max = match (range.end.as_deref(), range.limits) {
        (Some(end), RangeLimits::Closed(_)) => Some(format!("max = {}", text(end))),
        (Some(end), RangeLimits::HalfOpen(_)) if of_numbers => Some(format!("exclusive_max = {}", text(end))),
        (Some(end), RangeLimits::HalfOpen(_)) => {
            let length: Option<u64> = text(end).parse().ok();
            Some(format!("max = {}", length.map_or_else(|| "…".into(), |length| length.saturating_sub(1).to_string())))
        }
        (None, _) => None,
    };
    let list: Vec<String> = [min, max].into_iter().flatten().collect();
    Err(syn::Error::new_spanned(quote!(#key #rest), format!("write `{key}({})`", list.join(", "))))
}

/// Returns tokens as a programmer writes them.
fn spaced(tokens: &TokenStream) -> String {
    let text = tokens.to_string();
    let text = text.strip_prefix('=').map(|value| format!(" ={value}")).unwrap_or(text);
    text.replace("- ", "-").replace(" (", "(").replace(" ,", ",").replace(" :: ", "::")
}
