//! The tools that a client may see and call, [`Access`], and those whose calls the user has to approve, [`Approval`].
//!
//! Invariant: a tool is allowed only if the host allows its exact name, and, in read-only mode, if the server says that it only reads.

use tool_runtime::tool::Annotations;

use crate::members::{member, parsed};
use crate::private::tool_names::readings;

/// The tools that a client may see and call; by default, all of them.
///
/// A pattern is compared with the name that the server gave the tool; `*` in a pattern matches any text. If there is any restriction, a
/// tool that the server does not list can only be called if [`allow`](Self::allow) names it and [`read_only`](Self::read_only) is off.
///
/// ```
/// use tool_proxy::{Access, Proxy};
///
/// let access = Access::new().deny(["delete_*", "run"]).read_only(true);
/// let proxy = Proxy::builder().access(access).build()?;
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Access {
    allow: Option<Vec<String>>,
    deny: Vec<String>,
    read_only: bool,
}

impl Access {
    /// Creates an access without restrictions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Allows only the tools whose names match one of these patterns. Calling this method again replaces the list.
    pub fn allow(mut self, patterns: impl IntoIterator<Item: Into<String>>) -> Self {
        self.allow = Some(patterns.into_iter().map(Into::into).collect());
        self
    }

    /// Hides the tools whose names match one of these patterns, even if [`allow`](Self::allow) names them. Calling this method again
    /// replaces the list.
    pub fn deny(mut self, patterns: impl IntoIterator<Item: Into<String>>) -> Self {
        self.deny = patterns.into_iter().map(Into::into).collect();
        self
    }

    /// Sets whether tools are hidden unless the server annotates them with `readOnlyHint: true`. The annotation of a server may be wrong.
    pub fn read_only(mut self, read_only: bool) -> Self {
        self.read_only = read_only;
        self
    }

    /// Returns `true` if there are no restrictions.
    pub(super) fn is_open(&self) -> bool {
        self.allow.is_none() && self.deny.is_empty() && !self.read_only
    }

    /// Returns `true` if a tool that the server lists is allowed.
    pub(super) fn allows(&self, name: &str, annotations: Annotations) -> bool {
        self.allows_name(name) && (!self.read_only || annotations.read_only == Some(true))
    }

    /// Returns `true` if a tool that the server does not list is allowed. The server may read such a name as that of another tool, so each
    /// name for which it can stand has to be allowed.
    pub(super) fn allows_unlisted(&self, name: &str) -> bool {
        let allows = || self.allows_name(name) && readings(name).all(|reading| self.allows_name(reading));
        self.is_open() || (self.allow.is_some() && !self.read_only && allows())
    }

    /// Returns the patterns, each with the key of its setting.
    pub(super) fn patterns(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let allow = self.allow.iter().flatten().map(|pattern| ("allow", pattern.as_str()));
        allow.chain(self.deny.iter().map(|pattern| ("deny", pattern.as_str())))
    }

    fn allows_name(&self, name: &str) -> bool {
        let fits = |patterns: &[String]| patterns.iter().any(|pattern| fits(pattern, name));
        self.allow.as_deref().is_none_or(fits) && !fits(&self.deny)
    }
}

/// Returns `true` if a name matches a pattern.
pub(super) fn fits(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut name) = name.strip_prefix(start) else { return false };
    let (middle, end) = rest.rsplit_once('*').map_or((None, rest), |(middle, end)| (Some(middle), end));
    for part in middle.into_iter().flat_map(|middle| middle.split('*')) {
        let Some(at) = name.find(part) else { return false };
        name = &name[at + part.len()..];
    }
    name.ends_with(end)
}

/// Returns the annotations of a definition.
pub(super) fn annotations_of(definition: &str) -> Annotations {
    let hint = |name| parsed(member(definition, "annotations")?, name);
    let mut annotations = Annotations::NONE;
    annotations.read_only = hint("readOnlyHint");
    annotations.destructive = hint("destructiveHint");
    annotations.idempotent = hint("idempotentHint");
    annotations.open_world = hint("openWorldHint");
    annotations
}

/// The tools whose calls the user has to approve; by default, none.
///
/// ```
/// use tool_proxy::{Approval, Proxy};
///
/// let proxy = Proxy::builder().require_approval(Approval::new().tools(["send_*"]).destructive(true)).build()?;
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Approval {
    tools: Vec<String>,
    destructive: bool,
}

impl Approval {
    /// Creates an approval that no call needs.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the tools by patterns, as for [`Access`](super::Access).
    pub fn tools(mut self, patterns: impl IntoIterator<Item: Into<String>>) -> Self {
        self.tools = patterns.into_iter().map(Into::into).collect();
        self
    }

    /// Adds the tools that may destroy something. As in the protocol, these are all tools that the server annotates neither with
    /// `readOnlyHint: true` nor with `destructiveHint: false`.
    pub fn destructive(mut self, destructive: bool) -> Self {
        self.destructive = destructive;
        self
    }

    /// Returns `true` if the calls of a tool need an approval.
    pub(super) fn is_needed(&self, name: &str, annotations: Annotations) -> bool {
        let may_destroy = annotations.read_only != Some(true) && annotations.destructive != Some(false);
        (self.destructive && may_destroy) || self.tools.iter().any(|pattern| fits(pattern, name))
    }

    /// Returns `true` if the calls of an unlisted tool need an approval. The server may read its name as that of another tool.
    pub(super) fn is_needed_unlisted(&self) -> bool {
        self.destructive || !self.tools.is_empty()
    }

    /// Returns `true` if the server may get calls of a name that it does not list, after the user has been asked if that is necessary. Users are
    /// only asked about such a name if a pattern fits it.
    pub(super) fn allows_unlisted(&self, name: &str) -> bool {
        !self.is_needed_unlisted() || self.tools.iter().any(|pattern| fits(pattern, name))
    }

    /// Returns the patterns, each with the key of its setting.
    pub(super) fn patterns(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.tools.iter().map(|pattern| ("approve", pattern.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_stands_for_any_text() {
        for (pattern, name, expected) in [
            ("read", "read", true),
            ("read", "read_file", false),
            ("read_*", "read_file", true),
            ("read_*", "read_", true),
            ("*_file", "read_file", true),
            ("*", "", true),
            ("a*a", "a", false),
            ("a*b*c", "a1b2b3c", true),
            ("a*b*c", "acb", false),
            ("*b*b*", "ab", false),
            ("**", "x", true),
            ("ä*", "äö", true),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }

    #[test]
    fn a_restriction_closes_the_access_to_unlisted_tools() {
        assert!(Access::new().allows_unlisted("a"));
        assert!(!Access::new().deny(["b"]).allows_unlisted("a"));
        assert!(!Access::new().read_only(true).allows_unlisted("a"));
        assert!(Access::new().allow(["a"]).allows_unlisted("a"));
        assert!(!Access::new().allow(["a"]).allows_unlisted("A"));
        assert!(!Access::new().allow(["*"]).deny(["a"]).allows_unlisted("a"));
        assert!(!Access::new().allow(["a"]).read_only(true).allows_unlisted("a"));
    }
}
