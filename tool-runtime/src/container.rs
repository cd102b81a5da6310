//! A named group of tools that the model expands before it sees its members: [`Container`].
//!
//! In: a type with `#[plugin_container]` on its `impl` block ([`PluginContainer`]), or tools that a host puts together. Out: members
//! as ordinary [`Tool`](crate::tool::Tool)s, in declaration order. Names are judged by `build()`, which sees all of them.

mod group;
mod kinds;
pub(crate) mod member;
mod shared;

use std::sync::Arc;

pub use group::Container;
pub(crate) use group::Part;
pub(crate) use kinds::Policies;
pub use kinds::{ExpansionPolicy, ExpansionScope, Source};
pub(crate) use shared::{Identity, SharedTool};

use member::{Bound, ContainerMember};
use sealed::Sealed;

use crate::shape::Text;
use crate::tool::FromState;

/// What a container says of itself, as `const` data from a macro or owned data from a host.
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
    /// The name that the model calls to expand it, `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`.
    pub name: Text,
    /// What the members have in common, for the model; at most 1,024 characters.
    pub description: Text,
    /// How to use the members; shown once, in the answer to the expansion.
    pub instructions: Option<Text>,
    /// The same, computed when the container is expanded; takes the place of `instructions` where its state is there.
    pub instructions_from: Option<FromState<String>>,
    /// What the system prompt says while the container is expanded: [`Session::instructions`](crate::Session::instructions).
    pub system_prompt: Option<Text>,
    /// The same, computed when the host asks; takes the place of `system_prompt` where its state is there.
    pub system_prompt_from: Option<FromState<String>>,
    /// Where the members come from.
    pub source: Source,
}

/// A type whose methods are the members of a container.
///
/// Sealed: `#[plugin_container]` implements it, and nothing else can. Put tools together by hand with [`Container`].
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
/// assert_eq!(Clock::MEMBERS.len(), 1);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no container",
    label = "no `#[plugin_container]` stands on an `impl` block of `{Self}`",
    note = "write `#[plugin_container]` above `impl {Self} {{ … }}` and `#[tool]` above each method that a model may call"
)]
pub trait PluginContainer: Send + Sync + Sized + 'static {
    /// What the container says of itself.
    const SPEC: &'static ContainerSpec;

    /// The methods that a model may call, in declaration order.
    const MEMBERS: &'static [ContainerMember<Self>];
}

/// The argument of `Toolbox::builder().container(…)`: a [`PluginContainer`], one in an [`Arc`], or a [`Container`]. Sealed.
///
/// ```
/// use tool_runtime::Container;
/// use tool_runtime::container::IntoContainer;
///
/// assert_eq!(Container::new("Files", "Reading of files.").into_container().spec().name, "Files");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no container",
    label = "neither a `Container` nor a type with `#[plugin_container]`",
    note = "write `#[plugin_container]` above `impl {Self} {{ … }}`, or put one together with `Container::new(name, description)`"
)]
pub trait IntoContainer: Sealed {
    /// The container.
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
        C::MEMBERS.iter().map(bind).fold(Container::of(C::SPEC.clone()), Container::tool)
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
