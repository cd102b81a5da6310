//! The arguments of a `get_weather` tool, as the macro generates them.

use crate::__private::{FieldInit, ShapeInit, VariantInit, object, union};
use crate::json::Number;
use crate::shape::{Kind, Length, Measure, Range, Rule, Shape, Tagging, UnknownKeys};

const UNIT: &Shape = &ShapeInit { name: "Unit", ..ShapeInit::DEFAULT }.shape(union(
    Tagging::External,
    const {
        &[
            VariantInit { name: "celsius", ..VariantInit::DEFAULT }.variant(),
            VariantInit { name: "fahrenheit", ..VariantInit::DEFAULT }.variant(),
        ]
    },
    UnknownKeys::Rejected,
));

const DAYS: &Shape = &ShapeInit {
    rules: &[Rule::Range(Range::inclusive(Number::Integer(0), Number::Integer(255)))],
    ..ShapeInit::DEFAULT
}
.shape(Kind::Integer);

const FORTNIGHT: &[Rule] = &[Rule::Range(Range::inclusive(Number::Integer(1), Number::Integer(14)))];
const TEXT: &Shape = &Shape::new(Kind::String);

/// The shape of the arguments.
pub(crate) const SHAPE: &Shape = &Shape::new(object(
    const {
        &[
            FieldInit {
                name: "location",
                doc: "City and country.",
                shape: TEXT,
                rules: const { &[Rule::Length(Length { measure: Measure::Characters, min: 1, max: Some(80) })] },
                required: true,
                example: Some(r#""Paris, France""#),
                ..FieldInit::DEFAULT
            }
            .field(),
            FieldInit {
                name: "unit",
                doc: "Unit of the temperatures.",
                shape: UNIT,
                default: Some(r#""celsius""#),
                ..FieldInit::DEFAULT
            }
            .field(),
            FieldInit { name: "days", doc: "Days of forecast.", shape: DAYS, rules: FORTNIGHT, ..FieldInit::DEFAULT }
                .field(),
        ]
    },
    UnknownKeys::Rejected,
));
