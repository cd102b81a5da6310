//! JSON Pointers (RFC 6901), and references to a place in the same document.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::BuildHasher;

use super::{Json, Node};

/// Adds a token to a pointer.
pub fn push_token(pointer: &mut String, token: &str) {
    pointer.push('/');
    if !token.contains(['~', '/']) {
        return pointer.push_str(token);
    }
    for c in token.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            _ => pointer.push(c),
        }
    }
}

/// Returns the tokens of a pointer.
pub fn tokens(pointer: &str) -> impl Iterator<Item = Cow<'_, str>> {
    pointer.split('/').skip(1).map(|token| {
        if token.contains('~') { token.replace("~1", "/").replace("~0", "~").into() } else { token.into() }
    })
}

/// Returns the value at a pointer.
pub fn value_at<'j, 'a>(root: &'j Json<'a>, pointer: &str) -> Option<&'j Json<'a>> {
    tokens(pointer).try_fold(root, |json, token| match &json.node {
        Node::Object(_) => json.get(&token),
        Node::Array(items) => items.get(token.parse::<usize>().ok()?),
        _ => None,
    })
}

/// Returns the pointer of a `$ref` into its own document, such as `/$defs/a` for `#/$defs/a`; `None` for any other reference.
pub fn local_ref_pointer(reference: &str) -> Option<Cow<'_, str>> {
    let pointer = percent_decode(reference.strip_prefix('#')?);
    (pointer.is_empty() || pointer.starts_with('/')).then_some(pointer)
}

/// Returns the target of a `$ref` into its own document.
pub fn resolve_reference<'j, 'a>(root: &'j Json<'a>, reference: &str) -> Option<&'j Json<'a>> {
    value_at(root, &local_ref_pointer(reference)?)
}

/// Decodes the percent escapes in the fragment of a URI (RFC 3986 §2.1). A broken escape is not changed.
pub fn percent_decode(fragment: &str) -> Cow<'_, str> {
    if !fragment.contains('%') {
        return fragment.into();
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let [first, after @ ..] = rest {
        let digit = |at: usize| after.get(at).and_then(|&byte| char::from(byte).to_digit(16));
        rest = if let (b'%', Some(high), Some(low)) = (first, digit(0), digit(1)) {
            bytes.push(u8::try_from(high * 16 + low).unwrap_or(b'%'));
            &after[2..]
        } else {
            bytes.push(*first);
            after
        };
    }
    String::from_utf8(bytes).map_or_else(|_| fragment.into(), Cow::Owned)
}

/// Replaces the pointer of each `$ref` that has a new name. The recursion is bounded, because the nesting of `Json` is.
pub fn rename_references(json: &mut Json<'static>, names: &HashMap<String, String, impl BuildHasher>) {
    if let Node::Object(members) = &mut json.node {
        for member in members.iter_mut().filter(|member| member.key == "$ref") {
            if let Some(name) = member.value.as_str().and_then(|pointer| names.get(pointer)) {
                member.value = Json::from_node(Node::String(name.clone().into()));
            }
        }
    }
    json.parts_mut().for_each(|part| rename_references(part, names));
}
