//! A call before it runs: [`ProposedCall`].
//!
//! Invariant: the hook sees exactly the arguments that the tool gets, after every repair, with canonical names, and including secrets.

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

use crate::context::Scope;
use crate::input::Arguments;
use crate::repair::Repair;
use crate::shape::Field;
use crate::tool::{HostArguments, ToolSpec};

/// A call before it runs.
///
/// ```
/// use tool_runtime::hook::{ProposedCall, Verdict};
/// use tool_runtime::{Toolbox, tool};
///
/// /// Transfers money.
/// #[tool]
/// fn transfer(
///     /// Amount in cents.
///     cents: u32,
/// ) {
///     drop(cents);
/// }
///
/// struct User {
///     is_admin: bool,
/// }
///
/// fn small_sums(call: &ProposedCall<'_>) -> Verdict {
///     match (call.state::<User>(), call.argument("cents").and_then(|cents| cents.as_u64())) {
///         (Some(User { is_admin: true }), _) | (_, Some(0..=5_000)) => Verdict::Run,
///         _ => Verdict::deny("Only an administrator may transfer that much."),
///     }
/// }
///
/// let builder = Toolbox::builder().tool(TransferTool).state(User { is_admin: false });
/// let session = builder.before_call(small_sums).build()?.session();
/// assert!(pollster::block_on(session.call("call_1", "transfer", r#"{"cents": 500}"#)).is_ok());
/// assert!(!pollster::block_on(session.call("call_2", "transfer", r#"{"cents": 500000}"#)).is_ok());
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
pub struct ProposedCall<'a> {
    pub(crate) call_id: &'a str,
    pub(crate) name: &'a str,
    pub(crate) spec: &'a ToolSpec,
    pub(crate) arguments: &'a Arguments<'a>,
    pub(crate) repairs: &'a [Repair],
    pub(crate) scope: &'a Scope,
    /// The values that earlier hooks supplied.
    pub(crate) supplied: &'a HostArguments,
}

impl<'a> ProposedCall<'a> {
    /// Returns the id under which the call will be answered.
    pub const fn call_id(&self) -> &'a str {
        self.call_id
    }

    /// Returns the advertised name of the tool.
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// Returns the description of the tool, including its [annotations](crate::tool::Annotations).
    pub const fn spec(&self) -> &'a ToolSpec {
        self.spec
    }

    /// Returns the model's arguments as the tool gets them, including secrets. Fields and tags have their canonical names, even if an alias
    /// was sent.
    pub const fn arguments(&self) -> &'a Arguments<'a> {
        self.arguments
    }

    /// Returns the arguments as JSON text for display, including secrets.
    pub fn arguments_text(&self) -> Cow<'a, str> {
        self.arguments.to_text()
    }

    /// Returns the argument with this canonical name, even if an alias was sent, or `None` if the argument was not sent. If the key was
    /// repeated, returns the last value, as the tool gets it.
    pub fn argument(&self, name: &str) -> Option<Value> {
        match self.arguments {
            Arguments::Map(map) => map.get(name).cloned(),
            Arguments::Value(value) => value.get(name).cloned(),
            // Parsed without serde_json, which would reject the whole text because of a single number that is out of range.
            text => {
                let json = text.to_json().ok()?;
                json.members().iter().rev().find(|member| member.key == name).map(|member| member.value.to_value())
            }
        }
    }

    /// Returns the repairs that were applied: to the tool name first, then to the arguments.
    pub const fn repairs(&self) -> &'a [Repair] {
        self.repairs
    }

    /// Returns the required host parameters for which no hook has supplied a value yet. All host parameters are in
    /// [`spec().host`](crate::tool::ToolSpec::host).
    pub fn missing_host_parameters(&self) -> Vec<Field> {
        self.spec.host.as_ref().map_or_else(Vec::new, |host| host.missing(self.supplied))
    }

    /// Returns the values that earlier hooks have supplied for host parameters. They are not part of [`arguments`](Self::arguments).
    pub const fn supplied(&self) -> &'a HostArguments {
        self.supplied
    }

    /// Returns the state of type `T`: the session's own state, or else the state that the toolbox shares.
    pub fn state<T: Send + Sync + 'static>(&self) -> Option<&'a T> {
        self.scope.find()
    }
}

impl fmt::Debug for ProposedCall<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The arguments are left out, because they may contain secrets.
        f.debug_struct("ProposedCall").field("call_id", &self.call_id).field("name", &self.name).finish_non_exhaustive()
    }
}
