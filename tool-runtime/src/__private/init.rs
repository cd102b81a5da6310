//! Builds the descriptions of tools and containers in a `const`: generated code fills in a `Copy` struct with a `DEFAULT`, and a `const fn`
//! converts it.
//!
//! Generated code contains `ToolInit { name: "a", ..ToolInit::DEFAULT }.spec()`. A new setting therefore changes only the generated code
//! that uses it, and no value with a destructor is overwritten in a `const` (E0493).

use super::call::prepare;
use crate::container::{ContainerSource, ContainerSpec};
use crate::input::ToolInput;
use crate::private::text;

use crate::shape::{Kind, Ref, Shape, SharedSlice, Text};
use crate::throttle::LimitOverrides;
use crate::tool::OutputSchema;
use crate::tool::computed_properties::StateView;
use crate::tool::{
    DecodeFn, DisplayMetadata, HostParameters, Icon, ParameterPropertyFromState, PropertyFromState, RequiredState,
    ToolSettings, ToolSpec, TypedTool,
};

#[derive(Clone, Copy)]
pub struct ToolInit {
    pub name: &'static str,
    pub aliases: &'static [Text],
    pub description: &'static str,
    pub input: &'static Shape,
    pub output: Option<fn() -> schemars::Schema>,
    pub settings: ToolSettings,
    pub state: &'static [RequiredState],
    pub decode: Option<DecodeFn>,
    pub verify: Option<fn() -> Result<(), String>>,
    /// The host parameters, which are not part of `input`.
    pub host: Option<&'static Shape>,
    pub available_if: Option<Asks<bool>>,
    pub description_from: Option<Asks<String>>,
    pub enum_from: &'static [ParameterPropertyFromState<Vec<Text>>],
    pub parameter_available_if: &'static [ParameterPropertyFromState<bool>],
    pub parameter_description_from: &'static [ParameterPropertyFromState<String>],
    pub presentation: Shown,
    pub throttle: &'static LimitOverrides,
    pub volatile: &'static [Text],
}

impl ToolInit {
    pub const DEFAULT: Self = Self {
        name: "",
        aliases: &[],
        description: "",
        input: Shape::ANY,
        output: None,
        settings: ToolSettings::NONE,
        state: &[],
        decode: None,
        verify: None,
        host: None,
        available_if: None,
        description_from: None,
        enum_from: &[],
        parameter_available_if: &[],
        parameter_description_from: &[],
        presentation: Shown::DEFAULT,
        throttle: &LimitOverrides::NONE,
        volatile: &[],
    };

    /// Starts with the values that all tools made by the macro have in common.
    pub const fn new<T: TypedTool>(name: &'static str, description: &'static str) -> Self {
        let input = <T::Args as ToolInput>::SHAPE;
        Self { name, description, input, decode: Some(prepare::<T>), ..Self::DEFAULT }
    }

    pub const fn spec(self) -> ToolSpec {
        ToolSpec {
            name: Text::Static(self.name),
            aliases: SharedSlice::Static(self.aliases),
            original_name: None,
            description: Text::Static(self.description),
            input: Ref::Static(self.input),
            declared_schema: None,
            output: match self.output {
                Some(schema) => Some(OutputSchema::from_type(schema)),
                None => None,
            },
            settings: self.settings,
            state: SharedSlice::Static(self.state),
            external: false,
            // A tool with host parameters cannot decode the model's arguments without the host's values.
            decode: if self.host.is_some() { None } else { self.decode },
            host: match self.host {
                Some(shape) => Some(HostParameters::new(Ref::Static(shape), self.decode)),
                None => None,
            },
            verify: self.verify,
            available_if: asks(self.available_if),
            description_from: asks(self.description_from),
            enum_from: SharedSlice::Static(self.enum_from),
            parameter_available_if: SharedSlice::Static(self.parameter_available_if),
            parameter_description_from: SharedSlice::Static(self.parameter_description_from),
            display_metadata: self.presentation.display_metadata(),
            throttle: LimitOverrides::of_macro(self.throttle, self.volatile),
        }
    }
}

/// A function that computes a value from a state, with the key of that state.
pub(super) type Asks<T> = (RequiredState, fn(StateView<'_>) -> Option<T>);

/// The title, icons and metadata of a tool or a container, as the macro generates them.
#[derive(Clone, Copy)]
pub struct Shown {
    pub title: Option<&'static str>,
    pub icons: &'static [Icon],
    pub meta: Option<&'static str>,
    /// Parameters, each with the name of its HTTP header.
    pub headers: &'static [(Text, Text)],
}

impl Shown {
    pub const DEFAULT: Self = Self { title: None, icons: &[], meta: None, headers: &[] };

    const fn display_metadata(self) -> DisplayMetadata {
        DisplayMetadata {
            title: text(self.title),
            icons: SharedSlice::Static(self.icons),
            meta: text(self.meta),
            headers: SharedSlice::Static(self.headers),
        }
    }
}

/// Creates an icon from an address.
pub const fn icon(src: &'static str) -> Icon {
    Icon::from_src(Text::Static(src))
}

#[derive(Clone, Copy)]
pub struct ContainerInit {
    pub name: &'static str,
    pub description: &'static str,
    pub instructions: Option<&'static str>,
    pub instructions_from: Option<Asks<String>>,
    pub system_prompt: Option<&'static str>,
    pub system_prompt_from: Option<Asks<String>>,
    pub presentation: Shown,
}

impl ContainerInit {
    pub const DEFAULT: Self = Self {
        name: "",
        description: "",
        instructions: None,
        instructions_from: None,
        system_prompt: None,
        system_prompt_from: None,
        presentation: Shown::DEFAULT,
    };

    pub const fn spec(self) -> ContainerSpec {
        ContainerSpec {
            name: Text::Static(self.name),
            description: Text::Static(self.description),
            instructions: text(self.instructions),
            instructions_from: asks(self.instructions_from),
            system_prompt: text(self.system_prompt),
            system_prompt_from: asks(self.system_prompt_from),
            source: ContainerSource::Plugin,
            display_metadata: self.presentation.display_metadata(),
        }
    }
}

/// Returns the key of the state that a function takes.
pub const fn state_of<S: 'static, T>(_: fn(&S) -> T) -> RequiredState {
    RequiredState::of::<S>()
}

/// Creates a property of a parameter, for example its description. A function computes the property from a state.
pub const fn of_parameter<T: 'static>(parameter: &'static str, asks: Asks<T>) -> ParameterPropertyFromState<T> {
    ParameterPropertyFromState::new(Text::Static(parameter), PropertyFromState::from_fn_pointer(asks.0, asks.1))
}

/// Calls a function that computes the allowed values of a parameter from a state. Returns `None` if the state is missing.
pub fn names<S: Send + Sync + 'static, I: IntoIterator<Item: Into<Text>>>(
    view: StateView<'_>,
    question: fn(&S) -> I,
) -> Option<Vec<Text>> {
    view.map_state(|state| question(state).into_iter().map(Into::into).collect())
}

/// Panics if a parameter with `enum_from` does not take text. Types that a `const fn` cannot inspect are accepted.
#[track_caller]
pub const fn takes_names(shape: &Shape) {
    let inner = match &shape.kind {
        Kind::String | Kind::Any => return,
        Kind::Nullable(inner) | Kind::Array(inner) | Kind::Alias(inner) => inner,
        _ => panic!("`enum_from` needs text: use a `String`, an `Option<String>` or a `Vec<String>`"),
    };
    if let Ref::Static(inner) = inner {
        takes_names(inner);
    }
}

/// Panics if a parameter is required although `available_if` can hide it.
#[track_caller]
pub const fn may_be_absent(required: bool) {
    assert!(
        !required,
        "this parameter has no value while `available_if` hides it: make it an `Option`, or add `default = …`"
    );
}

/// Calls a function with its state. Returns `None` if the state is missing.
pub fn ask<S: Send + Sync + 'static, T>(view: StateView<'_>, question: fn(&S) -> T) -> Option<T> {
    view.map_state(question)
}

const fn asks<T: 'static>(asks: Option<Asks<T>>) -> Option<PropertyFromState<T>> {
    match asks {
        Some((state, question)) => Some(PropertyFromState::from_fn_pointer(state, question)),
        None => None,
    }
}
