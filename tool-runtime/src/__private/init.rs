//! `const` construction of shapes: `Copy` structs with a `DEFAULT`, finished by a `const fn`.
//!
//! Generated code writes `FieldInit { name: "a", ..FieldInit::DEFAULT }.field()`. Public shape types stay `#[non_exhaustive]`, new
//! fields need no change in the macros, and nothing with drop glue is overwritten in a `const` (E0493).

use std::time::Duration;

use crate::container::{ContainerSpec, Source};
use crate::shape::{
    Field, Identity, Kind, List, Object, Policy, Ref, Rule, Shape, Tagging, Text, Union, Unknown, Variant,
};
use crate::throttle::Overrides;
use crate::tool::{Annotations, CheckFn, EnumFrom, FromState, Retry, StateKey, StateView, ToolSpec};

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
            rules: List::Static(self.rules),
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
    pub flatten: bool,
    pub default: Option<&'static str>,
    pub example: Option<&'static str>,
    pub sensitive: bool,
    pub deprecated: bool,
    pub hidden: bool,
    pub repair: Option<Policy>,
}

impl FieldInit {
    pub const DEFAULT: Self = Self {
        name: "",
        aliases: &[],
        doc: "",
        shape: Shape::ANY,
        rules: &[],
        required: false,
        flatten: false,
        default: None,
        example: None,
        sensitive: false,
        deprecated: false,
        hidden: false,
        repair: None,
    };

    pub const fn field(self) -> Field {
        Field {
            name: Text::Static(self.name),
            aliases: List::Static(self.aliases),
            doc: Text::Static(self.doc),
            shape: Ref::Static(self.shape),
            rules: List::Static(self.rules),
            required: self.required,
            flatten: self.flatten,
            default: text(self.default),
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
            aliases: List::Static(self.aliases),
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

#[derive(Clone, Copy)]
pub struct ToolInit {
    pub name: &'static str,
    pub description: &'static str,
    pub input: &'static Shape,
    pub output: Option<fn() -> schemars::Schema>,
    pub annotations: AnnotationsInit,
    pub state: &'static [StateKey],
    pub show_errors: Option<bool>,
    pub blocking: bool,
    pub sequential: bool,
    pub time_limit: Option<Duration>,
    pub retry: Option<Retry>,
    pub check: Option<CheckFn>,
    pub repair: Option<Policy>,
    pub verify: Option<fn() -> Result<(), String>>,
    pub available_if: Option<Asks<bool>>,
    pub enum_from: &'static [EnumFrom],
    pub throttle: &'static Overrides,
    pub volatile: &'static [Text],
}

impl ToolInit {
    pub const DEFAULT: Self = Self {
        name: "",
        description: "",
        input: Shape::ANY,
        output: None,
        annotations: AnnotationsInit::DEFAULT,
        state: &[],
        show_errors: None,
        blocking: false,
        sequential: false,
        time_limit: None,
        retry: None,
        check: None,
        repair: None,
        verify: None,
        available_if: None,
        enum_from: &[],
        throttle: &Overrides::NONE,
        volatile: &[],
    };

    pub const fn spec(self) -> ToolSpec {
        ToolSpec {
            name: Text::Static(self.name),
            description: Text::Static(self.description),
            input: Ref::Static(self.input),
            declared: None,
            output: self.output,
            annotations: self.annotations.annotations(),
            state: List::Static(self.state),
            show_errors: self.show_errors,
            blocking: self.blocking,
            sequential: self.sequential,
            time_limit: self.time_limit,
            retry: self.retry,
            external: false,
            check: self.check,
            repair: self.repair,
            verify: self.verify,
            available_if: asks(self.available_if),
            enum_from: List::Static(self.enum_from),
            throttle: Overrides::of_macro(self.throttle, self.volatile),
        }
    }
}

#[derive(Clone, Copy)]
pub struct AnnotationsInit {
    pub read_only: Option<bool>,
    pub destructive: Option<bool>,
    pub idempotent: Option<bool>,
    pub open_world: Option<bool>,
}

impl AnnotationsInit {
    pub const DEFAULT: Self = Self { read_only: None, destructive: None, idempotent: None, open_world: None };

    pub const fn annotations(self) -> Annotations {
        Annotations {
            read_only: self.read_only,
            destructive: self.destructive,
            idempotent: self.idempotent,
            open_world: self.open_world,
        }
    }
}

/// A function of the state, and which state it takes.
pub(super) type Asks<T> = (StateKey, fn(StateView<'_>) -> Option<T>);

#[derive(Clone, Copy)]
pub struct ContainerInit {
    pub name: &'static str,
    pub description: &'static str,
    pub instructions: Option<&'static str>,
    pub instructions_from: Option<Asks<String>>,
    pub system_prompt: Option<&'static str>,
    pub system_prompt_from: Option<Asks<String>>,
}

impl ContainerInit {
    pub const DEFAULT: Self = Self {
        name: "",
        description: "",
        instructions: None,
        instructions_from: None,
        system_prompt: None,
        system_prompt_from: None,
    };

    pub const fn spec(self) -> ContainerSpec {
        ContainerSpec {
            name: Text::Static(self.name),
            description: Text::Static(self.description),
            instructions: text(self.instructions),
            instructions_from: asks(self.instructions_from),
            system_prompt: text(self.system_prompt),
            system_prompt_from: asks(self.system_prompt_from),
            source: Source::Plugin,
        }
    }
}

/// The state that a function takes.
pub const fn state_of<S: 'static, T>(_: fn(&S) -> T) -> StateKey {
    StateKey::of::<S>()
}

/// The names that a parameter takes, as a function of the state says.
pub const fn enum_from(field: &'static str, names: Asks<Vec<Text>>) -> EnumFrom {
    EnumFrom::new(Text::Static(field), FromState::of(names.0, names.1))
}

/// The names that a function finds in its state.
pub fn names<S: Send + Sync + 'static, I: IntoIterator<Item: Into<Text>>>(
    view: StateView<'_>,
    question: fn(&S) -> I,
) -> Option<Vec<Text>> {
    view.ask(|state| question(state).into_iter().map(Into::into).collect())
}

/// Refuses `enum_from` on a parameter that takes no text, as far as a `const fn` sees.
#[track_caller]
pub const fn takes_names(shape: &Shape) {
    let inner = match &shape.kind {
        Kind::String | Kind::Any => return,
        Kind::Nullable(inner) | Kind::Array(inner) | Kind::Alias(inner) => inner,
        _ => panic!("`enum_from` is for text: the parameter is a `String`, an `Option` of one, or a `Vec` of them"),
    };
    if let Ref::Static(inner) = inner {
        takes_names(inner);
    }
}

/// What a function says of its state.
pub fn ask<S: Send + Sync + 'static, T>(view: StateView<'_>, question: fn(&S) -> T) -> Option<T> {
    view.ask(question)
}

const fn asks<T: 'static>(asks: Option<Asks<T>>) -> Option<FromState<T>> {
    match asks {
        Some((state, question)) => Some(FromState::of(state, question)),
        None => None,
    }
}

pub const fn object(fields: &'static [Field], unknown: Unknown) -> Kind {
    Kind::Object(Object { fields: List::Static(fields), unknown })
}

pub const fn union(tagging: Tagging, variants: &'static [Variant], unknown: Unknown) -> Kind {
    Kind::Union(Union { tagging, variants: List::Static(variants), unknown })
}

const fn text(text: Option<&'static str>) -> Option<Text> {
    match text {
        Some(text) => Some(Text::Static(text)),
        None => None,
    }
}
