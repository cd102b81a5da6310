//! JSON literals, written as Rust tokens: `"x"`, `-1`, `2.5`, `true`, `null`, `[1, 2]`, `{"a": 1}`.

use proc_macro2::{Ident, TokenStream};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Expr, Lit, LitStr, Token, braced, bracketed, token};

use super::number::number;
use crate::model::{Literal, Value};

/// The maximum depth of a literal, so that parsing cannot exhaust the stack.
const DEEPEST: usize = 32;

const EXPECTED: &str = "write a JSON value: `\"x\"`, `-1`, `2.5`, `true`, `null`, `[1, 2]`, `{\"a\": 1}`";

/// Parses one JSON value.
pub(crate) fn literal(input: ParseStream<'_>) -> syn::Result<Literal> {
    nested(input, DEEPEST)
}

fn nested(input: ParseStream<'_>, depth: usize) -> syn::Result<Literal> {
    let (span, written) = (input.span(), input.fork());
    let Some(depth) = depth.checked_sub(1) else {
        return Err(syn::Error::new(span, format!("a literal is at most {DEEPEST} levels deep")));
    };
    let value = if input.peek(token::Bracket) {
        let content;
        bracketed!(content in input);
        consumed(&content, array(&content, depth))?
    } else if input.peek(token::Brace) {
        let content;
        braced!(content in input);
        consumed(&content, object(&content, depth))?
    } else if input.peek(Token![-]) {
        input.parse::<Token![-]>()?;
        let number = number(&input.parse::<Lit>()?, true)?;
        return Ok(Literal { value: Value::Number(number.value), span: number.span });
    } else if input.peek(Lit) {
        match input.parse()? {
            Lit::Str(string) => Value::String(string.value()),
            Lit::Bool(boolean) => Value::Boolean(boolean.value),
            literal @ (Lit::Int(_) | Lit::Float(_)) => Value::Number(number(&literal, false)?.value),
            _ => return Err(syn::Error::new(span, EXPECTED)),
        }
    } else if input.peek(Ident::peek_any) && input.call(Ident::parse_any)? == "null" {
        Value::Null
    } else {
        // The error spans the whole expression, so that for `u8::MAX` it does not point at `u8` alone.
        return Err(written.parse::<Expr>().map_or_else(
            |_| syn::Error::new(span, EXPECTED),
            |expression| syn::Error::new_spanned(&expression, named(&expression).as_deref().unwrap_or(EXPECTED)),
        ));
    };
    Ok(Literal { value, span })
}

/// Returns the message for a variant of an enum, such as `Priority::Low`.
fn named(expression: &Expr) -> Option<String> {
    let Expr::Path(written) = expression else { return None };
    let name = written.path.segments.iter().skip(1).last()?.ident.to_string();
    (name != name.to_uppercase()).then(|| format!("write the name of the variant in JSON: `\"{name}\"`"))
}

/// Consumes the remaining tokens after a mistake. Otherwise, `syn` would report them as a second error.
fn consumed(content: ParseStream<'_>, value: syn::Result<Value>) -> syn::Result<Value> {
    if value.is_err() {
        content.parse::<TokenStream>()?;
    }
    value
}

fn array(content: ParseStream<'_>, depth: usize) -> syn::Result<Value> {
    let mut items = Vec::new();
    while !content.is_empty() {
        items.push(nested(content, depth)?);
        comma(content)?;
    }
    Ok(Value::Array(items))
}

fn object(content: ParseStream<'_>, depth: usize) -> syn::Result<Value> {
    let mut members: Vec<(String, Literal)> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    while !content.is_empty() {
        let key: LitStr = content.parse()?;
        content.parse::<Token![:]>()?;
        let name = key.value();
        if !seen.insert(name.clone()) {
            let message = format!("the key {name:?} was already given: remove one of the two");
            return Err(syn::Error::new(key.span(), message));
        }
        members.push((name, nested(content, depth)?));
        comma(content)?;
    }
    Ok(Value::Object(members))
}

/// Parses a comma between two elements; a comma after the last element is optional.
fn comma(content: ParseStream<'_>) -> syn::Result<()> {
    if content.is_empty() { Ok(()) } else { content.parse::<Token![,]>().map(drop) }
}
