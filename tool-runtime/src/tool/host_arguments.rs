//! Values that the host supplies for a call: [`HostArguments`].
//!
//! In: values, keyed by the names of host parameters. Out: the same values as arguments. Invariant: `Debug` never shows the values, because
//! they may be secrets.

use std::borrow::Cow;
use std::fmt;

use serde_json::{Map, Value};

use crate::input::Arguments;

/// Values for the host parameters of a tool, keyed by the names of the parameters.
///
/// ```
/// use serde_json::json;
/// use tool_runtime::hook::HostArguments;
///
/// let supplied = HostArguments::new().with("picture", "/tmp/cat.png").with("size", json!({"width": 3, "height": 2}));
/// assert_eq!(supplied.get("picture"), Some(&json!("/tmp/cat.png")));
/// assert_eq!(format!("{supplied:?}"), r#"HostArguments({"picture", "size"})"#);
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct HostArguments(Map<String, Value>);

impl HostArguments {
    /// Creates an empty collection of values.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the value of a parameter, replacing an earlier one.
    #[must_use]
    pub fn with(mut self, parameter: impl Into<String>, value: impl Into<Value>) -> Self {
        self.0.insert(parameter.into(), value.into());
        self
    }

    /// Returns the value of a parameter.
    pub fn get(&self, parameter: &str) -> Option<&Value> {
        self.0.get(parameter)
    }

    /// Returns `true` if there are no values.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Adds values, replacing earlier ones of the same parameters.
    pub(crate) fn extend(&mut self, others: Self) {
        self.0.extend(others.0);
    }

    pub(crate) const fn values(&self) -> &Map<String, Value> {
        &self.0
    }

    pub(crate) fn arguments(&self) -> Arguments<'_> {
        Arguments::Map(Cow::Borrowed(&self.0))
    }
}

impl From<Map<String, Value>> for HostArguments {
    fn from(values: Map<String, Value>) -> Self {
        Self(values)
    }
}

impl fmt::Debug for HostArguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        struct Names<'m>(&'m Map<String, Value>);
        impl fmt::Debug for Names<'_> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_set().entries(self.0.keys()).finish()
            }
        }
        f.debug_tuple("HostArguments").field(&Names(&self.0)).finish()
    }
}
