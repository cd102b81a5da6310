//! The current location of the walk: its path, the expectation and the value sent there.
//!
//! All parts borrow and are stored on the stack. An owned [`Path`] and [`Expected`] are only made for issues.

use std::borrow::Cow;

use crate::issue::{Expected, Path, REDACTED, Segment};
use crate::json::{Json, JsonType, Member, Node};
use crate::shape::{Field, MOST_HOPS, Ref, Rule, Shape, SharedSlice, Text};

/// A path as a linked list of steps towards the root.
#[derive(Clone, Copy)]
pub(super) struct Step<'p> {
    parent: Option<&'p Step<'p>>,
    at: At<'p>,
}

#[derive(Clone, Copy)]
enum At<'p> {
    Root,
    Key(&'p str),
    /// A key that the path must not show.
    Hidden(&'p str),
    /// A field with the key that was sent, which may be an alias.
    Field {
        key: &'p str,
        field: &'p Field,
    },
    Index(usize),
}

impl<'p> Step<'p> {
    const ROOT: Self = Self { parent: None, at: At::Root };

    pub(super) fn last_key(&self) -> Option<&'p str> {
        if let At::Key(key) | At::Hidden(key) | At::Field { key, .. } = self.at { Some(key) } else { None }
    }

    /// Returns the path; `shared` converts those keys that come from the arguments.
    pub(super) fn to_path(self, mut shared: impl FnMut(&str) -> Text) -> Path {
        let depth = std::iter::successors(self.parent, |step| step.parent).count();
        let mut path = Path::with_capacity(depth);
        self.push_to(&mut path, &mut shared);
        path
    }

    /// Appends the steps from the root to this one.
    fn push_to(&self, path: &mut Path, shared: &mut impl FnMut(&str) -> Text) {
        if let Some(parent) = self.parent {
            parent.push_to(path, shared);
        }
        match self.at {
            At::Root => {}
            At::Hidden(_) => path.push(Segment::Key(Text::from_static(REDACTED))),
            // The text of a field's name is shared with its shape.
            At::Field { key, field } if field.aliases.is_empty() || field.name == key => {
                path.push(Segment::Key(field.name.clone()));
            }
            At::Key(key) | At::Field { key, .. } => path.push(Segment::Key(shared(key))),
            At::Index(index) => path.push(Segment::Index(index)),
        }
    }
}

/// A location in the arguments, with its expectation.
#[derive(Clone, Copy)]
pub(super) struct CheckPlace<'p> {
    pub(super) path: Step<'p>,
    pub(super) shape: &'p Shape,
    /// The edge that led to the shape; `None` at the root.
    edge: Option<&'p Ref>,
    /// The rules of the location, in addition to those of the shape.
    pub(super) rules: &'p [&'p SharedSlice<Rule>],
    field: Option<&'p Field>,
    pub(super) sensitive: bool,
    /// `true` if the value must be hidden, because its key or its variant is unknown and it may be a secret. The keys inside the value may
    /// be shown.
    veiled: bool,
    /// The number of edges of the shape that were followed without going deeper into the JSON.
    pub(super) hops: u8,
}

/// The parts that determine an expectation: the addresses of the shape, the field and the additional rules, and `true` if the value must be
/// hidden.
pub(super) type Identity = (usize, usize, usize, bool);

impl<'p> CheckPlace<'p> {
    pub(super) fn root(shape: &'p Shape) -> Self {
        Self { path: Step::ROOT, shape, edge: None, rules: &[], field: None, sensitive: false, veiled: false, hops: 0 }
    }

    /// Returns the place of a field's value, for the key that was sent.
    pub(super) fn field(
        &'p self,
        key: &'p str,
        field: &'p Field,
        shape: &'p Shape,
        rules: &'p [&'p SharedSlice<Rule>],
    ) -> Self {
        Self {
            path: Step { parent: Some(&self.path), at: At::Field { key, field } },
            shape,
            edge: Some(&field.shape),
            rules,
            field: Some(field),
            sensitive: self.sensitive || field.sensitive,
            veiled: self.veiled,
            hops: 0,
        }
    }

    /// Returns this place with the expectation of a flattened field.
    pub(super) fn flattened(&'p self, field: &'p Field, shape: &'p Shape, rules: &'p [&'p SharedSlice<Rule>]) -> Self {
        Self { path: self.path, hops: self.hops + 1, ..self.field("", field, shape, rules) }
    }

    /// Returns the place of a value whose key is not a field: the payload of a variant, or the value of a map.
    pub(super) fn key(
        &'p self,
        key: &'p str,
        edge: &'p Ref,
        shape: &'p Shape,
        rules: &'p [&'p SharedSlice<Rule>],
    ) -> Self {
        let path = Step { parent: Some(&self.path), at: At::Key(key) };
        Self { path, shape, edge: Some(edge), rules, field: None, hops: 0, ..*self }
    }

    /// Returns the place of a value whose key is data, such as the key of a map. Inside a sensitive field, the path hides the key.
    pub(super) fn named(
        &'p self,
        key: &'p str,
        edge: &'p Ref,
        shape: &'p Shape,
        rules: &'p [&'p SharedSlice<Rule>],
    ) -> Self {
        if self.sensitive { self.hidden(key, edge, shape, rules) } else { self.key(key, edge, shape, rules) }
    }

    /// Returns the place of a value whose key must not be shown.
    fn hidden(&'p self, key: &'p str, edge: &'p Ref, shape: &'p Shape, rules: &'p [&'p SharedSlice<Rule>]) -> Self {
        let path = Step { parent: Some(&self.path), at: At::Hidden(key) };
        Self { path, ..self.key(key, edge, shape, rules) }
    }

    /// Returns the place of a value with an unknown key. If the call has sensitive fields (`is_guarded`), both the key and the value are
    /// hidden.
    pub(super) fn unknown(&'p self, key: &'p str, edge: &'p Ref, shape: &'p Shape, is_guarded: bool) -> Self {
        if is_guarded { self.hidden(key, edge, shape, &[]).veiled() } else { self.named(key, edge, shape, &[]) }
    }

    /// Returns the place of an array's item.
    pub(super) fn index(
        &'p self,
        index: usize,
        edge: &'p Ref,
        shape: &'p Shape,
        rules: &'p [&'p SharedSlice<Rule>],
    ) -> Self {
        let path = Step { parent: Some(&self.path), at: At::Index(index) };
        Self { path, shape, edge: Some(edge), rules, field: None, hops: 0, ..*self }
    }

    /// Returns this place with the expectation of a variant.
    pub(super) fn variant(&self, edge: &'p Ref, shape: &'p Shape) -> Self {
        Self { shape, edge: Some(edge), rules: &[], field: None, hops: self.hops + 1, ..*self }
    }

    /// Returns this place for a value of an unknown variant, if one of the variants has a secret.
    pub(super) fn veiled(&self) -> Self {
        Self { veiled: true, ..*self }
    }

    /// Returns `true` if the value must not be shown.
    pub(super) fn is_hidden(&self) -> bool {
        self.sensitive || self.veiled
    }

    /// Returns this place with another key at the end of its path.
    pub(super) fn renamed(&self, parent: &'p CheckPlace<'p>, key: &'p str) -> Self {
        Self { path: Step { parent: Some(&parent.path), at: At::Key(key) }, ..*self }
    }

    /// Returns this place after one more edge, or `None` if there were too many.
    pub(super) fn hop(&self) -> Option<Self> {
        (usize::from(self.hops) < MOST_HOPS).then_some(Self { hops: self.hops + 1, ..*self })
    }

    pub(super) fn expected(&self) -> Expected {
        let shape = self.edge.cloned().unwrap_or_else(|| Ref::Shared(self.shape.clone().into()));
        let rules = match self.rules {
            [] => SharedSlice::EMPTY,
            [one] => (*one).clone(),
            several => several.iter().flat_map(|list| list.iter().cloned()).collect::<Vec<_>>().into(),
        };
        Expected {
            shape: Some(shape),
            rules,
            example: self.field.and_then(|field| field.example.clone()),
            default: self.field.and_then(|field| field.default.clone()),
            text: None,
            is_secret: self.is_hidden(),
            is_optional: self.field.is_some_and(|field| !field.required),
        }
    }

    /// Returns the identity of the result of [`expected`](Self::expected), or `None` if that result has more parts than an [`Identity`]
    /// holds.
    pub(super) fn identity(&self) -> Option<Identity> {
        let rules = match self.rules {
            [] => 0,
            [rules] => address(*rules),
            _ => return None,
        };
        self.edge?;
        Some((address(self.shape), self.field.map_or(0, address), rules, self.is_hidden()))
    }

    /// Returns the author's description: that of the field, or else that of its type.
    pub(super) fn description(&self) -> Text {
        let doc = self.field.map(|field| &field.doc).filter(|doc| !doc.is_empty());
        doc.unwrap_or(&self.shape.doc).clone()
    }
}

/// The value sent at a location: a node, or some members of an object that are checked like an object of their own (flattened fields,
/// payloads beside a tag).
#[derive(Clone, Copy)]
pub(super) enum Subject<'s, 'j> {
    Node(&'s Json<'j>),
    View(&'s [&'s Member<'j>]),
}

impl<'s, 'j> Subject<'s, 'j> {
    pub(super) fn json_type(self) -> JsonType {
        match self {
            Self::Node(json) => json.json_type(),
            Self::View(_) => JsonType::Object,
        }
    }

    pub(super) fn is_null(self) -> bool {
        matches!(self, Self::Node(json) if json.is_null())
    }

    pub(super) fn as_str(self) -> Option<&'s str> {
        if let Self::Node(json) = self { json.as_str() } else { None }
    }

    /// Returns the members, if the value is an object.
    pub(super) fn entries(self) -> Option<Entries<'s, 'j>> {
        match self {
            Self::Node(Json { node: Node::Object(members), .. }) => Some(Entries::All(members)),
            Self::Node(_) => None,
            Self::View(members) => Some(Entries::Some(members)),
        }
    }

    pub(super) fn json(self) -> Cow<'s, Json<'j>> {
        match self {
            Self::Node(json) => Cow::Borrowed(json),
            Self::View(members) => {
                Cow::Owned(Json::from_node(Node::Object(members.iter().map(|&member| member.clone()).collect())))
            }
        }
    }
}

/// All members of an object, or some of them.
#[derive(Clone, Copy)]
pub(super) enum Entries<'s, 'j> {
    All(&'s [Member<'j>]),
    Some(&'s [&'s Member<'j>]),
}

impl<'s, 'j> Entries<'s, 'j> {
    pub(super) fn len(self) -> usize {
        match self {
            Self::All(members) => members.len(),
            Self::Some(members) => members.len(),
        }
    }

    pub(super) fn iter(self) -> impl Iterator<Item = &'s Member<'j>> + Clone {
        let (all, some): (&'s [Member<'j>], &'s [&'s Member<'j>]) = match self {
            Self::All(members) => (members, &[]),
            Self::Some(members) => (&[], members),
        };
        all.iter().chain(some.iter().copied())
    }
}

/// Returns the address of a part of a shape, which identifies the part during one walk.
pub(crate) fn address<T: ?Sized>(part: &T) -> usize {
    std::ptr::from_ref(part).cast::<()>() as usize
}
