//! Functions that compute a property of a tool from a state: [`PropertyFromState`], or [`ParameterPropertyFromState`] for a property of one parameter.
//!
//! The result is `None` if the state is missing or the function panics. The type of the needed state is recorded, so `build()` can check
//! that it is provided.

use std::fmt;
use std::sync::Arc;

use super::RequiredState;
use crate::catch_panic::catch_panic;
use crate::context::Scope;
use crate::shape::Text;

/// A function that computes a value from a state of the session or of the toolbox.
///
/// ```
/// use tool_runtime::tool::{ExternalTool, ToolSpec};
/// use tool_runtime::tool_schema::shape::{Ref, Shape};
/// use tool_runtime::Toolbox;
///
/// struct User {
///     name: &'static str,
///     is_admin: bool,
/// }
///
/// let spec = ToolSpec::new("ban", "Bans a user.", Ref::Static(Shape::ANY))
///     .available_if(|user: &User| user.is_admin)
///     .description_from(|user: &User| format!("Bans a user, in the name of {}.", user.name));
/// let toolbox = Toolbox::builder().require_session_state::<User>().tool(ExternalTool::from_spec(spec)).build()?;
///
/// let session = toolbox.session_with(User { name: "Ada", is_admin: true })?;
/// assert!(session.definitions().to_string().contains("Bans a user, in the name of Ada."));
/// let session = toolbox.session_with(User { name: "Bob", is_admin: false })?;
/// assert_eq!(session.definitions().to_string(), "[]");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PropertyFromState<T: 'static> {
    state: RequiredState,
    compute: Compute<T>,
}

enum Compute<T: 'static> {
    Static(fn(StateView<'_>) -> Option<T>),
    Shared(Arc<dyn Fn(StateView<'_>) -> Option<T> + Send + Sync>),
}

/// Access to the states of a session and its toolbox, for generated code that calls functions of a state.
#[derive(Clone, Copy, Debug)]
pub struct StateView<'a>(&'a Scope);

impl StateView<'_> {
    /// Calls a function with the state of type `S`. Returns `None` if the state is missing.
    pub fn map_state<S: Send + Sync + 'static, T>(self, question: impl Fn(&S) -> T) -> Option<T> {
        self.0.find::<S>().map(question)
    }
}

impl<T: 'static> PropertyFromState<T> {
    /// Wraps a function that takes the state of type `S`.
    pub fn from_fn<S: Send + Sync + 'static>(question: impl Fn(&S) -> T + Send + Sync + 'static) -> Self {
        let compute = Compute::Shared(Arc::new(move |view: StateView<'_>| view.map_state(&question)));
        Self { state: RequiredState::of::<S>(), compute }
    }

    pub(crate) const fn from_fn_pointer(state: RequiredState, compute: fn(StateView<'_>) -> Option<T>) -> Self {
        Self { state, compute: Compute::Static(compute) }
    }

    /// Returns the key of the state that the function needs.
    pub(crate) const fn state(&self) -> RequiredState {
        self.state
    }

    /// Returns `true` if the state that the function needs is present.
    pub(crate) fn has_state(&self, scope: &Scope) -> bool {
        scope.has((self.state.id)())
    }

    /// Calls the function with the current state.
    pub(crate) fn ask(&self, scope: &Scope) -> Option<T> {
        let view = StateView(scope);
        // The function belongs to the host. If it panics, the model must still get an answer.
        let asked = catch_panic(|| match &self.compute {
            Compute::Static(compute) => compute(view),
            Compute::Shared(compute) => compute(view),
        });
        asked.unwrap_or_default()
    }
}

impl<T> Clone for PropertyFromState<T> {
    fn clone(&self) -> Self {
        let compute = match &self.compute {
            Compute::Static(compute) => Compute::Static(*compute),
            Compute::Shared(compute) => Compute::Shared(Arc::clone(compute)),
        };
        Self { state: self.state, compute }
    }
}

impl<T> fmt::Debug for PropertyFromState<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PropertyFromState({:?})", self.state)
    }
}

/// A function that computes a property of one parameter from a state.
///
/// ```
/// use serde::Deserialize;
/// use tool_runtime::tool::{ExternalTool, ToolSpec};
/// use tool_runtime::tool_schema::shape::Ref;
/// use tool_runtime::{ToolInput, Toolbox};
///
/// #[derive(Deserialize, ToolInput)]
/// #[serde(deny_unknown_fields)]
/// struct Read {
///     /// Which file.
///     path: String,
///     /// Reads it although it is locked.
///     force: Option<bool>,
/// }
///
/// struct Folder(Vec<String>);
///
/// let spec = ToolSpec::new("read", "Reads a file.", Ref::Static(Read::SHAPE))
///     .enum_from("path", |folder: &Folder| folder.0.clone())
///     .parameter_available_if("force", |folder: &Folder| folder.0.len() > 1);
/// let folder = Folder(vec!["a.txt".to_owned()]);
/// let session = Toolbox::builder().state(folder).tool(ExternalTool::from_spec(spec)).build()?.session();
/// let definitions = session.definitions().to_string();
/// assert!(definitions.contains(r#""enum":["a.txt"]"#) && !definitions.contains("force"));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ParameterPropertyFromState<T: 'static> {
    /// The name of the parameter in JSON.
    pub parameter: Text,
    /// The function that computes the property.
    pub from_state: PropertyFromState<T>,
}

impl<T> ParameterPropertyFromState<T> {
    pub(crate) const fn new(parameter: Text, from_state: PropertyFromState<T>) -> Self {
        Self { parameter, from_state }
    }
}
