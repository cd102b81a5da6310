//! An expected call of one function: [`CallExpectation`].
//!
//! Invariant: an expectation without a count needs a call that no other such expectation uses. An expectation with a count counts every
//! call that matches it.

mod arguments;
mod count_and_order;
mod outcome;

use tool_runtime::tool::TypedTool;
use tool_runtime::tool_schema::issue::Segment;

use crate::SetupError;
use crate::actual_call::{ActualCall, Screen};
use crate::call_requirement::{CallRequirement, Mismatch};

/// The maximum number of differing parameters that a report shows for one call.
const SHOWN: usize = 10;

/// An expected call of one function.
///
/// Arguments are compared as the tool received them, after repair.
///
/// ```
/// use tool_chat::conversation::Conversation;
/// use tool_chat::model::ScriptedModel;
/// use tool_runtime::{Toolbox, tool};
/// use tool_testkit::{Scenario, ScenarioError, calls, one_of};
///
/// /// Adds two numbers.
/// #[tool]
/// fn add(
///     /// First summand.
///     a: u8,
///     /// Second summand.
///     b: u8,
/// ) -> u8 {
///     a + b
/// }
///
/// let toolbox = Toolbox::builder().tool(AddTool).build()?;
/// let model = ScriptedModel::new().call("add", r#"{"a": 1, "b": 3}"#).text("Four.");
/// let scenario = Scenario::new(move || Conversation::new(toolbox.session(), model.clone()))
///     .prompt("What is one and two?")
///     .expect(calls("add").at("a", one_of([1, 2])).succeeds().times(1))
///     .expect(calls("add").at("b", 2));
/// let Err(ScenarioError::Failed(failed)) = pollster::block_on(scenario.run()) else { return Err("b is 3".into()) };
/// assert_eq!(failed.expectation_report().failed_expectations().len(), 1);
/// assert!(failed.to_string().contains("Expected parameter 'b' to be 2, but was 3."));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct CallExpectation {
    name: String,
    conditions: Vec<CallRequirement>,
    /// The mistakes that the methods of this expectation have found.
    errors: Vec<SetupError>,
    pub(crate) count: Count,
    pub(crate) relations: Vec<Relation>,
    pub(crate) reactions: Vec<Reaction>,
}

/// The required number of calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    /// One call. If several expectations have no count, each of them needs a different call.
    OfItsOwn,
    Times(usize),
    AtLeast(usize),
    AtMost(usize),
    Between(usize, usize),
}

/// The required order relative to the first call of another function.
#[derive(Clone)]
pub(crate) enum Relation {
    Before(CallExpectation),
    After(CallExpectation),
}

/// The required reaction to a failure of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reaction {
    /// A success within this number of further calls of the function.
    CorrectedWithin(usize),
    /// A success of the next call of the function.
    SucceedsOnRetry,
}

/// Expects the function to be called.
///
/// Use the advertised name. A call that was answered with a failure counts too; see [`succeeds`](CallExpectation::succeeds).
pub fn calls(name: impl Into<String>) -> CallExpectation {
    let name = name.into();
    let errors = if name.trim().is_empty() { vec![SetupError::Empty("the name of a function")] } else { Vec::new() };
    CallExpectation {
        name,
        conditions: Vec::new(),
        errors,
        count: Count::OfItsOwn,
        relations: Vec::new(),
        reactions: Vec::new(),
    }
}

/// Expects the function not to be called.
pub fn never(name: impl Into<String>) -> CallExpectation {
    calls(name).never()
}

/// Expects a call of a typed tool, with arguments that satisfy the condition.
///
/// If a parameter is renamed, the test no longer compiles, so you notice it. Arguments that the tool rejects never match. A transcript does
/// not contain values that the host supplies, so calls of a tool with required host parameters never match either.
///
/// ```
/// use tool_chat::conversation::Conversation;
/// use tool_chat::model::ScriptedModel;
/// use tool_runtime::{Toolbox, tool};
/// use tool_testkit::{Scenario, calls_typed};
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
/// let toolbox = Toolbox::builder().tool(GetWeatherTool).build()?;
/// let model = ScriptedModel::new().call("get_weather", r#"{"location": "Paris, France"}"#).text("Sun.");
/// let scenario = Scenario::new(move || Conversation::new(toolbox.session(), model.clone())).prompt("How is the weather in Paris?");
/// let paris = calls_typed::<GetWeatherTool>(|arguments| arguments.location.starts_with("Paris"));
/// pollster::block_on(scenario.expect(paris).run())?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn calls_typed<T: TypedTool>(fits: impl Fn(&T::Args) -> bool + Send + Sync + 'static) -> CallExpectation {
    let typed = move |text: &str| T::decode(text).is_ok_and(|arguments| fits(&arguments));
    calls(T::SPEC.name.as_str()).and(CallRequirement::Typed(std::sync::Arc::new(typed)))
}

impl CallExpectation {
    fn and(mut self, condition: CallRequirement) -> Self {
        self.conditions.push(condition);
        // `and_no_others` also allows the parameters that conditions after it name.
        let known = named(&self.conditions);
        for condition in &mut self.conditions {
            if let CallRequirement::NoOthers(names) = condition {
                names.clone_from(&known);
            }
        }
        self
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns `true` if there are conditions other than the name.
    pub(crate) fn is_particular(&self) -> bool {
        !self.conditions.is_empty()
    }

    /// Returns `true` if the expectation has no count and no condition on other calls, so that it just needs one call.
    pub(crate) fn is_plain(&self) -> bool {
        self.count == Count::OfItsOwn && !self.is_related()
    }

    /// Returns `true` if there is a condition on earlier or later calls.
    pub(crate) fn is_related(&self) -> bool {
        !(self.relations.is_empty() && self.reactions.is_empty())
    }

    /// Returns `true` for a call of the function.
    pub(crate) fn is_of(&self, made: &ActualCall) -> bool {
        made.name() == self.name
    }

    /// Returns the number of conditions that a call of the function violates.
    pub(crate) fn faults(&self, made: &ActualCall) -> usize {
        self.conditions.iter().map(|condition| condition.faults(made)).sum()
    }

    /// Returns at most [`SHOWN`] mismatches of a call of the function, followed by a count of the rest.
    pub(crate) fn mismatches(&self, made: &ActualCall, screen: &Screen) -> Vec<Mismatch> {
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

    /// Returns `true` if the call matches.
    pub(crate) fn fits(&self, made: &ActualCall) -> bool {
        self.is_of(made) && self.conditions.iter().all(|condition| condition.faults(made) == 0)
    }

    /// Returns the mistakes in this expectation.
    pub(crate) fn errors(&self) -> Vec<SetupError> {
        let mut found = self.errors.clone();
        found.extend(self.conditions.iter().filter_map(CallRequirement::misuse));
        if matches!(self.count, Count::Times(0) | Count::AtMost(0)) && self.is_related() {
            found.push(SetupError::NeverButOrdered(self.name.clone()));
        }
        for Relation::Before(other) | Relation::After(other) in &self.relations {
            found.extend(other.errors());
        }
        found
    }
}

impl From<&str> for CallExpectation {
    fn from(name: &str) -> Self {
        calls(name)
    }
}

/// Returns the parameters that the conditions name.
fn named(conditions: &[CallRequirement]) -> Vec<String> {
    let mut known = Vec::new();
    for condition in conditions {
        let CallRequirement::At(path, matcher) = condition else { continue };
        match path.segments().first() {
            Some(Segment::Key(key)) => known.push(key.to_string()),
            _ => known.extend(matcher.keys().map(str::to_owned)),
        }
    }
    known
}
