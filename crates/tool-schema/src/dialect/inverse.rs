//! [`Inverse`]: converts arguments that a model sent under a dialect into the arguments that the tool accepts.
//!
//! In: the tree of a call's arguments. Out: the same tree without each `null` that the dialect added, with entries converted into the
//! members of a map, and with the tool's own keys. Invariants: the rewritten form of a value is converted back into that value; a value
//! that was not sent in the requested form is not changed, unless its meaning is certain; the work is linear in the size of the value.

use std::borrow::Cow;
use std::collections::HashSet;

use super::common_branch_changes::{Agreed, Belonging};
use super::inverse_plan::{Plan, PlanMembers};
use super::rewrite::Settled;
use crate::fast_hash::RandomHashState;
use crate::issue::{Issue, Issues, MAX_ISSUES, Path, Segment};
use crate::json::{Json, Member, Node};
use crate::shape::Text;

/// The maximum number of plans that are followed for one value. Only a union that consists of nothing but itself
/// exceeds it.
const DEPTH: usize = 512;

/// A conversion of the model's arguments to the form that the tool accepts, for a tool whose schema was rewritten for a provider.
///
/// ```
/// use tool_schema::dialect::Dialect;
/// use tool_schema::json::Json;
/// use tool_schema::schema::{ToolDeclaration, Hints};
/// use tool_schema::shape::{Shape, Text};
///
/// let schema = Json::parse(
///     r#"{"type": "object", "additionalProperties": false, "required": ["city"],
///         "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}}"#,
/// )?.into_owned();
/// let (name, description) = (Text::from_static("weather"), Text::EMPTY);
/// let declaration = ToolDeclaration { name: &name, description: &description, input: Shape::ANY, output: None, hints: Hints::default() };
///
/// let strict = Dialect::OPENAI_STRICT.render(&declaration, Some(&schema));
/// let inverse = strict.inverse().ok_or("it was rewritten")?;
/// let sent = Json::parse(r#"{"city": "Paris", "days": null}"#)?;
/// assert_eq!(inverse.restore(sent).map(|own| own.to_text()).ok().as_deref(), Some(r#"{"city":"Paris"}"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Inverse {
    root: Plan,
    definitions: Vec<Plan>,
}

impl Inverse {
    pub(super) fn from_settled(settled: &mut Settled) -> Option<Self> {
        let (root, definitions) = settled.plans.take()?;
        Some(Self { root, definitions })
    }

    pub(super) const fn root(&self) -> &Plan {
        &self.root
    }

    pub(super) fn definition(&self, index: usize) -> &Plan {
        self.definitions.get(index).unwrap_or(&Plan::Same)
    }

    /// Converts arguments from the form that the model saw to the form that the tool accepts.
    ///
    /// # Errors
    ///
    /// Returns an issue for each map entry that is not an object with `key` and `value`, or that repeats a key. The paths refer to the
    /// arguments that were sent.
    pub fn restore<'a>(&self, mut sent: Json<'a>) -> Result<Json<'a>, Issues> {
        let issues = self.undo(&mut sent);
        if issues.is_empty() { Ok(sent) } else { Err(issues) }
    }

    /// Returns `true` if the conversion has a rule for the argument that the model sends under this name.
    pub(crate) fn shows(&self, key: &str) -> bool {
        matches!(self.behind(&self.root), Plan::Inside { object: Some(members), .. } if members.by_key.contains_key(key))
    }

    /// Converts the arguments back in place. Entries that cannot be converted are not changed, and are returned as issues.
    pub(crate) fn undo(&self, sent: &mut Json<'_>) -> Issues {
        let mut undoing = Undoing { inverse: self, issues: Issues::new() };
        undoing.value(&self.root, sent, &InversePlace { parent: None, step: Step::Root }, DEPTH);
        undoing.issues
    }
}

struct Undoing<'i> {
    inverse: &'i Inverse,
    issues: Issues,
}

/// The location of a value in the arguments that were sent. A path is written only for an issue.
struct InversePlace<'p> {
    parent: Option<&'p InversePlace<'p>>,
    step: Step<'p>,
}

#[derive(Clone, Copy)]
enum Step<'p> {
    Root,
    Key(&'p str),
    Index(usize),
}

impl InversePlace<'_> {
    fn below<'p>(&'p self, step: Step<'p>) -> InversePlace<'p> {
        InversePlace { parent: Some(self), step }
    }

    fn path(&self) -> Path {
        let mut segments = Vec::new();
        let mut place = Some(self);
        while let Some(at) = place {
            segments.extend(match at.step {
                Step::Root => None,
                Step::Key(key) => Some(Segment::Key(Text::from(key.to_owned()))),
                Step::Index(index) => Some(Segment::Index(index)),
            });
            place = at.parent;
        }
        segments.into_iter().rev().collect()
    }
}

impl Undoing<'_> {
    /// Applies a plan to a value. The recursion is bounded by the nesting of `Json`, and by [`DEPTH`] for plans that lead to other plans.
    fn value(&mut self, plan: &Plan, json: &mut Json<'_>, place: &InversePlace<'_>, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        match (plan, &mut json.node) {
            (Plan::Definition(index), _) => {
                let inverse = self.inverse;
                self.value(inverse.definition(*index), json, place, depth);
            }
            (Plan::Union(branches), _) => {
                let inverse = self.inverse;
                match (inverse.chosen(branches, json), &mut json.node) {
                    (Belonging::Certain(plan), _) => self.value(plan, json, place, depth),
                    (Belonging::Open(agreed), Node::Object(members)) => self.uncertain(&agreed, members, place, depth),
                    _ => {}
                }
            }
            (Plan::Inside { object: Some(plan), .. }, Node::Object(members)) => {
                self.members(plan, members, place, depth);
            }
            (Plan::Inside { items: Some(plan), .. }, Node::Array(items)) => {
                for (index, item) in items.iter_mut().enumerate() {
                    self.value(plan, item, &place.below(Step::Index(index)), depth);
                }
            }
            (Plan::Entries(plan), Node::Array(_)) => self.entries(plan, json, place, depth),
            // A map in place of the requested entries is unambiguous.
            (Plan::Entries(plan), Node::Object(members)) => {
                for Member { key, value, .. } in members {
                    self.value(plan, value, &place.below(Step::Key(key)), depth);
                }
            }
            _ => {}
        }
    }

    fn members(&mut self, plan: &PlanMembers, members: &mut Vec<Member<'_>>, place: &InversePlace<'_>, depth: usize) {
        leave_out(plan, members);
        for Member { key, value, .. } in members {
            let undo = plan.by_key.get(&**key);
            // The tool's own key in place of the shown key is unambiguous.
            let below = undo.map_or_else(|| plan.of_own_key(key), |undo| Some(&undo.value));
            if let Some(below) = below {
                self.value(below, value, &place.below(Step::Key(key)), depth);
            }
            if let Some(own) = undo.and_then(|undo| undo.own_key.as_ref()) {
                *key = own.to_string().into();
            }
        }
    }

    /// Converts the members of an object that may belong to several branches of a union.
    fn uncertain(&mut self, agreed: &Agreed<'_>, members: &mut [Member<'_>], place: &InversePlace<'_>, depth: usize) {
        for Member { key, value, .. } in members {
            let Some((own_key, plan)) = agreed.undo(key) else { continue };
            self.value(plan, value, &place.below(Step::Key(key)), depth);
            if let Some(own) = own_key {
                *key = own.to_owned().into();
            }
        }
    }

    /// Converts an array of entries, which are objects with `key` and `value`, into one object.
    fn entries<'a>(&mut self, plan: &Plan, json: &mut Json<'a>, place: &InversePlace<'_>, depth: usize) {
        let Node::Array(entries) = &mut json.node else { return };
        let mut keys: HashSet<Cow<'a, str>, RandomHashState> =
            HashSet::with_capacity_and_hasher(entries.len(), RandomHashState::default());
        let before = self.issues.len();
        for (index, entry) in entries.iter_mut().enumerate() {
            let at = place.below(Step::Index(index));
            match parts(entry) {
                None => self.reject(&at, "must be an object with `key` and `value`"),
                Some((key, value)) => {
                    if !keys.insert(key) {
                        self.reject(&at.below(Step::Key("key")), "repeats the key of another entry");
                    }
                    self.value(plan, value, &at.below(Step::Key("value")), depth);
                }
            }
        }
        if self.issues.len() == before {
            let entries = std::mem::take(entries);
            json.node = Node::Object(entries.into_iter().filter_map(as_member).collect());
        }
    }

    fn reject(&mut self, place: &InversePlace<'_>, words: &'static str) {
        if self.issues.len() <= MAX_ISSUES {
            self.issues.push(Issue::custom(place.path(), words));
        }
    }
}

/// Removes each `null` that only the dialect requires, for a key that the tool allows to be absent. Members with a repeated key are kept,
/// so that the checker reports them.
fn leave_out(plan: &PlanMembers, members: &mut Vec<Member<'_>>) {
    let is_added = |member: &Member<'_>| {
        member.value.is_null() && plan.by_key.get(&*member.key).is_some_and(|undo| undo.null_is_absent)
    };
    if !members.iter().any(is_added) {
        return;
    }
    let mut seen = HashSet::with_capacity_and_hasher(members.len(), RandomHashState::default());
    let repeated = members.iter().filter(|member| !seen.insert(&*member.key)).map(|member| member.key.to_string());
    let repeated: HashSet<String> = repeated.collect();
    members.retain(|member| !is_added(member) || repeated.contains(&*member.key));
}

/// Returns the key and the value of an entry; `None` if the entry is not an object with exactly these two members.
fn parts<'e, 'a>(entry: &'e mut Json<'a>) -> Option<(Cow<'a, str>, &'e mut Json<'a>)> {
    let Node::Object(members) = &mut entry.node else { return None };
    let [one, other] = &mut members[..] else { return None };
    let (key, value) = match (&*one.key, &*other.key) {
        ("key", "value") => (one, other),
        ("value", "key") => (other, one),
        _ => return None,
    };
    let Node::String(key) = &key.value.node else { return None };
    Some((key.clone(), &mut value.value))
}

/// Converts an entry into the member of an object.
fn as_member(entry: Json<'_>) -> Option<Member<'_>> {
    let Node::Object(members) = entry.node else { return None };
    let (mut key, mut key_span, mut value) = (None, crate::json::Span::default(), None);
    for member in members {
        match (&*member.key, member.value.node) {
            ("key", Node::String(text)) => (key, key_span) = (Some(text), member.value.span),
            ("value", node) => value = Some(Json { node, span: member.value.span }),
            _ => {}
        }
    }
    Some(Member { key: key?, key_span, value: value? })
}
