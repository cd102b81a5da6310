//! The settings of a tool that are plain data: [`ToolSettings`], and the [`Annotations`] among them.
//!
//! `#[tool]` writes them as one constant that names only the settings that are set.

use std::time::Duration;

use super::Retry;
use crate::shape::RepairPolicy;

/// The settings of a tool: how it behaves and may be run.
///
/// Begin with [`NONE`](Self::NONE), so that a new setting changes nothing in your code.
///
/// ```
/// use tool_runtime::tool::ToolSettings;
/// use tool_runtime::{TypedTool, tool};
///
/// /// Writes a file.
/// #[tool(sequential, errors = "hidden")]
/// fn write() {}
///
/// let expected = ToolSettings { sequential: true, show_errors: Some(false), ..ToolSettings::NONE };
/// assert_eq!(WriteTool::SPEC.settings, expected);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ToolSettings {
    /// Hints for the host about what the tool does to the world.
    pub annotations: Annotations,
    /// Whether the `Display` of an error that is not a `ToolError` reaches the model; `None` leaves it to the toolbox.
    pub show_errors: Option<bool>,
    /// How much of refused arguments may be read otherwise than they were written; `None` leaves it to the toolbox.
    pub repair: Option<RepairPolicy>,
    /// Whether the tool blocks its thread and goes through the toolbox's spawner.
    pub blocking: bool,
    /// Whether a call of it in a batch runs alone: after all calls before it, and before all that follow.
    pub sequential: bool,
    /// How long a call may take, attempts and pauses together; `None` leaves it to the toolbox. An answer that is there at once, as a sync
    /// function's, is never late.
    pub time_limit: Option<Duration>,
    /// How often the runtime itself calls it again, for an idempotent tool; `None` leaves it to the toolbox.
    pub retry: Option<Retry>,
}

impl ToolSettings {
    /// Nothing is set.
    ///
    /// ```
    /// use tool_runtime::tool::ToolSettings;
    ///
    /// assert_eq!(ToolSettings::NONE, ToolSettings::default());
    /// ```
    pub const NONE: Self = Self {
        annotations: Annotations::NONE,
        show_errors: None,
        repair: None,
        blocking: false,
        sequential: false,
        time_limit: None,
        retry: None,
    };
}

/// What a tool does to the world: the annotations of the Model Context Protocol. `None` where the author says nothing.
///
/// ```
/// assert_eq!(tool_runtime::tool::Annotations::default().destructive, None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// It changes nothing (`readOnlyHint`).
    pub read_only: Option<bool>,
    /// It may destroy something (`destructiveHint`).
    pub destructive: Option<bool>,
    /// Calling it again with the same arguments has no further effect (`idempotentHint`).
    pub idempotent: Option<bool>,
    /// It reaches an open world of things (`openWorldHint`).
    pub open_world: Option<bool>,
}

impl Annotations {
    /// Nothing said.
    ///
    /// ```
    /// use tool_runtime::tool::Annotations;
    ///
    /// assert_eq!(Annotations::NONE, Annotations::default());
    /// ```
    pub const NONE: Self = Self { read_only: None, destructive: None, idempotent: None, open_world: None };
}
