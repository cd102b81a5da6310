//! The errors of building a toolbox and of starting a session.
//!
//! A [`BuildError`] contains every problem of the registration, in the order of registration.

use std::error::Error;
use std::fmt;

/// An error with all problems of a registration.
///
/// ```
/// use tool_runtime::{Container, Toolbox};
///
/// let error = Toolbox::builder()
///     .container(Container::new("my files", "Reading of files."))
///     .container(Container::new("2nd", "What the second server offers."))
///     .build()
///     .unwrap_err();
/// assert_eq!(error.errors().len(), 2);
/// ```
#[derive(Debug)]
pub struct BuildError {
    errors: Vec<RegistrationError>,
}

impl BuildError {
    pub(super) fn ok_if_empty(errors: Vec<RegistrationError>) -> Result<(), Self> {
        if errors.is_empty() { Ok(()) } else { Err(Self { errors }) }
    }

    /// Returns the problems. There is at least one.
    pub fn errors(&self) -> &[RegistrationError] {
        &self.errors
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the toolbox cannot be built:")?;
        self.errors.iter().try_for_each(|error| write!(f, "\n- {error}"))
    }
}

impl Error for BuildError {}

/// A problem of a registration.
///
/// ```
/// use tool_runtime::{Toolbox, toolbox::RegistrationError};
///
/// let error = Toolbox::builder().state(1_u8).state(2_u8).build().err();
/// let problems = error.map(|error| error.errors().to_vec());
/// assert_eq!(problems, Some(vec![RegistrationError::DuplicateState { state: "u8" }]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegistrationError {
    /// Two tools have the same name.
    #[error("two tools are called `{name}`: give one of them another `name`")]
    DuplicateTool {
        /// The name.
        name: String,
    },
    /// A tool or container has the name of the tool that the toolbox adds if a guard [keeps long results](super::Guard::spill).
    #[error(
        "`{name}` is the built-in tool that reads the results kept by `Guard::spill`: give your own tool or container another `name`"
    )]
    BuiltInName {
        /// The name.
        name: String,
    },
    /// A tool, container or alias has the name of the tool that [`find_tools`](super::ToolboxBuilder::find_tools) adds.
    #[error("`{name}` is the tool that searches the members of containers: set another name with `FindTools::name`")]
    FindToolsNameTaken {
        /// The name.
        name: String,
    },
    /// The provider cannot defer definitions, but [`DefinitionLoading::Native`](crate::container::DefinitionLoading::Native) requires it.
    #[error("{} cannot defer definitions: choose another provider with `for_provider`, or use `DefinitionLoading::Auto`", .dialect.as_ref().map_or_else(|| "an unknown provider".to_owned(), |dialect| format!("`{dialect}`")))]
    NoNativeLoading {
        /// The dialect of the toolbox; `None` if the host has chosen none.
        dialect: Option<String>,
    },
    /// A setting refers to a tool that does not exist.
    #[error("there is no tool `{name}`: write the name under which it is advertised")]
    NoSuchTool {
        /// The name.
        name: String,
    },
    /// A tool that has to be strict cannot be strict.
    #[error("`{tool}` cannot be strict for `{dialect}`: {}", .reasons.join("; "))]
    NotStrict {
        /// The tool.
        tool: String,
        /// The dialect.
        dialect: String,
        /// The reasons, each with its location in the schema.
        reasons: Vec<String>,
    },
    /// More tools and containers are visible from the beginning than the provider accepts in one request.
    #[error(
        "{count} tools are visible from the beginning, and `{dialect}` accepts {max} in one request: group them in containers"
    )]
    TooManyTools {
        /// The number of tools and containers.
        count: usize,
        /// The dialect.
        dialect: String,
        /// The maximum number of the provider.
        max: usize,
    },
    /// Two containers have the same name.
    #[error("two containers are called `{name}`: give one of them another `name`")]
    DuplicateContainer {
        /// The name.
        name: String,
    },
    /// Two members of one container have the same name.
    #[error("container `{container}` has two members called `{name}`: give one of them another `name`")]
    DuplicateMember {
        /// The container.
        container: String,
        /// The name.
        name: String,
    },
    /// The [portable names](crate::tool::portable_name) of two tools are equal, or a tool has the portable name of another.
    #[error("the tools `{first}` and `{second}` would both be called `{name}`: give one of them another name")]
    PortableNameConflict {
        /// The name that providers accept.
        name: String,
        /// The original name of one tool.
        first: String,
        /// The original name of the other tool.
        second: String,
    },
    /// An alias of a tool is also the name or alias of another tool or container.
    #[error("`{tool}` has the alias `{alias}`, which is also a name of `{other}`: remove one of the two")]
    AliasTaken {
        /// The tool.
        tool: String,
        /// The alias.
        alias: String,
        /// The tool or container with that name or alias.
        other: String,
    },
    /// A tool has an empty alias.
    #[error("`{tool}` has an empty alias: write a name that a model may call")]
    EmptyAlias {
        /// The tool.
        tool: String,
    },
    /// A container and a tool have the same name.
    #[error("a container and a tool are both called `{name}`: give one of them another `name`")]
    ContainerIsTool {
        /// The name.
        name: String,
    },
    /// A member of a container has the name of a tool or container that is visible outside of this container.
    #[error(
        "member `{member}` of container `{container}` would be called `{name}`, but another tool or container has this name: give one of them \
         another `name`"
    )]
    MemberNameTaken {
        /// The container.
        container: String,
        /// The member.
        member: String,
        /// The name that is taken.
        name: String,
    },
    /// A container refers to a tool or container that does not exist.
    #[error(
        "container `{container}` refers to `{name}`, which does not exist: write the name of a tool or of a container"
    )]
    UnknownReference {
        /// The container.
        container: String,
        /// The name in the reference.
        name: String,
    },
    /// A container refers to a name that several tools have.
    #[error("container `{container}` refers to `{name}`, but several tools have this name: write one of `{}`", .candidates.join("`, `"))]
    AmbiguousReference {
        /// The container.
        container: String,
        /// The name in the reference.
        name: String,
        /// The advertised names of the tools.
        candidates: Vec<String>,
    },
    /// The expansion scope does not allow any container to be expanded.
    #[error("with `ExpansionScope::AtMost(0)`, no container can be expanded: write a number above 0")]
    NoExpansionAllowed,
    /// A name that the clients of models do not accept.
    #[error(
        "`{name}` is not a valid name for a tool: a name has 1 to 64 letters, digits, `_` and `-`, and does not begin with a digit or `-`"
    )]
    InvalidName {
        /// The name.
        name: String,
    },
    /// A description of a tool or a container that is too long for models.
    #[error("the description of `{name}` has {length} characters, and at most 1,024 are allowed: shorten it")]
    LongDescription {
        /// The name of the tool or container.
        name: String,
        /// The number of characters.
        length: usize,
    },
    /// Two values of the same type are shared.
    #[error("`.state(…)` was called with two values of the type `{state}`: wrap one of them in a type of its own")]
    DuplicateState {
        /// The type.
        state: &'static str,
    },
    /// A tool needs state that neither the toolbox nor sessions provide.
    #[error(
        "`{tool}` needs a `{state}`: add `.state(…)`, or `.require_session_state::<…>()` if each session has its own"
    )]
    MissingState {
        /// The tool.
        tool: String,
        /// The type of the state.
        state: &'static str,
    },
    /// A default or an example cannot be decoded.
    #[error("`{tool}`: {reason}")]
    Literal {
        /// The tool.
        tool: String,
        /// The literal, and the reason.
        reason: String,
    },
    /// A type that rejects unknown keys has a flattened map, or a flattened enum that is untagged or internally tagged. serde then rejects
    /// all keys of the map or enum.
    #[error(
        "`{tool}`: `deny_unknown_fields` rejects every key of the flattened `{field}`: remove `deny_unknown_fields` or `flatten`"
    )]
    ClosedMap {
        /// The tool.
        tool: String,
        /// The path of the flattened field.
        field: String,
    },
    /// A type without keys, such as a list, is flattened or internally tagged, so serde cannot find its value.
    #[error(
        "`{tool}`: serde reads the keys of `{field}` from the enclosing object, but `{field}` has no keys: give it a key of its own"
    )]
    FlattenWithoutKeys {
        /// The tool.
        tool: String,
        /// The path of the field or variant.
        field: String,
    },
    /// A field is an `Option` of an `Option`, and serde decodes `null` and an absent key as the same `None`.
    #[error(
        "`{tool}`: `{field}` is an `Option` of an `Option`, and serde decodes `null` and an absent key as the same `None`: add \
         `#[serde(default, deserialize_with = \"tool_runtime::double_option\")]`, or remove one `Option`"
    )]
    LostNull {
        /// The tool.
        tool: String,
        /// The path of the field.
        field: String,
    },
    /// A flattened type and another field have a key in common.
    #[error(
        "`{tool}`: the flattened `{field}` and `{other}` have a key in common, which only one of them would get: rename it in one of them"
    )]
    DuplicateKey {
        /// The tool.
        tool: String,
        /// The path of the flattened field.
        field: String,
        /// The path of the other field.
        other: String,
    },
    /// A value that breaks a rule of an untagged variant may be decoded as a later variant, which does not have this rule.
    #[error(
        "`{tool}`: serde may decode a value that breaks a rule of `{variant}` as `{other}`: give the enum a tag, or let the variants differ in \
         JSON type or in required keys (with `#[serde(deny_unknown_fields)]`)"
    )]
    AmbiguousVariant {
        /// The tool.
        tool: String,
        /// The path of the variant.
        variant: String,
        /// The path of the later variant.
        other: String,
    },
    /// A type that serde buffers contains a value that cannot be decoded from the buffer. serde buffers untagged and internally tagged
    /// enums, and flattened types.
    #[error("`{tool}`: serde decodes `{field}` from a buffer, {reason}")]
    NotBufferable {
        /// The tool.
        tool: String,
        /// The path of the value.
        field: String,
        /// The reason, and the alternative.
        reason: &'static str,
    },
    /// `enum_from` is set for a parameter whose type is neither a string nor a list of strings.
    #[error(
        "`{tool}`: `enum_from` is set for `{parameter}`, which is not a parameter that takes a string or a list of strings"
    )]
    EnumFromWithoutStrings {
        /// The tool.
        tool: String,
        /// The parameter.
        parameter: String,
    },
    /// `available_if` or `description_from` is set for a parameter that does not support this setting.
    #[error("`{tool}`: `available_if` or `description_from` is set for `{parameter}`, {reason}")]
    UnsupportedCondition {
        /// The tool.
        tool: String,
        /// The parameter.
        parameter: String,
        /// The reason, and the alternative.
        reason: &'static str,
    },
    /// The host parameters of a tool are declared incorrectly, for example with a key that the model also sends.
    #[error("the host cannot supply the host parameters of `{tool}`: {reason}")]
    HostParameters {
        /// The tool.
        tool: String,
        /// The reason, and the alternative.
        reason: &'static str,
    },
    /// A time limit or a pause needs a clock with a timer.
    #[error(
        "{owner} has {setting}, and the clock has no timer: add `.clock(TokioClock::new())` (feature `tokio`), or another clock that has one"
    )]
    NoTimer {
        /// The name of the tool, or the toolbox.
        owner: String,
        /// The setting that needs a timer.
        setting: &'static str,
    },
    /// A tool has the setting `retry`, but is not marked as idempotent.
    #[error(
        "`{tool}` has a `retry` and is not `idempotent`: add `idempotent` if a second call has no further effect, or remove `retry`"
    )]
    RetryHasEffects {
        /// The tool.
        tool: String,
    },
    /// A tool blocks its thread, but there is no spawner.
    #[error("`{tool}` is `blocking` and needs a thread: add `.blocking_spawner(…)`")]
    NoSpawner {
        /// The tool.
        tool: String,
    },
}

/// The error for starting a session without a state that every session must provide.
///
/// ```
/// use tool_runtime::Toolbox;
///
/// struct User;
///
/// let toolbox = Toolbox::builder().require_session_state::<User>().build()?;
/// assert!(toolbox.session_with("not a user").unwrap_err().to_string().contains("User"));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the session needs `{}`, which `require_session_state` declares: begin it with `session_with(…)`", .names.join("`, `"))]
#[non_exhaustive]
pub struct MissingSessionState {
    /// The names of the missing types.
    pub names: Vec<&'static str>,
}
