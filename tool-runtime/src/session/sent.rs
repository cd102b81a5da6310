//! The arguments of a call with their tree, which is parsed when somebody first asks for it.

use std::cell::OnceCell;

use crate::input::Arguments;
use crate::json::Json;

/// Arguments, and the tree that they are.
pub(super) struct Sent<'a> {
    arguments: &'a Arguments<'a>,
    tree: OnceCell<Option<Json<'a>>>,
}

impl<'a> Sent<'a> {
    pub(super) const fn new(arguments: &'a Arguments<'a>) -> Self {
        Self { arguments, tree: OnceCell::new() }
    }

    /// Arguments of whose tree something is known: that there is none, or the tree.
    #[expect(clippy::option_option, reason = "nothing is known, there is no tree, or it is this one")]
    pub(super) fn known(arguments: &'a Arguments<'a>, tree: Option<Option<Json<'a>>>) -> Self {
        Self { arguments, tree: tree.map_or_else(OnceCell::new, OnceCell::from) }
    }

    pub(super) const fn arguments(&self) -> &'a Arguments<'a> {
        self.arguments
    }

    /// The tree; `None` if the arguments are not valid JSON.
    pub(super) fn tree(&self) -> Option<&Json<'a>> {
        self.tree.get_or_init(|| self.arguments.to_json().ok()).as_ref()
    }
}
