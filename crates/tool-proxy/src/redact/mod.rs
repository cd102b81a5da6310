//! Redaction of arguments in everything that is recorded, logged or shown: [`Redaction`].
//!
//! A value is replaced by `"[redacted]"` if it
//!
//! - is the value of a key that resembles a redacted name, or of an undeclared key that mentions one; the latter key is replaced too if it
//!   says more than the name;
//! - stands where the schema has an object with a redacted name, directly or further below, and is not such an object;
//! - is a text that mentions a redacted name and says more, because it may contain JSON, a command, a header or a query;
//! - is a text or a number below an undeclared key, while a declared redacted name beside this key is missing.
//!
//! The arguments are replaced as a whole if they cannot be parsed or are not an object, or if a text in them is a redacted name, a path to
//! one, or a short text with one (`TOKEN_1`), because the value may be anywhere: `["token", "x"]`, `{"op": "add", "path": "/token", "value": "x"}`. Without redacted names, nothing is
//! replaced. The work is linear in the arguments, apart from searches in the schema.

mod find_redacted_names;
mod subschemas;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::rc::Rc;

use serde_json::Value;

use crate::call::Call;
use crate::frame::{Splice, replaced};
use crate::own_messages::json_string;
use crate::private::json::{Json, Node, Span};
use crate::redact::find_redacted_names::{Mention, Names};
use crate::redact::subschemas::{
    Part, Parts, Searched, declares, describes_members, holds, in_place, of_items, of_key,
};

/// The text in place of a redacted value.
pub(super) const REDACTED: &str = "[redacted]";

/// A call as it may be recorded, logged and shown.
pub(super) struct Shown<'c> {
    pub(super) name: Cow<'c, str>,
    /// The arguments as JSON text; empty if there are none.
    pub(super) arguments: Cow<'c, str>,
}

impl<'c> Shown<'c> {
    /// Returns a call of a known tool without its arguments.
    pub(super) fn without_arguments(call: &'c Call<'_>) -> Self {
        Self { name: (&*call.name).into(), arguments: format!(r#""{REDACTED}""#).into() }
    }
}

/// The rules for the arguments of a call.
pub(super) struct Redaction<'r> {
    names: Names<'r>,
    /// The schemas of the tools that the call may mean. Those without redacted names are left out.
    schemas: Vec<&'r Value>,
    /// `true` if the call means exactly one listed tool.
    is_exact: bool,
}

/// The reason why parts of the schema apply to a place.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// The schema describes the place.
    Declared,
    /// The place is below an undeclared key, where the value may be wrapped.
    Undeclared,
    /// The place is below an undeclared key that may stand for a redacted name.
    Doubtful,
}

struct Visit<'j, 'a, 's> {
    node: &'j Json<'a>,
    parts: Rc<Parts<'s>>,
    place: Place,
}

/// Returns a schema if it declares a redacted name.
pub(super) fn with_redacted(names: &[String], schema: &str) -> Option<Value> {
    let schema = (!names.is_empty()).then(|| serde_json::from_str(schema).ok())??;
    holds(&Names::new(names), (&schema, &schema), &mut Searched::default()).then_some(schema)
}

/// Returns `true` if a text mentions a redacted name.
pub(super) fn mentions(names: &[String], text: &str) -> bool {
    !names.is_empty() && Names::new(names).mention(text) != Mention::None
}

impl<'r> Redaction<'r> {
    pub(super) fn new(names: &'r [String], schemas: Vec<&'r Value>, is_exact: bool) -> Self {
        Self { names: Names::new(names), schemas, is_exact }
    }

    /// Returns a call without the redacted values. The name of an unknown tool is a text like any other.
    pub(super) fn shown<'c>(&self, call: &'c Call<'_>) -> Shown<'c> {
        let hides_name = !self.is_exact && matches!(self.names.mention(&call.name), Mention::More | Mention::Label);
        let name = if hides_name { REDACTED.into() } else { Cow::Borrowed(&*call.name) };
        let is_empty = call.arguments.is_empty();
        Shown { name, arguments: if is_empty { "".into() } else { self.arguments(call.arguments).into() } }
    }

    /// Returns arguments, which are JSON text, without the redacted values.
    fn arguments(&self, text: &str) -> String {
        let Ok(json) = Json::parse(text) else { return json_string(REDACTED) };
        let hidden = match json.as_str() {
            None => self.object(text, &json),
            // A model may send the arguments as a text.
            Some(inner) => {
                Json::parse(inner).ok().and_then(|json| self.object(inner, &json)).map(|hidden| json_string(&hidden))
            }
        };
        hidden.unwrap_or_else(|| json_string(REDACTED))
    }

    /// Returns an object without the redacted values; `None` if all of it may be one.
    fn object(&self, text: &str, json: &Json<'_>) -> Option<String> {
        if !matches!(json.node, Node::Object(_)) {
            return None;
        }
        let parts = Rc::new(in_place(self.schemas.iter().map(|schema| (*schema, *schema)).collect())?);
        let (mut searched, mut spans) = (Searched::default(), Vec::new());
        let is_object = |(_, part): &Part<'_>| describes_members(part);
        let mut visits = vec![Visit { node: json, parts, place: Place::Declared }];
        while let Some(visit) = visits.pop() {
            let Visit { node, parts, place } = visit;
            let searched = &mut searched;
            let is_hidden = match &node.node {
                Node::Null | Node::Bool(_) => false,
                Node::Number(_) => place == Place::Doubtful || place == Place::Declared && self.holds(&parts, searched),
                Node::String(text) => {
                    let mention = self.names.mention(text);
                    if matches!(mention, Mention::Name | Mention::Label) {
                        return None;
                    }
                    mention == Mention::More
                        || place == Place::Doubtful
                        || (place == Place::Declared || text.contains(['{', '['])) && self.holds(&parts, searched)
                }
                Node::Array(items) => {
                    let below = match place {
                        Place::Declared => self.enter(of_items(&parts), searched).filter(|below| {
                            // Otherwise, a list stands in place of the object.
                            !self.holds(&parts, searched) || self.holds(below, searched)
                        }),
                        Place::Undeclared | Place::Doubtful => Some(parts),
                    };
                    if let Some(parts) = &below {
                        visits.extend(items.iter().map(|node| Visit { node, parts: Rc::clone(parts), place }));
                    }
                    below.is_none()
                }
                Node::Object(_)
                    if place == Place::Declared && !parts.iter().any(is_object) && self.holds(&parts, searched) =>
                {
                    // One object in place of a list of them.
                    let below = in_place(of_items(&parts)).filter(|below| below.iter().any(is_object));
                    let is_hidden = below.is_none();
                    visits.extend(below.map(|below| Visit { node, parts: Rc::new(below), place }));
                    is_hidden
                }
                Node::Object(_) => {
                    let mut declares = |part: &Part<'_>| declares(&self.names, *part, searched);
                    // The arguments of an unknown tool may lack the names of other tools.
                    let is_missing = (self.is_exact || !std::ptr::eq(node, json))
                        && place == Place::Declared
                        && parts.iter().any(&mut declares)
                        && !node.members().iter().any(|member| self.names.resembles(&member.key));
                    let place = if is_missing { Place::Doubtful } else { place };
                    self.members(&Visit { node, parts, place }, searched, &mut visits, &mut spans)?;
                    false
                }
            };
            if is_hidden {
                spans.push(node.span);
            }
        }
        let redacted = json_string(REDACTED);
        let splice = |span: Span| {
            let part = &text[span.start as usize..span.end as usize];
            Splice { part, text: (&*redacted).into() }
        };
        Some(replaced(text, &spans.into_iter().map(splice).collect::<Vec<_>>()))
    }

    fn holds(&self, parts: &Parts<'_>, searched: &mut Searched) -> bool {
        parts.iter().any(|part| holds(&self.names, *part, searched))
    }

    /// Returns the parts that apply to a place below; `None` if they cannot be followed and may have a redacted name.
    fn enter<'s>(&self, parts: Parts<'s>, searched: &mut Searched) -> Option<Rc<Parts<'s>>> {
        let entered = in_place(parts.clone());
        entered.or_else(|| (!self.holds(&parts, searched)).then(Vec::new)).map(Rc::new)
    }

    /// Visits the members of an object. Undeclared members are doubtful if the object is. Returns `None` if a hidden member says what
    /// another value is: `{"key": "token", "value": "x"}`, where `key` itself resembles a redacted name.
    fn members<'j, 'a, 's>(
        &self,
        Visit { node, parts, place }: &Visit<'j, 'a, 's>,
        searched: &mut Searched,
        visits: &mut Vec<Visit<'j, 'a, 's>>,
        spans: &mut Vec<Span>,
    ) -> Option<()> {
        for member in node.members() {
            let (below, is_declared) = of_key(parts, &member.key);
            let mention = if is_declared { Mention::None } else { self.names.mention(&member.key) };
            if matches!(mention, Mention::More | Mention::Label) {
                spans.push(member.key_span);
            }
            let visit = match place {
                _ if mention != Mention::None || self.names.resembles(&member.key) => None,
                _ if is_declared || !below.is_empty() => {
                    self.enter(below, searched).map(|below| (below, Place::Declared))
                }
                Place::Declared | Place::Undeclared => Some((Rc::clone(parts), Place::Undeclared)),
                Place::Doubtful => Some((Rc::clone(parts), Place::Doubtful)),
            };
            match visit {
                Some((parts, place)) => visits.push(Visit { node: &member.value, parts, place }),
                None if self.is_label(&member.value) => return None,
                None => spans.push(member.value.span),
            }
        }
        Some(())
    }

    fn is_label(&self, value: &Json<'_>) -> bool {
        value.as_str().is_some_and(|text| matches!(self.names.mention(text), Mention::Name | Mention::Label))
    }
}
