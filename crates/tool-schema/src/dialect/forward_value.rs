//! Converts the tool's arguments into the form that the model saw.
//!
//! In: the tree of a tool's arguments, for example the result of [`Inverse::restore`] after repairs. Out: the tree as a model would send
//! it, so that a rejection uses the form that the model knows. Invariant: the work for each branch of a union is linear in the size of the
//! tree.

use std::collections::HashSet;

use super::common_branch_changes::Belonging;
use super::inverse::Inverse;
use super::inverse_plan::{Plan, PlanMembers};
use crate::fast_hash::RandomHashState;
use crate::json::build::member;
use crate::json::{Json, Member, Node, Span};

/// The maximum number of plans that are followed for one value. Only a union that consists of nothing but itself
/// exceeds it.
const DEPTH: usize = 512;

impl Inverse {
    /// Converts arguments from the form that the tool accepts to the form that the model saw: the inverse of [`restore`](Self::restore).
    ///
    /// ```
    /// use tool_schema::dialect::Dialect;
    /// use tool_schema::json::Json;
    /// use tool_schema::schema::{ToolDeclaration, Hints};
    /// use tool_schema::shape::{Shape, Text};
    ///
    /// let schema = Json::parse(
    ///     r#"{"type": "object", "additionalProperties": false, "required": ["labels"],
    ///         "properties": {"labels": {"type": "object", "additionalProperties": {"type": "string"}}, "days": {"type": "integer"}}}"#,
    /// )?.into_owned();
    /// let (name, description) = (Text::from_static("mark"), Text::EMPTY);
    /// let declaration = ToolDeclaration { name: &name, description: &description, input: Shape::ANY, output: None, hints: Hints::default() };
    ///
    /// let strict = Dialect::OPENAI_STRICT.render(&declaration, Some(&schema));
    /// let inverse = strict.inverse().ok_or("it was rewritten")?;
    /// let own = Json::parse(r#"{"labels": {"a": "b"}}"#)?;
    /// assert_eq!(inverse.show(own).to_text(), r#"{"labels":[{"key":"a","value":"b"}],"days":null}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn show<'a>(&self, own: Json<'a>) -> Json<'a> {
        self.show_at(self.root(), own)
    }

    /// Converts a value into the form that `plan` converts back.
    pub(super) fn show_at<'a>(&self, plan: &Plan, mut own: Json<'a>) -> Json<'a> {
        self.show_value(plan, &mut own, DEPTH);
        own
    }

    /// Converts one value. The recursion is bounded by the nesting of `Json`, and by [`DEPTH`] for plans that lead to other plans.
    fn show_value(&self, plan: &Plan, json: &mut Json<'_>, depth: usize) {
        let Some(depth) = depth.checked_sub(1) else { return };
        match (plan, &mut json.node) {
            (Plan::Definition(index), _) => self.show_value(self.definition(*index), json, depth),
            (Plan::Union(branches), _) => match (self.meant(branches, json), &mut json.node) {
                (Belonging::Certain(plan), _) => self.show_value(plan, json, depth),
                (Belonging::Open(agreed), Node::Object(members)) => {
                    for Member { key, value, .. } in members {
                        self.show_value(agreed.plan(key).unwrap_or(&Plan::Same), value, depth);
                        if let Some(shown) = agreed.shown_key(key) {
                            *key = shown.to_owned().into();
                        }
                    }
                }
                _ => {}
            },
            (Plan::Inside { object: Some(plan), .. }, Node::Object(members)) => {
                for Member { key, value, .. } in members.iter_mut() {
                    if let Some(below) = plan.of_own_key(key) {
                        self.show_value(below, value, depth);
                    }
                    if let Some(shown) = plan.shown_key(key) {
                        *key = shown.to_owned().into();
                    }
                }
                members.extend(left_out(plan, members));
            }
            (Plan::Inside { items: Some(plan), .. }, Node::Array(items)) => {
                for item in items {
                    self.show_value(plan, item, depth);
                }
            }
            (Plan::Entries(plan), Node::Object(members)) => {
                let entries = std::mem::take(members).into_iter().map(|mut member| {
                    self.show_value(plan, &mut member.value, depth);
                    entry(member)
                });
                json.node = Node::Array(entries.collect());
            }
            // These entries could not be converted back.
            (Plan::Entries(plan), Node::Array(entries)) => {
                let values = entries.iter_mut().filter_map(|entry| match &mut entry.node {
                    Node::Object(members) => members.iter_mut().find(|member| member.key == "value"),
                    _ => None,
                });
                for Member { value, .. } in values {
                    self.show_value(plan, value, depth);
                }
            }
            _ => {}
        }
    }

    /// Returns the object that the model would see for these members. Scalars keep their values; objects and arrays among the values are
    /// emptied.
    pub(super) fn outline(&self, plan: &Plan, members: &[Member<'_>]) -> Json<'static> {
        let object = if let Plan::Inside { object: Some(object), .. } = plan { Some(object) } else { None };
        let mut outline: Vec<_> = members
            .iter()
            .map(|member| {
                let mut outlined = without_parts(member);
                let Some(object) = object else { return outlined };
                let is_map = |plan: &Plan| matches!(self.behind(plan), Plan::Entries(_));
                if matches!(outlined.value.node, Node::Object(_)) && object.of_own_key(&member.key).is_some_and(is_map)
                {
                    outlined.value.node = Node::Array(Vec::new());
                }
                if let Some(shown) = object.shown_key(&member.key) {
                    outlined.key = shown.to_owned().into();
                }
                outlined
            })
            .collect();
        if let Some(object) = object {
            outline.extend(left_out(object, &outline));
        }
        Json::from_node(Node::Object(outline))
    }

    /// Replaces a plan that refers to a definition by the plan of that definition.
    pub(super) fn behind<'p>(&'p self, mut plan: &'p Plan) -> &'p Plan {
        for _ in 0..DEPTH {
            let Plan::Definition(index) = plan else { return plan };
            plan = self.definition(*index);
        }
        &Plan::Same
    }
}

/// Returns a `null` member for each optional key that is absent from `members`, sorted by key. The model sees these keys as required, and
/// sends `null` instead of leaving them out.
fn left_out(plan: &PlanMembers, members: &[Member<'_>]) -> Vec<Member<'static>> {
    let there: HashSet<&str, RandomHashState> = members.iter().map(|member| &*member.key).collect();
    let nullable = plan.by_key.iter().filter(|(_, undo)| undo.null_is_absent).map(|(key, _)| &**key);
    let mut keys: Vec<&str> = nullable.filter(|key| !there.contains(key)).collect();
    keys.sort_unstable();
    keys.into_iter().map(|key| member(key.to_owned(), Json::from_node(Node::Null))).collect()
}

fn without_parts(of: &Member<'_>) -> Member<'static> {
    let node = match &of.value.node {
        Node::Array(_) => Node::Array(Vec::new()),
        Node::Object(_) => Node::Object(Vec::new()),
        _ => return member(of.key.clone().into_owned(), of.value.clone().into_owned()),
    };
    member(of.key.clone().into_owned(), Json::from_node(node))
}

/// Converts a member of a map into an entry: an object with `key` and `value`.
fn entry(member: Member<'_>) -> Json<'_> {
    let Member { key, key_span, value } = member;
    let key = Json { node: Node::String(key), span: key_span };
    let named = |name: &'static str, value| Member { key: name.into(), key_span: Span::default(), value };
    Json::from_node(Node::Object(vec![named("key", key), named("value", value)]))
}
