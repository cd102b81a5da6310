//! Recordings of tool calls, the counts of a recording, and an HTML page with every call.
//!
//! A recording is JSON Lines ([`RecordedLine`]). [`CallRecorder`] writes the calls of a session, `toolbox proxy` those of an MCP server, and a conversation of
//! `tool-chat` its prompts and texts, too. [`CallReport`] counts a recording, [`Comparison`] compares two, and with the feature `html` both are pages that load
//! nothing. The command `toolbox report` does this for files.
//!
//! ```
//! use tool_report::CallReport;
//!
//! let mut report = CallReport::new();
//! for line in [
//!     r#"{"tool": "search", "arguments": {}, "verdict": "rejected", "issues": [{"code": "REQUIRED_FIELD", "path": "query"}]}"#,
//!     r#"{"tool": "search", "arguments": {"query": "rain"}, "verdict": "ok", "result": "result", "ms": 3.5}"#,
//! ] {
//!     report.add_line(line.parse()?);
//! }
//! let search = &report.tools()["search"];
//! assert_eq!((search.calls, search.rejected, search.corrected, search.first_try_percent()), (2, 1, 1, 50));
//! # Ok::<(), String>(())
//! ```
#![cfg_attr(docsrs, feature(doc_cfg))]

mod call;
mod call_counts;
mod compare;
pub mod line;
#[cfg(feature = "html")]
mod page;
mod recorder;
mod redaction;
mod scrub;

pub use call_counts::{CallReport, IssueOrRepairCount, ToolCounts, ToolPause};
pub use compare::{ChangedCall, Comparison};
pub use line::{CallEndKind, CallVerdict, RecordedLine};
pub use recorder::{CallRecorder, RecordingWriter};
pub use redaction::Redaction;

use tool_runtime::__private_0_1_0 as private;

/// The guide to recordings.
#[cfg(doc)]
pub mod _guides {
    #[doc = include_str!("../docs/links.md")]
    #[doc = include_str!("../docs/recordings.md")]
    pub mod recordings {}
}

/// Compiles the example of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
