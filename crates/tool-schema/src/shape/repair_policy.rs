//! `RepairPolicy`: how far rejected arguments may be repaired.
//!
//! It is part of the shape because a field may have its own policy. Invariant: values that the checker accepts are never changed, whatever
//! the policy.

/// The limit on repairs of rejected arguments.
///
/// A toolbox has a policy (`ToolboxBuilder::policy` of `tool-runtime`). A tool can override it (`#[tool(repair = "strict")]`,
/// `ToolSpec::repair`), and so can a field, for its whole value ([`Field::repair`](super::Field::repair)).
///
/// ```
/// use std::collections::BTreeMap;
/// use tool_schema::repair::{RepairedArguments, RepairPolicy, repair_arguments};
/// use tool_schema::{ToolInput, shape::Ref};
///
/// let switches = Ref::Static(<BTreeMap<String, bool>>::SHAPE);
/// let arguments = r#"{"lamp": "true"}"#.into();
/// assert!(matches!(repair_arguments("set", &switches, &arguments, RepairPolicy::Lossless), RepairedArguments::Repaired { .. }));
/// assert!(matches!(repair_arguments("set", &switches, &arguments, RepairPolicy::Strict), RepairedArguments::Rejected { .. }));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RepairPolicy {
    /// No repairs: rejected values stay rejected.
    Strict,
    /// Repairs that have only one possible meaning and lose nothing: `"5"` for 5, `5.0` for 5, a stringified list.
    #[default]
    Lossless,
    /// Lossless repairs. In addition, the words `yes`, `no`, `on` and `off`, and the letters `y`, `n`, `t` and `f`, are repaired where only a
    /// boolean is allowed.
    Words,
    /// All of these repairs. In addition, the only unknown key of an object is renamed to the only missing key, if the value fits.
    Assisted,
}

impl RepairPolicy {
    /// Returns the name in attributes and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Lossless => "lossless",
            Self::Words => "words",
            Self::Assisted => "assisted",
        }
    }
}
