//! [`Place`]: a location in an input, and what is expected there.

use crate::shape::{Field, Ref};

/// A place in the arguments, as the description knows it.
///
/// ```
/// use tool_schema::__private::{FieldInit, ShapeInit, object};
/// use tool_schema::{schema::place, shape::{Field, Kind, Ref, Shape, Unknown}};
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
