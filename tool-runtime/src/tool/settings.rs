//! The settings of a tool that are plain data: [`ToolSettings`], with the [`Annotations`].
//!
//! `#[tool]` generates a constant with the settings that its keys set.

use std::time::Duration;

use super::Retry;
use crate::shape::RepairPolicy;

/// The settings of a tool: its annotations, and how calls of it are run.
///
/// Construct it from [`NONE`](Self::NONE), so that your code still compiles when a later version adds settings.
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
    /// `Some(true)` if the model sees the `Display` text of errors other than `ToolError`. `None` uses the setting of the toolbox.
    pub show_errors: Option<bool>,
    /// The repairs allowed for rejected arguments. `None` uses the setting of the toolbox.
    pub repair: Option<RepairPolicy>,
    /// `true` if the tool blocks its thread. Its calls then run on the spawner of the toolbox.
    pub blocking: bool,
    /// `true` if each call of the tool runs alone within a batch: after all earlier calls, and before all later ones.
    pub sequential: bool,
    /// The time limit of a call, including all attempts and pauses. `None` uses the setting of the toolbox. An answer that is available at
    /// once, such as the answer of a sync function, never exceeds the limit.
    pub time_limit: Option<Duration>,
    /// The number of attempts for an idempotent tool, and the pauses between them. `None` uses the setting of the toolbox.
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

/// The annotations of the Model Context Protocol; each is `None` if the author does not set it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    /// `Some(true)` if the tool changes nothing (`readOnlyHint`).
    pub read_only: Option<bool>,
    /// `Some(true)` if the tool may destroy something (`destructiveHint`).
    pub destructive: Option<bool>,
    /// `Some(true)` if repeated calls with the same arguments have no further effect (`idempotentHint`).
    pub idempotent: Option<bool>,
    /// `Some(true)` if the tool interacts with external systems (`openWorldHint`).
    pub open_world: Option<bool>,
}

impl Annotations {
    /// No annotations.
    pub const NONE: Self = Self { read_only: None, destructive: None, idempotent: None, open_world: None };
}
