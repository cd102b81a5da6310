//! The parameters of a tool in generated code. Each is identified by its index.

use crate::private::{
    FieldInit, ShapeInit, assert_fits_http_header, custom, decodes, decodes_absent, foreign, foreign_literal, literal,
    object,
};
use schemars::JsonSchema;
use serde::de::{DeserializeOwned, Deserializer, Error};

use crate::input::ToolInput;
use crate::shape::{Field, Kind, Literal, Rule, Shape, Text, UnknownKeys, assert_literal_fits};

/// A parameter whose type implements `ToolInput`.
///
/// Invariant: its impl is the only code that requires `ToolInput` of the parameter's type. Everything else is generic over this trait, so
/// that a type without `ToolInput` causes a single compiler error, at the type.
pub trait Parameter<const INDEX: usize> {
    type Type: ToolInput;
    const SHAPE: &'static Shape = <Self::Type as ToolInput>::SHAPE;
    const REQUIRED: bool = !<Self::Type as ToolInput>::OPTIONAL;
    /// The rules in the attributes of the parameter.
    const RULES: &'static [Rule] = &[];

    /// Returns `true` if a value satisfies the rules of the parameter.
    #[inline]
    fn follows(_: &Self::Type) -> bool {
        true
    }
}

/// A parameter whose type is described by `schemars`.
pub trait ForeignParameter<const INDEX: usize> {
    type Type: DeserializeOwned + JsonSchema + Send + 'static;
    const DECODES: &'static [Rule] = &[custom(decodes::<Self::Type>)];
    const SHAPE: &'static Shape =
        &ShapeInit { rules: Self::DECODES, ..ShapeInit::DEFAULT }.shape(Kind::Foreign(foreign::<Self::Type>));
    /// `false` if the compiler knows that the key may be absent. The type itself is asked at run time.
    const REQUIRED: bool = true;
    /// `true` if `null` is another value than an absent key.
    const DISTINCT_NULL: bool;
    const RULES: &'static [Rule] = &[];

    #[inline]
    fn follows(_: &Self::Type) -> bool {
        true
    }

    /// Decodes the value of a key that was sent.
    ///
    /// # Errors
    ///
    /// Fails if the value cannot be decoded.
    fn from_sent<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self::Type, D::Error>;
}

/// Describes all parameters.
pub const fn parameters(fields: &'static [Field], unknown: UnknownKeys) -> Shape {
    ShapeInit::DEFAULT.shape(object(fields, unknown))
}

/// Fails to compile unless the type of a flattened parameter is a struct with named fields.
pub const fn is_struct(shape: &Shape) {
    assert!(
        matches!(shape.kind, Kind::Object(_)),
        "the arguments of a tool are an object: `flatten` takes a struct with named fields"
    );
}

/// Describes one parameter.
pub const fn parameter<P: Parameter<INDEX>, const INDEX: usize>(name: &'static str, doc: &'static str) -> FieldInit {
    FieldInit {
        name,
        doc,
        shape: P::SHAPE,
        rules: P::RULES,
        required: P::REQUIRED,
        distinct_null: <P::Type as ToolInput>::DISTINCT_NULL,
        ..FieldInit::DEFAULT
    }
}

/// Describes one parameter whose type `schemars` describes.
pub const fn foreign_parameter<P: ForeignParameter<INDEX>, const INDEX: usize>(
    name: &'static str,
    doc: &'static str,
) -> FieldInit {
    FieldInit {
        name,
        doc,
        shape: P::SHAPE,
        rules: P::RULES,
        required: P::REQUIRED,
        optional: Some(decodes_absent::<P::Type>),
        distinct_null: P::DISTINCT_NULL,
        ..FieldInit::DEFAULT
    }
}

/// Returns `true` if a value satisfies the rules of its type and of its parameter.
#[inline]
pub fn accepts<P: Parameter<INDEX>, const INDEX: usize>(value: &P::Type) -> bool {
    value.guard() && P::follows(value)
}

/// Returns the name of a parameter and the name of its HTTP header. Panics at compile time if the protocol does not allow the values of the
/// parameter in a header.
#[track_caller]
pub const fn header<P: Parameter<INDEX>, const INDEX: usize>(name: &'static str, header: &'static str) -> (Text, Text) {
    assert_fits_http_header(P::SHAPE, P::RULES);
    (Text::Static(name), Text::Static(header))
}

/// Checks a default or an example against its parameter at compile time.
#[track_caller]
pub const fn verify_parameter<P: Parameter<INDEX>, const INDEX: usize>(literal: &Literal) {
    assert_literal_fits(literal, P::SHAPE, P::RULES);
}

/// Returns the value of a parameter, or its default if the key was absent.
pub fn or_default<P: Parameter<INDEX>, E: Error, const INDEX: usize>(
    value: Option<P::Type>,
    json: &str,
) -> Result<P::Type, E> {
    value.map_or_else(|| literal(json).map_err(E::custom), Ok)
}

/// Returns the value of a parameter whose type `schemars` describes, or its default.
pub fn or_foreign_default<P: ForeignParameter<INDEX>, E: Error, const INDEX: usize>(
    value: Option<P::Type>,
    json: &str,
) -> Result<P::Type, E> {
    value.map_or_else(|| foreign_literal(json, |deserializer| P::from_sent(deserializer)).map_err(E::custom), Ok)
}

/// Checks a default or an example during `build()` by decoding it. Returns an error if the type or a rule of the parameter rejects it.
pub fn accept<P: Parameter<INDEX>, const INDEX: usize>(name: &str, what: &str, json: &str) -> Result<(), String> {
    accepted(name, what, json, literal(json), P::follows)
}

/// Checks a default or an example like [`accept`], for a parameter whose type `schemars` describes.
pub fn accept_foreign<P: ForeignParameter<INDEX>, const INDEX: usize>(
    name: &str,
    what: &str,
    json: &str,
) -> Result<(), String> {
    accepted(name, what, json, foreign_literal(json, |deserializer| P::from_sent(deserializer)), P::follows)
}

fn accepted<T>(
    name: &str,
    what: &str,
    json: &str,
    decoded: Result<T, String>,
    follows: fn(&T) -> bool,
) -> Result<(), String> {
    match decoded {
        Ok(value) if follows(&value) => Ok(()),
        Ok(_) => Err(format!("the {what} of {name}: {json} breaks a rule of this place")),
        Err(reason) => Err(format!("the {what} of {name}: {reason}")),
    }
}
