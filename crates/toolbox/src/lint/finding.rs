//! [`Finding`]: one problem of a definition.

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Severity {
    /// A provider refuses it, or no call can fulfil it.
    Error,
    /// It works, but worse than it could.
    Warning,
}

/// One thing that is wrong with a definition.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) severity: Severity,
    /// The rule's name, which does not change.
    pub(super) rule: &'static str,
    /// A JSON pointer into the schema; empty for what concerns the tool.
    pub(super) pointer: String,
    pub(super) message: String,
}

impl Finding {
    pub(super) fn error(rule: &'static str, pointer: &str, message: impl Into<String>) -> Self {
        Self { severity: Severity::Error, rule, pointer: pointer.to_owned(), message: message.into() }
    }

    pub(super) fn warning(rule: &'static str, pointer: &str, message: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, rule, pointer: pointer.to_owned(), message: message.into() }
    }
}
