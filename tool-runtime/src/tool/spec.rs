//! [`ToolSpec`]: the specification of a tool, as `const` data from a macro or as owned data.

use std::borrow::Cow;
use std::sync::Arc;

use super::RequiredState;
use super::computed_properties::{ParameterPropertyFromState, PropertyFromState};
use super::decode_fn::DecodeFn;
use super::display_metadata::DisplayMetadata;
use super::host_parameters::HostParameters;
use super::output_schema::OutputSchema;
use super::portable_name::portable_name;
use super::settings::ToolSettings;
use crate::json::Json;
use crate::shape::{Ref, SharedSlice, Text};
use crate::throttle::LimitOverrides;

/// The specification of a tool.
///
/// ```
/// use tool_runtime::{Dialect, TypedTool, tool};
///
/// /// Answers at once.
/// #[tool(read_only)]
/// fn ping() {}
///
/// let spec = PingTool::SPEC;
/// assert_eq!((&*spec.name, &*spec.description), ("ping", "Answers at once."));
/// assert_eq!(spec.settings.annotations.read_only, Some(true));
/// assert_eq!(
///     spec.definition(Dialect::GEMINI).to_string(),
///     concat!(
///         r#"{"name":"ping","description":"Answers at once.","#,
///         r#""parametersJsonSchema":{"type":"object","properties":{},"additionalProperties":false}}"#,
///     ),
/// );
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ToolSpec {
    /// The name that the model calls, `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`.
    pub name: Text,
    /// Further names that a call may use, for example names that models tend to invent. A model never sees them.
    pub aliases: SharedSlice<Text>,
    /// The name of the tool at its origin, if `name` was [derived from it](portable_name). Calls may use it too.
    pub original_name: Option<Text>,
    /// The description of the tool for the model, at most 1,024 characters; the macro and `build()` check the length.
    pub description: Text,
    /// The shape of the arguments. It must describe an object.
    pub input: Ref,
    /// The schema of the arguments as its author wrote it, if the tool was made from a schema; `None` if the schema is
    /// generated from `input`.
    pub declared_schema: Option<Arc<Json<'static>>>,
    /// The schema of the result, if the author asked for one.
    pub output: Option<OutputSchema>,
    /// The annotations of the tool, and the settings for running its calls.
    pub settings: ToolSettings,
    /// The shared state that must exist when the tool runs.
    pub state: SharedSlice<RequiredState>,
    /// `true` if the host supplies the result, so that every call is deferred; see [`ExternalTool`](super::ExternalTool).
    pub external: bool,
    /// Decodes arguments without running anything; `None` if the tool has no type for them. It replaces
    /// [`Tool::check`](super::Tool::check).
    pub decode: Option<DecodeFn>,
    /// Decodes the defaults and examples that could not be checked at compile time, and returns an error that names the field with a wrong
    /// literal. `build()` runs this function once.
    pub verify: Option<fn() -> Result<(), String>>,
    /// The parameters that the host supplies. The model does not see them.
    pub host: Option<HostParameters>,
    /// The condition, computed from the session's state, under which the tool is available; `None` if it always is.
    /// Without that state, the tool is not available.
    pub available_if: Option<PropertyFromState<bool>>,
    /// The description of the tool, computed from the session's state. Without that state,
    /// [`description`](Self::description) is used.
    pub description_from: Option<PropertyFromState<String>>,
    /// The parameters whose allowed values are computed from the session's state.
    pub enum_from: SharedSlice<ParameterPropertyFromState<Vec<Text>>>,
    /// The parameters that are shown only under a condition computed from the session's state.
    pub parameter_available_if: SharedSlice<ParameterPropertyFromState<bool>>,
    /// The parameters whose descriptions are computed from the session's state.
    pub parameter_description_from: SharedSlice<ParameterPropertyFromState<String>>,
    /// The throttle settings that differ for this tool.
    pub throttle: LimitOverrides,
    /// The title and icons that are shown to people, and metadata for programs. The model sees none of them.
    pub display_metadata: DisplayMetadata,
}

impl ToolSpec {
    /// Creates a specification without state, annotations or limits. [`Tool`](super::Tool) shows its use.
    pub fn new(name: impl Into<Text>, description: impl Into<Text>, input: Ref) -> Self {
        Self::from_texts(name.into(), description.into(), input)
    }

    pub(crate) const fn from_texts(name: Text, description: Text, input: Ref) -> Self {
        Self {
            name,
            aliases: SharedSlice::EMPTY,
            original_name: None,
            description,
            input,
            declared_schema: None,
            output: None,
            settings: ToolSettings::NONE,
            state: SharedSlice::EMPTY,
            external: false,
            decode: None,
            verify: None,
            host: None,
            available_if: None,
            description_from: None,
            enum_from: SharedSlice::EMPTY,
            parameter_available_if: SharedSlice::EMPTY,
            parameter_description_from: SharedSlice::EMPTY,
            throttle: LimitOverrides::NONE,
            display_metadata: DisplayMetadata::NONE,
        }
    }

    /// Adds further names that a call may use. The model never sees them. [`build`](crate::toolbox::ToolboxBuilder::build) fails if another
    /// tool or container already has such a name.
    #[must_use]
    pub fn aliases<N: Into<Text>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        let all = self.aliases.iter().cloned().chain(names.into_iter().map(Into::into));
        self.aliases = all.collect::<Vec<_>>().into();
        self
    }

    /// Replaces a name that some provider rejects with its [`portable_name`], and keeps the original. An empty name is
    /// not replaced, because it is a mistake that `build` reports.
    ///
    /// ```
    /// use tool_runtime::tool::ToolSpec;
    /// use tool_runtime::tool_schema::shape::{Ref, Shape};
    ///
    /// let spec = ToolSpec::new("svc.tool", "Comes from a server.", Ref::Static(Shape::ANY)).portable();
    /// assert_eq!(spec.name, "svc_tool_eec1fb55");
    /// assert_eq!(spec.original_name.as_deref(), Some("svc.tool"));
    /// ```
    #[must_use]
    pub fn portable(mut self) -> Self {
        if !self.name.is_empty()
            && let Cow::Owned(portable) = portable_name(&self.name)
        {
            self.original_name = Some(std::mem::replace(&mut self.name, portable.into()));
        }
        self
    }

    /// Returns the name that the author of the tool or its MCP server gave it.
    pub(crate) fn written_name(&self) -> &Text {
        self.original_name.as_ref().unwrap_or(&self.name)
    }

    /// Returns the names besides [`name`](Self::name) that a call may use.
    pub(crate) fn other_names(&self) -> impl Iterator<Item = &Text> {
        self.aliases.iter().chain(&self.original_name)
    }

    /// Makes the tool available only while a condition on the state is true. The condition is evaluated each time the host lists the tools.
    #[must_use]
    pub fn available_if<S: Send + Sync + 'static>(
        mut self,
        condition: impl Fn(&S) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.available_if = Some(PropertyFromState::from_fn(condition));
        self
    }

    /// Computes the allowed values of a parameter from a state. The parameter must be a string or a list of strings at the top level of the
    /// arguments.
    #[must_use]
    pub fn enum_from<S: Send + Sync + 'static, I: IntoIterator<Item: Into<Text>>>(
        mut self,
        parameter: impl Into<Text>,
        names: impl Fn(&S) -> I + Send + Sync + 'static,
    ) -> Self {
        let names = PropertyFromState::from_fn(move |state: &S| names(state).into_iter().map(Into::into).collect());
        add(&mut self.enum_from, parameter, names);
        self
    }

    /// Shows a parameter only while a condition on the state is true. A hidden parameter is not in the schema, and the tool gets no value
    /// for it. A call that sends it is rejected like a call with an unknown key. Without the state, the parameter is shown.
    ///
    /// The parameter must be optional, and the tool must reject unknown keys; `build()` checks both.
    #[must_use]
    pub fn parameter_available_if<S: Send + Sync + 'static>(
        mut self,
        parameter: impl Into<Text>,
        condition: impl Fn(&S) -> bool + Send + Sync + 'static,
    ) -> Self {
        add(&mut self.parameter_available_if, parameter, PropertyFromState::from_fn(condition));
        self
    }

    /// Builds the description of the tool from a state. If the state is missing, [`description`](Self::description) is used. A text of more
    /// than 1,024 characters is truncated.
    #[must_use]
    pub fn description_from<S: Send + Sync + 'static>(
        mut self,
        description: impl Fn(&S) -> String + Send + Sync + 'static,
    ) -> Self {
        self.description_from = Some(PropertyFromState::from_fn(description));
        self
    }

    /// Builds the description of a parameter from a state, in place of the description in the shape.
    #[must_use]
    pub fn parameter_description_from<S: Send + Sync + 'static>(
        mut self,
        parameter: impl Into<Text>,
        description: impl Fn(&S) -> String + Send + Sync + 'static,
    ) -> Self {
        add(&mut self.parameter_description_from, parameter, PropertyFromState::from_fn(description));
        self
    }
}

fn add<T: Clone>(
    list: &mut SharedSlice<ParameterPropertyFromState<T>>,
    parameter: impl Into<Text>,
    from_state: PropertyFromState<T>,
) {
    let all = list.iter().cloned().chain([ParameterPropertyFromState::new(parameter.into(), from_state)]);
    *list = all.collect::<Vec<_>>().into();
}
