//! `ValidationError`: a rejected call, with all of its issues.
//!
//! The list of issues is never empty. The `Display` text is one bounded sentence.

use std::fmt;
use std::sync::Arc;

use super::misplaced_fields::{add_wrapper_issue, locate_markup};
use super::{Issue, Issues, counted};
use crate::json::{Json, SyntaxError};
use crate::shape::Shape;

/// A rejected call, with every issue.
///
/// `Display` writes the issues in one sentence: `2 issues: location is required; days must be at most 14`. It names at most five.
///
/// ```
/// use tool_schema::check::check;
/// use tool_schema::issue::ValidationError;
/// use tool_schema::json::Json;
/// use tool_schema::shape::{Kind, Shape};
///
/// let issues = check(&Shape::new(Kind::String), &Json::parse("3")?);
/// let error = ValidationError::new(issues);
/// assert_eq!(error.map(|error| error.to_string()).as_deref(), Some("the arguments must be a string"));
/// # Ok::<(), tool_schema::json::SyntaxError>(())
/// ```
#[derive(Clone)]
pub struct ValidationError(Box<ThrottledCall>);

/// The content of a rejection, boxed so that `Result`s with this error stay small.
#[derive(Clone)]
struct ThrottledCall {
    issues: Issues,
    /// The error from serde, for observers only: it may contain values and names of Rust types.
    source: Option<Arc<serde_json::Error>>,
    /// `true` if any argument was sent; `None` if this is not known.
    has_sent: Option<bool>,
    /// The results of parsing and checking the arguments, for an error that outlives the arguments.
    found: PriorCheck<'static>,
}

/// The maximum number of issues in the sentence.
const MOST_NAMED: usize = 5;

impl ValidationError {
    /// Creates an error from these issues; returns `None` if there are none.
    pub fn new(issues: Issues) -> Option<Self> {
        (!issues.is_empty())
            .then(|| Self(Box::new(ThrottledCall { issues, source: None, has_sent: None, found: PriorCheck::Nothing })))
    }

    /// Creates an error from these issues and the rejected arguments, which should have this shape.
    pub(crate) fn about(shape: &Shape, arguments: &Json<'_>, issues: Issues) -> Option<Self> {
        let mut issues = add_wrapper_issue(shape, arguments, issues);
        locate_markup(arguments, &mut issues);
        let mut error = Self::new(issues)?;
        error.0.has_sent = Some(!arguments.members().is_empty());
        Some(error)
    }

    pub(crate) fn with_prior_check(mut self, found: PriorCheck<'static>) -> Self {
        self.0.found = found;
        self
    }

    pub(crate) fn take_prior_check(&mut self) -> PriorCheck<'static> {
        std::mem::replace(&mut self.0.found, PriorCheck::Nothing)
    }

    /// Returns `true` if any argument was sent, or `None` if this is not known.
    pub(crate) fn has_sent(&self) -> Option<bool> {
        self.0.has_sent
    }

    /// Stores serde's error for observers. It is only formatted on request.
    #[must_use]
    pub(crate) fn with_source(mut self, error: serde_json::Error) -> Self {
        self.0.source = Some(Arc::new(error));
        self
    }

    /// Returns the issues, in declaration order. There is at least one. If there are more than [`MAX_ISSUES`](super::MAX_ISSUES), not all
    /// issues were found.
    pub fn issues(&self) -> &[Issue] {
        &self.0.issues
    }

    /// Converts the error into its issues.
    pub fn into_issues(self) -> Issues {
        self.0.issues
    }

    /// Returns the text of serde's error if the typed decode failed. It is for logs only, because it may contain values and names of Rust
    /// types.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use tool_schema::decode::decode;
    ///
    /// let error = decode::<BTreeMap<String, u8>>(&r#"{"a": 300, "b": "x"}"#.into()).unwrap_err();
    /// assert_eq!(error.issues().len(), 2);
    /// assert!(error.serde_error_text().is_some_and(|text| text.contains("u8")));
    /// ```
    pub fn serde_error_text(&self) -> Option<String> {
        self.0.source.as_ref().map(ToString::to_string)
    }

    /// Returns serde's error, which is only formatted on request.
    pub(crate) fn shared_source(&self) -> Option<Arc<serde_json::Error>> {
        self.0.source.clone()
    }
}

impl From<Issue> for ValidationError {
    fn from(issue: Issue) -> Self {
        Self(Box::new(ThrottledCall { issues: vec![issue], source: None, has_sent: None, found: PriorCheck::Nothing }))
    }
}

impl fmt::Debug for ValidationError {
    /// Leaves out serde's error text, which quotes values even if they are secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValidationError").field("issues", &self.0.issues).finish_non_exhaustive()
    }
}

impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_about(f, "the arguments")
    }
}

impl ValidationError {
    /// Writes the error about a value of this name, in the plural.
    pub(crate) fn write_about(&self, f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
        let issues = &self.0.issues;
        if issues.len() > 1 {
            let (more_than, number) = counted(issues, issues.len());
            write!(f, "{more_than}{number} issues: ")?;
        }
        for (index, issue) in issues.iter().take(MOST_NAMED).enumerate() {
            f.write_str(if index == 0 { "" } else { "; " })?;
            if issue.path.is_root() {
                let mut finding = String::new();
                issue.write_finding(&mut finding);
                write!(f, "{name}{finding}")?;
            } else {
                write!(f, "{issue}")?;
            }
        }
        match issues.len().saturating_sub(MOST_NAMED) {
            0 => Ok(()),
            more => {
                let (more_than, more) = counted(issues, more);
                write!(f, "; and {more_than}{more} more")
            }
        }
    }
}

impl std::error::Error for ValidationError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.source.as_ref().map(|error| error as _)
    }
}

/// The results of parsing and checking rejected arguments.
#[derive(Clone, Debug)]
pub(crate) enum PriorCheck<'a> {
    /// There is no result that could be used again.
    Nothing,
    /// The arguments are not one JSON document.
    Syntax(SyntaxError),
    /// The parsed tree, which the checker rejects.
    Rejected(Json<'a>),
    /// The parsed tree, in which the checker finds no issue.
    Accepted(Json<'a>),
}

impl PriorCheck<'_> {
    pub(crate) fn into_owned(self) -> PriorCheck<'static> {
        match self {
            Self::Nothing => PriorCheck::Nothing,
            Self::Syntax(error) => PriorCheck::Syntax(error),
            Self::Rejected(tree) => PriorCheck::Rejected(tree.into_owned()),
            Self::Accepted(tree) => PriorCheck::Accepted(tree.into_owned()),
        }
    }
}
