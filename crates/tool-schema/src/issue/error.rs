//! `ValidationError`: a call that is refused, with every reason.
//!
//! In come the issues of a checker; out go a list for programs and one bounded sentence for people. It is never empty.

use std::fmt;
use std::sync::Arc;

use super::{Found, Issue, Issues, counted};
use crate::json::Json;

/// A call that is refused, with every reason.
///
/// ```
/// use tool_schema::check::check;
/// use tool_schema::issue::ValidationError;
/// use tool_schema::json::Json;
/// use tool_schema::shape::{Kind, Shape};
///
/// let issues = check(&Shape::of(Kind::String), &Json::parse("3")?);
/// let error = ValidationError::new(issues);
/// assert_eq!(error.map(|error| error.to_string()).as_deref(), Some("the arguments must be a string"));
/// # Ok::<(), tool_schema::json::SyntaxError>(())
/// ```
#[derive(Clone)]
pub struct ValidationError(Box<Refusal>);

/// What is refused; boxed, so that a good answer is not larger because there might have been none.
#[derive(Clone)]
struct Refusal {
    issues: Issues,
    /// What serde said, for the observer only: it may carry values and names of Rust types.
    source: Option<Arc<serde_json::Error>>,
    /// Whether any argument was sent; `None` where the arguments are not known here.
    has_sent: Option<bool>,
    /// The facts about the arguments that an error carries if it outlives them.
    found: Found<'static>,
}

/// How many faults the sentence names.
const MOST_NAMED: usize = 5;

impl ValidationError {
    /// A refusal for these reasons; `None` where there are none.
    ///
    /// ```
    /// use tool_schema::{ToolInput, check::check, issue::ValidationError, json::Json};
    ///
    /// assert!( ValidationError::new(check(bool::SHAPE, &Json::parse("3")?)).is_some());
    /// assert!(ValidationError::new(Vec::new()).is_none());
    /// # Ok::<(), tool_schema::json::SyntaxError>(())
    /// ```
    pub fn new(issues: Issues) -> Option<Self> {
        (!issues.is_empty())
            .then(|| Self(Box::new(Refusal { issues, source: None, has_sent: None, found: Found::Nothing })))
    }

    /// The same, knowing the arguments that were refused.
    pub(crate) fn about(arguments: &Json<'_>, issues: Issues) -> Option<Self> {
        let mut error = Self::new(issues)?;
        error.0.has_sent = Some(!arguments.members().is_empty());
        Some(error)
    }

    /// Whether any argument was sent, where that is known.
    pub(crate) fn with_found(mut self, found: Found<'static>) -> Self {
        self.0.found = found;
        self
    }

    pub(crate) fn take_found(&mut self) -> Found<'static> {
        std::mem::replace(&mut self.0.found, Found::Nothing)
    }

    pub(crate) fn has_sent(&self) -> Option<bool> {
        self.0.has_sent
    }

    /// Keeps what serde said for observers; it is put into words only where one asks.
    #[must_use]
    pub(crate) fn with_source(mut self, error: serde_json::Error) -> Self {
        self.0.source = Some(Arc::new(error));
        self
    }

    /// The faults, in declaration order; at least one, and one more than [`MOST_ISSUES`](super::MOST_ISSUES) where there are
    /// more.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use tool_schema::decode::decode;
    ///
    /// let refused = decode::<BTreeMap<String, u8>>(&r#"{"a": 300, "b": "x"}"#.into());
    /// assert_eq!(refused.err().map(|error| error.issues().len()), Some(2));
    /// ```
    pub fn issues(&self) -> &[Issue] {
        &self.0.issues
    }

    /// The faults themselves.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use tool_schema::decode::decode;
    ///
    /// let refused = decode::<BTreeMap<String, u8>>(&r#"{"a": 300, "b": "x"}"#.into());
    /// assert_eq!(refused.map_or_else(|error| error.into_issues().len(), |stock| stock.len()), 2);
    /// ```
    pub fn into_issues(self) -> Issues {
        self.0.issues
    }

    /// What serde said where the typed decode failed. For logs only: it may carry values and names of Rust types.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    /// use tool_schema::decode::decode;
    ///
    /// let refused = decode::<BTreeMap<String, u8>>(&r#"{"a": 300, "b": "x"}"#.into());
    /// let told = refused.err().and_then(|error| error.source_text());
    /// assert!(told.is_some_and(|told| told.contains("u8")));
    /// ```
    pub fn source_text(&self) -> Option<String> {
        self.0.source.as_ref().map(ToString::to_string)
    }

    /// The error of serde itself, which is put into words when somebody asks.
    pub(crate) fn shared_source(&self) -> Option<Arc<serde_json::Error>> {
        self.0.source.clone()
    }
}

impl From<Issue> for ValidationError {
    fn from(issue: Issue) -> Self {
        Self(Box::new(Refusal { issues: vec![issue], source: None, has_sent: None, found: Found::Nothing }))
    }
}

/// The faults in words: `2 problems: location is required; days must be at most 14`. At most five are named.
impl fmt::Debug for ValidationError {
    /// Leaves serde's sentence out, which quotes values without knowing whether they are secrets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValidationError").field("issues", &self.0.issues).finish_non_exhaustive()
    }
}

impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let issues = &self.0.issues;
        if issues.len() > 1 {
            let (more_than, number) = counted(issues, issues.len());
            write!(f, "{more_than}{number} problems: ")?;
        }
        for (index, issue) in issues.iter().take(MOST_NAMED).enumerate() {
            write!(f, "{}{issue}", if index == 0 { "" } else { "; " })?;
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
