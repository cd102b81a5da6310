//! What a tool has otherwise than the throttle of its session.

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
    /// Counts in a row; pauses in seconds. What is not said is as the runtime has it.
    Streak {
        warn: Option<u32>,
        refuse: Option<u32>,
        first: Option<u32>,
        factor: Option<u32>,
        cap: Option<u32>,
    },
    Rate {
        calls: u32,
        seconds: u32,
    },
}
