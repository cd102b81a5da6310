//! One requirement on a call, [`CallRequirement`], and one violation of it, [`Mismatch`].
//!
//! Invariants: a call without mismatches meets the requirement. The text of a mismatch does not contain secrets.

use std::fmt;
use std::sync::Arc;

use crate::private::issue::{Path, REDACTED};
use tool_runtime::failure::{Failure, FailureKind, ThrottleRule};
use tool_runtime::tool_schema::json::{Json, Node};

use super::SetupError;
use super::actual_call::{ActualCall, Screen};
use super::compare::shown;
use super::difference::{Difference, Wanted};
use super::matcher::Matcher;
use super::sentence_parts::listed;

/// A test of typed arguments.
pub(super) type Typed = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// One requirement on a call.
#[derive(Clone)]
pub(super) enum CallRequirement {
    /// A value at a path of the arguments.
    At(Path, Matcher),
    /// No parameters except these.
    NoOthers(Vec<String>),
    Typed(Typed),
    Succeeds,
    Returns(Matcher),
    FailsWith(FailureKind),
    Hinted(String),
    Repaired(String),
    Throttled(ThrottleRule),
}

/// One violation of a requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mismatch {
    /// A parameter that differs. Both texts are already redacted; `got` is `None` if the parameter is absent.
    Parameter { path: Path, wanted: String, got: Option<String> },
    /// Any other violation, as a whole sentence.
    Other(String),
}

impl CallRequirement {
    pub(super) fn misuse(&self) -> Option<SetupError> {
        match self {
            Self::At(_, matcher) | Self::Returns(matcher) => matcher.misuse(),
            Self::Hinted(field) if field.is_empty() => Some(SetupError::Empty("the field of a hint")),
            Self::Repaired(path) if path.is_empty() => Some(SetupError::Empty("the path of a repair")),
            _ => None,
        }
    }

    /// Returns the number of violations of this requirement by a call.
    pub(super) fn faults(&self, made: &ActualCall) -> usize {
        match self {
            Self::At(..) | Self::NoOthers(_) => {
                let mut faults = 0;
                self.differences(made, &mut |_| faults += 1);
                faults
            }
            Self::Typed(fits) => usize::from(!fits(made.text())),
            _ => usize::from(self.sentence(made, None).is_some()),
        }
    }

    /// Reports each differing parameter.
    fn differences<'m>(&'m self, made: &ActualCall, tell: &mut impl FnMut(Difference<'m, '_>)) {
        match self {
            Self::At(path, matcher) => matcher.differences(made.at(path), tell),
            Self::NoOthers(known) => match made.arguments.as_ref().map(|json| (&json.node, json.members())) {
                Some((Node::Object(_), sent)) => {
                    let others = sent.iter().filter(|member| !known.iter().any(|name| **name == *member.key));
                    others.for_each(|member| tell(Difference::unexpected(&member.key)));
                }
                _ => tell(Difference::here(Wanted::Object)),
            },
            _ => {}
        }
    }

    /// Returns the violations of this requirement by a call. At most `most` of them are about parameters.
    pub(super) fn mismatches(&self, made: &ActualCall, screen: &Screen, most: usize) -> Vec<Mismatch> {
        let root = Path::root();
        match self {
            Self::At(..) | Self::NoOthers(_) => {
                let front = if let Self::At(path, _) = self { path } else { &root };
                let mut found = Vec::new();
                self.differences(made, &mut |difference| {
                    if found.len() < most {
                        found.push(parameter(made, screen, front, &difference));
                    }
                });
                found
            }
            Self::Typed(fits) => {
                let mismatch = || Mismatch::Parameter {
                    path: root,
                    wanted: "to satisfy the condition of the test".to_owned(),
                    got: Some(screen.arguments(made)),
                };
                (!fits(made.text())).then(mismatch).into_iter().collect()
            }
            _ => self.sentence(made, Some(screen)).map(Mismatch::Other).into_iter().collect(),
        }
    }

    /// Returns a sentence if the call did not end as required.
    fn sentence(&self, made: &ActualCall, screen: Option<&Screen>) -> Option<String> {
        match self {
            Self::Succeeds | Self::Returns(_) | Self::FailsWith(_) => self.about_result(made, screen),
            _ => self.about_behaviour(made),
        }
    }

    fn about_result(&self, made: &ActualCall, screen: Option<&Screen>) -> Option<String> {
        let ended = ended(made);
        match (self, made.outcome.as_result()) {
            (Self::Succeeds, Ok(_)) => None,
            (Self::FailsWith(kind), Err(failure)) if failure.kind() == *kind => None,
            (Self::FailsWith(kind), _) => Some(format!("Expected it to fail with {}, but {ended}.", kind.as_str())),
            (Self::Returns(matcher), Ok(payload)) => {
                let value = payload.to_value();
                let json = Json::from_value(&value).unwrap_or_else(|_| Json::from_node(Node::Null));
                let is_other = !matcher.fits(&json);
                let sentence = |json: &Json<'_>| format!("Expected its result {matcher}, but it was {}.", shown(json));
                is_other.then(|| sentence(&screen.map_or(json.clone(), |screen| screen.result(made, json))))
            }
            _ => Some(format!("Expected it to succeed, but {ended}.")),
        }
    }

    fn about_behaviour(&self, made: &ActualCall) -> Option<String> {
        let failure = made.outcome.failure();
        match self {
            Self::Hinted(field) => {
                let hint = failure.and_then(Failure::retry_hint);
                let fields: Vec<&str> =
                    hint.iter().flat_map(|hint| hint.missing_fields().chain(hint.constrained_fields())).collect();
                let but = if hint.is_some() {
                    format!("it was about {}", listed(&fields))
                } else {
                    "there was no hint".to_owned()
                };
                (!fields.contains(&field.as_str())).then(|| format!("Expected a hint about '{field}', but {but}."))
            }
            Self::Repaired(path) => {
                let repaired: Vec<String> =
                    made.outcome.repairs().iter().map(|repair| repair.path.to_string()).collect();
                let repaired: Vec<&str> = repaired.iter().map(String::as_str).collect();
                let but = if repaired.is_empty() {
                    "nothing was".to_owned()
                } else {
                    format!("only {} was", listed(&repaired))
                };
                (!repaired.contains(&path.as_str())).then(|| format!("Expected '{path}' to be repaired, but {but}."))
            }
            Self::Throttled(rule) => {
                let ended = ended(made);
                (throttled_by(made).as_deref() != Some(rule.as_str()))
                    .then(|| format!("Expected it to be throttled by {}, but {ended}.", rule.as_str()))
            }
            _ => None,
        }
    }
}

/// Returns the throttle rule that rejected a call.
pub(super) fn throttled_by(made: &ActualCall) -> Option<String> {
    let failure = made.outcome.failure().filter(|failure| failure.kind() == FailureKind::Throttled)?;
    failure.to_value().get("rule")?.as_str().map(str::to_owned)
}

/// Returns the end of a call as a clause to put after "but": `it failed with timeout`.
pub(super) fn ended(made: &ActualCall) -> String {
    match made.outcome.as_result() {
        Ok(_) => "it succeeded".to_owned(),
        Err(_) if made.outcome.is_deferred() => "it waits for the host".to_owned(),
        Err(failure) => match throttled_by(made) {
            Some(rule) => format!("it was throttled by {rule}"),
            None => format!("it failed with {} ({})", failure.kind().as_str(), failure.error_type()),
        },
    }
}

/// Converts a difference of a parameter into a mismatch without secrets.
fn parameter(made: &ActualCall, screen: &Screen, front: &Path, difference: &Difference<'_, '_>) -> Mismatch {
    let path = difference.at(front);
    let is_hidden = screen.hides(made, &path)
        || difference.wanted.values().iter().any(|value| screen.has_secrets(made, &path, value));
    let wanted = if is_hidden { format!("to be \"{REDACTED}\"") } else { difference.wanted.words() };
    let got = if path.is_root() { Some(screen.arguments(made)) } else { screen.at(made, &path).as_ref().map(shown) };
    Mismatch::Parameter { path, wanted, got }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parameter { path, wanted, got } if path.is_root() => {
                write!(f, "Expected the parameters {wanted}, but they were {}.", got.as_deref().unwrap_or_default())
            }
            Self::Parameter { path, wanted, got } => {
                write!(f, "Expected parameter '{path}' {wanted}, but was {}.", got.as_deref().unwrap_or("absent"))
            }
            Self::Other(sentence) => f.write_str(sentence),
        }
    }
}
