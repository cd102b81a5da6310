//! Defects with a known report: each has the path and the code of the one issue that it causes.
//!
//! Invariant: defects that are planted together do not overlap, so k defects cause k issues.

use tool_schema::shape::{Kind, Measure, Shape, Tagging, Union, Variant};

use super::limits::{self, divisor, ends, in_range, integers, length};
use super::scalars::invalid;
use super::site::Keys;
use super::{Choices, Place, Site, What, end, valid};
use crate::tree::{Step, Tree};

/// A change that breaks exactly one rule.
#[derive(Clone, Debug)]
pub struct Defect {
    /// The path of the expected issue.
    pub path: Vec<Step>,
    /// The `error_code` of the expected issue.
    pub code: &'static str,
    /// The part of the value that the change affects; no other change is allowed in it.
    territory: Vec<Step>,
    edit: Edit,
}

#[derive(Clone, Debug)]
pub(super) enum Edit {
    /// Replaces the value at the territory.
    Replace(Tree),
    /// Removes the member at the territory.
    Remove,
    /// Adds a member at the territory.
    Insert(Tree),
    /// Repeats the member at the territory under another key.
    Repeat(String),
}

/// A value with known defects.
pub struct Planted {
    /// The value.
    pub tree: Tree,
    /// The defects, in the order of planting.
    pub defects: Vec<Defect>,
}

/// Returns a valid value with up to `count` defects that satisfy `wanted`, or `None` if there are none.
pub fn planted(
    shape: &'static Shape,
    count: usize,
    wanted: impl Fn(&Defect) -> bool,
    choices: &mut Choices<'_>,
) -> Option<Planted> {
    let generated = valid(shape, choices);
    let mut tree = generated.tree;
    let sites = generated.sites.iter().filter(|site| !site.sealed);
    let mut possible: Vec<Defect> = sites
        .flat_map(|site| defects(site, &tree))
        .filter(|defect| !defect.territory.is_empty() && wanted(defect))
        .collect();
    let mut defects: Vec<Defect> = Vec::new();
    while defects.len() < count && !possible.is_empty() {
        let defect = possible.swap_remove(choices.below(possible.len()));
        possible.retain(|other| !defect.touches(other));
        defects.push(defect);
    }
    for defect in &defects {
        defect.apply(&mut tree);
    }
    (!defects.is_empty()).then_some(Planted { tree, defects })
}

impl Defect {
    fn touches(&self, other: &Self) -> bool {
        self.territory.starts_with(&other.territory) || other.territory.starts_with(&self.territory)
    }

    pub(super) fn apply(&self, tree: &mut Tree) {
        match (&self.edit, self.territory.split_last()) {
            (Edit::Replace(value), _) => {
                if let Some(place) = tree.at_mut(&self.territory) {
                    *place = value.clone();
                }
            }
            (Edit::Remove, Some((Step::Key(key), parent))) => {
                if let Some(Tree::Object(members)) = tree.at_mut(parent) {
                    members.retain(|(known, _)| known != key);
                }
            }
            (Edit::Insert(value), Some((Step::Key(key), parent))) => {
                if let Some(Tree::Object(members)) = tree.at_mut(parent) {
                    members.push((key.clone(), value.clone()));
                }
            }
            (Edit::Repeat(other), Some((Step::Key(key), parent))) => {
                if let Some(Tree::Object(members)) = tree.at_mut(parent)
                    && let Some((_, value)) = members.iter().find(|(known, _)| known == key)
                {
                    let again = (other.clone(), value.clone());
                    members.push(again);
                }
            }
            _ => {}
        }
    }
}

/// Returns all defects of a site.
pub(super) fn defects(site: &Site, tree: &Tree) -> Vec<Defect> {
    let Some(here) = look(tree, &site.path) else { return Vec::new() };
    match &site.what {
        What::Value(place) => {
            let found = of_value(place, here).into_iter();
            found.map(|(code, value)| Defect::replacing(site, code, value)).collect()
        }
        What::Keys(keys) => of_keys(site, keys, here),
        What::Tag { union, variant } => of_tag(site, union, variant, here),
    }
}

impl Defect {
    fn replacing(site: &Site, code: &'static str, value: Tree) -> Self {
        Self { path: site.path.clone(), code, territory: site.path.clone(), edit: Edit::Replace(value) }
    }
}

pub(super) fn look<'t>(tree: &'t Tree, path: &[Step]) -> Option<&'t Tree> {
    path.iter().try_fold(tree, |tree, step| match step {
        Step::Key(key) => tree.member_of(key),
        Step::Index(index) => tree.items().get(*index),
    })
}

fn of_value(place: &Place, here: &Tree) -> Vec<(&'static str, Tree)> {
    let rules = &place.rules;
    let mut found: Vec<(&'static str, Tree)> = Vec::new();
    let number = |text: &str| Tree::Number(text.to_owned());
    let wrong = match &place.shape.kind {
        Kind::Any | Kind::Foreign(_) => None,
        Kind::Union(Union { tagging: Tagging::Untagged, .. }) => {
            found.extend(no_variant(place));
            None
        }
        Kind::Union(union) if union.variants.iter().any(|variant| variant.untagged) => None,
        Kind::Union(_) => Some(number("7")),
        Kind::Integer | Kind::Number(_) => Some(Tree::text("seven")),
        Kind::Boolean => Some(Tree::text("yes")),
        Kind::Null => Some(Tree::Bool(false)),
        _ => Some(number("7.5")),
    };
    found.extend(wrong.map(|value| ("INVALID_TYPE", value)));
    match &place.shape.kind {
        Kind::Integer => found.extend(bad_integers(rules).into_iter().map(|value| ("INVALID_RANGE", value))),
        Kind::Number(_) => {
            let candidates = ends(rules).into_iter().flat_map(|end| [end - 0.5, end, end + 0.5]);
            let outside = candidates.filter(|&value| divisor(rules).is_none() && !in_range(rules, value));
            found.extend(outside.map(|value| ("INVALID_RANGE", Tree::Number(format!("{value:?}")))));
            if let Some(step) = divisor(rules) {
                found.push(("INVALID_RANGE", Tree::Number(format!("{}", limits::float(step) * 1.5))));
            }
        }
        Kind::String => bad_strings(place, &mut found),
        Kind::Array(_) => {
            let (min, max) = length(rules, Measure::Items);
            let items = here.items();
            if min > 0 && items.len() >= min {
                found.push(("INVALID_LENGTH", Tree::Array(items[..min - 1].to_vec())));
            }
            if let (Some(max), Some(first), false) = (max, items.first(), limits::unique(rules)) {
                let more = std::iter::repeat_n(first, (max + 1).saturating_sub(items.len()));
                found.push(("INVALID_LENGTH", Tree::Array(items.iter().chain(more).cloned().collect())));
            }
            if let (true, Some(first)) =
                (limits::unique(rules) && max.is_none_or(|max| items.len() < max), items.first())
            {
                found.push(("INVALID_LENGTH", Tree::Array(items.iter().chain([first]).cloned().collect())));
            }
        }
        Kind::Tuple(positions) if here.items().len() == positions.len() => {
            let items = here.items();
            found.push(("INVALID_LENGTH", Tree::Array(items.iter().cloned().chain([Tree::Null]).collect())));
            if let Some((_, shorter)) = items.split_last() {
                found.push(("INVALID_LENGTH", Tree::Array(shorter.to_vec())));
            }
        }
        Kind::Map { keys, .. } if end(keys).rules.is_empty() && matches!(end(keys).kind, Kind::String) => {
            let (min, max) = length(rules, Measure::Properties);
            let members = here.members();
            if min > 0 && members.len() >= min {
                found.push(("INVALID_LENGTH", Tree::Object(members[..min - 1].to_vec())));
            }
            if let (Some(max), Some((_, value))) = (max, members.first()) {
                let more = (members.len()..=max).map(|number| (format!("zz_{number}"), value.clone()));
                found.push(("INVALID_LENGTH", Tree::Object(members.iter().cloned().chain(more).collect())));
            }
        }
        _ => {}
    }
    found
}

/// An empty object matches none of several structs that all have required fields.
fn no_variant(place: &Place) -> Option<(&'static str, Tree)> {
    let Kind::Union(union) = &place.shape.kind else { return None };
    let objects =
        union.variants.iter().filter_map(|variant| match &Place::of(end(variant.payload.as_ref()?)).shape.kind {
            Kind::Object(object) => Some(object.fields.iter().any(|field| field.is_required() && !field.flatten)),
            Kind::Map { .. } | Kind::Any | Kind::Union(_) => Some(false),
            _ => None,
        });
    let objects: Vec<bool> = objects.collect();
    (objects.len() > 1 && objects.iter().all(|requires| *requires))
        .then(|| ("NO_MATCHING_VARIANT", Tree::Object(Vec::new())))
}

fn bad_integers(rules: &limits::Rules) -> Vec<Tree> {
    let limits::Ends { min, max } = integers(rules);
    match divisor(rules) {
        Some(tool_schema::json::Number::Integer(step)) if step > 1 => {
            let off = (min.max(0) / step + 1) * step + 1;
            if off <= max { vec![Tree::integer(off)] } else { Vec::new() }
        }
        Some(_) => Vec::new(),
        None => [min.checked_sub(1), max.checked_add(1)].into_iter().flatten().map(Tree::integer).collect(),
    }
}

fn bad_strings(place: &Place, found: &mut Vec<(&'static str, Tree)>) {
    let rules = &place.rules;
    let (min, max) = length(rules, Measure::Characters);
    let of = |length: usize| Tree::String("b".repeat(length));
    match (limits::format(rules), limits::pattern(rules)) {
        (Some(format), None) if (min, max) == (0, None) => {
            found.extend(invalid(format).iter().map(|text| ("INVALID_FORMAT", Tree::text(text))));
        }
        (None, Some(pattern)) => {
            let fits =
                |text: &&&str| !pattern.is_match(text) && text.len() >= min && max.is_none_or(|max| text.len() <= max);
            let words = ["", "!", "?!?", "~~ ~~", "!!!!!!!!"];
            found.extend(words.iter().filter(fits).map(|text| ("INVALID_PATTERN", Tree::text(text))));
        }
        (None, None) => {
            found.extend((min > 0).then(|| ("INVALID_LENGTH", of(min - 1))));
            found.extend(max.map(|max| ("INVALID_LENGTH", of(max + 1))));
        }
        _ => {}
    }
}

fn of_keys(site: &Site, keys: &Keys, here: &Tree) -> Vec<Defect> {
    let Tree::Object(members) = here else { return Vec::new() };
    let at = |key: &str| site.path.iter().cloned().chain([Step::Key(key.to_owned())]).collect::<Vec<_>>();
    let mut found = Vec::new();
    for field in keys.fields.iter().filter(|field| field.is_required()) {
        let names = || std::iter::once(&field.name).chain(&field.aliases);
        if let Some((key, _)) = members.iter().find(|(key, _)| names().any(|name| **name == **key)) {
            found.push(Defect {
                path: at(&field.name),
                code: "REQUIRED_FIELD",
                territory: at(key),
                edit: Edit::Remove,
            });
        }
    }
    for field in &keys.fields {
        // A field together with its alias is a repetition, whichever of the two was present before.
        for alias in &field.aliases {
            let (name, alias) = (field.name.to_string(), alias.to_string());
            for (key, other) in [(&name, &alias), (&alias, &name)] {
                if members.iter().any(|(known, _)| known == key) {
                    found.push(Defect {
                        path: at(&alias),
                        code: "REPEATED_FIELD",
                        territory: at(key),
                        edit: Edit::Repeat(other.clone()),
                    });
                }
            }
        }
    }
    if keys.closed {
        let values = [("zz_unknown", Tree::integer(1)), ("zz extra", Tree::text("x"))];
        found.extend(values.into_iter().map(|(key, value)| Defect {
            path: at(key),
            code: "UNKNOWN_FIELD",
            territory: at(key),
            edit: Edit::Insert(value),
        }));
    }
    found
}

fn of_tag(site: &Site, union: &'static Union, variant: &'static Variant, here: &Tree) -> Vec<Defect> {
    let nobody = "zz_nobody";
    let at = |key: &str| site.path.iter().cloned().chain([Step::Key(key.to_owned())]).collect::<Vec<_>>();
    let defect = |path, code, value| Defect { path, code, territory: site.path.clone(), edit: Edit::Replace(value) };
    let tolerant = union.variants.iter().any(|variant| variant.other || variant.untagged);
    if tolerant {
        return Vec::new();
    }
    match &union.tagging {
        Tagging::External if variant.payload.is_none() => {
            vec![defect(site.path.clone(), "INVALID_ENUM_VALUE", Tree::text(nobody))]
        }
        Tagging::External => {
            let Some((_, payload)) = here.members().first() else { return Vec::new() };
            vec![
                defect(at(nobody), "INVALID_ENUM_VALUE", Tree::member(nobody, payload.clone())),
                defect(site.path.clone(), "NO_MATCHING_VARIANT", Tree::Object(Vec::new())),
            ]
        }
        Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } => {
            let without = here.members().iter().filter(|(key, _)| **key != **tag).cloned();
            let other = std::iter::once((tag.to_string(), Tree::text(nobody))).chain(without.clone());
            vec![
                defect(at(tag), "INVALID_ENUM_VALUE", Tree::Object(other.collect())),
                defect(at(tag), "REQUIRED_FIELD", Tree::Object(without.collect())),
            ]
        }
        Tagging::Untagged => Vec::new(),
    }
}
