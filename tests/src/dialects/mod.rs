//! Values for the tools of real MCP servers, and the form in which a model sends them under a definition.

pub mod called;
pub mod forward;
pub mod page;
pub mod recorded;
pub mod schemas;
pub mod values;
