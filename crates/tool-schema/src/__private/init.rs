//! Builds shapes in a `const`, from `Copy` structs with a `DEFAULT`, which a `const fn` converts.
//!
//! Generated code writes `FieldInit { name: "a", ..FieldInit::DEFAULT }.field()`. A new field of a shape therefore needs no change in the
//! macros, and no value with drop glue is overwritten in a `const` (E0493).

use crate::shape::{
    Field, Identity, Kind, Object, Ref, RepairPolicy, Rule, Shape, SharedSlice, Tagging, Text, Union, UnknownKeys,
    Variant,
};

#[derive(Clone, Copy)]
pub struct ShapeInit {
    pub name: &'static str,
    pub identity: Option<Identity>,
    pub doc: &'static str,
    pub rules: &'static [Rule],
}

impl ShapeInit {
    pub const DEFAULT: Self = Self { name: "", identity: None, doc: "", rules: &[] };

    pub const fn shape(self, kind: Kind) -> Shape {
        Shape {
            name: Text::Static(self.name),
            identity: self.identity,
            doc: Text::Static(self.doc),
            kind,
            rules: SharedSlice::Static(self.rules),
        }
    }
}

#[derive(Clone, Copy)]
pub struct FieldInit {
    pub name: &'static str,
    pub aliases: &'static [Text],
    pub doc: &'static str,
    pub shape: &'static Shape,
    pub rules: &'static [Rule],
    pub required: bool,
    pub optional: Option<fn() -> bool>,
    pub distinct_null: bool,
    pub flatten: bool,
    pub default: Option<&'static str>,
    pub has_computed_default: bool,
    pub example: Option<&'static str>,
    pub sensitive: bool,
    pub deprecated: bool,
    pub hidden: bool,
    pub repair: Option<RepairPolicy>,
}

impl FieldInit {
    pub const DEFAULT: Self = Self {
        name: "",
        aliases: &[],
        doc: "",
        shape: Shape::ANY,
        rules: &[],
        required: false,
        optional: None,
        distinct_null: false,
        flatten: false,
        default: None,
        has_computed_default: false,
        example: None,
        sensitive: false,
        deprecated: false,
        hidden: false,
        repair: None,
    };

    pub const fn field(self) -> Field {
        Field {
            name: Text::Static(self.name),
            aliases: SharedSlice::Static(self.aliases),
            doc: Text::Static(self.doc),
            shape: Ref::Static(self.shape),
            rules: SharedSlice::Static(self.rules),
            required: self.required,
            optional: self.optional,
            distinct_null: self.distinct_null,
            flatten: self.flatten,
            default: text(self.default),
            has_computed_default: self.has_computed_default,
            example: text(self.example),
            sensitive: self.sensitive,
            deprecated: self.deprecated,
            hidden: self.hidden,
            repair: self.repair,
        }
    }
}

#[derive(Clone, Copy)]
pub struct VariantInit {
    pub name: &'static str,
    pub aliases: &'static [Text],
    pub doc: &'static str,
    pub payload: Option<&'static Shape>,
    pub other: bool,
    pub untagged: bool,
    pub deprecated: bool,
    pub hidden: bool,
}

impl VariantInit {
    pub const DEFAULT: Self = Self {
        name: "",
        aliases: &[],
        doc: "",
        payload: None,
        other: false,
        untagged: false,
        deprecated: false,
        hidden: false,
    };

    pub const fn variant(self) -> Variant {
        Variant {
            name: Text::Static(self.name),
            aliases: SharedSlice::Static(self.aliases),
            doc: Text::Static(self.doc),
            payload: match self.payload {
                Some(shape) => Some(Ref::Static(shape)),
                None => None,
            },
            other: self.other,
            untagged: self.untagged,
            deprecated: self.deprecated,
            hidden: self.hidden,
        }
    }
}

pub const fn object(fields: &'static [Field], unknown: UnknownKeys) -> Kind {
    Kind::Object(Object { fields: SharedSlice::Static(fields), unknown })
}

pub const fn union(tagging: Tagging, variants: &'static [Variant], unknown: UnknownKeys) -> Kind {
    Kind::Union(Union { tagging, variants: SharedSlice::Static(variants), unknown })
}

/// Converts an optional `&'static str` to an optional `Text`.
pub const fn text(text: Option<&'static str>) -> Option<Text> {
    match text {
        Some(text) => Some(Text::Static(text)),
        None => None,
    }
}
