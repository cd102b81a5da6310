//! Conditions on the name and the arguments of a call.

use serde_json::Value;
use tool_runtime::tool_schema::issue::Path;

use super::CallExpectation;
use crate::call_requirement::CallRequirement;
use crate::matcher::{Matcher, equals, includes};
use crate::{SetupError, path_parser};

impl CallExpectation {
    /// Replaces the name of the expected function. This is useful, for example, if the tool is a member of several containers and so has a
    /// qualified name.
    #[must_use]
    pub fn with_tool_name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        if self.name.trim().is_empty() {
            self.errors.push(SetupError::Empty("the name of a function"));
        }
        self
    }

    /// Requires exactly these arguments.
    #[must_use]
    pub fn with_exactly(self, arguments: impl Into<Value>) -> Self {
        let arguments = arguments.into();
        let is_object = arguments.is_object();
        let mut same = self.and(CallRequirement::At(Path::root(), equals(arguments.clone())));
        if !is_object {
            same.errors.push(SetupError::NoObject(arguments.to_string()));
        }
        same
    }

    /// Requires at least these arguments. Other arguments are allowed, and so are other members of nested objects.
    #[must_use]
    pub fn arguments_include(self, arguments: impl Into<Value>) -> Self {
        self.and(CallRequirement::At(Path::root(), includes(arguments)))
    }

    /// Requires a value at one path of the arguments. Write the path like `customer.items[2].quantity`, or as a JSON Pointer (RFC 6901),
    /// which begins with `/`.
    #[must_use]
    pub fn at(mut self, path: &str, value: impl Into<Matcher>) -> Self {
        match path_parser::read(path) {
            Ok(path) => return self.and(CallRequirement::At(path, value.into())),
            Err(misuse) => self.errors.push(misuse),
        }
        self
    }

    /// Forbids all parameters except those that you name with [`arguments_include`](Self::arguments_include) or [`at`](Self::at). By default, other parameters are
    /// allowed. The order in which you call these methods does not matter.
    #[must_use]
    pub fn and_no_others(self) -> Self {
        self.and(CallRequirement::NoOthers(Vec::new()))
    }
}
