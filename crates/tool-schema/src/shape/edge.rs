//! `Ref`: an edge from one shape to another, from a macro or from a schema parsed at run time.
//!
//! Invariant: a `Ref` from a macro that closes a cycle of types is `Lazy`, so a `const` never contains itself; cloning never allocates.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, Weak};

// Recursion with `node`: a shape contains edges, and each edge leads to a shape.
use super::{Kind, Shape};

/// The maximum number of edges followed at the same depth of the JSON. Real types need few; a type or schema that refers only to itself
/// would never end.
pub(crate) const MOST_HOPS: usize = 48;

/// An edge from one shape to another.
///
/// ```
/// use tool_schema::{ToolInput, shape::Ref};
///
/// let direct = Ref::Static(bool::SHAPE);
/// let through_the_heap = Ref::Lazy(|| bool::SHAPE);
/// assert_eq!(direct.shape().kind.name(), through_the_heap.shape().kind.name());
/// ```
#[derive(Clone)]
pub enum Ref {
    /// A direct edge, which the compiler can follow.
    Static(&'static Shape),
    /// An edge from a heap type (`Vec`, `Box`, maps …) to its content. Every cycle of types contains such an edge.
    Lazy(fn() -> &'static Shape),
    /// An edge of a shape parsed at run time.
    Shared(Arc<Shape>),
    /// An edge that closes a cycle of a shape parsed at run time. Its target is owned by the definitions of the schema.
    Weak(Weak<Shape>),
}

impl From<&'static Shape> for Ref {
    fn from(shape: &'static Shape) -> Self {
        Self::Static(shape)
    }
}

impl Ref {
    /// Returns the shape at the end of the edge.
    ///
    /// A `Weak` edge whose definition was dropped leads to a shape that accepts every value. This cannot happen while the tool that owns
    /// the definition exists.
    pub fn shape(&self) -> Resolved<'_> {
        match self {
            Self::Static(shape) => Resolved::Borrowed(shape),
            Self::Lazy(shape) => Resolved::Borrowed(shape()),
            Self::Shared(shape) => Resolved::Borrowed(shape),
            Self::Weak(shape) => shape.upgrade().map_or(Resolved::Borrowed(Shape::ANY), Resolved::Shared),
        }
    }
}

impl Ref {
    /// Returns the edge to the shape behind aliases and nullable shapes; `None` if there are too many of them.
    pub(crate) fn unaliased(&self) -> Option<Self> {
        let mut edge = self.clone();
        for _ in 0..MOST_HOPS {
            let inner = match &edge.shape().kind {
                Kind::Alias(inner) | Kind::Nullable(inner) => Some(inner.clone()),
                _ => None,
            };
            let Some(inner) = inner else { return Some(edge) };
            edge = inner;
        }
        None
    }
}

impl fmt::Debug for Ref {
    /// Shows only the kind of the target, because shapes may be recursive.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = self.shape();
        if shape.name.is_empty() { write!(f, "Ref({})", shape.kind.name()) } else { write!(f, "Ref({})", shape.name) }
    }
}

/// The target of a [`Ref`], which dereferences to a [`Shape`].
///
/// ```
/// use tool_schema::shape::{Ref, Resolved, Shape};
///
/// let edge = Ref::Static(Shape::ANY);
/// assert!(matches!(edge.shape(), Resolved::Borrowed(shape) if shape.name.is_empty()));
/// ```
pub enum Resolved<'a> {
    /// A shape that outlives the edge.
    Borrowed(&'a Shape),
    /// A shape that is kept alive by this value.
    Shared(Arc<Shape>),
}

impl Deref for Resolved<'_> {
    type Target = Shape;

    fn deref(&self) -> &Shape {
        match self {
            Self::Borrowed(shape) => shape,
            Self::Shared(shape) => shape,
        }
    }
}
