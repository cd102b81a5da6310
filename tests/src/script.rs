//! A throttle on a simulated clock, with scripted calls and the throttle's answer to each.
//!
//! The answer is `ok`, `warned RULE` or `rejected RULE in MS`. A rejected call has no result. A call takes the time that its step states.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde::Deserialize;
use tool_runtime::Arguments;
use tool_runtime::Issue;
use tool_runtime::ToolInput;
use tool_runtime::clock::{Clock, SimulatedClock};
use tool_runtime::failure::ThrottleRule;
use tool_runtime::throttle::{
    Batch, CallEnd, LimitOverrides, SessionLimits, Throttle, ThrottlePolicy, ThrottledCall, Ticket, Warning,
};
use tool_schema::check::check;
use tool_schema::issue::Path;
use tool_schema::json::Json;
use tool_schema::shape::Ref;

/// The arguments of every tool.
#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
pub struct Query {
    /// What to look for.
    #[tool(example = "rust")]
    pub q: Option<String>,
    /// Where from.
    #[tool(example = 0)]
    pub offset: Option<f64>,
}

/// The tools of every script: plain ones, and some with their own rules.
pub const TOOLS: [&str; 17] = [
    "load",
    "search",
    "read_file",
    "write_file",
    "book",
    "t1",
    "t2",
    "t3",
    "t4",
    "t5",
    "t6",
    "t7",
    "status",
    "finish",
    "clocked",
    "no_streak",
    "list",
];

/// The end of a call.
#[derive(Clone, Debug)]
pub enum End {
    /// A result.
    Ok(String),
    /// An error of the tool.
    Err(String),
    /// Issues in these fields.
    Bad(Vec<String>),
    /// A denial by the host.
    Denied,
    /// A deferral to the host.
    Deferred,
    /// A cancellation by the session.
    Cancelled,
}

/// A call of a script.
#[derive(Clone, Debug)]
pub struct Step {
    /// The name in the call. A name without a tool counts as invented.
    pub tool: &'static str,
    /// The arguments.
    pub arguments: String,
    /// The end of the call.
    pub end: End,
    /// The number of its batch in the script.
    pub batch: Option<usize>,
    /// The duration of the call.
    pub takes: Duration,
}

impl Step {
    /// Creates a call outside of a batch.
    pub fn new(tool: &'static str, arguments: impl Into<String>, end: End) -> Self {
        Self { tool, arguments: arguments.into(), end, batch: None, takes: Duration::ZERO }
    }

    /// Moves the call into a batch.
    #[must_use]
    pub fn within(self, batch: usize) -> Self {
        Self { batch: Some(batch), ..self }
    }

    /// Sets the duration of the call.
    #[must_use]
    pub fn taking(self, seconds: u64) -> Self {
        Self { takes: Duration::from_secs(seconds), ..self }
    }
}

/// Creates a call with a result.
pub fn ok(tool: &'static str, arguments: impl Into<String>, result: impl Into<String>) -> Step {
    Step::new(tool, arguments, End::Ok(result.into()))
}

/// Creates a call with an error of the tool.
pub fn err(tool: &'static str, arguments: impl Into<String>, error: impl Into<String>) -> Step {
    Step::new(tool, arguments, End::Err(error.into()))
}

/// Creates a call that is rejected because of these fields.
pub fn bad(tool: &'static str, arguments: impl Into<String>, fields: &[&str]) -> Step {
    Step::new(tool, arguments, End::Bad(fields.iter().map(ToString::to_string).collect()))
}

/// The answer of the throttle to a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// No answer.
    Ok,
    /// A warning.
    Warned(Warning),
    /// A rejection.
    Rejected(ThrottledCall),
}

impl Said {
    /// Returns the answer in words.
    pub fn words(&self) -> String {
        match self {
            Self::Ok => "ok".to_owned(),
            Self::Warned(warning) => format!("warned {}", warning.rule.as_str()),
            Self::Rejected(rejection) => match rejection.retry_after {
                Some(pause) => format!("rejected {} in {}", rejection.rule.as_str(), pause.as_millis()),
                None => format!("rejected {}", rejection.rule.as_str()),
            },
        }
    }

    /// Returns the rule of a rejection.
    pub fn rejected_by(&self) -> Option<ThrottleRule> {
        if let Self::Rejected(rejection) = self { Some(rejection.rule) } else { None }
    }
}

/// A session of scripted calls.
pub struct Script {
    /// The throttle under test.
    pub throttle: Throttle,
    /// The clock of the throttle.
    pub clock: SimulatedClock,
    tools: Vec<&'static str>,
    batches: BTreeMap<usize, Batch>,
}

impl Script {
    /// Creates a script with the usual tools and the default limits.
    pub fn new() -> Self {
        Self::with(SessionLimits::default())
    }

    /// Creates a script with the usual tools and other limits.
    pub fn with(limits: SessionLimits) -> Self {
        Self::of(
            limits,
            &TOOLS.map(|tool| match tool {
                "status" => (tool, LimitOverrides::NONE.polling()),
                "finish" => (tool, LimitOverrides::NONE.unlimited()),
                "clocked" => (tool, LimitOverrides::NONE.volatile_result_fields(["timestamp"])),
                "no_streak" => (tool, LimitOverrides::NONE.disable_rule(ThrottleRule::ConsecutiveFailures)),
                _ => (tool, LimitOverrides::NONE),
            }),
        )
    }

    /// Creates a script with other tools.
    pub fn of(limits: SessionLimits, tools: &[(&'static str, LimitOverrides)]) -> Self {
        let mut policy = ThrottlePolicy::with_limits(limits);
        for (name, overrides) in tools {
            let tool = policy.add_tool(*name, Ref::Static(Query::SHAPE), overrides);
            if *name == "list" {
                policy.mark_read_only(tool);
            }
        }
        let clock = SimulatedClock::new();
        let throttle = Throttle::new(Arc::new(policy), Arc::new(clock.clone()));
        Self { throttle, clock, tools: tools.iter().map(|(name, _)| *name).collect(), batches: BTreeMap::new() }
    }

    /// Returns the index of a tool, by which the throttle knows it.
    pub fn number(&self, tool: &str) -> Option<usize> {
        self.tools.iter().position(|known| *known == tool)
    }

    /// Makes a call and ends it.
    pub fn call(&mut self, step: &Step) -> Said {
        self.decide(std::slice::from_ref(step)).remove(0)
    }

    /// Makes the calls of one step: all of them are admitted before any of them ends.
    pub fn decide(&mut self, steps: &[Step]) -> Vec<Said> {
        let batches: Vec<_> = steps.iter().map(|step| self.batch(step)).collect();
        let mut admitted = Vec::new();
        for (step, batch) in steps.iter().zip(&batches) {
            let admit = |tool| self.throttle.admit(tool, &Arguments::from(&step.arguments), *batch);
            admitted.push(self.number(step.tool).map(admit));
        }
        let mut said = Vec::new();
        for ((step, batch), admitted) in steps.iter().zip(batches).zip(admitted) {
            said.push(match admitted {
                None => self.unknown(step, batch),
                Some(Err(rejection)) => Said::Rejected(rejection),
                Some(Ok(ticket)) => self.end(step, ticket),
            });
        }
        said
    }

    fn batch(&mut self, step: &Step) -> Option<Batch> {
        step.batch.map(|number| *self.batches.entry(number).or_insert_with(|| self.throttle.batch()))
    }

    fn unknown(&self, step: &Step, batch: Option<Batch>) -> Said {
        match self.throttle.count_unknown_name(step.tool, self.tools.iter().copied(), batch) {
            Ok(None) => Said::Ok,
            Ok(Some(warning)) => Said::Warned(warning),
            Err(rejection) => Said::Rejected(rejection),
        }
    }

    fn end(&self, step: &Step, ticket: Ticket<'_>) -> Said {
        self.clock.advance(step.takes);
        let issues: Vec<Issue> = if let End::Bad(fields) = &step.end { issues(fields) } else { Vec::new() };
        let exit = match &step.end {
            End::Ok(result) => CallEnd::Succeeded { result, repairs: 0 },
            End::Err(error) => CallEnd::Failed { error },
            End::Bad(_) => CallEnd::Rejected { issues: &issues },
            End::Denied => CallEnd::Denied,
            End::Deferred => CallEnd::Deferred,
            End::Cancelled => CallEnd::Cancelled,
        };
        ticket.report(&Arguments::from(&step.arguments), exit).map_or(Said::Ok, Said::Warned)
    }

    /// Advances the clock.
    pub fn wait(&self, milliseconds: u64) {
        self.clock.advance(Duration::from_millis(milliseconds));
    }

    /// Makes calls at their times in milliseconds, and compares the answer to each.
    #[track_caller]
    ///
    /// # Panics
    ///
    /// Panics if an answer differs.
    pub fn check(&mut self, calls: &[(u64, Step, &str)]) {
        for (index, (at, step, expected)) in calls.iter().enumerate() {
            let now = self.clock.now();
            self.clock.advance(Duration::from_millis(*at).saturating_sub(now));
            let said = self.call(step).words();
            assert_eq!(said, *expected, "call {} at {at} ms: {step:?}", index + 1);
        }
    }
}

impl Default for Script {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns an issue in each of these fields.
pub fn issues(fields: &[String]) -> Vec<Issue> {
    let of = |field: &String| {
        let mut issues = check(bool::SHAPE, &Json::parse("1").ok()?);
        for issue in &mut issues {
            issue.path = Path::root().key(field.as_str());
        }
        Some(issues)
    };
    fields.iter().filter_map(of).flatten().collect()
}
