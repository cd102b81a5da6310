//! Calls of one function, as a test expects them: [`Calls`].
//!
//! In: the name, what each call must be like, how many there must be, what comes before and after. Out: an expectation. What always
//! holds: without a count, each expectation wants a call of its own; with a count, it counts every call that is like it.

use serde_json::Value;

use super::condition::{Condition, Mismatch};
use super::course::Course;
use super::made::{Made, Screen};
use super::matcher::{Matcher, equals, includes};
use super::{Misuse, place};
use crate::TypedTool;
use crate::failure::{FailureKind, ThrottleRule};
use crate::issue::{Path, Segment};

/// Calls of one function, as a test expects them.
///
/// Arguments are judged as the tool was given them: what was repaired counts as what it was read as.
///
/// ```
/// use serde_json::json;
/// use tool_runtime::testkit::{Expectations, calls, contains};
///
/// let expected = Expectations::new()
///     .expect(calls("get_weather").at("location", contains("Paris")))
///     .expect(calls("get_weather").with(json!({"location": "London", "unit": "celsius"})))
///     .expect(calls("delete").never());
/// assert!(expected.build().is_ok());
/// ```
#[derive(Clone)]
pub struct Calls {
    name: String,
    conditions: Vec<Condition>,
    /// What must not be misused; found while it was written.
    misuses: Vec<Misuse>,
    pub(super) count: Count,
    pub(super) relations: Vec<Relation>,
    pub(super) courses: Vec<Course>,
}

/// How many calls there must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Count {
    /// One that nobody else expects.
    OfItsOwn,
    Times(usize),
    AtLeast(usize),
    AtMost(usize),
}

/// What must have been called before, or after.
#[derive(Clone)]
pub(super) enum Relation {
    Before(Calls),
    After(Calls),
}

/// Expects the function to be called.
///
/// The name is the one that is advertised. A call that was answered with a failure is a call, too; see [`Calls::succeeds`].
///
/// ```
/// use tool_runtime::testkit::{Expectations, calls};
///
/// assert!(Expectations::new().expect(calls("get_weather")).build().is_ok());
/// ```
pub fn calls(name: impl Into<String>) -> Calls {
    let name = name.into();
    let misuses = if name.trim().is_empty() { vec![Misuse::Empty("the name of a function")] } else { Vec::new() };
    Calls { name, conditions: Vec::new(), misuses, count: Count::OfItsOwn, relations: Vec::new(), courses: Vec::new() }
}

/// Expects the function not to be called.
///
/// ```
/// use tool_runtime::testkit::{Expectations, never};
///
/// assert!(Expectations::new().expect(never("delete")).build().is_ok());
/// ```
pub fn never(name: impl Into<String>) -> Calls {
    calls(name).never()
}

/// Expects a call of a typed tool, with arguments that the condition accepts. A parameter that is renamed breaks the test when it is
/// compiled. Arguments that the tool refuses are accepted by no condition.
///
/// ```
/// use tool_runtime::{testkit::{Expectations, calls_typed}, tool};
///
/// /// Current weather for a city.
/// #[tool]
/// fn get_weather(
///     /// City and country.
///     location: String,
/// ) -> String {
///     format!("{location}: sun")
/// }
///
/// let expected = Expectations::new().expect(calls_typed::<GetWeatherTool>(|arguments| arguments.location == "Paris"));
/// assert!(expected.build().is_ok());
/// ```
pub fn calls_typed<T: TypedTool>(fits: impl Fn(&T::Args) -> bool + Send + Sync + 'static) -> Calls {
    let typed = move |text: &str| T::decode(text).is_ok_and(|arguments| fits(&arguments));
    calls(T::SPEC.name.as_str()).and(Condition::Typed(std::sync::Arc::new(typed)))
}

impl Calls {
    /// The same under another name: that of a member which several containers have.
    ///
    /// ```
    /// use tool_runtime::testkit::{Expectations, calls};
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
    /// use tool_runtime::testkit::{Expectations, calls};
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
    /// use tool_runtime::testkit::{Expectations, calls};
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
    /// use tool_runtime::testkit::{Expectations, calls, one_of};
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

    /// No parameters but those that are named by [`with`](Self::with) and [`at`](Self::at). Without it others may be there.
    ///
    /// ```
    /// use tool_runtime::testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("add").at("a", 1).at("b", 2).and_no_others()).build().is_ok());
    /// ```
    #[must_use]
    pub fn and_no_others(self) -> Self {
        let mut known = Vec::new();
        for condition in &self.conditions {
            let Condition::At(path, matcher) = condition else { continue };
            match path.segments().first() {
                Some(Segment::Key(key)) => known.push(key.to_string()),
                _ => known.extend(matcher.keys().map(str::to_owned)),
            }
        }
        self.and(Condition::NoOthers(known))
    }

    /// The call has a result.
    ///
    /// ```
    /// use tool_runtime::testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("get_weather").succeeds()).build().is_ok());
    /// ```
    #[must_use]
    pub fn succeeds(self) -> Self {
        self.and(Condition::Succeeds)
    }

    /// The call has this result; a text is a JSON string here.
    ///
    /// ```
    /// use tool_runtime::testkit::{Expectations, calls, contains};
    ///
    /// assert!(Expectations::new().expect(calls("get_weather").returns(contains("sun"))).build().is_ok());
    /// ```
    #[must_use]
    pub fn returns(self, result: impl Into<Matcher>) -> Self {
        self.and(Condition::Returns(result.into()))
    }

    /// The call fails in this way.
    ///
    /// ```
    /// use tool_runtime::{failure::FailureKind, testkit::{Expectations, calls}};
    ///
    /// assert!(Expectations::new().expect(calls("fetch").fails_with(FailureKind::Timeout)).build().is_ok());
    /// ```
    #[must_use]
    pub fn fails_with(self, kind: FailureKind) -> Self {
        self.and(Condition::FailsWith(kind))
    }

    /// The call is refused with a hint about this field.
    ///
    /// ```
    /// use tool_runtime::testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("get_weather").hinted("location")).build().is_ok());
    /// ```
    #[must_use]
    pub fn hinted(self, field: &str) -> Self {
        self.and(Condition::Hinted(field.to_owned()))
    }

    /// What stood at this place was read otherwise than it was written; `$` is the text as a whole, or the name.
    ///
    /// ```
    /// use tool_runtime::testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("get_weather").repaired("days")).build().is_ok());
    /// ```
    #[must_use]
    pub fn repaired(self, path: &str) -> Self {
        self.and(Condition::Repaired(path.to_owned()))
    }

    /// The call is refused by this rule against thrashing.
    ///
    /// ```
    /// use tool_runtime::{failure::ThrottleRule, testkit::{Expectations, calls}};
    ///
    /// assert!(Expectations::new().expect(calls("load").throttled(ThrottleRule::IdenticalCall)).build().is_ok());
    /// ```
    #[must_use]
    pub fn throttled(self, rule: ThrottleRule) -> Self {
        self.and(Condition::Throttled(rule))
    }

    /// Exactly so many calls are like this.
    ///
    /// ```
    /// use tool_runtime::testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("get_weather").times(2)).build().is_ok());
    /// ```
    #[must_use]
    pub fn times(self, count: usize) -> Self {
        Self { count: Count::Times(count), ..self }
    }

    /// At least so many calls are like this.
    ///
    /// ```
    /// use tool_runtime::testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("search").at_least(1)).build().is_ok());
    /// ```
    #[must_use]
    pub fn at_least(self, count: usize) -> Self {
        Self { count: Count::AtLeast(count), ..self }
    }

    /// At most so many calls are like this.
    ///
    /// ```
    /// use tool_runtime::testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("search").at_most(3)).build().is_ok());
    /// ```
    #[must_use]
    pub fn at_most(self, count: usize) -> Self {
        Self { count: Count::AtMost(count), ..self }
    }

    /// No call is like this.
    ///
    /// ```
    /// use tool_runtime::testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("write").at("path", "/etc/passwd").never()).build().is_ok());
    /// ```
    #[must_use]
    pub fn never(self) -> Self {
        self.times(0)
    }

    /// The first call like this was answered before the first of the others was made. Calls that were made side by side are in no order.
    ///
    /// ```
    /// use tool_runtime::testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("confirm").before("delete")).build().is_ok());
    /// ```
    #[must_use]
    pub fn before(mut self, other: impl Into<Self>) -> Self {
        self.relations.push(Relation::Before(other.into()));
        self
    }

    /// The first call like this was made after the first of the others was answered.
    ///
    /// ```
    /// use tool_runtime::testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("delete").after("confirm")).build().is_ok());
    /// ```
    #[must_use]
    pub fn after(mut self, other: impl Into<Self>) -> Self {
        self.relations.push(Relation::After(other.into()));
        self
    }

    /// A call of the function was refused in a way that the model can correct, and each such refusal was followed, within so many calls of
    /// the function, by one that succeeded and is like this.
    ///
    /// ```
    /// use tool_runtime::testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("get_weather").corrected_within(2)).build().is_ok());
    /// ```
    #[must_use]
    pub fn corrected_within(mut self, calls: usize) -> Self {
        if calls == 0 {
            self.misuses.push(Misuse::Empty("the number of corrections"));
        }
        self.courses.push(Course::CorrectedWithin(calls));
        self
    }

    /// A call of the function failed, in whatever way, and the next one of the function succeeded and is like this; so with each failure.
    ///
    /// ```
    /// use tool_runtime::testkit::{Expectations, calls};
    ///
    /// assert!(Expectations::new().expect(calls("fetch").succeeds_on_retry()).build().is_ok());
    /// ```
    #[must_use]
    pub fn succeeds_on_retry(mut self) -> Self {
        self.courses.push(Course::SucceedsOnRetry);
        self
    }

    fn and(mut self, condition: Condition) -> Self {
        self.conditions.push(condition);
        self
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether anything but the name is asked of a call.
    pub(super) fn is_particular(&self) -> bool {
        !self.conditions.is_empty()
    }

    /// Whether one call of its own is all that it asks for.
    pub(super) fn is_plain(&self) -> bool {
        self.count == Count::OfItsOwn && !self.is_related()
    }

    /// Whether it says what comes before, after, or after a failure.
    pub(super) fn is_related(&self) -> bool {
        !(self.relations.is_empty() && self.courses.is_empty())
    }

    /// Whether a call is one of the function.
    pub(super) fn is_of(&self, made: &Made) -> bool {
        made.name() == self.name
    }

    /// What is wrong with a call of the function.
    pub(super) fn mismatches(&self, made: &Made, screen: &Screen) -> Vec<Mismatch> {
        self.conditions.iter().flat_map(|condition| condition.mismatches(made, screen)).collect()
    }

    /// Whether a call is like this.
    pub(super) fn fits(&self, made: &Made, screen: &Screen) -> bool {
        self.is_of(made) && self.mismatches(made, screen).is_empty()
    }

    /// Everything in it that makes no sense.
    pub(super) fn misuses(&self) -> Vec<Misuse> {
        let mut found = self.misuses.clone();
        found.extend(self.conditions.iter().filter_map(Condition::misuse));
        if self.count == Count::Times(0) && self.is_related() {
            found.push(Misuse::NeverButOrdered(self.name.clone()));
        }
        for Relation::Before(other) | Relation::After(other) in &self.relations {
            found.extend(other.misuses());
        }
        found
    }
}

impl From<&str> for Calls {
    fn from(name: &str) -> Self {
        calls(name)
    }
}
