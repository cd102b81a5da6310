//! `Ref`: an edge from one shape to another, written by a macro or read at run time.
//!
//! In comes an edge, out goes the shape at its end. What always holds: a `Ref` that comes from a macro and closes a cycle of types is
//! `Lazy`, so a `const` never has to contain itself; cloning never allocates.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, Weak};

// Recursion with `node`: a shape holds edges, and each edge leads to a shape.
use super::Shape;

/// How many edges are followed without going deeper into the JSON: real types have a handful, a type that is nothing but itself, or a schema that
/// leads in circles, has no end of them.
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
    /// A direct edge, which the compiler can walk.
    Static(&'static Shape),
    /// The edge of a heap type (`Vec`, `Box`, maps …): every cycle of types passes through one.
    Lazy(fn() -> &'static Shape),
    /// An edge of a shape that was read at run time.
    Shared(Arc<Shape>),
    /// An edge that closes a cycle of a shape that was read at run time; its owner is the definition it points to.
    Weak(Weak<Shape>),
}

impl Ref {
    /// The shape at the end of the edge.
    ///
    /// A `Weak` edge whose definition is gone leads to a shape that accepts anything; as long as the tool that owns the
    /// definition is there, that cannot be.
    ///
    /// ```
    /// use tool_schema::{ToolInput, shape::Ref};
    ///
    /// assert_eq!(Ref::Lazy(|| bool::SHAPE).shape().kind.name(), "boolean");
    /// ```
    pub fn shape(&self) -> Resolved<'_> {
        match self {
            Self::Static(shape) => Resolved::Borrowed(shape),
            Self::Lazy(shape) => Resolved::Borrowed(shape()),
            Self::Shared(shape) => Resolved::Borrowed(shape),
            Self::Weak(shape) => shape.upgrade().map_or(Resolved::Borrowed(Shape::ANY), Resolved::Shared),
        }
    }
}

impl fmt::Debug for Ref {
    /// Names the kind at the end only: shapes may be recursive.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shape = self.shape();
        if shape.name.is_empty() { write!(f, "Ref({})", shape.kind.name()) } else { write!(f, "Ref({})", shape.name) }
    }
}

/// The end of a [`Ref`]; reads like a `&Shape`.
///
/// ```
/// use tool_schema::shape::{Ref, Resolved, Shape};
///
/// let edge = Ref::Static(Shape::ANY);
/// assert!(matches!(edge.shape(), Resolved::Borrowed(shape) if shape.name.is_empty()));
/// ```
pub enum Resolved<'a> {
    /// Owned by somebody who outlives the edge.
    Borrowed(&'a Shape),
    /// Kept alive while it is looked at.
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
