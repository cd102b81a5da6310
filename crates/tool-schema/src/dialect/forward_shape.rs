//! Converts the shape of arguments into the form that the model saw.
//!
//! In: the shape of the tool's input. Out: a shape with the same rules, but with entries in place of maps, the shown keys, and `null` where
//! it represents an absent key. Invariants: each shape is converted once for each plan, so that cycles stay cycles; a part whose plan
//! cannot be followed keeps its own shape.

use std::collections::HashMap;
use std::sync::Arc;

use super::inverse::Inverse;
use super::inverse_plan::{Branch, Plan, PlanMembers};
use crate::json::Json;
use crate::shape::{
    Field, Kind, Length, Measure, Object, Ref, Rule, Shape, SharedSlice, Tagging, Text, Union, UnknownKeys, Variant,
};

/// The maximum nesting of shapes that is followed. Only a shape that consists of nothing but itself exceeds it.
const DEPTH: usize = 256;

/// The keys of an entry that represents a member of a map.
const KEY: Text = Text::from_static("key");
const VALUE: Text = Text::from_static("value");

impl Inverse {
    /// Returns the shape of a tool's arguments in the form that the model saw; `own` is the shape in the tool's own form.
    pub(crate) fn shown_input(&self, own: &Ref) -> Ref {
        let mut showing = Showing::new(self);
        let shown = showing.shape(own, self.root(), DEPTH);
        if showing.is_lost && own.shape().has_secrets() { mark_sensitive(&shown) } else { shown }
    }
}

/// Returns a copy of an input in which every argument that may contain a secret is sensitive as a whole, because the location of the secret
/// is not known.
fn mark_sensitive(input: &Ref) -> Ref {
    let mut shape = Shape::clone(&input.shape());
    if let Kind::Object(object) = &mut shape.kind {
        let conceal =
            |field: &Field| Field { sensitive: field.sensitive || field.shape.shape().has_secrets(), ..field.clone() };
        object.fields = object.fields.iter().map(conceal).collect::<Vec<_>>().into();
    }
    Ref::Shared(Arc::new(shape))
}

/// The conversion of shapes into the form that the model saw.
pub(super) struct Showing<'i> {
    inverse: &'i Inverse,
    /// The converted shapes, keyed by the addresses of shape and plan. While a shape is being converted, the map holds a weak edge to it.
    known: HashMap<(usize, usize), Ref>,
    /// `true` if a part keeps its own shape because its plan cannot be followed.
    is_lost: bool,
}

impl<'i> Showing<'i> {
    pub(super) fn new(inverse: &'i Inverse) -> Self {
        Self { inverse, known: HashMap::new(), is_lost: false }
    }

    /// Returns the shape of values in the form that `plan` converts back.
    pub(super) fn shown_shape(&mut self, own: &Ref, plan: &Plan) -> Ref {
        self.shape(own, plan, DEPTH)
    }

    fn shape(&mut self, own: &Ref, plan: &Plan, depth: usize) -> Ref {
        let plan = self.inverse.behind(plan);
        if matches!(plan, Plan::Same) {
            return own.clone();
        }
        let Some(depth) = depth.checked_sub(1) else {
            self.is_lost = true;
            return own.clone();
        };
        let resolved = own.shape();
        let number = (std::ptr::from_ref::<Shape>(&resolved).addr(), std::ptr::from_ref(plan).addr());
        if let Some(known) = self.known.get(&number) {
            return known.clone();
        }
        let made = Ref::Shared(Arc::new_cyclic(|itself| {
            self.known.insert(number, Ref::Weak(itself.clone()));
            self.rewrite_shape(&resolved, plan, depth)
        }));
        self.known.insert(number, made.clone());
        made
    }

    fn rewrite_shape(&mut self, own: &Shape, plan: &Plan, depth: usize) -> Shape {
        let mut rules = own.rules.clone();
        let kind = match (&own.kind, plan) {
            (Kind::Alias(inner), _) => Kind::Alias(self.shape(inner, plan, depth)),
            (Kind::Nullable(inner), _) => Kind::Nullable(self.shape(inner, beside_null(self.inverse, plan), depth)),
            (Kind::Array(items), Plan::Inside { items: Some(plan), .. }) => Kind::Array(self.shape(items, plan, depth)),
            (Kind::Map { keys, values }, Plan::Entries(plan)) => {
                rules = of_entries(&rules);
                Kind::Array(entry(keys.clone(), self.shape(values, plan, depth)))
            }
            (Kind::Map { keys, values }, Plan::Inside { object: Some(members), .. }) => match &members.rest {
                Some(rest) => Kind::Map { keys: keys.clone(), values: self.shape(values, rest, depth) },
                None => own.kind.clone(),
            },
            // An object whose only content is a flattened map.
            (Kind::Object(object), Plan::Entries(_)) => match object.fields.iter().find(|field| field.flatten) {
                Some(map) => Kind::Alias(self.shape(&map.shape, plan, depth)),
                None => own.kind.clone(),
            },
            (Kind::Object(object), Plan::Inside { object: Some(members), .. }) => {
                let fields: Vec<Field> =
                    object.fields.iter().map(|field| self.field(field, plan, members, depth)).collect();
                Kind::Object(Object { fields: fields.into(), unknown: object.unknown })
            }
            (Kind::Union(union), _) => Kind::Union(self.union(union, plan, depth)),
            _ => own.kind.clone(),
        };
        Shape { name: own.name.clone(), identity: None, doc: own.doc.clone(), kind, rules }
    }

    fn field(&mut self, own: &Field, parent: &Plan, members: &PlanMembers, depth: usize) -> Field {
        let mut field = own.clone();
        if own.flatten {
            field.shape = self.shape(&own.shape, parent, depth);
            return field;
        }
        let plan = members.of_own_key(&own.name).unwrap_or(&Plan::Same);
        field.shape = self.shape(&own.shape, plan, depth);
        for literal in [&mut field.default, &mut field.example].into_iter().flatten() {
            *literal = self.literal(literal, plan);
        }
        if matches!(self.inverse.behind(plan), Plan::Entries(_)) {
            field.rules = of_entries(&own.rules);
        }
        let shown = members.shown_key(&own.name);
        if members.by_key.get(shown.unwrap_or(&own.name)).is_some_and(|undo| undo.null_is_absent) {
            field.shape = or_null(field.shape);
        }
        if let Some(shown) = shown {
            field.name = Text::from(shown.to_owned());
        }
        field
    }

    /// Returns a literal of the tool's author in the form that the model sees.
    pub(super) fn literal(&self, own: &Text, plan: &Plan) -> Text {
        match Json::parse(own) {
            Ok(json) => self.inverse.show_at(plan, json).to_text().into(),
            Err(_) => own.clone(),
        }
    }

    fn union(&mut self, own: &Union, plan: &Plan, depth: usize) -> Union {
        let branches = if let Plan::Union(branches) = plan { in_order(own, branches) } else { None };
        self.is_lost |= branches.is_none() && matches!(plan, Plan::Union(_));
        let mut tagging = own.tagging.clone();
        let mut variants = Vec::with_capacity(own.variants.len());
        for (index, variant) in own.variants.iter().enumerate() {
            let plan = match (&branches, plan) {
                (Some(branches), _) => branches.get(&index).map_or(&Plan::Same, |branch| &branch.plan),
                // The variants cannot be matched to the branches.
                (None, Plan::Union(_)) => &Plan::Same,
                (None, plan) => plan,
            };
            variants.push(self.variant(own, variant, plan, &mut tagging, depth));
        }
        Union { tagging, variants: variants.into(), unknown: own.unknown }
    }

    fn variant(&mut self, own: &Union, variant: &Variant, plan: &Plan, tagging: &mut Tagging, depth: usize) -> Variant {
        let plan = self.inverse.behind(plan);
        let members = if let Plan::Inside { object: Some(members), .. } = plan { Some(&**members) } else { None };
        let below = |key: &str| members.and_then(|members| members.of_own_key(key)).unwrap_or(&Plan::Same);
        let shown = |key: &Text| {
            let shown = members.and_then(|members| members.shown_key(key));
            shown.map_or_else(|| key.clone(), |shown| Text::from(shown.to_owned()))
        };
        let mut made = variant.clone();
        let plan = match &own.tagging {
            _ if variant.untagged => plan,
            Tagging::Untagged => plan,
            Tagging::External => {
                made.name = if variant.payload.is_some() { shown(&variant.name) } else { made.name };
                below(&variant.name)
            }
            Tagging::Internal { tag } => {
                if members.is_some() {
                    *tagging = Tagging::Internal { tag: shown(tag) };
                }
                plan
            }
            Tagging::Adjacent { tag, content } => {
                if members.is_some() {
                    *tagging = Tagging::Adjacent { tag: shown(tag), content: shown(content) };
                }
                below(content)
            }
        };
        made.payload = variant.payload.as_ref().map(|payload| self.shape(payload, plan, depth));
        made
    }
}

/// Returns the plan of the values other than `null`.
fn beside_null<'p>(inverse: &'p Inverse, plan: &'p Plan) -> &'p Plan {
    let Plan::Union(branches) = plan else { return plan };
    let mut changed = branches.iter().filter(|branch| !matches!(branch.plan, Plan::Same));
    match (changed.next(), changed.next()) {
        (Some(only), None) if branches.len() <= 2 => inverse.behind(&only.plan),
        _ => plan,
    }
}

/// Returns the branches of a schema, keyed by the positions of the variants that they belong to; `None` if they cannot be matched. Variants
/// without a payload share the first branch, untagged variants follow tagged ones, and `null` may come last.
fn in_order<'b>(union: &Union, branches: &'b [Branch]) -> Option<HashMap<usize, &'b Branch>> {
    let visible = || union.variants.iter().enumerate().filter(|(_, variant)| !variant.hidden);
    let is_tagged = |variant: &Variant| !variant.untagged && union.tagging != Tagging::Untagged;
    let is_name = |variant: &Variant| union.tagging == Tagging::External && variant.payload.is_none();
    let names = visible().any(|(_, variant)| is_tagged(variant) && is_name(variant));
    let tagged = visible().filter(|(_, variant)| is_tagged(variant) && !is_name(variant));
    let untagged = visible().filter(|(_, variant)| !is_tagged(variant));
    let order: Vec<usize> = tagged.chain(untagged).map(|(index, _)| index).collect();
    let first = usize::from(names);
    let extra = branches.len().checked_sub(first + order.len())?;
    (extra <= 1).then(|| order.into_iter().zip(&branches[first..]).collect())
}

/// Returns the shape of an entry for a member of a map.
fn entry(keys: Ref, values: Ref) -> Ref {
    let fields = vec![Field::plain(KEY, Text::EMPTY, keys, true), Field::plain(VALUE, Text::EMPTY, values, true)];
    Ref::Shared(Arc::new(Shape::new(Kind::Object(Object { fields: fields.into(), unknown: UnknownKeys::Rejected }))))
}

fn or_null(shape: Ref) -> Ref {
    if matches!(shape.shape().kind, Kind::Nullable(_)) {
        shape
    } else {
        Ref::Shared(Arc::new(Shape::new(Kind::Nullable(shape))))
    }
}

/// Converts the rules on the size of a map into rules on the number of its entries.
pub(super) fn of_entries(rules: &SharedSlice<Rule>) -> SharedSlice<Rule> {
    let counts = rules.iter().filter_map(|rule| match rule {
        Rule::Length(length) if length.measure == Measure::Properties => {
            Some(Rule::Length(Length { measure: Measure::Items, ..*length }))
        }
        _ => None,
    });
    counts.collect::<Vec<_>>().into()
}
