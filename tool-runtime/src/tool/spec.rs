//! `ToolSpec`: what a tool says of itself, as `const` data from a macro or owned data from a reader.

use std::sync::Arc;

use super::StateKey;
use super::from_state::{EnumFrom, FromState};
use super::settings::ToolSettings;
use crate::context::Prepared;
use crate::decode::Rejected;
use crate::input::Arguments;
use crate::json::Json;
use crate::shape::{List, Ref, Text};
use crate::throttle::Overrides;

/// What a tool says of itself.
///
/// ```
/// use tool_runtime::{TypedTool, tool};
///
/// /// Answers at once.
/// #[tool(read_only)]
/// fn ping() {}
///
/// assert_eq!(PingTool::SPEC.description, "Answers at once.");
/// assert_eq!(PingTool::SPEC.settings.annotations.read_only, Some(true));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ToolSpec {
    /// The name that the model calls, `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`.
    pub name: Text,
    /// What the tool does, for the model; at most 1,024 characters, as the macro and `build()` check.
    pub description: Text,
    /// The arguments: an object, with its own shape.
    pub input: Ref,
    /// The schema of the arguments as its author wrote it, where the tool was made from one; `None` where it is written from `input`.
    pub declared: Option<Arc<Json<'static>>>,
    /// The schema of the result, where the author asked for one.
    pub output: Option<fn() -> schemars::Schema>,
    /// The settings of the tool that are plain data.
    pub settings: ToolSettings,
    /// The shared state that must be there when the tool runs.
    pub state: List<StateKey>,
    /// Whether somebody outside gives the result, so that every call is deferred; see [`ExternalTool`](super::ExternalTool).
    pub external: bool,
    /// Decodes arguments without running anything; `None` if the tool has no type for them. It decides in place of
    /// [`Tool::check`](super::Tool::check).
    pub decode: Option<DecodeFn>,
    /// Decodes the defaults and examples that the compiler could not judge; says which field is wrong. `build()` runs it once.
    pub verify: Option<fn() -> Result<(), String>>,
    /// Whether the tool is there, as the state of the session says; without it, always.
    pub available_if: Option<FromState<bool>>,
    /// The parameters whose names come from the state of the session.
    pub enum_from: List<EnumFrom>,
    /// What the throttle does otherwise for this tool.
    pub throttle: Overrides,
}

/// Decodes the arguments of a tool without running it, or rejects them with every issue.
///
/// ```
/// use tool_runtime::{TypedTool, tool};
/// use tool_runtime::tool::DecodeFn;
///
/// /// Waits.
/// #[tool]
/// fn wait(
///     /// How long.
///     seconds: u8,
/// ) {
///     let _ = seconds;
/// }
///
/// let decode: DecodeFn = WaitTool::SPEC.decode.ok_or("a tool of a function has one")?;
/// assert!(decode(&r#"{"seconds": 3}"#.into()).is_ok());
/// assert!(decode(&r#"{"seconds": 300}"#.into()).is_err_and(|rejected| rejected.error().issues().len() == 1));
/// # Ok::<(), &str>(())
/// ```
pub type DecodeFn = for<'a> fn(&Arguments<'a>) -> Result<Prepared, Box<Rejected<'a>>>;

impl ToolSpec {
    /// A tool without state, annotations and limits.
    ///
    /// ```
    /// use tool_runtime::tool::ToolSpec;
    /// use tool_runtime::tool_schema::shape::{Ref, Shape};
    ///
    /// let spec = ToolSpec::new("ping", "Answers at once.", Ref::Static(Shape::ANY));
    /// assert!(!spec.settings.blocking && spec.state.is_empty());
    /// ```
    pub fn new(name: impl Into<Text>, description: impl Into<Text>, input: Ref) -> Self {
        Self {
            name: name.into(),
            description: description.into(),
            input,
            declared: None,
            output: None,
            settings: ToolSettings::NONE,
            state: List::EMPTY,
            external: false,
            decode: None,
            verify: None,
            available_if: None,
            enum_from: List::EMPTY,
            throttle: Overrides::NONE,
        }
    }

    /// Lets a state say whether the tool is there. It is looked at whenever a host asks what the model can call, and holds until then.
    ///
    /// ```
    /// use tool_runtime::tool::ToolSpec;
    /// use tool_runtime::tool_schema::shape::{Ref, Shape};
    ///
    /// struct User { is_admin: bool }
    ///
    /// let spec = ToolSpec::new("ban", "Bans a user.", Ref::Static(Shape::ANY)).available_if(|user: &User| user.is_admin);
    /// assert!(spec.available_if.is_some());
    /// ```
    #[must_use]
    pub fn available_if<S: Send + Sync + 'static>(
        mut self,
        condition: impl Fn(&S) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.available_if = Some(FromState::new(condition));
        self
    }

    /// Lets a state say which names a parameter takes: a text, or a list of texts, directly among the arguments.
    ///
    /// ```
    /// use tool_runtime::tool::ToolSpec;
    /// use tool_runtime::tool_schema::shape::{Ref, Shape};
    ///
    /// struct Files(Vec<String>);
    ///
    /// let spec = ToolSpec::new("read", "Reads a file.", Ref::Static(Shape::ANY));
    /// let spec = spec.enum_from("path", |files: &Files| files.0.clone());
    /// assert_eq!(spec.enum_from.len(), 1);
    /// ```
    #[must_use]
    pub fn enum_from<S: Send + Sync + 'static, I: IntoIterator<Item: Into<Text>>>(
        mut self,
        parameter: impl Into<Text>,
        names: impl Fn(&S) -> I + Send + Sync + 'static,
    ) -> Self {
        let names = FromState::new(move |state: &S| names(state).into_iter().map(Into::into).collect());
        let all = self.enum_from.iter().cloned().chain([EnumFrom::new(parameter.into(), names)]);
        self.enum_from = all.collect::<Vec<_>>().into();
        self
    }
}
