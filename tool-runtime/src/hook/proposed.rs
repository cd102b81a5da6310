//! A call that is about to run: [`ProposedCall`].
//!
//! In: what the session found acceptable. Out: who would run with what, for a rule or a human to look at. What always holds: the
//! arguments are those that the tool would read, after every repair and under canonical names; secrets are in them.

use std::borrow::Cow;
use std::fmt;

use serde_json::Value;

use crate::context::Scope;
use crate::input::Arguments;
use crate::repair::Repair;
use crate::shape::Field;
use crate::tool::{HostArguments, HostInput, ToolSpec};

/// A call that is about to run.
///
/// ```
/// use tool_runtime::hook::{Verdict, ProposedCall};
///
/// fn nothing_destructive(call: &ProposedCall<'_>) -> Verdict {
///     match call.spec().settings.annotations.destructive {
///         Some(true) => Verdict::Defer,
///         _ => Verdict::Run,
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
    /// The values of earlier hooks.
    pub(crate) supplied: &'a HostArguments,
}

impl<'a> ProposedCall<'a> {
    /// The id under which the call will be answered.
    ///
    /// ```
    /// # use tool_runtime::hook::{Verdict, ProposedCall};
    /// fn note(call: &ProposedCall<'_>) -> Verdict {
    ///     eprintln!("{} is about to run", call.call_id());
    ///     Verdict::Run
    /// }
    /// assert!(tool_runtime::Toolbox::builder().before_call(note).build().is_ok());
    /// ```
    pub const fn call_id(&self) -> &'a str {
        self.call_id
    }

    /// The advertised name of the tool.
    ///
    /// ```
    /// # use tool_runtime::hook::{Verdict, ProposedCall};
    /// fn reading_only(call: &ProposedCall<'_>) -> Verdict {
    ///     if call.name().starts_with("read_") { Verdict::Run } else { Verdict::deny("This is for reading only.") }
    /// }
    /// assert!(tool_runtime::Toolbox::builder().before_call(reading_only).build().is_ok());
    /// ```
    pub const fn name(&self) -> &'a str {
        self.name
    }

    /// What the tool says of itself, [annotations](crate::tool::Annotations) included.
    ///
    /// ```
    /// # use tool_runtime::hook::{Verdict, ProposedCall};
    /// fn reading_only(call: &ProposedCall<'_>) -> Verdict {
    ///     if call.spec().settings.annotations.read_only == Some(true) { Verdict::Run } else { Verdict::Defer }
    /// }
    /// assert!(tool_runtime::Toolbox::builder().before_call(reading_only).build().is_ok());
    /// ```
    pub const fn spec(&self) -> &'a ToolSpec {
        self.spec
    }

    /// The arguments with which the tool will run, as they are handed to it; secrets included. Fields and tags have their own names, also
    /// where an alias was sent.
    ///
    /// ```
    /// # use tool_runtime::hook::{Verdict, ProposedCall};
    /// fn without_arguments(call: &ProposedCall<'_>) -> Verdict {
    ///     if call.arguments().is_empty() { Verdict::Run } else { Verdict::Defer }
    /// }
    /// assert!(tool_runtime::Toolbox::builder().before_call(without_arguments).build().is_ok());
    /// ```
    pub const fn arguments(&self) -> &'a Arguments<'a> {
        self.arguments
    }

    /// The arguments as JSON text, to show them; secrets included.
    ///
    /// ```
    /// # use tool_runtime::hook::{Verdict, ProposedCall};
    /// fn short_ones_only(call: &ProposedCall<'_>) -> Verdict {
    ///     if call.to_text().len() < 1_000 { Verdict::Run } else { Verdict::deny("That is too long.") }
    /// }
    /// assert!(tool_runtime::Toolbox::builder().before_call(short_ones_only).build().is_ok());
    /// ```
    pub fn to_text(&self) -> Cow<'a, str> {
        self.arguments.to_text()
    }

    /// One of the arguments, by the field's own name, which finds an alias too; `None` where it was not sent. Where a key was sent twice, the
    /// last one, which is the one that the tool gets.
    ///
    /// ```
    /// # use tool_runtime::hook::{Verdict, ProposedCall};
    /// fn small_sums(call: &ProposedCall<'_>) -> Verdict {
    ///     match call.argument("cents").and_then(|cents| cents.as_u64()) {
    ///         Some(0..=5_000) => Verdict::Run,
    ///         _ => Verdict::Defer,
    ///     }
    /// }
    /// assert!(tool_runtime::Toolbox::builder().before_call(small_sums).build().is_ok());
    /// ```
    pub fn argument(&self, name: &str) -> Option<Value> {
        match self.arguments {
            Arguments::Map(map) => map.get(name).cloned(),
            Arguments::Value(value) => value.get(name).cloned(),
            // serde_json would refuse all of a text for one number that is out of range.
            text => {
                let json = text.to_json().ok()?;
                json.members().iter().rev().find(|member| member.key == name).map(|member| member.value.to_value())
            }
        }
    }

    /// What was read otherwise than the model wrote it: the name, then the arguments.
    ///
    /// ```
    /// # use tool_runtime::hook::{Verdict, ProposedCall};
    /// fn nothing_repaired(call: &ProposedCall<'_>) -> Verdict {
    ///     if call.repairs().is_empty() { Verdict::Run } else { Verdict::Defer }
    /// }
    /// assert!(tool_runtime::Toolbox::builder().before_call(nothing_repaired).build().is_ok());
    /// ```
    pub const fn repairs(&self) -> &'a [Repair] {
        self.repairs
    }

    /// Returns the required host parameters for which no hook has supplied a value yet. All of them are in
    /// [`spec().host`](crate::tool::ToolSpec::host).
    ///
    /// ```
    /// # use tool_runtime::hook::{HostArguments, Verdict, ProposedCall};
    /// fn with_token(call: &ProposedCall<'_>) -> Verdict {
    ///     match call.missing().iter().any(|parameter| parameter.name == "token") {
    ///         true => Verdict::RunWith(HostArguments::new().with("token", "s3cr3t")),
    ///         false => Verdict::Run,
    ///     }
    /// }
    /// assert!(tool_runtime::Toolbox::builder().before_call(with_token).build().is_ok());
    /// ```
    pub fn missing(&self) -> Vec<Field> {
        self.spec.host.as_ref().map_or_else(Vec::new, |host: &HostInput| host.missing(self.supplied))
    }

    /// Returns the values that earlier hooks have supplied for host parameters. They are not part of [`arguments`](Self::arguments).
    ///
    /// ```
    /// # use tool_runtime::hook::{Verdict, ProposedCall};
    /// fn no_big_pictures(call: &ProposedCall<'_>) -> Verdict {
    ///     match call.supplied().get("picture").and_then(|picture| picture.as_str()) {
    ///         Some(picture) if picture.ends_with(".tiff") => Verdict::deny("The picture is too large."),
    ///         _ => Verdict::Run,
    ///     }
    /// }
    /// assert!(tool_runtime::Toolbox::builder().before_call(no_big_pictures).build().is_ok());
    /// ```
    pub const fn supplied(&self) -> &'a HostArguments {
        self.supplied
    }

    /// The state of a type: the session's own, else the one that the toolbox shares.
    ///
    /// ```
    /// # use tool_runtime::hook::{Verdict, ProposedCall};
    /// struct User { is_admin: bool }
    ///
    /// fn admins_only(call: &ProposedCall<'_>) -> Verdict {
    ///     match call.state::<User>() {
    ///         Some(User { is_admin: true }) => Verdict::Run,
    ///         _ => Verdict::deny("Only an administrator may do that."),
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
