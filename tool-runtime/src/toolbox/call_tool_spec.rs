//! The spec of `call_tool`, which calls members when the list of tools is fixed.

use crate::shape::{Field, Kind, Object, Ref, Shape, SharedSlice, Text, UnknownKeys, plain_field};
use crate::tool::ToolSpec;

/// `call_tool(tool, arguments)`
pub(crate) static CALL_TOOL: ToolSpec = ToolSpec::from_texts(
    Text::Static("call_tool"),
    Text::Static("Calls a function of an expanded container."),
    Ref::Static(INPUT),
);

const INPUT: &Shape =
    &Shape::new(Kind::Object(Object { fields: SharedSlice::Static(FIELDS), unknown: UnknownKeys::Rejected }));

const FIELDS: &[Field] = &[TOOL, FUNCTION_ARGUMENTS];
const TOOL: Field = field("tool", "Name of the function.", STRING, true);
const FUNCTION_ARGUMENTS: Field = field("arguments", "Its arguments, as its definition says.", ARGUMENTS, false);

/// The input of `call_tool` if any tool has sensitive parameters. With it, a rejection does not repeat the values of these parameters.
pub(crate) static GUARDED_INPUT: Shape =
    Shape::new(Kind::Object(Object { fields: SharedSlice::Static(GUARDED_FIELDS), unknown: UnknownKeys::Rejected }));

const GUARDED_FIELDS: &[Field] = &[TOOL, sensitive(FUNCTION_ARGUMENTS)];

const STRING: &Shape = &Shape::new(Kind::String);
const ARGUMENTS: &Shape = &Shape::new(Kind::Map { keys: Ref::Static(STRING), values: Ref::Static(Shape::ANY) });

const fn sensitive(mut field: Field) -> Field {
    field.sensitive = true;
    field
}

const fn field(name: &'static str, doc: &'static str, shape: &'static Shape, required: bool) -> Field {
    plain_field(Text::Static(name), Text::Static(doc), Ref::Static(shape), required)
}
