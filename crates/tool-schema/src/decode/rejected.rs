//! [`Rejected`]: arguments that cannot be decoded, with the results of parsing and checking them.

use crate::check::check;
use crate::input::Arguments;
use crate::issue::{Issue, PriorCheck, ValidationError};
use crate::json::{Json, SyntaxError};
use crate::shape::Shape;

/// Rejected arguments: every issue, and the tree in which the issues were found. The tree is kept so that the arguments are not parsed or
/// checked again.
///
/// ```
/// use tool_schema::Issue;
/// use tool_schema::decode::Rejected;
///
/// let rejected = Rejected::new(Issue::missing("city").into());
/// assert_eq!(rejected.error().to_string(), "city is required");
/// ```
#[derive(Debug)]
pub struct Rejected<'a> {
    pub(crate) error: ValidationError,
    pub(crate) found: PriorCheck<'a>,
}

impl<'a> Rejected<'a> {
    /// Creates a rejection by a tool that has not parsed its arguments.
    pub const fn new(error: ValidationError) -> Self {
        Self { error, found: PriorCheck::Nothing }
    }

    /// Creates a rejection of arguments that are not valid JSON.
    pub(crate) fn syntax(error: SyntaxError) -> Self {
        Self { error: Issue::syntax(&error).into(), found: PriorCheck::Syntax(error) }
    }

    /// Creates a rejection of a tree that the checker rejects.
    pub(crate) const fn with_tree(error: ValidationError, tree: Json<'a>) -> Self {
        Self { error, found: PriorCheck::Rejected(tree) }
    }

    /// Creates a rejection of a tree in which the checker found no issue.
    pub(crate) const fn accepted(error: ValidationError, tree: Json<'a>) -> Self {
        Self { error, found: PriorCheck::Accepted(tree) }
    }

    /// Returns the error with all issues.
    pub const fn error(&self) -> &ValidationError {
        &self.error
    }

    /// Converts the rejection into the error with all issues.
    pub fn into_error(self) -> ValidationError {
        self.error
    }

    /// Returns the tree of the arguments.
    pub(crate) const fn parsed(&self) -> ParsedTree<&Json<'a>> {
        match &self.found {
            PriorCheck::Nothing => ParsedTree::NotYet,
            PriorCheck::Syntax(_) => ParsedTree::Invalid,
            PriorCheck::Rejected(tree) | PriorCheck::Accepted(tree) => ParsedTree::Tree(tree),
        }
    }

    /// Returns the issues together with owned data about the arguments, for an error that outlives the arguments because it is sent to
    /// another thread or returned by a future.
    pub(crate) fn carried(self) -> ValidationError {
        self.error.with_prior_check(self.found.into_owned())
    }

    /// Returns the issues, and the tree of the arguments.
    pub(crate) fn into_parts(self) -> (ValidationError, ParsedTree<Json<'a>>) {
        let tree = match self.found {
            PriorCheck::Nothing => ParsedTree::NotYet,
            PriorCheck::Syntax(_) => ParsedTree::Invalid,
            PriorCheck::Rejected(tree) | PriorCheck::Accepted(tree) => ParsedTree::Tree(tree),
        };
        (self.error, tree)
    }
}

/// The tree of arguments, if they were parsed.
#[derive(Clone, Copy, Debug)]
pub enum ParsedTree<T> {
    /// The arguments were not parsed.
    NotYet,
    /// The arguments are not valid JSON.
    Invalid,
    /// The parsed tree.
    Tree(T),
}

/// Parses and checks the arguments, unless the results are already known.
pub(crate) fn check_if_needed<'a>(found: PriorCheck<'a>, arguments: &Arguments<'a>, shape: &Shape) -> PriorCheck<'a> {
    let PriorCheck::Nothing = found else { return found };
    match arguments.tree() {
        Err(error) => PriorCheck::Syntax(error),
        Ok(tree) if check(shape, &tree).is_empty() => PriorCheck::Accepted(tree),
        Ok(tree) => PriorCheck::Rejected(tree),
    }
}

impl From<ValidationError> for Rejected<'_> {
    fn from(mut error: ValidationError) -> Self {
        let found = error.take_prior_check();
        Self { error, found }
    }
}
