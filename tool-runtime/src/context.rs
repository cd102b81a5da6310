//! What a running tool may know of its call.

/// The context of a call: `#[tool(context)] cx: &CallContext`.
#[derive(Debug)]
#[non_exhaustive]
pub struct CallContext {}
