//! Values of objects and unions: present and absent fields, names and aliases, flattened fields, and every tagging.

use tool_schema::shape::{Field, Kind, Object, Rule, Shape, Tagging, Text, Union, UnknownKeys, Variant};

use super::site::Keys;
use super::{Place, Walk, What, anything, end};
use crate::tree::{Step, Tree};

type Members = Vec<(String, Tree)>;

impl Walk<'_, '_> {
    pub(super) fn object(&mut self, object: &'static Object) -> Tree {
        Tree::Object(self.members(object, &[]))
    }

    /// Returns the members of an object. `taken` are the keys beside it.
    fn members(&mut self, object: &'static Object, taken: &[&'static str]) -> Members {
        let mut keys = Keys::default();
        collect(&object.fields, &mut keys);
        keys.known.extend(taken);
        keys.closed = object.unknown == UnknownKeys::Rejected && !object.fields.iter().any(|field| field.flatten);
        self.site(What::Keys(keys.clone()));
        let mut members = self.fields(&object.fields, &keys.known);
        if object.unknown == UnknownKeys::Ignored && taken.is_empty() && self.choices.once_in(8) {
            let rest = object.fields.iter().any(|field| field.flatten);
            // An unknown key could belong to a flattened field.
            if !rest {
                members.push(("zz_ignored".to_owned(), anything(self.choices)));
            }
        }
        if self.choices.once_in(6) && !members.is_empty() {
            let middle = self.choices.below(members.len());
            members.rotate_left(middle);
        }
        members
    }

    fn fields(&mut self, fields: &'static [Field], known: &[&'static str]) -> Members {
        let mut members = Vec::new();
        for field in fields {
            if field.flatten {
                let shape = end(&field.shape);
                members.extend(self.flattened(shape, known, field.rules.iter().collect()));
                continue;
            }
            let absent =
                if self.is_deep() { !field.is_required() } else { !field.is_required() && self.choices.once_in(3) };
            if absent || (field.hidden && !self.choices.once_in(6)) && !field.is_required() {
                continue;
            }
            let alias = if self.choices.once_in(6) { self.choices.pick(&field.aliases) } else { None };
            let key = alias.unwrap_or(&field.name).to_string();
            let place = Place::of_field(field);
            let value = self.below(Step::Key(key.clone()), |walk| walk.value(&place));
            members.push((key, value));
        }
        members
    }

    /// Returns the members that a flattened field adds to the object around it.
    fn flattened(&mut self, shape: &'static Shape, known: &[&'static str], mut rules: Vec<&'static Rule>) -> Members {
        rules.extend(shape.rules.iter());
        match &shape.kind {
            Kind::Alias(inner) => self.flattened(end(inner), known, rules),
            Kind::Nullable(inner) => {
                if self.is_deep() || self.choices.once_in(3) {
                    return Vec::new();
                }
                self.sealed += 1;
                let members = self.flattened(end(inner), known, rules);
                self.sealed -= 1;
                members
            }
            Kind::Map { keys, values } => self.map(end(keys), end(values), &rules, known),
            Kind::Object(object) => self.fields(&object.fields, known),
            Kind::Union(union) => {
                self.sealed += 1;
                let tree = match self.variant(union) {
                    Some((_, variant)) => self.written(union, variant, true),
                    None => Tree::Null,
                };
                self.sealed -= 1;
                if let Tree::Object(members) = tree { members } else { Vec::new() }
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn union(&mut self, union: &'static Union) -> Tree {
        match self.variant(union) {
            Some((_, variant)) => self.written(union, variant, false),
            None => Tree::Null,
        }
    }

    /// Returns a variant in its JSON form. If it is merged into an object, a unit variant is a key.
    fn written(&mut self, union: &'static Union, variant: &'static Variant, merged: bool) -> Tree {
        let untagged = union.tagging == Tagging::Untagged || variant.untagged;
        if !untagged {
            self.site(What::Tag { union, variant });
        }
        let alias = if self.choices.once_in(6) { self.choices.pick(&variant.aliases) } else { None };
        let name = if variant.other && self.choices.once_in(2) {
            "zz_other".to_owned()
        } else {
            alias.unwrap_or(&variant.name).to_string()
        };
        let payload = variant.payload.as_ref().map(end);
        match (&union.tagging, payload) {
            _ if untagged => {
                self.sealed += 1;
                let tree = payload.map_or(Tree::Null, |payload| self.value(&Place::of(payload)));
                self.sealed -= 1;
                tree
            }
            (Tagging::External, None) if merged => Tree::member(&name, Tree::Null),
            (Tagging::External, None) => Tree::String(name),
            (Tagging::External, Some(payload)) => {
                let value = self.below(Step::Key(name.clone()), |walk| walk.value(&Place::of(payload)));
                Tree::member(&name, value)
            }
            (Tagging::Internal { tag }, payload) => {
                let mut members = vec![(tag.to_string(), Tree::String(name))];
                if let Some(payload) = payload {
                    members.extend(self.beside(payload, tag.as_static().unwrap_or_default()));
                }
                self.shuffled(members)
            }
            (Tagging::Adjacent { tag, content }, payload) => {
                let mut members = vec![(tag.to_string(), Tree::String(name))];
                if let Some(payload) = payload {
                    let key = content.to_string();
                    let value = self.below(Step::Key(key.clone()), |walk| walk.value(&Place::of(payload)));
                    members.push((key, value));
                }
                self.shuffled(members)
            }
            (Tagging::Untagged, _) => Tree::Null,
        }
    }

    /// Returns the members of a payload beside its tag.
    fn beside(&mut self, payload: &'static Shape, tag: &'static str) -> Members {
        match &payload.kind {
            Kind::Alias(inner) => self.beside(end(inner), tag),
            Kind::Object(object) => self.members(object, &[tag]),
            Kind::Map { keys, values } => self.map(end(keys), end(values), &payload.rules.iter().collect(), &[tag]),
            Kind::Union(_) => {
                self.sealed += 1;
                let tree = self.value(&Place::of(payload));
                self.sealed -= 1;
                if let Tree::Object(members) = tree { members } else { Vec::new() }
            }
            _ => Vec::new(),
        }
    }

    fn shuffled(&mut self, mut members: Members) -> Tree {
        if self.choices.once_in(4) {
            members.rotate_left(1);
        }
        Tree::Object(members)
    }
}

/// Collects the fields and names of an object, including those of flattened structs.
fn collect(fields: &'static [Field], keys: &mut Keys) {
    for field in fields {
        if field.flatten {
            let place = Place::of_field(field);
            match &place.shape.kind {
                Kind::Object(object) if !place.nullable => collect(&object.fields, keys),
                Kind::Object(object) => {
                    let mut unseen = Keys::default();
                    collect(&object.fields, &mut unseen);
                    keys.known.extend(unseen.known);
                }
                Kind::Union(union) => names(union, keys),
                _ => {}
            }
        } else {
            keys.fields.push(field);
            keys.known.extend(field.name.as_static());
            keys.known.extend(field.aliases.iter().filter_map(Text::as_static));
        }
    }
}

fn names(union: &'static Union, keys: &mut Keys) {
    match &union.tagging {
        Tagging::Internal { tag } => keys.known.extend(tag.as_static()),
        Tagging::Adjacent { tag, content } => keys.known.extend(tag.as_static().into_iter().chain(content.as_static())),
        Tagging::External | Tagging::Untagged => {}
    }
    for variant in &union.variants {
        if union.tagging == Tagging::External {
            keys.known.extend(variant.name.as_static());
        } else if let Some(Kind::Object(object)) = variant.payload.as_ref().map(|payload| &end(payload).kind) {
            collect(&object.fields, &mut Keys::default());
            keys.known.extend(object.fields.iter().filter_map(|field| field.name.as_static()));
        }
    }
}
