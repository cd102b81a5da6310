//! Why a toolbox cannot be built, or a session cannot begin: in the words of whoever wrote the registration.
//!
//! What always holds: a [`BuildError`] has every problem of the registration, in the order of registration.

use std::error::Error;
use std::fmt;

/// Why a toolbox cannot be built: all of its problems.
///
/// ```
/// use tool_runtime::{Container, Toolbox};
///
/// let error = Toolbox::builder()
///     .container(Container::new("my files", "Reading of files."))
///     .container(Container::new("2nd", "What the second server offers."))
///     .build()
///     .unwrap_err();
/// assert_eq!(error.problems().len(), 2);
/// ```
#[derive(Debug)]
pub struct BuildError {
    problems: Vec<Problem>,
}

impl BuildError {
    pub(super) fn of(problems: Vec<Problem>) -> Result<(), Self> {
        if problems.is_empty() { Ok(()) } else { Err(Self { problems }) }
    }

    /// What is wrong; never empty.
    ///
    /// ```
    /// # use tool_runtime::{Container, Toolbox};
    /// let error = Toolbox::builder().container(Container::new("1st", "")).build().unwrap_err();
    /// assert!(error.problems()[0].to_string().starts_with("`1st` is not a valid name"));
    /// ```
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the toolbox cannot be built:")?;
        self.problems.iter().try_for_each(|problem| write!(f, "\n- {problem}"))
    }
}

impl Error for BuildError {}

/// One thing that is wrong with a registration.
///
/// ```
/// use tool_runtime::{Toolbox, toolbox::Problem};
///
/// let error = Toolbox::builder().state(1_u8).state(2_u8).build().err();
/// let problems = error.map(|error| error.problems().to_vec());
/// assert_eq!(problems, Some(vec![Problem::DuplicateState { state: "u8" }]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// Two tools have one name.
    #[error("two tools are called `{name}`: give one of them another `name`")]
    DuplicateTool {
        /// The name.
        name: String,
    },
    /// Something has the name of a tool that the toolbox adds by itself, because a guard [keeps long results](super::Guard::spill).
    #[error(
        "`{name}` is the tool that reads results which `Guard::spill` keeps: give your own tool or container another `name`"
    )]
    BuiltInTool {
        /// The name.
        name: String,
    },
    /// Something was said about a tool that there is not.
    #[error("there is no tool `{name}`: write the name under which it is advertised")]
    NoSuchTool {
        /// The name.
        name: String,
    },
    /// A tool that has to be strict cannot be.
    #[error("`{tool}` cannot be strict for `{dialect}`: {}", .reasons.join("; "))]
    NotStrict {
        /// The tool.
        tool: String,
        /// The dialect.
        dialect: String,
        /// Why, each with its location in the schema.
        reasons: Vec<String>,
    },
    /// Two containers have one name.
    #[error("two containers are called `{name}`: give one of them another `name`")]
    DuplicateContainer {
        /// The name.
        name: String,
    },
    /// Two members of one container have one name.
    #[error("container `{container}` has two members called `{name}`: give one of them another `name`")]
    DuplicateMember {
        /// The container.
        container: String,
        /// The name of both.
        name: String,
    },
    /// Two tools have names that some provider refuses, and their [portable names](crate::tool::portable_name) are equal; or a tool has the
    /// portable name of another.
    #[error("the tools `{first}` and `{second}` would both be called `{name}`: give one of them another name")]
    PortableNamesMeet {
        /// The name that providers accept.
        name: String,
        /// The name of one tool, as it was given.
        first: String,
        /// The name of the other.
        second: String,
    },
    /// A further name of a tool is a name of something else too.
    #[error("`{tool}` has the alias `{alias}`, which is also a name of `{other}`: remove one of the two")]
    AliasIsTaken {
        /// The tool.
        tool: String,
        /// The alias.
        alias: String,
        /// The tool or container with that name or alias.
        other: String,
    },
    /// An alias without a character.
    #[error("`{tool}` has an empty alias: write a name that a model may call")]
    EmptyAlias {
        /// The tool.
        tool: String,
    },
    /// A container has the name of a tool.
    #[error("a container and a tool are both called `{name}`: give one of them another `name`")]
    ContainerIsTool {
        /// The name.
        name: String,
    },
    /// A member of a container has the name of something that is visible without it.
    #[error(
        "member `{member}` of container `{container}` would be called `{name}`, as another tool or container is: give one of them another `name`"
    )]
    MemberIsTaken {
        /// The container.
        container: String,
        /// The member.
        member: String,
        /// The name that is taken.
        name: String,
    },
    /// A container refers to what is not there.
    #[error(
        "container `{container}` refers to `{name}`, which does not exist: write the name of a tool or of a container"
    )]
    UnknownReference {
        /// The container.
        container: String,
        /// What it refers to.
        name: String,
    },
    /// A container refers to one of several.
    #[error("container `{container}` refers to `{name}`, but several tools have this name: write one of `{}`", .candidates.join("`, `"))]
    AmbiguousReference {
        /// The container.
        container: String,
        /// What it refers to.
        name: String,
        /// The advertised names of the tools.
        candidates: Vec<String>,
    },
    /// No container may be expanded.
    #[error("`ExpansionScope::AtMost(0)` lets no container be expanded: write a number above 0")]
    NothingMayExpand,
    /// A name that models' clients do not accept.
    #[error(
        "`{name}` is not a valid name for a tool: a name has 1 to 64 letters, digits, `_` and `-`, and does not begin with a digit or `-`"
    )]
    InvalidName {
        /// The name.
        name: String,
    },
    /// A description of a tool or a container that is longer than models are given.
    #[error("the description of `{name}` has {length} characters, and at most 1,024 are allowed: shorten it")]
    LongDescription {
        /// The tool or the container.
        name: String,
        /// The number of its characters.
        length: usize,
    },
    /// Two values of one type are shared.
    #[error("`.state(…)` was called with two values of the type `{state}`: wrap one of them in a type of its own")]
    DuplicateState {
        /// The type.
        state: &'static str,
    },
    /// A tool needs state that nobody brings.
    #[error(
        "`{tool}` needs a `{state}`: add `.state(…)`, or `.session_state::<…>()` where each session brings its own"
    )]
    MissingState {
        /// The tool.
        tool: String,
        /// The type of the state.
        state: &'static str,
    },
    /// A default or an example does not decode.
    #[error("`{tool}`: {problem}")]
    Literal {
        /// The tool.
        tool: String,
        /// Which literal, and why.
        problem: String,
    },
    /// A flattened map, or an enum with an internal tag or none, lies in a type that refuses unknown keys, so that serde refuses every key
    /// of it.
    #[error(
        "`{tool}`: `deny_unknown_fields` refuses every key of the flattened `{field}`: remove it, or remove `flatten`"
    )]
    ClosedMap {
        /// The tool.
        tool: String,
        /// The path of the flattened field.
        field: String,
    },
    /// A type without keys is flattened, or stands beside an internal tag, where serde never finds it.
    #[error(
        "`{tool}`: serde reads the keys of `{field}` from the object around it, and `{field}` has no keys: give it a key of its own"
    )]
    NoKeys {
        /// The tool.
        tool: String,
        /// The path of the field or variant.
        field: String,
    },
    /// A flattened type takes a key that another field has too.
    #[error(
        "`{tool}`: the flattened `{field}` and `{other}` have a key in common, which only one of them would get: rename it in one of them"
    )]
    SharedKey {
        /// The tool.
        tool: String,
        /// The path of the flattened field.
        field: String,
        /// The path of the other field.
        other: String,
    },
    /// Two variants without a tag may be mistaken for each other, and the first has rules that the second does not.
    #[error(
        "`{tool}`: a value that breaks a rule of `{variant}` may be taken by `{other}`: give the enum a tag, or let the variants differ in JSON \
         type or in required keys (with `#[serde(deny_unknown_fields)]`)"
    )]
    MistakenVariant {
        /// The tool.
        tool: String,
        /// The path of the variant.
        variant: String,
        /// The path of the later variant.
        other: String,
    },
    /// A type that serde buffers holds what it cannot read from there: untagged and internally tagged enums, flattened types.
    #[error("`{tool}`: serde decodes `{field}` from a buffer, {instead}")]
    Buffered {
        /// The tool.
        tool: String,
        /// The path of what is never read.
        field: String,
        /// Why, and what to write instead.
        instead: &'static str,
    },
    /// A parameter cannot take its names from the state.
    #[error(
        "`{tool}`: `enum_from` lists values for `{parameter}`, which is not a parameter that takes a string or a list of strings"
    )]
    NoChoice {
        /// The tool.
        tool: String,
        /// The parameter.
        parameter: String,
    },
    /// The state is to hide or describe a parameter, and cannot.
    #[error("`{tool}`: the state has a say in `{parameter}`, {fault}")]
    OutOfReach {
        /// The tool.
        tool: String,
        /// The parameter.
        parameter: String,
        /// The reason, and what to do instead.
        fault: &'static str,
    },
    /// Something has to wait for a time that the clock never tells.
    #[error(
        "{whose} has {what}, and the clock has no timer: add `.clock(TokioClock::new())` (feature `tokio`), or another clock that has one"
    )]
    NoTimer {
        /// The tool, or the toolbox.
        whose: String,
        /// What has to wait.
        what: &'static str,
    },
    /// A tool is to be called again, and nobody said that it may be.
    #[error(
        "`{tool}` has a `retry` and is not `idempotent`: add `idempotent` if a second call has no further effect, or remove `retry`"
    )]
    RetryHasEffects {
        /// The tool.
        tool: String,
    },
    /// A tool blocks its thread, and there is no other thread.
    #[error("`{tool}` is `blocking` and needs a thread: add `.spawner(…)`")]
    NoSpawner {
        /// The tool.
        tool: String,
    },
}

/// A session was begun without state that it has to bring.
///
/// ```
/// use tool_runtime::Toolbox;
///
/// struct User;
///
/// let toolbox = Toolbox::builder().session_state::<User>().build()?;
/// assert!(toolbox.session_with("not a user").unwrap_err().to_string().contains("User"));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the session needs `{}`, which `session_state` declares: begin it with `session_with(…)`", .names.join("`, `"))]
#[non_exhaustive]
pub struct MissingState {
    /// The types of the missing states.
    pub names: Vec<&'static str>,
}
