//! Generators of values for a shape: valid ones, nearly valid ones, and ones with known defects.
//!
//! From a shape and [`Choices`], they generate JSON together with the sites ([`Site`]) at which it can be broken.
//!
//! Invariants: without a change, the value keeps every rule of the shape (except `custom`). The depth is bounded. Equal choices give equal
//! values. Only shapes from macros are supported, whose edges are all `'static`.

mod change;
mod choices;
mod defect;
mod limits;
mod object;
mod scalars;
mod site;
mod visit;

pub use change::near_valid;
pub use choices::{Choices, numbers};
pub use defect::{Defect, Planted, planted};
pub use limits::{Ends, Rules, integers};
pub use site::{Site, What};
pub use visit::{any_place, goes_by};

use tool_schema::shape::{Field, Kind, Measure, Ref, Rule, Shape, SharedSlice, Text, Union, Variant};

use crate::tree::{Step, Tree};

/// A valid value with its sites.
pub struct Generated {
    /// The value.
    pub tree: Tree,
    /// The sites, outer ones first.
    pub sites: Vec<Site>,
}

/// Returns a valid value of the shape.
pub fn valid(shape: &'static Shape, choices: &mut Choices<'_>) -> Generated {
    let mut walk = Walk { choices, path: Vec::new(), sites: Vec::new(), sealed: 0 };
    let tree = walk.value(&Place::of(shape));
    Generated { tree, sites: walk.sites }
}

/// The depth from which optional parts are left out.
const DEPTH: usize = 6;

/// Returns the target of an edge in a shape from a macro.
///
/// # Panics
///
/// Panics for an edge that was built at run time.
pub fn end(edge: &'static Ref) -> &'static Shape {
    match edge {
        Ref::Static(shape) => shape,
        Ref::Lazy(shape) => shape(),
        Ref::Shared(_) | Ref::Weak(_) => panic!("shapes under test are written by macros"),
    }
}

/// A shape with all rules and settings that apply to the value.
#[derive(Clone)]
pub struct Place {
    /// The shape after following all aliases.
    pub shape: &'static Shape,
    /// The rules from the shape and its aliases.
    pub rules: Rules,
    /// Set if `null` is accepted too.
    pub nullable: bool,
    /// The author's example.
    pub example: Option<&'static str>,
}

impl Place {
    /// Returns a location with the rules of its shape only.
    pub fn of(shape: &'static Shape) -> Self {
        Self::with(shape, Vec::new(), None)
    }

    /// Returns the location of a field's value.
    pub fn of_field(field: &'static Field) -> Self {
        Self::with(end(&field.shape), field.rules.iter().collect(), field.example.as_ref().and_then(Text::as_static))
    }

    /// Returns a location with additional rules.
    pub fn with(mut shape: &'static Shape, mut rules: Rules, example: Option<&'static str>) -> Self {
        let mut nullable = false;
        loop {
            rules.extend(shape.rules.iter());
            shape = match &shape.kind {
                Kind::Alias(inner) => end(inner),
                Kind::Nullable(inner) => {
                    nullable = true;
                    end(inner)
                }
                _ => return Self { shape, rules, nullable, example },
            };
        }
    }
}

struct Walk<'w, 'n> {
    choices: &'w mut Choices<'n>,
    path: Vec<Step>,
    sites: Vec<Site>,
    /// The number of enclosing untagged unions and sets, in which issues are reported elsewhere.
    sealed: usize,
}

impl Walk<'_, '_> {
    fn site(&mut self, what: What) {
        self.sites.push(Site { path: self.path.clone(), what, sealed: self.sealed > 0 });
    }

    fn below<T>(&mut self, step: Step, walk: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(step);
        let result = walk(self);
        self.path.pop();
        result
    }

    fn is_deep(&self) -> bool {
        self.path.len() >= DEPTH
    }

    fn value(&mut self, place: &Place) -> Tree {
        self.site(What::Value(place.clone()));
        if place.nullable && (self.is_deep() || self.choices.once_in(4)) {
            return Tree::Null;
        }
        let rules = &place.rules;
        match &place.shape.kind {
            Kind::Foreign(schema) if self.choices.once_in(2) => of_types(&schema(), self.choices),
            Kind::Any | Kind::Foreign(_) => anything(self.choices),
            Kind::Boolean => Tree::Bool(self.choices.once_in(2)),
            Kind::Integer => scalars::integer(rules, self.choices),
            Kind::Number(precision) => scalars::number(*precision, rules, self.choices),
            Kind::String => {
                let example: Option<String> = place.example.and_then(|text| serde_json::from_str(text).ok());
                Tree::String(scalars::string(rules, example.as_deref(), self.choices))
            }
            Kind::Array(items) => self.array(end(items), rules),
            Kind::Tuple(positions) => self.tuple(positions),
            Kind::Map { keys, values } => Tree::Object(self.map(end(keys), end(values), rules, &[])),
            Kind::Object(object) => self.object(object),
            Kind::Union(union) => self.union(union),
            _ => Tree::Null,
        }
    }

    fn count(&mut self, rules: &Rules, measure: Measure) -> (usize, usize) {
        let (min, max) = limits::length(rules, measure);
        let most = if self.is_deep() { min } else { max.unwrap_or(min + 3).min(min + 40) };
        let wanted = [min, most.min(min + 3), most][self.choices.below(3)];
        (min, wanted)
    }

    fn array(&mut self, items: &'static Shape, rules: &Rules) -> Tree {
        let (min, wanted) = self.count(rules, Measure::Items);
        let place = Place::with(items, limits::inner(rules), None);
        let unique = limits::unique(rules);
        self.sealed += usize::from(unique);
        let mut found: Vec<Tree> = Vec::new();
        // A set with few possible items may need several attempts.
        for attempt in 0..wanted + 40 {
            if found.len() >= wanted || (attempt >= wanted && found.len() >= min) {
                break;
            }
            let sites = self.sites.len();
            let item = self.below(Step::Index(found.len()), |walk| walk.value(&place));
            if unique && found.iter().any(|other| same(other, &item)) {
                self.sites.truncate(sites);
            } else {
                found.push(item);
            }
        }
        self.sealed -= usize::from(unique);
        Tree::Array(found)
    }

    fn tuple(&mut self, positions: &'static SharedSlice<Ref>) -> Tree {
        let item = |(index, edge)| self.below(Step::Index(index), |walk| walk.value(&Place::of(end(edge))));
        Tree::Array(positions.iter().enumerate().map(item).collect())
    }

    /// Returns the members of a map, without the keys in `taken`.
    fn map(
        &mut self,
        keys: &'static Shape,
        values: &'static Shape,
        rules: &Rules,
        taken: &[&str],
    ) -> Vec<(String, Tree)> {
        let (min, wanted) = self.count(rules, Measure::Properties);
        let place = Place::with(values, limits::inner(rules), None);
        let mut members: Vec<(String, Tree)> = Vec::new();
        for _ in 0..wanted + 20 {
            if members.len() >= wanted.max(min) {
                break;
            }
            let key = self.key(keys);
            if members.iter().all(|(known, _)| *known != key) && !taken.contains(&&*key) {
                let value = self.below(Step::Key(key.clone()), |walk| walk.value(&place));
                members.push((key, value));
            }
        }
        members
    }

    fn key(&mut self, keys: &'static Shape) -> String {
        let mut unseen = Walk { choices: self.choices, path: Vec::new(), sites: Vec::new(), sealed: 0 };
        match unseen.value(&Place::of(keys)) {
            Tree::String(text) if text.is_empty() => "k".to_owned(),
            Tree::String(text) => text,
            other => other.to_string(),
        }
    }

    fn variant(&mut self, union: &'static Union) -> Option<(usize, &'static Variant)> {
        let mut shown: Vec<_> = union.variants.iter().enumerate().collect();
        if self.is_deep() {
            shown.sort_by_key(|(_, variant)| variant.payload.as_ref().map_or(0, |payload| floor(end(payload), 5)));
            return shown.first().copied();
        }
        self.choices.pick(&shown).copied()
    }
}

/// Returns the smallest depth of any value of a shape, searched down to `look` levels.
fn floor(shape: &'static Shape, look: usize) -> usize {
    let Some(look) = look.checked_sub(1) else { return 1 };
    match &shape.kind {
        Kind::Alias(inner) => floor(end(inner), look),
        Kind::Tuple(positions) => 1 + positions.iter().map(|edge| floor(end(edge), look)).max().unwrap_or(0),
        Kind::Object(object) => {
            let required = object.fields.iter().filter(|field| field.is_required());
            1 + required.map(|field| floor(end(&field.shape), look)).max().unwrap_or(0)
        }
        Kind::Union(union) => {
            let payloads =
                union.variants.iter().map(|variant| variant.payload.as_ref().map_or(0, |edge| floor(end(edge), look)));
            1 + payloads.min().unwrap_or(0)
        }
        Kind::Array(items) if shape.rules.iter().any(|rule| matches!(rule, Rule::Length(length) if length.min > 0)) => {
            1 + floor(end(items), look)
        }
        _ => 0,
    }
}

/// Returns a value of a JSON type that a schema from `schemars` names.
fn of_types(schema: &schemars::Schema, choices: &mut Choices<'_>) -> Tree {
    let types = schema.get("type").cloned().unwrap_or_default();
    let types: Vec<serde_json::Value> = types.as_array().cloned().unwrap_or_else(|| vec![types]);
    match choices.pick(&types).and_then(|name| name.as_str()) {
        Some("boolean") => Tree::Bool(choices.once_in(2)),
        Some("string") => Tree::text("x"),
        Some("null") => Tree::Null,
        _ => anything(choices),
    }
}

/// Returns an arbitrary JSON value.
pub fn anything(choices: &mut Choices<'_>) -> Tree {
    let number = |text: &str| Tree::Number(text.to_owned());
    match choices.below(12) {
        0 => Tree::Null,
        1 => Tree::Bool(true),
        2 => number("5"),
        3 => number("0.5"),
        4 => Tree::text("x"),
        5 => Tree::Array(Vec::new()),
        6 => Tree::Object(Vec::new()),
        7 => Tree::Array(vec![number("1")]),
        8 => Tree::member("a", number("1")),
        9 => number("-3"),
        10 => Tree::text(""),
        _ => Tree::Bool(false),
    }
}

/// Returns `true` if two values are equal in JSON Schema, precisely enough for generated values.
fn same(left: &Tree, right: &Tree) -> bool {
    match (left, right) {
        (Tree::Number(a), Tree::Number(b)) => a.parse::<f64>().ok() == b.parse::<f64>().ok(),
        (Tree::Array(a), Tree::Array(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Tree::Object(a), Tree::Object(b)) => {
            a.len() == b.len()
                && a.iter().all(|(key, value)| right.member_of(key).is_some_and(|other| same(value, other)))
        }
        _ => left == right,
    }
}
