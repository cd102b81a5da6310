//! The texts of the rules: the [`ThrottledCall`] of a call, the [`Warning`] in an answer, and their sentences, which `docs/wire.md` lists.
//!
//! Invariant: the length of every text is bounded, whatever the length of the names is.

use std::time::Duration;

use super::limits::{Backoff, RateLimit, StreakLimits};
use crate::bounded;
use crate::failure::{Failure, ThrottleRule};
use crate::shape::Text;

/// The maximum number of bytes of tool names in an answer that only lists the tools.
const NAMES: usize = 420;

/// A rule and its count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reason {
    pub(super) rule: ThrottleRule,
    pub(super) count: u32,
    /// The other tool of two alternating calls.
    pub(super) partner: Option<usize>,
    /// `true` if calls of read-only tools came between the counted calls.
    pub(super) is_apart: bool,
    /// `true` if all counted failures were rejections, so that a call with valid arguments may run during the pause.
    pub(super) admits_valid: bool,
    /// `true` if the same error came for few different arguments, so that a call with arguments that were never tried may run during the
    /// pause.
    pub(super) admits_new: bool,
}

impl Reason {
    pub(super) const fn new(rule: ThrottleRule, count: u32) -> Self {
        Self { rule, count, partner: None, is_apart: false, admits_valid: false, admits_new: false }
    }

    /// Returns `true` if it may depend on the arguments of a call whether the pause of the tool admits it.
    pub(super) const fn depends_on_arguments(self) -> bool {
        self.admits_valid || matches!(self.rule, ThrottleRule::SameError)
    }

    /// Returns the count in words.
    fn row(self) -> String {
        if self.is_apart { times(self.count) } else { in_a_row(self.count) }
    }
}

/// The finding of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// A warning, with the count at which the rule pauses.
    Warn(Reason, u32),
    Pause(Reason, Backoff),
}

impl Finding {
    pub(super) fn from_reason(reason: Reason, streak: StreakLimits) -> Option<Self> {
        if streak.throttles(reason.count) {
            Some(Self::Pause(reason, streak.pause))
        } else {
            streak.warns(reason.count).then_some(Self::Warn(reason, streak.limit))
        }
    }
}

/// A warning that a rule adds to the answer to a call, before it throttles further calls.
///
/// ```
/// # use std::sync::Arc;
/// # use tool_runtime::{clock::SimulatedClock, Arguments};
/// # use tool_runtime::tool_schema::shape::{Ref, Shape};
/// # use tool_runtime::throttle::{CallEnd, SessionLimits, LimitOverrides, ThrottlePolicy, Throttle};
/// # let mut policy = ThrottlePolicy::with_limits(SessionLimits::default());
/// # let load = policy.add_tool("load", Ref::Static(Shape::ANY), &LimitOverrides::NONE);
/// # let throttle = Throttle::new(Arc::new(policy), Arc::new(SimulatedClock::new()));
/// let (arguments, exit) = (Arguments::from(r#"{"path": "a.wav"}"#), CallEnd::Succeeded { result: "0 bytes", repairs: 0 });
/// let first = throttle.admit(load, &arguments, None)?.report(&arguments, exit);
/// let second = throttle.admit(load, &arguments, None)?.report(&arguments, exit);
/// assert!(first.is_none());
/// assert_eq!(
///     second.map(|warning| warning.text),
///     Some("load was called 2 times in a row with the same arguments and gave the same result. Once more and this call is paused.".into()),
/// );
/// # Ok::<(), tool_runtime::throttle::ThrottledCall>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// The rule that warns.
    pub rule: ThrottleRule,
    /// The number of events that the rule has counted.
    pub count: u32,
    /// The sentence for the model.
    pub text: Text,
}

/// The throttled call of a call.
///
/// ```
/// # use std::sync::Arc;
/// # use tool_runtime::{Failure, clock::SimulatedClock, Arguments};
/// # use tool_runtime::tool_schema::shape::{Ref, Shape};
/// # use tool_runtime::throttle::{CallEnd, SessionLimits, LimitOverrides, ThrottlePolicy, Throttle};
/// # let mut policy = ThrottlePolicy::with_limits(SessionLimits::default());
/// # let read_file = policy.add_tool("read_file", Ref::Static(Shape::ANY), &LimitOverrides::NONE);
/// # let throttle = Throttle::new(Arc::new(policy), Arc::new(SimulatedClock::new()));
/// for path in ["\"a\"", "\"b\"", "\"c\""] {
///     let arguments = Arguments::from(path);
///     throttle.admit(read_file, &arguments, None)?.report(&arguments, CallEnd::Failed { error: "There is no such file." });
/// }
/// let throttled = throttle.admit(read_file, &"{}".into(), None).err();
/// assert_eq!(
///     throttled.map(|throttled| Failure::from(throttled).to_json()).as_deref(),
///     Some(concat!(
///         r#"{"error_type":"throttled","tool":"read_file","rule":"same_error","#,
///         r#""error_message":"Tool 'read_file' has failed 3 times with the same error. It is paused to prevent thrashing.","#,
///         r#""retry_guidance":"Do not repeat this call. Use another tool, or answer with what you have.","#,
///         r#""retry_after_ms":30000,"recovery":"replan"}"#,
///     )),
/// );
/// # Ok::<(), tool_runtime::throttle::ThrottledCall>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct ThrottledCall {
    /// The name that was called.
    pub tool: Text,
    /// The rule that throttles.
    pub rule: ThrottleRule,
    /// The number of events that the rule has counted: failures, calls, rounds, or unknown names.
    pub count: u32,
    /// The sentence for the model.
    pub message: String,
    /// The time until a call is allowed again; `None` if waiting does not help.
    pub retry_after: Option<Duration>,
    /// `true` if a call of the same tool with other arguments may run now.
    pub admits_others: bool,
}

impl From<ThrottledCall> for Failure {
    fn from(throttled: ThrottledCall) -> Self {
        let ThrottledCall { tool, rule, message, retry_after, admits_others, .. } = throttled;
        Self::throttled(&tool, rule, &message, retry_after).admitting_others(admits_others)
    }
}

/// Returns the message for a paused tool or call, or for a running probe.
pub(super) fn paused(tool: &str, reason: Reason, partner: Option<&str>, is_probing: bool) -> String {
    let tool = bounded::name(tool);
    let times = times(reason.count);
    let (what, whom) = match reason.rule {
        ThrottleRule::ConsecutiveFailures => (format!("Tool '{tool}' has failed {}.", in_a_row(reason.count)), "It is"),
        ThrottleRule::SameError => (format!("Tool '{tool}' has failed {times} with the same error."), "It is"),
        ThrottleRule::AlternatingCalls => {
            let partner = bounded::name(partner.unwrap_or_default());
            let both = if partner == tool {
                format!("Two calls of tool '{tool}' have")
            } else {
                format!("Tools '{tool}' and '{partner}' have")
            };
            (format!("{both} been called in turn {times} without a new result."), "These calls are")
        }
        _ => {
            let call = format!("Tool '{tool}' has been called {} with the same arguments", reason.row());
            (format!("{call} and gave the same result."), "This call is")
        }
    };
    if is_probing {
        return format!("{what} One call is trying whether it is different now; the others wait for it.");
    }
    format!("{what} {whom} paused to prevent thrashing.")
}

pub(super) fn warning(tool: &str, reason: Reason, limit: u32, partner: Option<&str>) -> Warning {
    let tool = bounded::name(tool);
    let Reason { rule, count, .. } = reason;
    let times = times(count);
    let left = limit.saturating_sub(count);
    let (failures, more) = match left {
        0 | 1 => ("one more failure".to_owned(), "Once more".to_owned()),
        left => (format!("{left} more failures"), format!("{left} times more")),
    };
    let text = match rule {
        ThrottleRule::ConsecutiveFailures => {
            format!("{tool} has failed {}. After {failures} it is paused.", in_a_row(count))
        }
        ThrottleRule::SameError => {
            format!("{tool} has failed {times} with the same error. After {failures} like it the tool is paused.")
        }
        ThrottleRule::AlternatingCalls => {
            let partner = bounded::name(partner.unwrap_or_default());
            let both = if partner == tool { format!("Two calls of {tool}") } else { format!("{tool} and {partner}") };
            format!("{both} were called in turn {times} without a new result. {more} and these calls are paused.")
        }
        _ => format!(
            "{tool} was called {} with the same arguments and gave the same result. {more} and this call is paused.",
            reason.row()
        ),
    };
    Warning { rule, count, text: text.into() }
}

pub(super) fn unknown_names(count: u32) -> Warning {
    let text = format!("{} invented. Call only tools that exist.", names(count));
    Warning { rule: ThrottleRule::UnknownTools, count, text: text.into() }
}

/// Returns the answer to a call of a further unknown name, which only lists the tools.
pub(super) fn shrunk<'n>(count: u32, tools: impl IntoIterator<Item = &'n str>) -> String {
    let (mut listed, mut omitted) = (String::new(), 0_usize);
    for tool in tools {
        let tool = bounded::name(tool);
        if omitted > 0 || listed.len() + tool.len() > NAMES {
            omitted += 1;
            continue;
        }
        if !listed.is_empty() {
            listed.push_str(", ");
        }
        listed.push_str(&tool);
    }
    let names = names(count);
    match (listed.is_empty(), omitted) {
        (true, _) => format!("{names} invented. There are no tools."),
        (false, 0) => format!("{names} invented. The tools are: {listed}."),
        (false, omitted) => format!("{names} invented. The tools are: {listed}, … and {omitted} more."),
    }
}

pub(super) fn too_fast(tool: &str, rule: ThrottleRule, rate: RateLimit) -> String {
    let (calls, seconds) = (rate.calls(), rate.window().as_secs_f64());
    let within =
        if rate.window() == Duration::from_secs(1) { "1 second".to_owned() } else { format!("{seconds} seconds") };
    if rule == ThrottleRule::SameToolRate {
        let (tool, times) = (bounded::name(tool), times_of(calls));
        return format!("Tool '{tool}' has been called {times} within {within}. It is paused until that is over.");
    }
    let calls = if calls == 1 { "1 call".to_owned() } else { format!("{calls} calls") };
    format!("{calls} within {within} failed or returned nothing new. All tools are paused until that is over.")
}

pub(super) fn spent(budget: u32) -> String {
    let failures = if budget == 1 { "1 failure".to_owned() } else { format!("{budget} failures") };
    format!("The run has had its {failures}. No tool can be called any more.")
}

/// Returns a number of occurrences in words. The number can be one, because a host may let a rule act on the first occurrence.
fn in_a_row(count: u32) -> String {
    if count == 1 { times(count) } else { format!("{} in a row", times(count)) }
}

fn names(count: u32) -> String {
    if count == 1 { "1 name was".to_owned() } else { format!("{count} names in a row were") }
}

fn times(count: u32) -> String {
    times_of(count as usize)
}

fn times_of(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}
