//! Questions that a host asks of a description: what is required, allowed or meant at a place, and which key was meant.
//!
//! In comes a path (`customer.items[].unit`, `customer.items[2].unit`, or the JSON Pointer `/customer/items/2/unit`); out goes a
//! [`Place`]. Paths go through options, maps, flattened structs and the variants of unions; where several variants have the key, the first
//! one answers. What always holds: the work is bounded, and no schema is rendered.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::sync::Arc;

use crate::shape::{Field, Format, Kind, List, Object, Ref, Rule, Shape, Tagging, Text, Union, Unknown, Variant};
use crate::suggest;

/// How many shapes are looked at for one question; a recursive shape without keys of its own would be looked at for ever.
const STEPS: usize = 4_096;

/// A place in the arguments, as the description knows it.
///
/// ```
/// use tool_runtime::{__private::{FieldInit, ShapeInit, object}, schema::place, shape::{Field, Kind, Ref, Shape, Unknown}};
///
/// static TEXT: Shape = Shape::of(Kind::String);
/// static FIELDS: [Field; 1] =
///     [FieldInit { name: "city", doc: "City and country", shape: &TEXT, required: true, ..FieldInit::DEFAULT }.field()];
/// static INPUT: Shape = ShapeInit::DEFAULT.shape(object(&FIELDS, Unknown::Refused));
///
/// let input = Ref::Static(&INPUT);
/// let root = place(&input, "").ok_or("the root is always there")?;
/// assert_eq!(root.required(), ["city"]);
/// assert_eq!(root.canonical_key("citty").as_deref(), Some("city"));
/// let city = place(&input, "city").ok_or("no such place")?;
/// assert_eq!(city.description().as_str(), "City and country");
/// assert!(place(&input, "city.street").is_none());
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Place {
    /// What the value looks like.
    pub shape: Ref,
    /// The field whose value it is; `None` for the root, items, values of maps and payloads.
    pub field: Option<Field>,
}

/// The place at the end of a path; `None` where the description knows no such place, or where the path cannot be read.
///
/// See [`Place`] for an example.
pub fn place(root: &Ref, path: &str) -> Option<Place> {
    let mut steps = STEPS;
    let mut places = vec![Place { shape: root.clone(), field: None }];
    for segment in segments(path)? {
        let mut next = Vec::new();
        for place in places {
            walk(&place.shape, &mut steps, |shape| below(shape, &segment, &mut next));
        }
        places = next;
    }
    places.into_iter().next()
}

impl Place {
    /// The keys that must be there, in declaration order; of a union, those that every variant asks for.
    pub fn required(&self) -> Vec<Text> {
        let mut steps = STEPS;
        required(&self.shape.shape(), &mut steps)
    }

    /// What the value means: the words of the field, else those of its type; empty where nobody says.
    pub fn description(&self) -> Text {
        if let Some(field) = &self.field
            && !field.doc.is_empty()
        {
            return field.doc.clone();
        }
        let mut found = Text::EMPTY;
        walk(&self.shape, &mut STEPS.clone(), |shape| {
            if found.is_empty() {
                found = shape.doc.clone();
            }
        });
        found
    }

    /// The strings that are allowed, in declaration order; empty where there is no such list.
    pub fn allowed_values(&self) -> Vec<Text> {
        let mut found = Vec::new();
        walk(&self.shape, &mut STEPS.clone(), |shape| {
            if let Kind::Union(Union { tagging: Tagging::External, variants, .. }) = &shape.kind {
                let is_word = |variant: &&Variant| {
                    variant.payload.is_none() && !variant.hidden && !variant.other && !variant.untagged
                };
                found.extend(variants.iter().filter(is_word).map(|variant| variant.name.clone()));
            }
        });
        found
    }

    /// The format of the string, where there is one.
    pub fn format(&self) -> Option<Format> {
        let of = |rules: &List<Rule>| {
            rules.iter().find_map(|rule| if let Rule::Format(format) = rule { Some(*format) } else { None })
        };
        let mut found = self.field.as_ref().and_then(|field| of(&field.rules));
        walk(&self.shape, &mut STEPS.clone(), |shape| found = found.or_else(|| of(&shape.rules)));
        found
    }

    /// The name of the key that was probably meant: the key itself where it is one, what it is an alias of, else the nearest.
    pub fn canonical_key(&self, key: &str) -> Option<Text> {
        let mut fields = Vec::new();
        walk(&self.shape, &mut STEPS.clone(), |shape| keys(shape, &mut fields));
        let is_meant = |(name, aliases): &&(Text, List<Text>)| *name == *key || aliases.iter().any(|alias| *alias == *key);
        if let Some((name, _)) = fields.iter().find(is_meant) {
            return Some(name.clone());
        }
        let nearest = suggest::nearest(key, fields.iter().map(|(name, _)| name.as_str()))?;
        fields.iter().map(|(name, _)| name).find(|name| **name == *nearest).cloned()
    }
}

/// Visits a shape and all that stand for the very same value: what an option or alias holds, flattened structs, payloads that are the value.
/// Breadth first, so that what was declared first answers first.
fn walk(root: &Ref, steps: &mut usize, mut visit: impl FnMut(&Shape)) {
    let mut waiting = VecDeque::from([root.clone()]);
    while let Some(edge) = waiting.pop_front() {
        let Some(left) = steps.checked_sub(1) else { return };
        *steps = left;
        let shape = edge.shape();
        visit(&shape);
        match &shape.kind {
            Kind::Nullable(inner) | Kind::Alias(inner) => waiting.push_back(inner.clone()),
            Kind::Object(object) => {
                waiting.extend(object.fields.iter().filter(|field| field.flatten).map(|field| field.shape.clone()));
            }
            Kind::Union(union) => {
                let internal = matches!(union.tagging, Tagging::Internal { .. } | Tagging::Untagged);
                let is_value = |variant: &&Variant| internal || variant.untagged;
                waiting.extend(union.variants.iter().filter(is_value).filter_map(|variant| variant.payload.clone()));
            }
            _ => {}
        }
    }
}

/// The places one segment below a shape.
fn below(shape: &Shape, segment: &str, found: &mut Vec<Place>) {
    let mut add = |shape: Ref| found.push(Place { shape, field: None });
    match &shape.kind {
        Kind::Array(items) if is_index(segment) => add(items.clone()),
        Kind::Tuple(positions) => {
            segment.parse().ok().and_then(|index: usize| positions.get(index)).cloned().into_iter().for_each(add);
        }
        Kind::Map { values, .. } => add(values.clone()),
        Kind::Object(object) => {
            let is_meant = |field: &&Field| !field.flatten && (field.name == *segment || field.aliases.iter().any(|alias| *alias == *segment));
            let fields = object.fields.iter().filter(is_meant);
            found.extend(fields.map(|field| Place { shape: field.shape.clone(), field: Some(field.clone()) }));
        }
        Kind::Union(union) => {
            let tagged = || union.variants.iter().filter(|variant| !variant.untagged);
            match &union.tagging {
                Tagging::External => {
                    let variant = tagged().find(|variant| variant.name == *segment);
                    variant.and_then(|variant| variant.payload.clone()).into_iter().for_each(add);
                }
                Tagging::Internal { tag } | Tagging::Adjacent { tag, .. } if *tag == *segment => add(names(tagged())),
                Tagging::Adjacent { content, .. } if *content == *segment => {
                    tagged().filter_map(|variant| variant.payload.clone()).for_each(add);
                }
                _ => {}
            }
        }
        _ => {}
    }
}

/// The shape of a tag: an enum of the variants' names.
fn names<'v>(variants: impl Iterator<Item = &'v Variant>) -> Ref {
    let variants: Vec<_> = variants.map(|variant| Variant { payload: None, ..variant.clone() }).collect();
    let union = Union { tagging: Tagging::External, variants: variants.into(), unknown: Unknown::Refused };
    Ref::Shared(Arc::new(Shape::of(Kind::Union(union))))
}

/// The keys that a shape itself knows, with their aliases.
fn keys(shape: &Shape, found: &mut Vec<(Text, List<Text>)>) {
    match &shape.kind {
        Kind::Object(object) => {
            let own = object.fields.iter().filter(|field| !field.flatten && !field.hidden);
            found.extend(own.map(|field| (field.name.clone(), field.aliases.clone())));
        }
        Kind::Union(union) => match &union.tagging {
            Tagging::Internal { tag } => found.push((tag.clone(), List::EMPTY)),
            Tagging::Adjacent { tag, content } => {
                found.extend([tag, content].map(|key| (key.clone(), List::EMPTY)));
            }
            Tagging::External => {
                let payloads = union.variants.iter().filter(|variant| variant.payload.is_some() && !variant.hidden);
                found.extend(payloads.map(|variant| (variant.name.clone(), variant.aliases.clone())));
            }
            Tagging::Untagged => {}
        },
        _ => {}
    }
}

fn required(shape: &Shape, steps: &mut usize) -> Vec<Text> {
    let Some(left) = steps.checked_sub(1) else { return Vec::new() };
    *steps = left;
    match &shape.kind {
        Kind::Alias(inner) | Kind::Nullable(inner) => required(&inner.shape(), steps),
        Kind::Object(object) => required_fields(object, steps),
        Kind::Union(union) => {
            let mut each = union.variants.iter().filter(|variant| !variant.hidden).map(|variant| {
                let payload = variant.payload.as_ref();
                let own = |steps: &mut usize| payload.map_or_else(Vec::new, |payload| required(&payload.shape(), steps));
                match &union.tagging {
                    _ if variant.untagged => own(steps),
                    Tagging::External => payload.map_or_else(Vec::new, |_| vec![variant.name.clone()]),
                    Tagging::Internal { tag } => [vec![tag.clone()], own(steps)].concat(),
                    Tagging::Adjacent { tag, content } => {
                        [Some(tag), payload.map(|_| content)].into_iter().flatten().cloned().collect()
                    }
                    Tagging::Untagged => own(steps),
                }
            });
            let mut all = each.next().unwrap_or_default();
            for other in each {
                all.retain(|key| other.contains(key));
            }
            all
        }
        _ => Vec::new(),
    }
}

fn required_fields(object: &Object, steps: &mut usize) -> Vec<Text> {
    let mut found = Vec::new();
    for field in &object.fields {
        let shape = field.shape.shape();
        if !field.flatten {
            found.extend(field.required.then(|| field.name.clone()));
        } else if !matches!(shape.kind, Kind::Nullable(_)) {
            found.extend(required(&shape, steps));
        }
    }
    found
}

/// Whether a segment goes into an array: `[]`, `[2]`, or what a JSON Pointer has for them.
fn is_index(segment: &str) -> bool {
    segment.bytes().all(|byte| byte.is_ascii_digit()) || segment == "-"
}

/// The segments of a path as [`Path`](crate::issue::Path) prints it (an item may be `[]`), or of a JSON Pointer.
fn segments(path: &str) -> Option<Vec<Cow<'_, str>>> {
    if let Some(pointer) = path.strip_prefix('/') {
        return Some(pointer.split('/').map(|segment| segment.replace("~1", "/").replace("~0", "~").into()).collect());
    }
    let mut rest = if path == "$" { "" } else { path };
    let mut segments = Vec::new();
    while !rest.is_empty() {
        if let Some(quoted) = rest.strip_prefix("[\"") {
            let end = end_of_string(quoted)?;
            segments.push(Cow::Owned(serde_json::from_str(rest.get(1..end + 3)?).ok()?));
            rest = quoted.get(end + 1..)?.strip_prefix(']')?;
        } else if let Some(bracket) = rest.strip_prefix('[') {
            let (index, after) = bracket.split_once(']')?;
            segments.push(Cow::Borrowed(index).to_owned());
            rest = after;
        } else {
            let key = if segments.is_empty() { rest } else { rest.strip_prefix('.')? };
            let end = key.find(['.', '[']).unwrap_or(key.len());
            let (key, after) = key.split_at(end);
            if key.is_empty() {
                return None;
            }
            segments.push(Cow::Borrowed(key));
            rest = after;
        }
    }
    Some(segments)
}

/// Where the closing quote of a JSON string stands, in the text after its opening one.
fn end_of_string(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.bytes().position(|byte| {
        let closes = byte == b'"' && !escaped;
        escaped = byte == b'\\' && !escaped;
        closes
    })
}
