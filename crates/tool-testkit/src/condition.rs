//! What one call must be like: [`Condition`], and how a call is not like it: [`Mismatch`].
//!
//! In: a call that was made. Out: a mismatch for each thing that is wrong with it, in the order of the conditions. What always holds: no
//! mismatch means that the call fits; the words of a mismatch show nothing that must not be shown.

use std::fmt;
use std::sync::Arc;

use crate::private::issue::{Path, REDACTED};
use tool_runtime::failure::{Failure, FailureKind, ThrottleRule};
use tool_runtime::tool_schema::json::{Json, Node};

use super::Misuse;
use super::compare::shown;
use super::difference::{Difference, Wanted};
use super::made::{Made, Screen};
use super::matcher::Matcher;
use super::phrases::listed;

/// Whether arguments are what a test wants, through their type.
pub(super) type Typed = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// One thing that a call must be.
#[derive(Clone)]
pub(super) enum Condition {
    /// What stands at a place of the arguments.
    At(Path, Matcher),
    /// These parameters and no others.
    NoOthers(Vec<String>),
    Typed(Typed),
    Succeeds,
    Returns(Matcher),
    FailsWith(FailureKind),
    Hinted(String),
    Repaired(String),
    Throttled(ThrottleRule),
}

/// What is wrong with a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mismatch {
    /// A parameter is not what it should be. The words may be shown; `got` is `None` where there is nothing.
    Parameter { path: Path, wanted: String, got: Option<String> },
    /// Anything else: a whole sentence.
    Other(String),
}

impl Condition {
    pub(super) fn misuse(&self) -> Option<Misuse> {
        match self {
            Self::At(_, matcher) | Self::Returns(matcher) => matcher.misuse(),
            Self::Hinted(field) if field.is_empty() => Some(Misuse::Empty("the field of a hint")),
            Self::Repaired(path) if path.is_empty() => Some(Misuse::Empty("the path of a repair")),
            _ => None,
        }
    }

    /// How many things are wrong with a call.
    pub(super) fn faults(&self, made: &Made) -> usize {
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

    /// The places where the parameters are not what they should be.
    fn differences<'m>(&'m self, made: &Made, tell: &mut impl FnMut(Difference<'m, '_>)) {
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

    /// What is wrong with a call, of its parameters the first so many things.
    pub(super) fn mismatches(&self, made: &Made, screen: &Screen, most: usize) -> Vec<Mismatch> {
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

    /// What is wrong with how a call ended.
    fn sentence(&self, made: &Made, screen: Option<&Screen>) -> Option<String> {
        match self {
            Self::Succeeds | Self::Returns(_) | Self::FailsWith(_) => self.about_result(made, screen),
            _ => self.about_behaviour(made),
        }
    }

    fn about_result(&self, made: &Made, screen: Option<&Screen>) -> Option<String> {
        let ended = ended(made);
        match (self, made.outcome.as_result()) {
            (Self::Succeeds, Ok(_)) => None,
            (Self::FailsWith(kind), Err(failure)) if failure.kind() == *kind => None,
            (Self::FailsWith(kind), _) => Some(format!("Expected it to fail with {}, but {ended}.", kind.as_str())),
            (Self::Returns(matcher), Ok(payload)) => {
                let value = payload.to_value();
                let json = Json::from_value(&value).unwrap_or_else(|_| Json::new(Node::Null));
                let is_other = !matcher.fits(&json);
                let sentence = |json: &Json<'_>| format!("Expected its result {matcher}, but it was {}.", shown(json));
                is_other.then(|| sentence(&screen.map_or(json.clone(), |screen| screen.result(made, json))))
            }
            _ => Some(format!("Expected it to succeed, but {ended}.")),
        }
    }

    fn about_behaviour(&self, made: &Made) -> Option<String> {
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

/// The rule that a call was throttled by.
pub(super) fn throttled_by(made: &Made) -> Option<String> {
    let failure = made.outcome.failure().filter(|failure| failure.kind() == FailureKind::Throttled)?;
    failure.to_value().get("rule")?.as_str().map(str::to_owned)
}

/// How a call ended, behind "but": `it failed with timeout`.
pub(super) fn ended(made: &Made) -> String {
    match made.outcome.as_result() {
        Ok(_) => "it succeeded".to_owned(),
        Err(_) if made.outcome.is_deferred() => "it waits for the host".to_owned(),
        Err(failure) => match throttled_by(made) {
            Some(rule) => format!("it was throttled by {rule}"),
            None => format!("it failed with {} ({})", failure.kind().as_str(), failure.error_type()),
        },
    }
}

/// What a sentence may say of a difference.
fn parameter(made: &Made, screen: &Screen, front: &Path, difference: &Difference<'_, '_>) -> Mismatch {
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
