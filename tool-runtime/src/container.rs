//! Named groups of tools that the model expands before it sees their members: [`Container`].
//!
//! A container is made from a type with `#[plugin_container]` on its `impl` block ([`PluginContainer`]), or is built by a host. Its members
//! are ordinary [`Tool`](crate::tool::Tool)s, in declaration order. `build()` checks the names of all tools and containers together.

mod expansion_settings;
mod group;
pub(crate) mod plugin_method;
mod shared_tool;
mod source;

use std::sync::Arc;

pub use expansion_settings::{DefinitionLoading, ExpansionScope, ExpansionSettings, UnexpandedCallPolicy};
pub use group::Container;
pub(crate) use group::Part;
pub(crate) use shared_tool::{Identity, SharedTool};
pub use source::ContainerSource;

use plugin_method::{Bound, PluginMethod};
use sealed::Sealed;

use crate::shape::Text;
use crate::tool::{DisplayMetadata, PropertyFromState};

/// The description of a container: `const` data from a macro, or owned data from a host.
///
/// ```
/// use tool_runtime::container::PluginContainer;
/// use tool_runtime::{plugin_container, tool};
///
/// struct Clock;
///
/// /// What a clock can do.
/// #[plugin_container(instructions = "All times are in UTC.")]
/// impl Clock {
///     /// The hour of the day.
///     #[tool]
///     fn hour(&self) -> u8 {
///         12
///     }
/// }
///
/// assert_eq!(Clock::SPEC.name, "Clock");
/// assert_eq!(Clock::SPEC.instructions.as_deref(), Some("All times are in UTC."));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ContainerSpec {
    /// The name that the model calls to expand the container. It matches `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`.
    pub name: Text,
    /// The description of the group for the model, at most 1,024 characters.
    pub description: Text,
    /// Instructions for using the members. The model sees them in the answer to the expansion.
    pub instructions: Option<Text>,
    /// The function that computes the instructions from a state when the container is expanded. If the state exists, the result replaces
    /// `instructions`.
    pub instructions_from: Option<PropertyFromState<String>>,
    /// The text that is added to the system prompt while the container is expanded; see
    /// [`Session::instructions`](crate::Session::instructions).
    pub system_prompt: Option<Text>,
    /// The function that computes the text for the system prompt from a state, whenever the host requests the text. If the state exists,
    /// the result replaces `system_prompt`.
    pub system_prompt_from: Option<PropertyFromState<String>>,
    /// The origin of the members.
    pub source: ContainerSource,
    /// The title and the icons that people see, and the metadata that programs read. The model sees none of them.
    pub display_metadata: DisplayMetadata,
}

/// A type whose methods are the members of a container.
///
/// Sealed: only `#[plugin_container]` implements it. Use [`Container`] to group tools by hand.
///
/// ```
/// use tool_runtime::container::PluginContainer;
/// use tool_runtime::{Toolbox, plugin_container, tool};
///
/// struct Clock {
///     hour: u8,
/// }
///
/// /// What a clock can do.
/// #[plugin_container]
/// impl Clock {
///     /// The hour of the day.
///     #[tool]
///     fn hour(&self) -> u8 {
///         self.hour
///     }
/// }
///
/// assert_eq!(Clock::SPEC.description, "What a clock can do.");
/// let session = Toolbox::builder().container(Clock { hour: 12 }).build()?.session();
/// # pollster::block_on(async {
/// session.call("call_1", "Clock", "{}").await; // shows the members
/// assert_eq!(session.call("call_2", "hour", "{}").await.to_text(), "12");
/// # });
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no container",
    label = "no `#[plugin_container]` stands on an `impl` block of `{Self}`",
    note = "write `#[plugin_container]` above `impl {Self} {{ … }}` and `#[tool]` above each method that a model may call"
)]
pub trait PluginContainer: Send + Sync + Sized + 'static {
    /// The description of the container.
    const SPEC: &'static ContainerSpec;

    /// The methods that a model may call, in declaration order.
    const MEMBERS: &'static [PluginMethod<Self>];
}

/// A type that `Toolbox::builder().container(…)` accepts: a [`PluginContainer`], an [`Arc`] of one, or a [`Container`]. This trait is
/// sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no container",
    label = "neither a `Container` nor a type with `#[plugin_container]`",
    note = "write `#[plugin_container]` above `impl {Self} {{ … }}`, or put one together with `Container::new(name, description)`"
)]
pub trait IntoContainer: Sealed {
    /// Converts the value into a container.
    fn into_container(self) -> Container;
}

impl<C: PluginContainer> IntoContainer for C {
    fn into_container(self) -> Container {
        Arc::new(self).into_container()
    }
}

impl<C: PluginContainer> IntoContainer for Arc<C> {
    fn into_container(self) -> Container {
        let bind = |member| Bound::new(&self, member);
        C::MEMBERS.iter().map(bind).fold(Container::from_spec(C::SPEC.clone()), Container::tool)
    }
}

impl IntoContainer for Container {
    fn into_container(self) -> Container {
        self
    }
}

impl<C: PluginContainer> Sealed for C {}
impl<C: PluginContainer> Sealed for Arc<C> {}
impl Sealed for Container {}

mod sealed {
    pub trait Sealed {}
}
