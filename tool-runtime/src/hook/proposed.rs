//! A call that is about to run: [`ProposedCall`].
//!
//! In: what the session found acceptable. Out: who would run with what, for a rule or a human to look at. What always holds: the
//! arguments are those that the tool would read, after every repair; secrets are in them.

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

use crate::context::Scope;
use crate::input::Arguments;
use crate::repair::Repair;
use crate::tool::ToolSpec;

/// A call that is about to run.
///
/// ```
/// use tool_runtime::hook::{Decision, ProposedCall};
///
/// fn nothing_destructive(call: &ProposedCall<'_>) -> Decision {
///     match call.spec().annotations.destructive {
///         Some(true) => Decision::Defer,
///         _ => Decision::Run,
///     }
/// }
/// assert!(tool_runtime::Toolbox::builder().before_call(nothing_destructive).build().is_ok());
/// ```
pub struct ProposedCall<'a> {
    pub(crate) call_id: &'a str,
    pub(crate) name: &'a str,
    pub(crate) spec: &'a ToolSpec,
    pub(crate) arguments: &'a Arguments<'a>,
    pub(crate) repairs: &'a [Repair],
    pub(crate) scope: &'a Scope,
}

impl<'a> ProposedCall<'a> {
    /// The id under which the call will be answered.
    ///
    /// ```
    /// # use tool_runtime::hook::{Decision, ProposedCall};
    /// fn note(call: &ProposedCall<'_>) -> Decision {
    ///     eprintln!("{} is about to run", call.call_id());
    ///     Decision::Run
    /// }
    /// assert!(tool_runtime::Toolbox::builder().before_call(note).build().is_ok());
    /// ```
    pub const fn call_id(&self) -> &'a str {
        self.call_id
    }

    /// The advertised name of the tool.
    ///
    /// ```
    /// # use tool_runtime::hook::{Decision, ProposedCall};
    /// fn reading_only(call: &ProposedCall<'_>) -> Decision {
    ///     if call.name().starts_with("read_") { Decision::Run } else { Decision::deny("This is for reading only.") }
    /// }
    /// assert!(tool_runtime::Toolbox::builder().before_call(reading_only).build().is_ok());
    /// ```
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// What the tool says of itself, [annotations](crate::tool::Annotations) included.
    ///
    /// ```
    /// # use tool_runtime::hook::{Decision, ProposedCall};
    /// fn reading_only(call: &ProposedCall<'_>) -> Decision {
    ///     if call.spec().annotations.read_only == Some(true) { Decision::Run } else { Decision::Defer }
    /// }
    /// assert!(tool_runtime::Toolbox::builder().before_call(reading_only).build().is_ok());
    /// ```
    pub const fn spec(&self) -> &'a ToolSpec {
        self.spec
    }

    /// The arguments with which the tool will run, as they are handed to it; secrets included.
    ///
    /// ```
    /// # use tool_runtime::hook::{Decision, ProposedCall};
    /// fn without_arguments(call: &ProposedCall<'_>) -> Decision {
    ///     if call.arguments().is_empty() { Decision::Run } else { Decision::Defer }
    /// }
    /// assert!(tool_runtime::Toolbox::builder().before_call(without_arguments).build().is_ok());
    /// ```
    pub const fn arguments(&self) -> &'a Arguments<'a> {
        self.arguments
    }

    /// The arguments as JSON text, to show them; secrets included.
    ///
    /// ```
    /// # use tool_runtime::hook::{Decision, ProposedCall};
    /// fn short_ones_only(call: &ProposedCall<'_>) -> Decision {
    ///     if call.to_text().len() < 1_000 { Decision::Run } else { Decision::deny("That is too long.") }
    /// }
    /// assert!(tool_runtime::Toolbox::builder().before_call(short_ones_only).build().is_ok());
    /// ```
    pub fn to_text(&self) -> Cow<'a, str> {
        self.arguments.to_text()
    }

    /// One of the arguments; `None` where it was not sent. Where a key was sent twice, the last one.
    ///
    /// ```
    /// # use tool_runtime::hook::{Decision, ProposedCall};
    /// fn small_sums(call: &ProposedCall<'_>) -> Decision {
    ///     match call.argument("cents").and_then(|cents| cents.as_u64()) {
    ///         Some(0..=5_000) => Decision::Run,
    ///         _ => Decision::Defer,
    ///     }
    /// }
    /// assert!(tool_runtime::Toolbox::builder().before_call(small_sums).build().is_ok());
    /// ```
    pub fn argument(&self, name: &str) -> Option<Value> {
        match self.arguments {
            Arguments::Map(map) => map.get(name).cloned(),
            Arguments::Value(value) => value.get(name).cloned(),
            text => match serde_json::from_str(&text.to_text()).ok()? {
                Value::Object(mut map) => map.remove(name),
                _ => None,
            },
        }
    }

    /// What was read otherwise than the model wrote it: the name, then the arguments.
    ///
    /// ```
    /// # use tool_runtime::hook::{Decision, ProposedCall};
    /// fn nothing_repaired(call: &ProposedCall<'_>) -> Decision {
    ///     if call.repairs().is_empty() { Decision::Run } else { Decision::Defer }
    /// }
    /// assert!(tool_runtime::Toolbox::builder().before_call(nothing_repaired).build().is_ok());
    /// ```
    pub const fn repairs(&self) -> &'a [Repair] {
        self.repairs
    }

    /// The state of a type: the session's own, else the one that the toolbox shares.
    ///
    /// ```
    /// # use tool_runtime::hook::{Decision, ProposedCall};
    /// struct User { is_admin: bool }
    ///
    /// fn admins_only(call: &ProposedCall<'_>) -> Decision {
    ///     match call.state::<User>() {
    ///         Some(User { is_admin: true }) => Decision::Run,
    ///         _ => Decision::deny("Only an administrator may do that."),
    ///     }
    /// }
    /// assert!(tool_runtime::Toolbox::builder().before_call(admins_only).build().is_ok());
    /// ```
    pub fn state<T: Send + Sync + 'static>(&self) -> Option<&'a T> {
        self.scope.find()
    }
}

impl fmt::Debug for ProposedCall<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the arguments, which may hold secrets.
        f.debug_struct("ProposedCall").field("call_id", &self.call_id).field("name", &self.name).finish_non_exhaustive()
    }
}
