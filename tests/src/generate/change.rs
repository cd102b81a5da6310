//! Generator of nearly valid values: a valid one with up to three changes, which are known defects or other difficult cases.
//!
//! About half of the values are valid; nothing is known about a single value.

use tool_schema::shape::{Kind, Shape, Tagging, Union, Variant};

use super::defect::{defects, look};
use super::limits::integers;
use super::scalars::odd_texts;
use super::site::Keys;
use super::{Choices, Place, Site, What, anything, end, valid};
use crate::tree::Tree;

/// Returns a value of the shape with up to three changes.
pub fn near_valid(shape: &'static Shape, choices: &mut Choices<'_>) -> Tree {
    // The changes are chosen before the value, so that they do not depend on how many numbers the value consumes.
    let changes = [1, 0, 2, 0, 1, 0, 3][choices.below(7)];
    let picks: Vec<[usize; 3]> = (0..changes).map(|_| std::array::from_fn(|_| choices.below(1 << 16))).collect();
    let generated = valid(shape, choices);
    let mut tree = generated.tree;
    for [site, kind, detail] in picks {
        let site = &generated.sites[site % generated.sites.len()];
        let known = defects(site, &tree);
        if kind % 3 == 0 && !known.is_empty() {
            known[detail % known.len()].apply(&mut tree);
            continue;
        }
        let Some(here) = look(&tree, &site.path).cloned() else { continue };
        let texts = if let What::Value(place) = &site.what { odd_texts(&place.rules) } else { &[] };
        if let (Tree::String(_), 1, false) = (&here, kind % 3, texts.is_empty()) {
            if let Some(place) = tree.at_mut(&site.path) {
                *place = Tree::text(texts[detail % texts.len()]);
            }
            continue;
        }
        let odd = oddities(site, &here, choices);
        if let (Some(value), Some(place)) = (odd.get(detail % odd.len().max(1)), tree.at_mut(&site.path)) {
            *place = value.clone();
        }
    }
    tree
}

/// Returns replacements for the value at a site.
fn oddities(site: &Site, here: &Tree, choices: &mut Choices<'_>) -> Vec<Tree> {
    let mut odd = vec![anything(choices)];
    match &site.what {
        What::Value(place) => of_value(place, here, &mut odd),
        What::Keys(keys) => of_keys(keys, here, &mut odd, choices),
        What::Tag { union, variant } => of_tag(union, variant, here, &mut odd, choices),
    }
    odd
}

fn of_value(place: &Place, here: &Tree, odd: &mut Vec<Tree>) {
    let number = |text: &str| Tree::Number(text.to_owned());
    odd.push(Tree::Null);
    match here {
        Tree::Number(text) => {
            odd.extend(
                ["-0", "0", "-0.0", "5.0", "5e0", "1e2", "1e400", "-1e400", "1e39", "1e-400", "0.5"].map(number),
            );
            odd.extend(["18446744073709551616", "1000000000000000000000000000000000000000"].map(number));
            odd.push(Tree::String(text.clone()));
            if matches!(place.shape.kind, Kind::Integer) {
                let ends = integers(&place.rules);
                let around = [ends.min.checked_sub(1), ends.max.checked_add(1), Some(ends.min), Some(ends.max)];
                odd.extend(around.into_iter().flatten().map(Tree::integer));
                // A number that was changed before may already have a fraction or an exponent.
                let zeros = if text.contains(['.', 'e']) { "" } else { ".0" };
                odd.push(Tree::Number(format!("{text}{zeros}")));
            }
        }
        Tree::String(text) => {
            odd.extend([format!("{text}a"), text.to_uppercase(), format!(" {text}"), String::new()].map(Tree::String));
            odd.push(Tree::String(text.chars().skip(1).collect()));
            odd.push(Tree::member(text, Tree::Null));
            odd.push(Tree::Array(vec![here.clone()]));
        }
        Tree::Array(items) => {
            let more = |item: Tree| Tree::Array(items.iter().cloned().chain([item]).collect());
            odd.extend([more(Tree::Null), more(number("1")), Tree::Array(items.iter().skip(1).cloned().collect())]);
            odd.extend(items.first().cloned().map(more));
        }
        Tree::Object(members) => {
            odd.push(Tree::Array(members.iter().map(|(_, value)| value.clone()).collect()));
            odd.push(Tree::Array(Vec::new()));
            odd.push(Tree::Object(members.iter().skip(1).cloned().collect()));
            odd.push(Tree::Object(members.iter().cloned().chain(members.first().cloned()).collect()));
            odd.push(with(members, "zz_new", here.clone()));
            if let Kind::Map { keys, .. } = &place.shape.kind {
                of_integer_keys(&Place::of(end(keys)), members, odd);
            }
        }
        Tree::Null | Tree::Bool(_) => odd.extend([number("1"), Tree::text("true")]),
    }
}

/// Adds keys around the bounds of an integer, in different spellings.
fn of_integer_keys(keys: &Place, members: &[(String, Tree)], odd: &mut Vec<Tree>) {
    let (Kind::Integer, Some((_, value))) = (&keys.shape.kind, members.first()) else { return };
    let ends = integers(&keys.rules);
    let around = [ends.min.checked_sub(1), ends.max.checked_add(1), Some(ends.min), Some(ends.max)];
    let around = around.into_iter().flatten().map(|end| end.to_string());
    let written = ["-0", "00", "+1", "1.0", "1e0", "1000000000000000000000000000000000000000"].map(str::to_owned);
    odd.extend(around.chain(written).map(|key| with(members, &key, value.clone())));
}

fn with(members: &[(String, Tree)], key: &str, value: Tree) -> Tree {
    Tree::Object(members.iter().cloned().chain([(key.to_owned(), value)]).collect())
}

fn of_keys(keys: &Keys, here: &Tree, odd: &mut Vec<Tree>, choices: &mut Choices<'_>) {
    let Tree::Object(members) = here else { return };
    let value = anything(choices);
    odd.push(with(members, "zz_new", value.clone()));
    odd.push(with(members, "", Tree::Number("1e400".to_owned())));
    odd.extend(keys.known.get(choices.below(keys.known.len().max(1))).map(|key| with(members, key, value.clone())));
    odd.push(Tree::Array(members.iter().map(|(_, value)| value.clone()).collect()));
    let Some((index, (key, value))) = choices.pick(&members.iter().enumerate().collect::<Vec<_>>()).copied() else {
        return;
    };
    odd.push(with(members, key, value.clone()));
    odd.push(with(members, &key.to_uppercase(), value.clone()));
    let without = || members.iter().enumerate().filter(|(other, _)| *other != index).map(|(_, member)| member.clone());
    odd.push(Tree::Object(without().collect()));
    odd.push(Tree::Object(without().chain([(format!("{key}x"), value.clone())]).collect()));
    for field in keys.fields.iter().filter(|field| !field.aliases.is_empty()) {
        let names = || std::iter::once(&field.name).chain(&field.aliases);
        if let Some((present, value)) = members.iter().find(|(key, _)| names().any(|name| **name == **key)) {
            odd.extend(names().filter(|name| ***name != **present).map(|name| with(members, name, value.clone())));
        }
    }
    odd.extend(
        keys.fields.iter().filter(|field| field.hidden).map(|field| with(members, &field.name, Tree::text("x"))),
    );
}

fn of_tag(
    union: &'static Union,
    variant: &'static Variant,
    here: &Tree,
    odd: &mut Vec<Tree>,
    choices: &mut Choices<'_>,
) {
    let name = variant.name.as_str();
    let others: Vec<&str> = union.variants.iter().map(|other| &*other.name).chain(["zz_nobody", "RENAMED"]).collect();
    let other = choices.pick(&others).copied().unwrap_or(name);
    match &union.tagging {
        Tagging::External => {
            odd.extend([
                Tree::text(other),
                Tree::text(name),
                Tree::Array(vec![here.clone()]),
                Tree::Object(Vec::new()),
            ]);
            odd.extend([Tree::member(name, Tree::Null), Tree::member(other, anything(choices))]);
            if let Some((key, payload)) = here.members().first() {
                odd.extend([Tree::member(other, payload.clone()), with(here.members(), other, payload.clone())]);
                odd.push(with(here.members(), key, payload.clone()));
            }
        }
        Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } => {
            let members = here.members();
            let tagged = |value: Tree| {
                let rest = members.iter().filter(|(key, _)| **key != **tag).cloned();
                Tree::Object(std::iter::once((tag.to_string(), value)).chain(rest).collect())
            };
            odd.extend([tagged(Tree::text(other)), tagged(Tree::integer(1)), tagged(Tree::member(name, Tree::Null))]);
            odd.push(Tree::Object(members.iter().filter(|(key, _)| **key != **tag).cloned().collect()));
            odd.push(with(members, tag, Tree::text(name)));
            odd.push(with(members, "zz_new", Tree::Null));
            let rest = members.iter().filter(|(key, _)| **key != **tag).map(|(_, value)| value.clone());
            odd.push(Tree::Array(std::iter::once(Tree::text(name)).chain(rest).collect()));
            if let Tagging::Adjacent { content, .. } = &union.tagging {
                odd.push(Tree::member(tag, Tree::text(name)));
                odd.push(Tree::Object(vec![
                    (tag.to_string(), Tree::text(other)),
                    (content.to_string(), anything(choices)),
                ]));
                odd.push(Tree::Object(vec![(tag.to_string(), Tree::text(name)), (content.to_string(), Tree::Null)]));
            }
        }
        Tagging::Untagged => {}
    }
}
