//! A named group of tools that the model expands before it sees its members: [`Container`].
//!
//! In: a type with `#[plugin_container]` on its `impl` block ([`PluginContainer`]), or tools that a host puts together. Out: members
//! as ordinary [`Tool`]s, in declaration order. Names are judged by `build()`, which sees all of them.

mod group;
mod kinds;
mod shared;

use std::sync::Arc;

pub use group::Container;
pub(crate) use group::Part;
pub(crate) use kinds::Policies;
pub use kinds::{ExpansionPolicy, ExpansionScope, Source};
pub(crate) use shared::{Identity, SharedTool};

use crate::context::CallContext;
use crate::input::Arguments;
use crate::shape::Text;
use crate::tool::{FromState, Invocation, Tool, ToolSpec};

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

/// A type whose methods are the members of a container; `#[plugin_container]` implements it.
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

/// Runs a member of a container: a method of `C`, behind the decoding of its arguments.
///
/// ```
/// use tool_runtime::container::MemberCall;
/// use tool_runtime::CallContext;
/// use tool_runtime::tool::{Invocation, Payload};
///
/// struct Clock(u8);
///
/// let hour: MemberCall<Clock> = |clock, _, _| Invocation::Ready(Payload::json(&clock.0));
/// let cx = CallContext::test();
/// assert!(matches!(hour(&Clock(12), "{}".into(), &cx), Invocation::Ready(Ok(payload)) if payload.as_str() == "12"));
/// ```
pub type MemberCall<C> = for<'a> fn(&'a C, Arguments<'a>, &'a CallContext) -> Invocation<'a>;

/// One method of a [`PluginContainer`].
///
/// ```
/// use tool_runtime::container::PluginContainer;
/// use tool_runtime::{plugin_container, tool};
///
/// #[derive(Debug)]
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
/// assert!(format!("{:?}", Clock::MEMBERS[0]).contains("hour"));
/// ```
#[derive(Debug)]
pub struct ContainerMember<C: 'static> {
    spec: &'static ToolSpec,
    call: MemberCall<C>,
}

impl<C: 'static> ContainerMember<C> {
    /// A member, from what it says of itself and the function that runs it.
    ///
    /// ```
    /// use tool_runtime::container::{ContainerMember, MemberCall};
    /// use tool_runtime::tool_schema::shape::{Ref, Shape};
    /// use tool_runtime::tool::{Invocation, Payload, ToolSpec};
    ///
    /// #[derive(Debug)]
    /// struct Clock(u8);
    ///
    /// let hour: MemberCall<Clock> = |clock, _, _| Invocation::Ready(Payload::json(&clock.0));
    /// let spec: &'static ToolSpec = Box::leak(Box::new(ToolSpec::new("hour", "The hour.", Ref::Static(Shape::ANY))));
    /// assert!(format!("{:?}", ContainerMember::new(spec, hour)).contains("The hour."));
    /// ```
    pub const fn new(spec: &'static ToolSpec, call: MemberCall<C>) -> Self {
        Self { spec, call }
    }
}

/// A member together with the value that it is called on.
struct Bound<C: 'static> {
    container: Arc<C>,
    member: &'static ContainerMember<C>,
}

impl<C: Send + Sync + 'static> Tool for Bound<C> {
    fn spec(&self) -> &ToolSpec {
        self.member.spec
    }

    fn call<'a>(&'a self, arguments: Arguments<'a>, cx: &'a CallContext) -> Invocation<'a> {
        (self.member.call)(&self.container, arguments, cx)
    }
}

/// What `Toolbox::builder().container(…)` takes: a [`PluginContainer`], the same in an [`Arc`], or a [`Container`].
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
pub trait IntoContainer {
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
        let bind = |member| Bound { container: Arc::clone(&self), member };
        C::MEMBERS.iter().map(bind).fold(Container::of(C::SPEC.clone()), Container::tool)
    }
}

impl IntoContainer for Container {
    fn into_container(self) -> Container {
        self
    }
}
