//! A method of a container ([`PluginMethod`]), and the tool that is made from the method and a value of the container's type.

use std::sync::Arc;

use crate::context::CallContext;
use crate::input::Arguments;
use crate::tool::{AnswerOrFuture, Tool, ToolSpec};

/// A function that decodes arguments and calls a method of `C`.
pub type MethodFn<C> = for<'a> fn(&'a C, Arguments<'a>, &'a CallContext) -> AnswerOrFuture<'a>;

/// One method of a [`PluginContainer`](super::PluginContainer).
#[derive(Debug)]
pub struct PluginMethod<C: 'static> {
    spec: &'static ToolSpec,
    call: MethodFn<C>,
}

impl<C: 'static> PluginMethod<C> {
    /// Creates a member from its description and the function that runs it.
    pub const fn new(spec: &'static ToolSpec, call: MethodFn<C>) -> Self {
        Self { spec, call }
    }
}

/// A member together with the value of the container on which it is called.
pub(super) struct Bound<C: 'static> {
    container: Arc<C>,
    member: &'static PluginMethod<C>,
}

impl<C: 'static> Bound<C> {
    pub(super) fn new(container: &Arc<C>, member: &'static PluginMethod<C>) -> Self {
        Self { container: Arc::clone(container), member }
    }
}

impl<C: Send + Sync + 'static> Tool for Bound<C> {
    fn spec(&self) -> &ToolSpec {
        self.member.spec
    }

    fn call<'a>(&'a self, arguments: Arguments<'a>, cx: &'a CallContext) -> AnswerOrFuture<'a> {
        (self.member.call)(&self.container, arguments, cx)
    }
}
