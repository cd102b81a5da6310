//! The members of JSON objects as slices of their text: a single [`member`], some of them ([`pick`]), and all of them ([`Members`]), which can be changed
//! one by one. A value that is not changed keeps its bytes.

use std::borrow::Cow;

use memchr::memchr2;
use rmcp::model::RequestId;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::frame::{Frame, Splice};
use crate::own_messages::{json_object, notification};

/// The members of an object in their order, each with its value as JSON text. No name occurs twice.
#[derive(Default)]
pub(super) struct Members<'l>(Vec<(Cow<'l, str>, Cow<'l, str>)>);

/// Reads the members of an object one by one, as JSON texts of the name and the value. The text is part of a line that was parsed, so it is
/// valid JSON, and only the ends of its values are searched for.
struct Scan<'l>(&'l str);

impl<'l> Iterator for Scan<'l> {
    type Item = (&'l str, &'l str);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.0.trim_ascii_start().strip_prefix(['{', ','])?.trim_ascii_start();
        let (name, rest) = rest.split_at_checked(length(rest)).filter(|(name, _)| name.starts_with('"'))?;
        let rest = rest.trim_ascii_start().strip_prefix(':')?.trim_ascii_start();
        let (value, rest) = rest.split_at_checked(length(rest))?;
        self.0 = rest;
        Some((name, value))
    }
}

/// Returns the number of bytes of the JSON value with which a text begins.
fn length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => at = string_end(bytes, at + 1) - 1,
            b'[' | b'{' => depth += 1,
            b']' | b'}' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            _ => return bytes.iter().position(|byte| b",:]} \t\n\r".contains(byte)).unwrap_or(bytes.len()),
        }
        at += 1;
        if depth == 0 {
            break;
        }
    }
    at
}

/// Returns the place after the string whose content begins at a place.
fn string_end(bytes: &[u8], mut at: usize) -> usize {
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let Some(found) = memchr2(b'"', b'\\', rest) else { return bytes.len() };
        at += found + 1;
        if rest[found] == b'"' {
            return at;
        }
        at += 1;
    }
}

/// Returns a name without its quotes and escapes.
fn unescaped(name: &str) -> Cow<'_, str> {
    match name.get(1..name.len() - 1) {
        Some(plain) if !plain.contains('\\') => plain.into(),
        _ => serde_json::from_str::<String>(name).unwrap_or_default().into(),
    }
}

impl<'l> Members<'l> {
    /// Parses an object; `None` if the text is not an object, or if a name occurs twice.
    pub(super) fn of(text: &'l str) -> Option<Self> {
        let scan = Scan(Some(text).filter(|text| text.starts_with('{'))?);
        let members: Vec<(Cow<'_, str>, Cow<'_, str>)> =
            scan.map(|(name, value)| (unescaped(name), value.into())).collect();
        let mut names: Vec<&str> = members.iter().map(|(name, _)| &**name).collect();
        names.sort_unstable();
        let is_repeated = names.windows(2).any(|pair| pair[0] == pair[1]);
        (!is_repeated).then_some(Self(members))
    }

    /// Parses an array of objects.
    pub(super) fn list(text: &'l str) -> Option<Vec<Self>> {
        let items: Vec<&RawValue> = serde_json::from_str(text).ok()?;
        items.into_iter().map(|item| Self::of(item.get())).collect()
    }

    /// Returns the members.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (&**name, &**value))
    }

    /// Returns a value as JSON text.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, value)| &**value)
    }

    /// Returns a value that is a string.
    pub(super) fn string(&self, name: &str) -> Option<String> {
        serde_json::from_str(self.get(name)?).ok()
    }

    /// Removes a member, and returns its value.
    pub(super) fn remove(&mut self, name: &str) -> Option<Cow<'l, str>> {
        let position = self.0.iter().position(|(own, _)| own == name)?;
        Some(self.0.remove(position).1)
    }

    /// Removes the members whose names are not kept.
    pub(super) fn retain(&mut self, keeps: impl Fn(&str) -> bool) {
        self.0.retain(|(name, _)| keeps(name));
    }

    /// Sets a value, given as JSON text. A new member is the last one.
    pub(super) fn set(&mut self, name: &'l str, value: impl Into<Cow<'l, str>>) {
        match self.0.iter_mut().find(|(own, _)| own == name) {
            Some((_, own)) => *own = value.into(),
            None => self.0.push((name.into(), value.into())),
        }
    }

    /// Returns the object as JSON text.
    pub(super) fn to_text(&self) -> String {
        json_object(|object| {
            for (name, value) in &self.0 {
                object.escaped_json_text(name, value);
            }
        })
    }
}

/// Returns members of an object as JSON text. There are none if the text is not an object, or if a name occurs twice.
pub(super) fn pick<'l, const N: usize>(object: &'l str, names: [&str; N]) -> [Option<&'l str>; N] {
    let mut found = [None; N];
    for (name, value) in Scan(object) {
        let name = unescaped(name);
        if let Some(index) = names.iter().position(|own| *own == name)
            && found[index].replace(value).is_some()
        {
            return [None; N];
        }
    }
    found
}

/// Returns a member of an object as JSON text.
pub(super) fn member<'l>(object: &'l str, name: &str) -> Option<&'l str> {
    let [value] = pick(object, [name]);
    value
}

/// Returns the part of an object that consists of the name of a member, its value, and a comma. Without this part, the object does not have the member.
pub(super) fn with_name<'l>(object: &'l str, value: &str) -> &'l str {
    let at = value.as_ptr().addr() - object.as_ptr().addr();
    let name_end = object[..at].rfind('"').unwrap_or_default();
    let start = object[..name_end].rfind('"').unwrap_or_default();
    let end = at + value.len();
    match object[end..].trim_ascii_start().strip_prefix(',') {
        Some(rest) => &object[start..object.len() - rest.len()],
        None => &object[object[..start].trim_ascii_end().strip_suffix(',').map_or(start, str::len)..end],
    }
}

/// Parses a member of an object; `None` for one of another type.
pub(super) fn parsed<'l, T: Deserialize<'l>>(object: &'l str, name: &str) -> Option<T> {
    serde_json::from_str(member(object, name)?).ok()
}

/// Returns `true` if an object has a member that is not `null`.
pub(super) fn has(object: &str, name: &str) -> bool {
    member(object, name).is_some_and(|value| value != "null")
}

/// The lists of a server that can change, which are also the capabilities to have them.
pub(super) const CHANGING_LISTS: [&str; 3] = ["tools", "prompts", "resources"];

/// Returns the lists of which the filter of a subscription wants reports of changes.
pub(super) fn wanted_lists(filter: &str) -> impl Iterator<Item = &'static str> {
    CHANGING_LISTS.into_iter().filter(move |list| member(filter, &format!("{list}ListChanged")) == Some("true"))
}

/// Returns the lists of which a server with these capabilities reports changes.
pub(super) fn announced_lists(capabilities: &str) -> impl Iterator<Item = &'static str> {
    let announces = |list| member(member(capabilities, list)?, "listChanged");
    CHANGING_LISTS.into_iter().filter(move |list| announces(list) == Some("true"))
}

/// Returns the notification that a subscription has begun. The id and the filter with the accepted notifications are JSON texts.
pub(super) fn acknowledgement(id: &str, accepted: &str) -> Frame {
    let params = format!(r#"{{"_meta":{{"{SUBSCRIPTION}":{id}}},"notifications":{accepted}}}"#);
    notification("notifications/subscriptions/acknowledged", &params)
}

/// The members of `_meta` of requests and results of protocol version 2026-07-28.
pub(super) const VERSION: &str = "io.modelcontextprotocol/protocolVersion";
pub(super) const CLIENT: &str = "io.modelcontextprotocol/clientInfo";
pub(super) const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
pub(super) const LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
pub(super) const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";
pub(super) const SERVER: &str = "io.modelcontextprotocol/serverInfo";

/// The largest number of bytes of a progress token. Tokens are kept until their requests are answered.
const LONGEST_TOKEN: usize = 1_024;

/// Returns a member of the `_meta` of parameters or of a result.
pub(super) fn meta<'l>(params: &'l str, name: &str) -> Option<&'l str> {
    member(member(params, "_meta")?, name)
}

/// Returns `true` for a token under which a request wants reports of its progress, given as JSON text. A token that is too long is none.
pub(super) fn is_token(token: &str) -> bool {
    token != "null" && token.len() <= LONGEST_TOKEN
}

/// Parses an id or a token, both of which are numbers or texts.
pub(super) fn key(part: &str) -> Option<RequestId> {
    serde_json::from_str(part).ok()
}

/// Returns the id of the request that the parameters of a cancellation name.
pub(super) fn cancelled(params: &str) -> Option<RequestId> {
    parsed(params, "requestId")
}

/// The parts of a request in whose place the receiver gets a number of the proxy, as JSON text.
pub(super) struct Replaced {
    pub(super) id: String,
    pub(super) token: Option<String>,
}

impl Replaced {
    /// Puts a number in place of the id and the progress token of a request.
    pub(super) fn by(number: impl ToString, frame: &Frame, token: Option<&str>) -> (Frame, Self) {
        let id = frame.id_text();
        let parts = [Some(id), token].into_iter().flatten();
        let splices: Vec<_> = parts.map(|part| Splice { part, text: number.to_string().into() }).collect();
        (frame.with(&splices), Self { id: id.to_owned(), token: token.map(str::to_owned) })
    }
}

/// Returns `true` if a client with these capabilities can show a form. One that lists no modes can.
pub(super) fn can_show(capabilities: &str) -> bool {
    member(capabilities, "elicitation")
        .is_some_and(|modes| modes.starts_with('{') && (has(modes, "form") || !has(modes, "url")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_are_not_changed_keep_their_bytes() {
        let text = r#"{ "a": 1.0e5, "b\u0062": {"x" : [1, 2]}, "c":"\u0041", "d": null }"#;
        let mut members = Members::of(text).unwrap();
        assert_eq!(
            (members.get("a"), members.get("bb"), members.get("e")),
            (Some("1.0e5"), Some(r#"{"x" : [1, 2]}"#), None)
        );
        assert_eq!((members.string("c"), members.string("a")), (Some("A".to_owned()), None));
        assert_eq!(members.remove("d").as_deref(), Some("null"));
        members.set("a", "2");
        members.set("f", "[]");
        assert_eq!(members.to_text(), r#"{"a":2,"bb":{"x" : [1, 2]},"c":"\u0041","f":[]}"#);
    }

    #[test]
    fn members_are_found_between_values_of_every_kind() {
        let text = r#" {"a" : "\\\"},{", "b":[{"c":1},"]"] ,"d":-1.5e3,"e":true , "f":{"c":2,"g":"é"}, "\u0067":null}"#;
        assert_eq!(
            pick(text, ["g", "a", "b", "d", "e", "f", "c"]),
            [
                Some("null"),
                Some(r#""\\\"},{""#),
                Some(r#"[{"c":1},"]"]"#),
                Some("-1.5e3"),
                Some("true"),
                Some(r#"{"c":2,"g":"é"}"#),
                None
            ]
        );
        assert_eq!(pick(r#"{"a":1,"b":2,"\u0061":3}"#, ["a", "b"]), [None, None]);
        for text in ["", "{", "[1]", "\"a\"", "{}", "{ }", r#"{"a"#, r#"{"a":"\"#, "{\"a\":\"\\é"] {
            assert_eq!(member(text, "b"), None, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn every_member_is_found(values in proptest::collection::vec(("\\PC{0,6}", proptest::prelude::any::<Option<i16>>(), "\\PC{0,9}"), 0..6)) {
            let value = |number: Option<i16>, text: String| serde_json::json!([{"x": text, "y": number}, number, text]);
            let object: serde_json::Map<_, _> = values.into_iter().map(|(name, number, text)| (name, value(number, text))).collect();
            for text in [serde_json::to_string(&object).unwrap(), serde_json::to_string_pretty(&object).unwrap()] {
                for (name, value) in &object {
                    let found: serde_json::Value = parsed(&text, name).unwrap();
                    proptest::prop_assert_eq!(&found, value);
                }
                let names: Vec<String> = Members::of(&text).unwrap().iter().map(|(name, _)| name.to_owned()).collect();
                proptest::prop_assert_eq!(names, object.keys().cloned().collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn only_objects_with_distinct_names_are_accepted() {
        for text in ["", "[]", "1", r#"{"a":1,"a":2}"#, r#"{"a":1,"\u0061":2}"#] {
            assert!(Members::of(text).is_none(), "{text}");
        }
        // Also if there are many.
        let many: Vec<String> = (0..48).map(|name| format!(r#""{name}":0"#)).collect();
        assert!(Members::of(&format!("{{{}}}", many.join(","))).is_some());
        for name in [0, 16, 47] {
            assert!(Members::of(&format!(r#"{{{},"{name}":1}}"#, many.join(","))).is_none(), "{name}");
        }
        assert_eq!(Members::of("{}").unwrap().to_text(), "{}");
    }
}
