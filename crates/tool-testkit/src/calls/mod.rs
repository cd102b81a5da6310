//! Calls of one function, as a test expects them: [`Calls`].
//!
//! In: the name, what each call must be like, how many there must be, what comes before and after. Out: an expectation. What always
//! holds: without a count, each expectation wants a call of its own; with a count, it counts every call that is like it.

mod arguments;
mod ending;
mod often;

use tool_runtime::tool::TypedTool;
use tool_runtime::tool_schema::issue::Segment;

use crate::Misuse;
use crate::condition::{Condition, Mismatch};
use crate::made::{Made, Screen};

/// How many parameters of a call that are not what they should be are told.
const SHOWN: usize = 10;

/// Calls of one function, as a test expects them.
///
/// Arguments are judged as the tool was given them: what was repaired counts as what it was read as.
///
/// ```
/// use serde_json::json;
/// use tool_testkit::{Expectations, calls, contains};
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
    pub(crate) count: Count,
    pub(crate) relations: Vec<Relation>,
    pub(crate) courses: Vec<Course>,
}

/// How many calls there must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    /// One that nobody else expects.
    OfItsOwn,
    Times(usize),
    AtLeast(usize),
    AtMost(usize),
    Between(usize, usize),
}

/// What must have been called before, or after.
#[derive(Clone)]
pub(crate) enum Relation {
    Before(Calls),
    After(Calls),
}

/// What follows a failure of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Course {
    /// A call that succeeds, within so many of the function.
    CorrectedWithin(usize),
    /// A call that succeeds, the next of the function.
    SucceedsOnRetry,
}

/// Expects the function to be called.
///
/// The name is the one that is advertised. A call that was answered with a failure is a call, too; see [`Calls::succeeds`].
///
/// ```
/// use tool_testkit::{Expectations, calls};
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
/// use tool_testkit::{Expectations, never};
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
/// use tool_runtime::tool;
/// use tool_testkit::{Expectations, calls_typed};
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
    fn and(mut self, condition: Condition) -> Self {
        self.conditions.push(condition);
        // What is named later is known as well.
        let known = named(&self.conditions);
        for condition in &mut self.conditions {
            if let Condition::NoOthers(names) = condition {
                names.clone_from(&known);
            }
        }
        self
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Whether anything but the name is asked of a call.
    pub(crate) fn is_particular(&self) -> bool {
        !self.conditions.is_empty()
    }

    /// Whether one call of its own is all that it asks for.
    pub(crate) fn is_plain(&self) -> bool {
        self.count == Count::OfItsOwn && !self.is_related()
    }

    /// Whether it says what comes before, after, or after a failure.
    pub(crate) fn is_related(&self) -> bool {
        !(self.relations.is_empty() && self.courses.is_empty())
    }

    /// Whether a call is one of the function.
    pub(crate) fn is_of(&self, made: &Made) -> bool {
        made.name() == self.name
    }

    /// How many things are wrong with a call of the function.
    pub(crate) fn faults(&self, made: &Made) -> usize {
        self.conditions.iter().map(|condition| condition.faults(made)).sum()
    }

    /// What is wrong with a call of the function, and how much there is besides where it is too much for a reader.
    pub(crate) fn mismatches(&self, made: &Made, screen: &Screen) -> Vec<Mismatch> {
        let mut found: Vec<Mismatch> = Vec::new();
        for condition in &self.conditions {
            found.extend(condition.mismatches(made, screen, SHOWN.saturating_sub(found.len())));
        }
        let more = self.faults(made).saturating_sub(found.len());
        if more > 0 {
            found.push(Mismatch::Other(format!("And {more} more.")));
        }
        found
    }

    /// Whether a call is like this.
    pub(crate) fn fits(&self, made: &Made) -> bool {
        self.is_of(made) && self.conditions.iter().all(|condition| condition.faults(made) == 0)
    }

    /// Everything in it that makes no sense.
    pub(crate) fn misuses(&self) -> Vec<Misuse> {
        let mut found = self.misuses.clone();
        found.extend(self.conditions.iter().filter_map(Condition::misuse));
        if matches!(self.count, Count::Times(0) | Count::AtMost(0)) && self.is_related() {
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

/// The parameters that conditions name.
fn named(conditions: &[Condition]) -> Vec<String> {
    let mut known = Vec::new();
    for condition in conditions {
        let Condition::At(path, matcher) = condition else { continue };
        match path.segments().first() {
            Some(Segment::Key(key)) => known.push(key.to_string()),
            _ => known.extend(matcher.keys().map(str::to_owned)),
        }
    }
    known
}
