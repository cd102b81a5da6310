//! `RepairPolicy`: how much of what a model wrote may be read otherwise than it was written.
//!
//! It stands beside the description because a field may have one of its own. What always holds: whatever the policy, what the checker
//! accepts is never touched.

/// How much of what was refused may be read otherwise than it was written.
///
/// One holds for a toolbox (`ToolboxBuilder::policy` of `tool-runtime`), a tool may have another
/// (`#[tool(repair = "strict")]`, `ToolSpec::repair`), and so may a field, for everything below it
/// ([`Field::repair`](super::Field::repair)).
///
/// ```
/// use std::collections::BTreeMap;
/// use tool_schema::repair::{Mended, RepairPolicy, mend};
/// use tool_schema::{ToolInput, shape::Ref};
///
/// let switches = Ref::Static(<BTreeMap<String, bool>>::SHAPE);
/// let arguments = r#"{"lamp": "true"}"#.into();
/// assert!(matches!(mend(&switches, &arguments, RepairPolicy::Lossless), Mended::Repaired { .. }));
/// assert!(matches!(mend(&switches, &arguments, RepairPolicy::Strict), Mended::Refused { .. }));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RepairPolicy {
    /// Nothing: what was refused stays refused.
    Strict,
    /// What can only have been meant one way, and loses nothing: `"5"` for 5, `5.0` for 5, a stringified list.
    #[default]
    Lossless,
    /// Also a key that can only have meant another: the one unknown key of an object that lacks one key, where the value fits.
    Assisted,
}

impl RepairPolicy {
    /// The word for it in attributes and on the command line.
    ///
    /// ```
    /// assert_eq!(tool_schema::repair::RepairPolicy::Assisted.name(), "assisted");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strict => "strict",
            Self::Lossless => "lossless",
            Self::Assisted => "assisted",
        }
    }
}
