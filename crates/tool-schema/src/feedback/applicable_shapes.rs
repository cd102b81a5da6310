//! The shapes that apply at a location in the arguments: [`ApplicableShapes`].
//!
//! A view also decides if the value may be shown. Invariant: if the input has secrets, values of sensitive fields, values beside a
//! sensitive field in an untagged union, and unexpected values are hidden. Each step is bounded, and if a bound is reached, the value is
//! hidden.

use crate::issue::{Expected, REDACTED};
use crate::json::{Json, JsonType, Node};
use crate::shape::{AcceptedTypes, Kind, Ref, Shape, Tagging, Union, Variant};

/// The maximum number of shapes visited for one location.
const SHAPES: usize = 256;

/// The shapes that may apply at a location in the arguments.
#[derive(Clone)]
pub(super) struct ApplicableShapes {
    edges: Vec<Ref>,
    /// `true` if the input has any secrets; otherwise everything is shown.
    guarded: bool,
    /// `true` inside a sensitive field.
    secret: bool,
    /// `true` inside an untagged union that has secrets: every value may be a secret, whatever its field.
    veiled: bool,
}

impl ApplicableShapes {
    /// Creates the view of the whole arguments.
    pub(super) fn root(shape: &Shape) -> Self {
        let edges = vec![Ref::Shared(shape.clone().into())];
        Self { edges, guarded: shape.has_secrets(), secret: false, veiled: false }
    }

    /// Returns `true` if the input has any secrets, so that some values may have to be hidden.
    pub(super) const fn is_guarded(&self) -> bool {
        self.guarded
    }

    /// Returns `true` if the value may be or contain a secret.
    pub(super) fn has_secrets(&self) -> bool {
        self.guarded && (self.secret || self.veiled || self.edges.iter().any(|edge| edge.shape().has_secrets()))
    }

    /// Returns a key in the form that may be shown: an unknown key may itself be a secret.
    pub(super) fn key<'k>(&self, object: &Json<'_>, key: &'k str) -> &'k str {
        if self.guarded && self.member(object, key).edges.is_empty() { REDACTED } else { key }
    }

    /// Returns `true` if the value must not be shown.
    pub(super) fn hides(&self, json: &Json<'_>) -> bool {
        if !self.guarded {
            return false;
        }
        if self.secret || self.edges.is_empty() {
            return true;
        }
        match json.node {
            Node::Null => false,
            Node::Array(_) | Node::Object(_) => !self.fits(json),
            // A text of the wrong type may have been meant for another field.
            Node::String(_) if !self.fits(json) => true,
            _ => self.veiled || self.edges.iter().any(|edge| edge.shape().has_secrets()),
        }
    }

    /// Returns `true` if a value has an expected type.
    fn fits(&self, json: &Json<'_>) -> bool {
        let (json_type, mut fits) = (json.json_type(), false);
        let is_seen = self.each(json, &mut |shape, _| fits |= accepts_type(shape, json_type));
        is_seen && fits
    }

    /// Returns this view with every value hidden, because a rule about several values was broken.
    pub(super) fn veiled(self) -> Self {
        Self { veiled: true, ..self }
    }

    /// Returns the view of a member of the object.
    pub(super) fn member(&self, object: &Json<'_>, key: &str) -> Self {
        let mut inner = Self { edges: Vec::new(), ..*self };
        let is_seen = self.each(object, &mut |shape, sensitive| match &shape.kind {
            Kind::Object(of) => {
                for field in of.fields.iter().filter(|field| field.has_key(key)) {
                    inner.secret |= field.sensitive || sensitive;
                    inner.edges.push(field.shape.clone());
                }
            }
            Kind::Map { values, .. } => {
                inner.secret |= sensitive;
                inner.edges.push(values.clone());
            }
            Kind::Any | Kind::Foreign(_) => inner.edges.push(Ref::Static(Shape::ANY)),
            Kind::Union(union) => {
                inner.secret |= sensitive;
                let is_open = union.tagging == Tagging::Untagged || is_unknown_tag(union, object, key);
                inner.veiled |= is_open && shape.has_secrets();
                member_of_union(union, object, key, &mut inner.edges);
            }
            _ => {}
        });
        inner.secret |= !is_seen;
        inner
    }

    /// Returns the view of an item of the array.
    pub(super) fn item(&self, array: &Json<'_>, index: usize) -> Self {
        let mut inner = Self { edges: Vec::new(), ..*self };
        let is_seen = self.each(array, &mut |shape, _| match &shape.kind {
            Kind::Array(items) => inner.edges.push(items.clone()),
            Kind::Tuple(positions) => inner.edges.extend(positions.get(index).cloned()),
            Kind::Any | Kind::Foreign(_) => inner.edges.push(Ref::Static(Shape::ANY)),
            Kind::Union(union) => inner.veiled |= union.tagging == Tagging::Untagged && shape.has_secrets(),
            _ => {}
        });
        inner.secret |= !is_seen;
        inner
    }

    /// Returns the expectation for the field of this name.
    pub(super) fn field(&self, object: &Json<'_>, name: &str) -> Option<Expected> {
        let mut found = None;
        self.each(object, &mut |shape, _| {
            if let Kind::Object(of) = &shape.kind
                && let Some(field) = of.fields.iter().find(|field| !field.flatten && field.name == *name)
            {
                found.get_or_insert_with(|| Expected::from_field(field));
            }
        });
        found
    }

    /// Returns the key of the tag, and the variant named by the tag.
    pub(super) fn tagged(&self, json: &Json<'_>) -> Option<(String, Variant)> {
        let mut found = None;
        self.each(json, &mut |shape, _| {
            if let Kind::Union(Union { tagging: Tagging::Internal { tag } | Tagging::Adjacent { tag, .. }, .. }) =
                &shape.kind
                && let Kind::Union(union) = &shape.kind
                && let Some(variant) = json.get(tag).and_then(Json::as_str).and_then(|name| union.find(name))
            {
                found.get_or_insert_with(|| (tag.to_string(), variant.clone()));
            }
        });
        found
    }

    /// Returns the expectation for an object whose tag `key` names the variant `name`.
    pub(super) fn payload(&self, object: &Json<'_>, key: &str, name: &str) -> Option<Expected> {
        let mut found = None;
        self.each(object, &mut |shape, _| {
            if let Kind::Union(union) = &shape.kind
                && matches!(&union.tagging, Tagging::Internal { tag } if *tag == *key)
                && let Some(payload) = union.find(name).and_then(|variant| variant.payload.clone())
            {
                found.get_or_insert_with(|| Expected::from_shape(payload));
            }
        });
        found
    }

    /// Returns the visible variants of the untagged union that applies here; `None` if there are fewer than two.
    pub(super) fn forms(&self, json: &Json<'_>) -> Option<Vec<Variant>> {
        let mut found = None;
        self.each(json, &mut |shape, _| {
            if let Kind::Union(union) = &shape.kind
                && union.tagging == Tagging::Untagged
            {
                let shown = union.variants.iter().filter(|variant| !variant.hidden);
                found.get_or_insert_with(|| shown.cloned().collect::<Vec<_>>());
            }
        });
        found.filter(|forms| forms.len() > 1)
    }

    /// Calls `show` for every shape that may apply to the value; the second argument is `true` if a flattened field makes the value
    /// sensitive. Returns `true` if all such shapes were visited within the bound.
    fn each(&self, json: &Json<'_>, show: &mut dyn FnMut(&Shape, bool)) -> bool {
        let mut open: Vec<(Ref, bool)> = self.edges.iter().map(|edge| (edge.clone(), false)).collect();
        for _ in 0..SHAPES {
            let Some((edge, sensitive)) = open.pop() else { return true };
            let shape = edge.shape();
            match &shape.kind {
                Kind::Alias(inner) | Kind::Nullable(inner) => {
                    open.push((inner.clone(), sensitive));
                    continue;
                }
                Kind::Union(union) => {
                    let payloads = inner_payloads(union, json).filter_map(|variant| variant.payload.clone());
                    open.extend(payloads.map(|payload| (payload, sensitive)));
                }
                Kind::Object(object) => {
                    let flattened = object.fields.iter().filter(|field| field.flatten);
                    open.extend(flattened.map(|field| (field.shape.clone(), sensitive || field.sensitive)));
                }
                _ => {}
            }
            show(&shape, sensitive);
        }
        open.is_empty()
    }
}

/// Returns the variants whose payload is the value itself (untagged), or whose fields are in the same object as the tag (internally
/// tagged). If the tag is known, only its variant is returned.
fn inner_payloads<'u>(union: &'u Union, json: &Json<'_>) -> impl Iterator<Item = &'u Variant> {
    let named = match &union.tagging {
        Tagging::Internal { tag } => json.get(tag).and_then(Json::as_str).and_then(|name| union.find(name)),
        _ => None,
    };
    let is_inside = match union.tagging {
        Tagging::Untagged => true,
        Tagging::Internal { .. } => named.is_none(),
        Tagging::External | Tagging::Adjacent { .. } => false,
    };
    union.variants.iter().filter(move |variant| is_inside || variant.untagged).chain(named)
}

/// Returns `true` if the key is a tag whose value names no variant.
fn is_unknown_tag(union: &Union, object: &Json<'_>, key: &str) -> bool {
    match &union.tagging {
        Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } if *tag == *key => {
            object.get(tag).and_then(Json::as_str).and_then(|name| union.find(name)).is_none()
        }
        _ => false,
    }
}

fn member_of_union(union: &Union, object: &Json<'_>, key: &str, edges: &mut Vec<Ref>) {
    const NAME: &Shape = &Shape::new(Kind::String);
    match &union.tagging {
        Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } if *tag == *key => edges.push(Ref::Static(NAME)),
        Tagging::Adjacent { tag, content } if *content == *key => {
            let named = object.get(tag).and_then(Json::as_str).and_then(|name| union.find(name));
            match named {
                Some(variant) => edges.extend(variant.payload.clone()),
                None => edges.extend(union.variants.iter().filter_map(|variant| variant.payload.clone())),
            }
        }
        Tagging::External => edges.extend(union.find(key).and_then(|variant| variant.payload.clone())),
        _ => {}
    }
}

fn accepts_type(shape: &Shape, json_type: JsonType) -> bool {
    match &shape.kind {
        // The variants of the union are visited separately.
        Kind::Union(union) if union.tagging == Tagging::Untagged => false,
        _ => AcceptedTypes::from_shape(shape).contains(json_type),
    }
}
