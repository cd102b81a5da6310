//! Changes one member of a JSON text, and keeps all other bytes.

use std::fmt;
use std::ops::Range;

use serde::de::{self, Deserialize, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

use super::entry::{Entry, Existing};

/// The mark that some editors write at the beginning of a file.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Returns the servers in the member `key` of the root.
pub(super) fn servers(text: &str, key: &str) -> Result<Vec<(String, Existing)>, String> {
    let Some(servers) = Object::root(text)?.map(|root| root.object(key)).transpose()?.flatten() else {
        return Ok(Vec::new());
    };
    Ok(servers.members.iter().map(|member| (member.key.clone(), existing(&text[member.value.clone()]))).collect())
}

pub(super) fn added(text: &str, key: &str, name: &str, entry: &Entry) -> Result<String, String> {
    let member = |key: &str, value| vec![(key.to_owned(), value)];
    let Some(root) = Object::root(text)? else {
        // An empty file, or none.
        let node = Node::Object(member(key, Node::Object(member(name, node(entry)))));
        return Ok(format!("{}{}\n", blank(text), node.written("\n", "", "  ")));
    };
    if let Some(servers) = root.object(key)? {
        servers.object(name)?;
    }
    root.merge(&member(key, Node::Object(member(name, node(entry)))))
}

pub(super) fn removed(text: &str, key: &str, name: &str) -> Result<String, String> {
    let root = Object::root(text)?;
    let Some(servers) = root.map(|root| root.object(key)).transpose()?.flatten() else { return Ok(text.to_owned()) };
    let Some(index) = servers.position(name)? else { return Ok(text.to_owned()) };
    let members = &servers.members;
    let range = match (index.checked_sub(1), members.get(index + 1)) {
        (Some(before), _) => members[before].value.end..members[index].value.end,
        (None, Some(next)) => members[index].start..next.start,
        (None, None) => servers.range.start + 1..servers.range.end - 1,
    };
    Ok(format!("{}{}", &text[..range.start], &text[range.end..]))
}

/// Returns the beginning of a text that contains nothing else than a byte order mark and white space.
fn blank(text: &str) -> &str {
    if text.starts_with(BYTE_ORDER_MARK) { &text[..BYTE_ORDER_MARK.len_utf8()] } else { "" }
}

/// A value to write, with the order of its members.
enum Node {
    Text(String),
    List(Vec<String>),
    Object(Vec<(String, Node)>),
}

fn node(entry: &Entry) -> Node {
    let mut members = vec![
        ("command".to_owned(), Node::Text(entry.command.clone())),
        ("args".to_owned(), Node::List(entry.args.clone())),
    ];
    if entry.has_type {
        members.insert(0, ("type".to_owned(), Node::Text("stdio".to_owned())));
    }
    if !entry.env.is_empty() {
        let env = entry.env.iter().map(|(name, value)| (name.clone(), Node::Text(value.clone()))).collect();
        members.push(("env".to_owned(), Node::Object(env)));
    }
    Node::Object(members)
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(list) => list.serialize(serializer),
            Self::Object(members) => {
                let mut map = serializer.serialize_map(Some(members.len()))?;
                for (key, value) in members {
                    map.serialize_entry(key, value)?;
                }
                map.end()
            }
        }
    }
}

impl Node {
    /// Returns the value as lines that end with `newline`. The lines after the first begin with `indent`.
    fn written(&self, newline: &str, indent: &str, unit: &str) -> String {
        let mut bytes = Vec::new();
        let formatter = serde_json::ser::PrettyFormatter::with_indent(unit.as_bytes());
        // Texts, lists and objects with texts as keys can always be written.
        let _ = self.serialize(&mut serde_json::Serializer::with_formatter(&mut bytes, formatter));
        String::from_utf8_lossy(&bytes).replace('\n', &format!("{newline}{indent}"))
    }
}

/// An object, and where it is in the text.
struct Object<'a> {
    text: &'a str,
    range: Range<usize>,
    members: Vec<Member>,
}

struct Member {
    key: String,
    /// The beginning of the key.
    start: usize,
    value: Range<usize>,
}

impl<'a> Object<'a> {
    /// Returns the root, or `None` if the text is blank.
    fn root(text: &'a str) -> Result<Option<Self>, String> {
        let content = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text);
        if content.trim().is_empty() {
            return Ok(None);
        }
        if let Err(error) = serde_json::from_str::<IgnoredAny>(content) {
            return Err(format!(
                "it is not plain JSON ({error}); comments and commas at the end of a list are not understood"
            ));
        }
        Self::parse(text, text.len() - content.len()..text.len()).map(Some)
    }

    fn parse(text: &'a str, range: Range<usize>) -> Result<Self, String> {
        let Range { start, end } = range;
        let content = &text[start..end];
        let start = start + content.len() - content.trim_start().len();
        let end = start + content.trim().len();
        let members: Pairs = serde_json::from_str(&text[start..end]).map_err(|error| error.to_string())?;
        // The parts are slices of the text.
        let at = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
        let members = members.0.into_iter().map(|(key, value)| {
            let (start, value) = (at(key.get()), at(value.get())..at(value.get()) + value.get().len());
            Ok(Member { key: serde_json::from_str(key.get()).map_err(|error| error.to_string())?, start, value })
        });
        Ok(Self { text, range: start..end, members: members.collect::<Result<_, String>>()? })
    }

    /// Returns the index of a member.
    fn position(&self, key: &str) -> Result<Option<usize>, String> {
        let mut found = self.members.iter().enumerate().filter(|(_, member)| member.key == key).map(|(index, _)| index);
        let first = found.next();
        if found.next().is_some() {
            return Err(format!("{key:?} occurs more than once in the same object"));
        }
        Ok(first)
    }

    /// Returns a member that is an object.
    fn object(&self, key: &str) -> Result<Option<Self>, String> {
        let Some(index) = self.position(key)? else { return Ok(None) };
        let value = self.members[index].value.clone();
        if !self.text[value.clone()].starts_with('{') {
            return Err(format!("{key:?} is not an object"));
        }
        Self::parse(self.text, value).map(Some)
    }

    /// Sets members, and members of members. The depth is that of the new members.
    fn merge(&self, new: &[(String, Node)]) -> Result<String, String> {
        let mut text = self.text.to_owned();
        let mut range = self.range.clone();
        for (key, node) in new {
            let object = Object::parse(&text, range.clone())?;
            let changed = match (object.position(key)?, node) {
                (None, _) => object.insert(key, node),
                (Some(index), Node::Object(new)) if text[object.members[index].value.clone()].starts_with('{') => {
                    Object::parse(&text, object.members[index].value.clone())?.merge(new)?
                }
                (Some(index), node) => object.replace(index, node),
            };
            range.end = range.end + changed.len() - text.len();
            text = changed;
        }
        Ok(text)
    }

    fn replace(&self, index: usize, node: &Node) -> String {
        let member = &self.members[index];
        let current = &self.text[member.value.clone()];
        let is_equal = |written: &Node| {
            let values = (serde_json::from_str::<serde_json::Value>(current), serde_json::to_value(written));
            matches!(values, (Ok(known), Ok(new)) if known == new)
        };
        if is_equal(node) {
            return self.text.to_owned();
        }
        let written = node.written(newline(self.text), self.indent(member).unwrap_or_default(), unit(self.text));
        format!("{}{written}{}", &self.text[..member.value.start], &self.text[member.value.end..])
    }

    /// Adds a member at the end, in the style of the others.
    fn insert(&self, key: &str, node: &Node) -> String {
        let (newline, unit) = (newline(self.text), unit(self.text));
        let key = serde_json::Value::from(key);
        let (at, new, rest) = if let Some(last) = self.members.last() {
            let new = match self.indent(last) {
                Some(indent) => format!(",{newline}{indent}{key}: {}", node.written(newline, indent, unit)),
                // All members are in one line.
                None => format!(", {key}: {}", serde_json::to_string(node).unwrap_or_default()),
            };
            (last.value.end, new, last.value.end)
        } else {
            let outer = line_indent(self.text, self.range.start);
            let indent = format!("{outer}{unit}");
            let new = format!("{newline}{indent}{key}: {}{newline}{outer}", node.written(newline, &indent, unit));
            (self.range.start + 1, new, self.range.end - 1)
        };
        format!("{}{new}{}", &self.text[..at], &self.text[rest..])
    }

    /// Returns the white space before a member that begins its line.
    fn indent(&self, member: &Member) -> Option<&'a str> {
        let line = self.text[..member.start].rfind('\n')? + 1;
        let before = &self.text[line..member.start];
        before.trim().is_empty().then_some(before)
    }
}

/// Returns the white space at the beginning of the line with this position.
fn line_indent(text: &str, at: usize) -> &str {
    let line = &text[text[..at].rfind('\n').map_or(0, |end| end + 1)..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

fn newline(text: &str) -> &'static str {
    if text.contains("\r\n") { "\r\n" } else { "\n" }
}

/// Returns the white space of one level: that of the first line with any.
fn unit(text: &str) -> &str {
    let indents = text.lines().map(|line| &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]);
    indents.into_iter().find(|indent| (1..=8).contains(&indent.len())).unwrap_or("  ")
}

fn existing(entry: &str) -> Existing {
    /// The members that tell a guarded server from others.
    #[derive(serde::Deserialize)]
    struct Known {
        command: Option<String>,
        #[serde(default)]
        args: Vec<String>,
    }
    let known = serde_json::from_str::<Known>(entry);
    known.map(|known| Existing { command: known.command, verb: known.args.into_iter().next() }).unwrap_or_default()
}

/// The members of an object as slices of its text, duplicates included.
struct Pairs<'a>(Vec<(&'a RawValue, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Pairs<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Pairs<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Pairs(members))
            }
        }
        deserializer.deserialize_map(Members).map_err(de::Error::custom)
    }
}
