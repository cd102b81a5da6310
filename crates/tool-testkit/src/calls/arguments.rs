//! What the arguments of a call must be, and its name.

use serde_json::Value;
use tool_runtime::tool_schema::issue::Path;

use super::Calls;
use crate::condition::Condition;
use crate::matcher::{Matcher, equals, includes};
use crate::{Misuse, place};

impl Calls {
    /// The same under another name: that of a member which several containers have.
    ///
    /// ```
    /// use tool_testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("add").named("Math__add")).build().is_ok());
    /// ```
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        if self.name.trim().is_empty() {
            self.misuses.push(Misuse::Empty("the name of a function"));
        }
        self
    }

    /// These arguments and no others.
    ///
    /// ```
    /// use serde_json::json;
    /// use tool_testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("add").with_exactly(json!({"a": 1, "b": 2}))).build().is_ok());
    /// ```
    #[must_use]
    pub fn with_exactly(self, arguments: impl Into<Value>) -> Self {
        let arguments = arguments.into();
        let is_object = arguments.is_object();
        let mut same = self.and(Condition::At(Path::root(), equals(arguments.clone())));
        if !is_object {
            same.misuses.push(Misuse::NoObject(arguments.to_string()));
        }
        same
    }

    /// These arguments, in nested objects too; others may be there.
    ///
    /// ```
    /// use serde_json::json;
    /// use tool_testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("add").with(json!({"a": 1}))).build().is_ok());
    /// ```
    #[must_use]
    pub fn with(self, arguments: impl Into<Value>) -> Self {
        self.and(Condition::At(Path::root(), includes(arguments)))
    }

    /// What stands at one place of the arguments: `customer.items[2].quantity`, or RFC 6901 with its first `/`.
    ///
    /// ```
    /// use tool_testkit::{Expectations, calls, one_of};
    ///
    /// let expected = calls("get_weather").at("unit", one_of(["celsius", "kelvin"])).at("days", 3);
    /// assert!(Expectations::new().expect(expected).build().is_ok());
    /// ```
    #[must_use]
    pub fn at(mut self, path: &str, value: impl Into<Matcher>) -> Self {
        match place::read(path) {
            Ok(path) => return self.and(Condition::At(path, value.into())),
            Err(misuse) => self.misuses.push(misuse),
        }
        self
    }

    /// No parameters but those that are named by [`with`](Self::with) and [`at`](Self::at), before it or behind it. Without it others may be there.
    ///
    /// ```
    /// use tool_testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("add").at("a", 1).at("b", 2).and_no_others()).build().is_ok());
    /// ```
    #[must_use]
    pub fn and_no_others(self) -> Self {
        self.and(Condition::NoOthers(Vec::new()))
    }
}
