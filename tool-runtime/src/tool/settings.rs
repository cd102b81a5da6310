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
    /// Shows the model the `Display` of errors that are not a `ToolError`; `None` leaves it to the toolbox.
    pub show_errors: Option<bool>,
    /// The repairs that rejected arguments may have; `None` leaves it to the toolbox.
    pub repair: Option<RepairPolicy>,
    /// The tool blocks its thread and goes through the toolbox's spawner.
    pub blocking: bool,
    /// In a batch a call of the tool runs alone: after all calls before it, and before all that follow.
    pub sequential: bool,
    /// The time that a call may take, attempts and pauses together; `None` leaves it to the toolbox. An answer that is there at once, as a sync
    /// function's, is never late.
    pub time_limit: Option<Duration>,
    /// The attempts that the runtime makes for an idempotent tool; `None` leaves it to the toolbox.
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

/// The annotations of the Model Context Protocol; `None` for those that the author does not give.
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
