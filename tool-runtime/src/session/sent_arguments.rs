//! The arguments of a call with their tree, which is parsed on first use.

use std::cell::OnceCell;

use crate::check::sends_sensitive_field;
use crate::decode::ParsedTree;
use crate::input::Arguments;
use crate::json::Json;
use crate::toolbox::Entry;

/// Arguments with their parsed tree.
pub(super) struct SentArguments<'a> {
    arguments: &'a Arguments<'a>,
    tree: OnceCell<Option<Json<'a>>>,
    /// `true` if the output limit of the model cut off the answer that contains the arguments.
    pub(super) is_cut_off: bool,
}

impl<'a> SentArguments<'a> {
    pub(super) const fn new(arguments: &'a Arguments<'a>) -> Self {
        Self { arguments, tree: OnceCell::new(), is_cut_off: false }
    }

    /// Combines arguments with their tree, if they were parsed before.
    pub(super) fn parsed(arguments: &'a Arguments<'a>, tree: ParsedTree<Json<'a>>) -> Self {
        let tree = match tree {
            ParsedTree::NotYet => OnceCell::new(),
            ParsedTree::Invalid => OnceCell::from(None),
            ParsedTree::Tree(tree) => OnceCell::from(Some(tree)),
        };
        Self { arguments, tree, is_cut_off: false }
    }

    pub(super) const fn arguments(&self) -> &'a Arguments<'a> {
        self.arguments
    }

    /// Returns the tree; `None` if the arguments are not valid JSON.
    pub(super) fn tree(&self) -> Option<&Json<'a>> {
        self.tree.get_or_init(|| self.arguments.to_json().ok()).as_ref()
    }

    /// Returns `true` if the tool's own texts must be hidden, because the call contains a value of a sensitive field. Arguments that cannot
    /// be parsed count as sensitive.
    pub(super) fn conceals(&self, entry: &Entry) -> bool {
        let sends =
            || self.tree().is_none_or(|arguments| sends_sensitive_field(&entry.tool.spec().input.shape(), arguments));
        // If the tool has secret host parameters, their values are assumed to be present, because they are rarely missing.
        entry.host_has_secrets || entry.takes_secrets && sends()
    }
}
