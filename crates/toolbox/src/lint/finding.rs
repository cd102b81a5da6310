//! A problem in a definition: [`Finding`].

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Severity {
    /// A provider rejects the definition, or no call can satisfy it.
    Error,
    /// The definition works, but could be improved.
    Warning,
}

/// A problem in a definition.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) severity: Severity,
    /// The stable name of the rule.
    pub(super) rule: &'static str,
    /// A JSON Pointer into the schema; empty for a problem with the whole tool.
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
