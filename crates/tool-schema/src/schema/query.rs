//! Questions that a host asks of a description: what is required, allowed or meant at a place, and which key was meant.
//!
//! In comes a path (`customer.items[].unit`, `customer.items[2].unit`, or the JSON Pointer `/customer/items/2/unit`); out goes a
//! [`Place`]. Paths go through options, maps, flattened structs and the variants of unions; where several variants have the key, the first
//! one answers. What always holds: the work is bounded, and no schema is rendered.

mod path;
mod place;
mod reach;

pub use place::Place;

use crate::shape::{Format, Kind, List, Ref, Rule, Tagging, Text, Union, Variant};
use crate::suggest;
use path::segments;
use reach::{below, keys, required, same_object, same_value, walk};

/// How many shapes are looked at for one question; a recursive shape without keys of its own would be looked at for ever.
const STEPS: usize = 4_096;
/// The same where one shape is looked at inside another.
const REQUIRED_STEPS: usize = 256;

/// The place at the end of a path; `None` where the description knows no such place, or where the path cannot be read.
///
/// See [`Place`] for an example.
///
/// ```
/// use serde::Deserialize;
/// use tool_schema::{ToolInput, schema::place, shape::Ref};
///
/// /// A journey.
/// #[derive(Deserialize, ToolInput)]
/// struct Trip {
///     /// Day of departure.
///     #[tool(format = "date")]
///     day: String,
///     /// How to travel.
///     means: Option<Means>,
/// }
///
/// #[derive(Deserialize, ToolInput)]
/// enum Means {
///     Train,
///     Ferry,
/// }
///
/// let trip = Ref::Static(Trip::SHAPE);
/// assert!(place(&trip, "means").is_some() && place(&trip, "means.wheels").is_none());
/// ```
pub fn place(root: &Ref, path: &str) -> Option<Place> {
    let mut steps = STEPS;
    let mut places = vec![Place { shape: root.clone(), field: None }];
    for segment in segments(path)? {
        let mut next = Vec::new();
        for place in places {
            walk(&place.shape, same_object, &mut steps, |shape| below(shape, &segment, &mut next));
        }
        places = next;
    }
    places.into_iter().next()
}

impl Place {
    /// The keys that must be there, in declaration order; of a union, those that every variant asks for.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use tool_schema::{ToolInput, schema::place, shape::Ref};
    ///
    /// /// A journey.
    /// #[derive(Deserialize, ToolInput)]
    /// struct Trip {
    ///     /// Day of departure.
    ///     #[tool(format = "date")]
    ///     day: String,
    ///     /// How to travel.
    ///     means: Option<Means>,
    /// }
    ///
    /// #[derive(Deserialize, ToolInput)]
    /// enum Means {
    ///     Train,
    ///     Ferry,
    /// }
    ///
    /// let place = place(&Ref::Static(Trip::SHAPE), "").ok_or("no such place")?;
    /// assert_eq!(place.required(), ["day"]);
    /// # Ok::<(), &str>(())
    /// ```
    pub fn required(&self) -> Vec<Text> {
        required(&self.shape.shape(), &mut { REQUIRED_STEPS })
    }

    /// What the value means: the words of the field, else those of its type; empty where nobody says.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use tool_schema::{ToolInput, schema::place, shape::Ref};
    ///
    /// /// A journey.
    /// #[derive(Deserialize, ToolInput)]
    /// struct Trip {
    ///     /// Day of departure.
    ///     #[tool(format = "date")]
    ///     day: String,
    ///     /// How to travel.
    ///     means: Option<Means>,
    /// }
    ///
    /// #[derive(Deserialize, ToolInput)]
    /// enum Means {
    ///     Train,
    ///     Ferry,
    /// }
    ///
    /// let place = place(&Ref::Static(Trip::SHAPE), "day").ok_or("no such place")?;
    /// assert_eq!(place.description().as_str(), "Day of departure.");
    /// # Ok::<(), &str>(())
    /// ```
    pub fn description(&self) -> Text {
        if let Some(field) = &self.field
            && !field.doc.is_empty()
        {
            return field.doc.clone();
        }
        let mut edge = self.shape.clone();
        for _ in 0..STEPS {
            let shape = edge.shape();
            let (Kind::Alias(inner) | Kind::Nullable(inner), true) = (&shape.kind, shape.doc.is_empty()) else {
                return shape.doc.clone();
            };
            let inner = inner.clone();
            drop(shape);
            edge = inner;
        }
        Text::EMPTY
    }

    /// The strings that are allowed, in declaration order; empty where there is no such list.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use tool_schema::{ToolInput, schema::place, shape::Ref};
    ///
    /// /// A journey.
    /// #[derive(Deserialize, ToolInput)]
    /// struct Trip {
    ///     /// Day of departure.
    ///     #[tool(format = "date")]
    ///     day: String,
    ///     /// How to travel.
    ///     means: Option<Means>,
    /// }
    ///
    /// #[derive(Deserialize, ToolInput)]
    /// enum Means {
    ///     Train,
    ///     Ferry,
    /// }
    ///
    /// let place = place(&Ref::Static(Trip::SHAPE), "means").ok_or("no such place")?;
    /// assert_eq!(place.allowed_values(), ["Train", "Ferry"]);
    /// # Ok::<(), &str>(())
    /// ```
    pub fn allowed_values(&self) -> Vec<Text> {
        let mut found = Vec::new();
        walk(&self.shape, same_value, &mut { STEPS }, |shape| {
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
    ///
    /// ```
    /// use serde::Deserialize;
    /// use tool_schema::{ToolInput, schema::place, shape::Ref};
    ///
    /// /// A journey.
    /// #[derive(Deserialize, ToolInput)]
    /// struct Trip {
    ///     /// Day of departure.
    ///     #[tool(format = "date")]
    ///     day: String,
    ///     /// How to travel.
    ///     means: Option<Means>,
    /// }
    ///
    /// #[derive(Deserialize, ToolInput)]
    /// enum Means {
    ///     Train,
    ///     Ferry,
    /// }
    ///
    /// let place = place(&Ref::Static(Trip::SHAPE), "day").ok_or("no such place")?;
    /// assert_eq!(place.format(), Some(tool_schema::shape::Format::Date));
    /// # Ok::<(), &str>(())
    /// ```
    pub fn format(&self) -> Option<Format> {
        let of = |rules: &List<Rule>| {
            rules.iter().find_map(|rule| if let Rule::Format(format) = rule { Some(*format) } else { None })
        };
        let mut found = self.field.as_ref().and_then(|field| of(&field.rules));
        walk(&self.shape, same_value, &mut { STEPS }, |shape| found = found.or_else(|| of(&shape.rules)));
        found
    }

    /// The name of the key that was probably meant: the key itself where it is one, what it is an alias of, else the nearest.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use tool_schema::{ToolInput, schema::place, shape::Ref};
    ///
    /// /// A journey.
    /// #[derive(Deserialize, ToolInput)]
    /// struct Trip {
    ///     /// Day of departure.
    ///     #[tool(format = "date")]
    ///     day: String,
    ///     /// How to travel.
    ///     means: Option<Means>,
    /// }
    ///
    /// #[derive(Deserialize, ToolInput)]
    /// enum Means {
    ///     Train,
    ///     Ferry,
    /// }
    ///
    /// let place = place(&Ref::Static(Trip::SHAPE), "").ok_or("no such place")?;
    /// assert_eq!(place.canonical_key("Day").as_deref(), Some("day"));
    /// # Ok::<(), &str>(())
    /// ```
    pub fn canonical_key(&self, key: &str) -> Option<Text> {
        let mut fields = Vec::new();
        walk(&self.shape, same_object, &mut { STEPS }, |shape| keys(shape, &mut fields));
        let is_meant =
            |(name, aliases): &&(Text, List<Text>)| *name == *key || aliases.iter().any(|alias| *alias == *key);
        if let Some((name, _)) = fields.iter().find(is_meant) {
            return Some(name.clone());
        }
        let nearest = suggest::nearest(key, fields.iter().map(|(name, _)| name.as_str()))?;
        fields.iter().map(|(name, _)| name).find(|name| **name == *nearest).cloned()
    }
}
