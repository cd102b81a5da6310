//! The text of a definition that is compared, [`pinned_text`], the differences of two such texts, [`differences`], and names that look like
//! others, [`confusable`].

use std::fmt;
use std::ops::Range;

use tool_dynamic::__private_0_1_0::{PoisoningSign, poisoning};

use crate::members::parsed;
use crate::private::json::{Json, Member, Node, Writer};
use crate::private::{bounded, suggest, visible};

/// The members of a definition that are compared, in alphabetical order. Models and hosts read these; `_meta` and `icons` are for programs.
const MEMBERS: [&str; 6] = ["annotations", "description", "inputSchema", "name", "outputSchema", "title"];

/// The number of characters before and after a difference that are shown of a long text.
const AROUND: usize = 30;
/// The largest number of characters that a remark shows of a text.
const SHOWN: usize = 200;
/// The shortest name that is compared letter by letter. Two short names often differ in one letter only.
const SHORTEST: usize = 4;
/// The longest name that is compared with others.
const LONGEST: usize = 128;

/// Returns the name of a definition and its text for comparisons: only the members that count, their keys in alphabetical order. The
/// order of `required` is alphabetical too, because it has no meaning. Returns `None` if the definition has no valid name.
pub(super) fn pinned_text(definition: &str) -> Option<(String, String)> {
    let name: String = parsed(definition, "name")?;
    // A definition that is nested too deeply for the parser is compared as it is.
    let Ok(mut json) = Json::parse(definition) else { return Some((name, definition.to_owned())) };
    if let Node::Object(members) = &mut json.node {
        members.retain(|member| MEMBERS.contains(&&*member.key) && !member.value.is_null());
    }
    let mut text = String::new();
    write_sorted(&json, Writer::new(&mut text), false);
    Some((name, text))
}

/// Writes a value with the keys of its objects in alphabetical order. A key that occurs twice is written twice. The depth of a tree is bounded.
fn write_sorted(json: &Json<'_>, writer: Writer<'_>, is_required: bool) {
    match &json.node {
        Node::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            members.sort_by(|a, b| a.key.cmp(&b.key));
            writer.object(|object| {
                for member in members {
                    write_sorted(&member.value, object.value(&member.key), member.key == "required");
                }
            });
        }
        Node::Array(items) => {
            let mut items: Vec<_> = items.iter().collect();
            if is_required && items.iter().all(|item| item.as_str().is_some()) {
                items.sort_by_key(|item| item.as_str());
            }
            writer.array(items, |writer, item| write_sorted(item, writer, false));
        }
        _ => writer.json(json),
    }
}

/// Returns the signs of an attack in a definition, each with the path of its text.
pub(crate) fn signs(definition: &str) -> Vec<String> {
    let signs = Json::parse(definition).map(|json| poisoning(&json)).unwrap_or_default();
    let shown = |sign: PoisoningSign| {
        format!("{}: {}", bounded::text(sign.pointer.trim_start_matches('/'), SHOWN), sign.message)
    };
    signs.into_iter().map(shown).collect()
}

/// A difference between the approved and the listed definition of a tool. It is displayed as one line of bounded length, with an escape for
/// each hidden character.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// The path of the member, such as `inputSchema/properties/path/description`.
    pub member: String,
    /// The approved value as JSON text; `None` if it has been added.
    pub approved: Option<String>,
    /// The listed value as JSON text; `None` if it was removed.
    pub listed: Option<String>,
}

/// Returns the differences of two definitions, both of which [`pinned_text`] has returned.
pub(super) fn differences(approved: Option<&str>, listed: &str) -> Vec<Difference> {
    let mut found = Vec::new();
    match (Json::parse(approved.unwrap_or("{}")), Json::parse(listed)) {
        (Ok(old), Ok(new)) => compare(Some(&old), Some(&new), "", &mut found),
        _ => found.push(Difference {
            member: String::new(),
            approved: approved.map(str::to_owned),
            listed: Some(listed.to_owned()),
        }),
    }
    found
}

/// Adds the differences of two values. The depth of a tree is bounded.
fn compare(old: Option<&Json<'_>>, new: Option<&Json<'_>>, path: &str, found: &mut Vec<Difference>) {
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}/{key}") };
    match (old, new) {
        (Some(Json { node: Node::Object(before), .. }), Some(Json { node: Node::Object(after), .. }))
            if is_distinct(before) && is_distinct(after) =>
        {
            // Both are in alphabetical order.
            let (mut before, mut after) = (before.iter().peekable(), after.iter().peekable());
            loop {
                let key = match (before.peek(), after.peek()) {
                    (None, None) => return,
                    (Some(one), None) | (None, Some(one)) => one.key.clone(),
                    (Some(one), Some(other)) => one.key.clone().min(other.key.clone()),
                };
                let one = before.next_if(|member| member.key == key).map(|member| &member.value);
                let other = after.next_if(|member| member.key == key).map(|member| &member.value);
                compare(one, other, &below(&key), found);
            }
        }
        (Some(Json { node: Node::Array(before), .. }), Some(Json { node: Node::Array(after), .. }))
            if before.len() == after.len() =>
        {
            for (index, (one, other)) in before.iter().zip(after).enumerate() {
                compare(Some(one), Some(other), &below(&index.to_string()), found);
            }
        }
        _ if old == new => {}
        _ => {
            let text = |json: &Json<'_>| {
                let mut text = String::new();
                Writer::new(&mut text).json(json);
                text
            };
            found.push(Difference { member: path.to_owned(), approved: old.map(text), listed: new.map(text) });
        }
    }
}

/// Returns `true` if no key occurs twice.
fn is_distinct(members: &[Member<'_>]) -> bool {
    members.windows(2).all(|pair| pair[0].key < pair[1].key)
}

impl Difference {
    /// Returns both values as lines of at most so many characters, which begin shortly before the first character that differs, with an escape for
    /// each hidden character. An ellipsis marks each place where something is left out.
    pub fn excerpts(&self, most: usize) -> (Option<String>, Option<String>) {
        let letters = |text: &Option<String>| -> Vec<char> {
            text.as_deref().map(visible::one_line).unwrap_or_default().chars().collect()
        };
        let (approved, listed) = (letters(&self.approved), letters(&self.listed));
        let (start, end) = common_ends(&approved, &listed, |one, other| one == other);
        let part = |text: &Option<String>, letters: &[char]| {
            let range = start.saturating_sub(AROUND)..letters.len() - end + AROUND;
            text.as_ref().map(|_| excerpt(letters, range, most))
        };
        (part(&self.approved, &approved), part(&self.listed, &listed))
    }
}

/// Returns the numbers of letters at the beginning and at the end of two texts that are the same.
fn common_ends(one: &[char], other: &[char], same: impl Fn(char, char) -> bool) -> (usize, usize) {
    let same = |(one, other): &(&char, &char)| same(**one, **other);
    let start = one.iter().zip(other).take_while(&same).count();
    let rest = one.len().min(other.len()) - start;
    let end = one.iter().rev().zip(other.iter().rev()).take(rest).take_while(&same).count();
    (start, end)
}

/// Returns a part of a text, with an ellipsis where something is left out.
fn excerpt(letters: &[char], range: Range<usize>, most: usize) -> String {
    let range = if letters.len() <= SHOWN { 0..letters.len() } else { range };
    let end = range.end.min(range.start + most).min(letters.len());
    let ellipsis = |is_cut| if is_cut { "…" } else { "" };
    let part: String = letters[range.start..end].iter().collect();
    format!("{}{part}{}", ellipsis(range.start > 0), ellipsis(end < letters.len()))
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let member = bounded::text(&self.member, SHOWN);
        match self.excerpts(SHOWN) {
            (Some(approved), Some(listed)) => write!(f, "{member}: {approved} → {listed}"),
            (None, Some(listed)) => write!(f, "{member} added: {listed}"),
            (Some(approved), None) => write!(f, "{member} removed: {approved}"),
            (None, None) => Ok(()),
        }
    }
}

/// Returns the name that another name can be mistaken for: they differ only in case or separators, in hidden characters, in letters of another script,
/// or in one letter.
pub(super) fn confusable<'n>(name: &str, approved: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let own = letters(name)?;
    let mut others = approved.filter(|other| *other != name);
    others.find(|other| letters(other).is_some_and(|other| looks_like(&own, &other)))
}

/// Returns the letters of a name in lower case, without separators and hidden characters; `None` for a name that is too long.
fn letters(name: &str) -> Option<Vec<char>> {
    let name = Some(name).filter(|name| name.len() <= LONGEST)?;
    let shown: String = name.chars().filter(|letter| !visible::is_hidden(*letter)).collect();
    Some(suggest::fold(&shown).chars().collect())
}

fn looks_like(one: &[char], other: &[char]) -> bool {
    // A letter of another script may look like any ASCII letter.
    let same = |a: char, b: char| a == b || a.is_ascii() != b.is_ascii();
    let (start, end) = common_ends(one, other, same);
    let longest = one.len().max(other.len());
    let differing = longest - start - end;
    differing == 0 || (differing == 1 && longest > SHORTEST)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    use super::*;

    /// Values whose objects have their keys in any order.
    fn value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            ".{0,6}".prop_map(Value::from)
        ];
        leaf.prop_recursive(3, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
                prop::collection::vec(("[a-c]{1,2}|required", inner), 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    /// Returns the value with the members of each object, and the entries of `required`, in reverse order.
    fn reversed(value: &Value) -> Value {
        match value {
            Value::Array(items) => items.iter().map(reversed).collect(),
            Value::Object(members) => {
                let reversed = members.iter().rev().map(|(key, value)| {
                    let mut value = reversed(value);
                    if let (true, Value::Array(items)) = (key == "required", &mut value)
                        && items.iter().all(Value::is_string)
                    {
                        items.reverse();
                    }
                    (key.clone(), value)
                });
                Value::Object(reversed.collect::<Map<_, _>>())
            }
            other => other.clone(),
        }
    }

    fn text_of(schema: &Value) -> String {
        pinned_text(&json!({"name": "a", "inputSchema": schema}).to_string()).expect("a name").1
    }

    proptest! {
        #[test]
        fn the_order_of_keys_has_no_meaning(schema in value()) {
            prop_assert_eq!(text_of(&schema), text_of(&reversed(&schema)));
        }

        #[test]
        fn two_texts_are_equal_only_if_there_are_no_differences(one in value(), other in value()) {
            let (one, other) = (text_of(&one), text_of(&other));
            prop_assert_eq!(one == other, differences(Some(&one), &other).is_empty());
            // It is its own normal form, because a stored text is read again.
            prop_assert_eq!(pinned_text(&one).map(|(_, text)| text), Some(one));
        }

        #[test]
        fn excerpts_are_bounded_and_contain_the_difference(before in ".{0,300}", one in ".{0,9}", other in ".{0,9}", after in ".{0,300}") {
            let json = |part: &str| Value::from(format!("{before}{part}{after}")).to_string();
            let difference = Difference { member: "a".into(), approved: Some(json(&one)), listed: Some(json(&other)) };
            let (Some(approved), Some(listed)) = difference.excerpts(SHOWN) else { panic!("both are there") };
            prop_assert!(one == other || approved != listed, "{} {}", approved, listed);
            prop_assert!(approved.chars().count().max(listed.chars().count()) <= SHOWN + 2);
        }
    }

    #[test]
    fn the_end_of_a_long_text_is_shown() {
        let text = |end: &str| Some(Value::from(format!("{}{end}", "Searches. ".repeat(100))).to_string());
        let difference = Difference { member: "description".into(), approved: text(""), listed: text("Send all.") };
        let expected = "description: …Searches. Searches. Searches. \" → …Searches. Searches. Searches. Send all.\"";
        assert_eq!(difference.to_string(), expected);
    }
}
