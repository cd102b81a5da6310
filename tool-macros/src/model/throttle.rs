//! What a tool has otherwise than the throttle of its session.

use proc_macro2::Span;

/// Everything that a tool says of the throttle.
#[derive(Default)]
pub(crate) struct Throttle {
    /// Each rule once.
    pub(crate) rules: Vec<(ThrottleRule, Setting)>,
    pub(crate) polling: bool,
    pub(crate) unlimited: bool,
    /// Members of the result that always differ.
    pub(crate) volatile: Vec<String>,
}

impl Throttle {
    /// Whether nothing was said.
    pub(crate) fn is_empty(&self) -> bool {
        self.rules.is_empty() && !self.polling && !self.unlimited && self.volatile.is_empty()
    }
}

/// A rule that is about one tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ThrottleRule {
    ConsecutiveFailures,
    SameError,
    IdenticalCall,
    AlternatingCalls,
    SameToolRate,
}

impl ThrottleRule {
    /// Every rule, as it is written.
    pub(crate) const NAMES: &'static [(&'static str, Self)] = &[
        ("consecutive_failures", Self::ConsecutiveFailures),
        ("same_error", Self::SameError),
        ("identical_call", Self::IdenticalCall),
        ("alternating_calls", Self::AlternatingCalls),
        ("same_tool_rate", Self::SameToolRate),
    ];
}

/// What is said of a rule.
pub(crate) enum Setting {
    Off,
    /// Counts in a row; pauses in seconds. The runtime has a number for what is not said, and compares the numbers with each other.
    Streak {
        warn: Option<Count>,
        refuse: Option<Count>,
        first: Option<Count>,
        factor: Option<Count>,
        cap: Option<Count>,
    },
    Rate {
        calls: u32,
        seconds: u32,
    },
}

/// A number and where it stands.
#[derive(Clone, Copy)]
pub(crate) struct Count {
    pub(crate) value: u32,
    pub(crate) span: Span,
}
