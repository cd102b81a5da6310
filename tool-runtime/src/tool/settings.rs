//! The settings of a tool that are plain data: [`ToolSettings`], with the [`Annotations`].
//!
//! `#[tool]` generates a constant with the settings that are set.

use std::time::Duration;

use super::Retry;
use crate::shape::RepairPolicy;

/// The settings of a tool: its annotations, and the way it is run.
///
/// Start from [`NONE`](Self::NONE), so that code keeps compiling when settings are added.
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
    /// Hints for the host about the effects of the tool.
    pub annotations: Annotations,
    /// Shows the model the `Display` text of errors other than `ToolError`. `None` uses the setting of the toolbox.
    pub show_errors: Option<bool>,
    /// The repairs allowed for rejected arguments. `None` uses the setting of the toolbox.
    pub repair: Option<RepairPolicy>,
    /// Set if the tool blocks its thread. It then runs on the spawner of the toolbox.
    pub blocking: bool,
    /// Runs calls of the tool alone within a batch: after all earlier calls, and before all later ones.
    pub sequential: bool,
    /// The time limit of a call, including all attempts and pauses. `None` uses the setting of the toolbox. Answers that are available at
    /// once, such as those of sync functions, are never late.
    pub time_limit: Option<Duration>,
    /// The attempts for an idempotent tool. `None` uses the setting of the toolbox.
    pub retry: Option<Retry>,
}

impl ToolSettings {
    /// The default settings.
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

/// The annotations of the Model Context Protocol; `None` if the author does not set one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// Set if the tool changes nothing (`readOnlyHint`).
    pub read_only: Option<bool>,
    /// Set if the tool may destroy something (`destructiveHint`).
    pub destructive: Option<bool>,
    /// Set if repeated calls with the same arguments have no further effect (`idempotentHint`).
    pub idempotent: Option<bool>,
    /// Set if the tool interacts with external systems (`openWorldHint`).
    pub open_world: Option<bool>,
}

impl Annotations {
    /// No annotations.
    pub const NONE: Self = Self { read_only: None, destructive: None, idempotent: None, open_world: None };
}
