//! Paths as text: `customer.items[2]["unit price"]`, or `/customer/items/2/unit price`.
//!
//! In comes either spelling; out go the segments as strings, because only the shape knows whether `2` is an index or a key. What always
//! holds: what is neither spelling gives `None`, never a shorter path.

use std::borrow::Cow;

use crate::json::end_of_string;

/// The segments of a path as [`Path`](crate::issue::Path) prints it (an item may be `[]`), or of a JSON Pointer.
pub(super) fn segments(path: &str) -> Option<Vec<Cow<'_, str>>> {
    if let Some(pointer) = path.strip_prefix('/') {
        return Some(pointer.split('/').map(|segment| segment.replace("~1", "/").replace("~0", "~").into()).collect());
    }
    let mut rest = if path == "$" { "" } else { path };
    let mut segments = Vec::new();
    while !rest.is_empty() {
        if let Some(quoted) = rest.strip_prefix("[\"") {
            let end = end_of_string(quoted)?;
            segments.push(Cow::Owned(serde_json::from_str(rest.get(1..end + 3)?).ok()?));
            rest = quoted.get(end + 1..)?.strip_prefix(']')?;
        } else if let Some(bracket) = rest.strip_prefix('[') {
            let (index, after) = bracket.split_once(']')?;
            segments.push(Cow::Borrowed(index));
            rest = after;
        } else {
            let key = if segments.is_empty() { rest } else { rest.strip_prefix('.')? };
            let end = key.find(['.', '[']).unwrap_or(key.len());
            let (key, after) = key.split_at(end);
            if key.is_empty() {
                return None;
            }
            segments.push(Cow::Borrowed(key));
            rest = after;
        }
    }
    Some(segments)
}
