//! Renames the keys of arguments to the names that the schema shows: [`with_canonical_names`].
//!
//! Each alias is replaced by the field's own name, and each alias of a tag by the variant's own name, at every depth. A host that checks
//! `path` therefore also sees a value that was sent as `file`. Invariant: other values do not change, keys keep their order, and only the
//! last of several equal keys is kept.

use std::collections::HashSet;

use crate::check::accepts;
use crate::json::{Json, Member, Node};
use crate::shape::{Identity, Kind, MOST_HOPS, Object, Ref, Shape, Tagging, Text, TypeCache, Union, Variant};

/// Returns the arguments with canonical names and one value for each key, or `None` if there is nothing to change.
pub fn with_canonical_names(shape: &Shape, arguments: &Json<'_>) -> Option<Json<'static>> {
    let has_other_names = has_other_names(shape);
    let repeats = repeats_a_key(arguments);
    if !has_other_names && !repeats {
        return None;
    }
    let mut json = arguments.clone().into_owned();
    if repeats {
        keep_last(&mut json);
    }
    let mut renaming = Renaming { is_changed: false };
    if has_other_names {
        renaming.value(shape, &mut json, 0);
    }
    // The arguments may contain both an alias and the field's own name.
    if renaming.is_changed && repeats_a_key(&json) {
        keep_last(&mut json);
    }
    (renaming.is_changed || repeats).then_some(json)
}

/// Returns the arguments with one value for each key, or `None` if no key is repeated.
pub fn without_repetitions(arguments: &Json<'_>) -> Option<Json<'static>> {
    repeats_a_key(arguments).then(|| {
        let mut json = arguments.clone().into_owned();
        keep_last(&mut json);
        json
    })
}

/// Returns `true` if some object has a repeated key. The recursion is bounded by the depth of the tree.
fn repeats_a_key(json: &Json<'_>) -> bool {
    json.has_repeated_key() || json.parts().any(repeats_a_key)
}

/// Removes all but the last member for each repeated key, as most JSON parsers do. For some types, serde would use the first one. Returns
/// `true` if there were repeated keys.
pub fn keep_last(json: &mut Json<'_>) -> bool {
    let mut found = false;
    if let Node::Object(members) = &mut json.node {
        let (mut seen, before) = (HashSet::with_capacity(members.len()), members.len());
        let last: Vec<bool> = members.iter().rev().map(|member| seen.insert(member.key.clone())).collect();
        let mut last = last.into_iter().rev();
        members.retain(|_| last.next().unwrap_or(true));
        found = members.len() < before;
    }
    json.parts_mut().fold(found, |found, part| keep_last(part) | found)
}

/// Returns `true` if a shape accepts any key or tag under more than one name. The result is cached for each Rust type.
fn has_other_names(shape: &Shape) -> bool {
    static VERDICTS: TypeCache = TypeCache::new();

    let looks = || {
        let mut found = itself_has(shape);
        let is_seen = found
            || shape.walk(|_, shape| {
                found |= itself_has(shape);
                !found
            });
        found || !is_seen
    };
    match shape.identity {
        Some(Identity::Type(id)) => VERDICTS.verdict(id(), looks),
        _ => looks(),
    }
}

fn itself_has(shape: &Shape) -> bool {
    let has_alias = match &shape.kind {
        Kind::Object(object) => object.fields.iter().any(|field| !field.aliases.is_empty()),
        Kind::Map { keys, .. } => is_enum(keys, 0),
        Kind::Union(_) => true,
        _ => false,
    };
    // A walk does not visit an enum with only unit variants.
    let mut has_enum = false;
    shape.for_each_part(|_, edge| has_enum |= is_enum(edge, 0));
    has_alias || has_enum
}

/// Returns `true` if an edge leads to an enum. For every enum, serde accepts other spellings of a variant's name: `{"Unit": null}` instead
/// of `"Unit"`, and the index of the variant.
fn is_enum(edge: &Ref, hops: usize) -> bool {
    match &edge.shape().kind {
        Kind::Union(_) => true,
        Kind::Alias(inner) => hops > MOST_HOPS || is_enum(inner, hops + 1),
        _ => false,
    }
}

struct Renaming {
    is_changed: bool,
}

impl Renaming {
    fn value(&mut self, shape: &Shape, json: &mut Json<'static>, hops: usize) {
        if hops > MOST_HOPS {
            return;
        }
        match (&shape.kind, &mut json.node) {
            (Kind::Alias(inner) | Kind::Nullable(inner), _) => self.value(&inner.shape(), json, hops + 1),
            (Kind::Array(edge), Node::Array(items)) => {
                let shape = edge.shape();
                for item in items {
                    self.value(&shape, item, 0);
                }
            }
            (Kind::Tuple(positions), Node::Array(items)) => {
                items.iter_mut().zip(positions).for_each(|(item, edge)| self.value(&edge.shape(), item, 0));
            }
            (Kind::Map { keys, values }, Node::Object(members)) => {
                let (keys, values) = (keys.shape(), values.shape());
                for member in members {
                    self.key(&keys, member);
                    self.value(&values, &mut member.value, 0);
                }
            }
            (Kind::Object(object), Node::Object(members)) => {
                self.fields(object, &mut members.iter_mut().collect(), hops);
            }
            (Kind::Union(union), _) => self.union(union, json, hops),
            _ => {}
        }
    }

    /// Renames the members of an object: first those for the object's own fields, then those for each flattened type, in order. Unknown
    /// members keep their names.
    fn fields(&mut self, object: &Object, members: &mut Vec<&mut Member<'static>>, hops: usize) {
        let mut rest = Vec::with_capacity(members.len());
        for member in members.drain(..) {
            match object.fields.iter().find(|field| field.has_key(&member.key)) {
                Some(field) => {
                    self.name(&field.name, member);
                    self.value(&field.shape.shape(), &mut member.value, 0);
                }
                None => rest.push(member),
            }
        }
        *members = rest;
        for field in object.fields.iter().filter(|field| field.flatten) {
            self.rename_flattened(&field.shape.shape(), members, hops + 1);
        }
    }

    /// Renames the remaining members of an object for a flattened type.
    fn rename_flattened(&mut self, shape: &Shape, members: &mut Vec<&mut Member<'static>>, hops: usize) {
        if hops > MOST_HOPS {
            return;
        }
        match &shape.kind {
            Kind::Alias(inner) | Kind::Nullable(inner) => self.rename_flattened(&inner.shape(), members, hops + 1),
            Kind::Object(object) => self.fields(object, members, hops),
            Kind::Union(union) => self.members(union, members, hops),
            Kind::Map { keys, values } => {
                let (keys, values) = (keys.shape(), values.shape());
                for member in members {
                    self.key(&keys, member);
                    self.value(&values, &mut member.value, 0);
                }
            }
            _ => {}
        }
    }

    fn union(&mut self, union: &Union, json: &mut Json<'static>, hops: usize) {
        if let Some(variant) = matching_untagged(union, json) {
            if let Some(payload) = &variant.payload {
                self.value(&payload.shape(), json, hops + 1);
            }
            return;
        }
        if union.tagging == Tagging::External {
            // `{"Unit": null}` is also a form of a unit variant.
            if let Node::Object(members) = &json.node
                && let [member] = &members[..]
                && member.value.is_null()
                && let Some(variant) = union.find(&member.key).filter(|variant| variant.payload.is_none())
            {
                *json = Json::from_node(Node::String(variant.name.to_string().into()));
                self.is_changed = true;
            }
            return match &mut json.node {
                Node::String(_) => self.tag(union, json),
                Node::Object(members) => self.members(union, &mut members.iter_mut().collect(), hops),
                _ => {}
            };
        }
        if let Node::Object(members) = &mut json.node {
            self.members(union, &mut members.iter_mut().collect(), hops);
        }
    }

    /// Renames the member that selects the variant of a union, and the members of the variant's payload.
    fn members(&mut self, union: &Union, members: &mut Vec<&mut Member<'static>>, hops: usize) {
        match &union.tagging {
            Tagging::External => {
                let Some(index) = members.iter().position(|member| union.find(&member.key).is_some()) else { return };
                let member = members.remove(index);
                let Some(variant) = union.find(&member.key) else { return };
                self.name(&variant.name, member);
                if let Some(payload) = &variant.payload {
                    self.value(&payload.shape(), &mut member.value, 0);
                }
            }
            Tagging::Internal { tag } => {
                let Some(variant) = self.rename_tag(union, tag, members) else { return };
                let mut rest: Vec<_> =
                    members.iter_mut().filter(|member| member.key != **tag).map(|m| &mut **m).collect();
                if let Some(payload) = &variant.payload {
                    self.rename_flattened(&payload.shape(), &mut rest, hops + 1);
                }
            }
            Tagging::Adjacent { tag, content } => {
                let Some(variant) = self.rename_tag(union, tag, members) else { return };
                let Some(payload) = &variant.payload else { return };
                for member in members.iter_mut().filter(|member| member.key == **content) {
                    self.value(&payload.shape(), &mut member.value, 0);
                }
            }
            Tagging::Untagged => {
                let object = Json::from_node(Node::Object(members.iter().map(|member| (**member).clone()).collect()));
                let payload = matching_untagged(union, &object).and_then(|variant| variant.payload.as_ref());
                if let Some(payload) = payload {
                    self.rename_flattened(&payload.shape(), members, hops + 1);
                }
            }
        }
    }

    /// Replaces the value of the tag by the variant's own name, and returns the variant.
    fn rename_tag<'u>(
        &mut self,
        union: &'u Union,
        tag: &str,
        members: &mut [&mut Member<'static>],
    ) -> Option<&'u Variant> {
        let member = members.iter_mut().find(|member| member.key == tag)?;
        self.tag(union, &mut member.value);
        union.find(member.value.as_str()?)
    }

    /// Replaces a tag by the variant's own name. If serde decodes the tag from a buffer, it also accepts the index of the variant, and an
    /// object such as `{"Unit": null}`.
    fn tag(&mut self, union: &Union, json: &mut Json<'static>) {
        let mut named = union.variants.iter().filter(|variant| !variant.untagged);
        let variant = match &json.node {
            Node::String(name) => union.find(name),
            Node::Number(number) => number.parse().ok().and_then(|index| named.nth(index)),
            Node::Object(members) => match &members[..] {
                [member] if member.value.is_null() => union.find(&member.key),
                _ => None,
            },
            _ => None,
        };
        let Some(variant) = variant.filter(|variant| json.as_str() != Some(&variant.name)) else { return };
        json.node = Node::String(variant.name.to_string().into());
        self.is_changed = true;
    }

    /// Renames a map key that is the name of an enum variant.
    fn key(&mut self, keys: &Shape, member: &mut Member<'static>) {
        match &keys.kind {
            Kind::Union(union) => {
                if let Some(variant) = union.find(&member.key) {
                    self.name(&variant.name, member);
                }
            }
            Kind::Alias(inner) => self.key(&inner.shape(), member),
            _ => {}
        }
    }

    fn name(&mut self, name: &Text, member: &mut Member<'static>) {
        if member.key != **name {
            member.key = name.to_string().into();
            self.is_changed = true;
        }
    }
}

/// Returns the first untagged variant that accepts a value; `None` if a tagged variant accepts the value, or if no variant does.
fn matching_untagged<'u>(union: &'u Union, json: &Json<'_>) -> Option<&'u Variant> {
    let fits = |variant: &&Variant| match &variant.payload {
        Some(payload) => accepts(&payload.shape(), json),
        None => json.is_null(),
    };
    if union.tagging == Tagging::Untagged {
        return union.variants.iter().find(fits);
    }
    if !union.variants.iter().any(|variant| variant.untagged) {
        return None;
    }
    let tagged = union.variants.iter().filter(|variant| !variant.untagged).cloned().collect::<Vec<_>>();
    let tagged = Union { tagging: union.tagging.clone(), variants: tagged.into(), unknown: union.unknown };
    if accepts(&Shape::new(Kind::Union(tagged)), json) {
        return None;
    }
    union.variants.iter().filter(|variant| variant.untagged).find(fits)
}
