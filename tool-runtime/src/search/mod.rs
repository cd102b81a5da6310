//! The tool with which a model searches the members of containers: [`FindTools`].
//!
//! In: a query. Out: the names of the tools that fit, the best first. The session then shows these tools (`session/show_found.rs`).
//!
//! Invariants: only tools that the state of the session makes available are compared, in the form in which the model would see them. The
//! answer names at most [`MOST`](settings::MOST) tools. Without a function of the host, the same query gives the same answer.

mod index;
mod member;
mod settings;
mod tool;
mod words;

pub(crate) use self::member::SearchedMember;
pub use self::settings::{FindTools, RankingRequest, ToolCandidate};
pub(crate) use self::tool::{FindTool, SearchedMembers, found_names};
