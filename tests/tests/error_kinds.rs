//! The failure kind of a custom error: it follows from the type, whatever the model reads.

use std::time::Duration;

use serde_json::{Value, json};
use tool_runtime::container::ExpansionSettings;
use tool_runtime::failure::{Failure, ToolError, Treatment};
use tool_runtime::{Outcome, ToolFailure, Toolbox, plugin_container, tool};

#[derive(Debug, thiserror::Error, ToolFailure)]
enum Error {
    #[error("the index is away")]
    #[tool(unavailable, retry_after = 0)]
    Away(Option<Duration>, #[source] std::fmt::Error),
    #[error("too many searches")]
    #[tool(rate_limited, retry_after = pause)]
    TooMany { pause: Duration },
    #[error("the index did not answer")]
    #[tool(timeout)]
    Slow,
    #[error("no such query: {query}")]
    #[tool(retry, field = "query")]
    Unknown { query: String },
    #[error("not yours")]
    #[tool(rejected, field = "query")]
    Forbidden,
    #[error("disk 3 is on fire")]
    #[tool(internal)]
    Fire,
    #[error("nothing is said of this")]
    Other,
}

fn fail(query: String) -> Result<(), Error> {
    Err(match &*query {
        "away" => Error::Away(Some(Duration::from_millis(250)), std::fmt::Error),
        "gone" => Error::Away(None, std::fmt::Error),
        "many" => Error::TooMany { pause: Duration::from_secs(3) },
        "slow" => Error::Slow,
        "forbidden" => Error::Forbidden,
        "fire" => Error::Fire,
        "other" => Error::Other,
        _ => Error::Unknown { query },
    })
}

/// Searches.
#[tool]
fn search(
    /// What for.
    query: String,
) -> Result<(), Error> {
    fail(query)
}

/// Searches, and takes its time.
#[tool(errors = "hidden")]
async fn search_hidden(
    /// What for.
    query: String,
) -> Result<(), Error> {
    fail(query)
}

struct Index;

/// Members of a container take the same way.
#[plugin_container]
impl Index {
    /// Looks up.
    #[tool]
    fn look_up(
        &self,
        /// What for.
        query: String,
    ) -> Result<(), Error> {
        fail(query)
    }
}

fn call(tool: &str, query: &str) -> Outcome {
    let builder = Toolbox::builder().tool(SearchTool).tool(SearchHiddenTool).container(Index);
    let session =
        builder.expansion(ExpansionSettings::new().collapse_above(9)).build().expect("the names differ").session();
    pollster::block_on(session.call("call_1", tool, json!({ "query": query })))
}

fn told(tool: &str, query: &str) -> Value {
    serde_json::from_str(&call(tool, query).to_text()).expect("a failure is JSON")
}

#[test]
fn each_variant_is_answered_as_its_attribute_states() {
    for tool in ["search", "search_hidden", "look_up"] {
        for (query, error_type, recovery, retry_after) in [
            ("away", "unavailable", "replan", json!(250)),
            ("gone", "unavailable", "replan", Value::Null),
            ("many", "rate_limited", "replan", json!(3_000)),
            ("slow", "timeout", "replan", Value::Null),
            ("forbidden", "tool_error", "replan", Value::Null),
            ("fire", "internal_error", "replan", Value::Null),
            ("other", "tool_error", "replan", Value::Null),
            ("anything", "tool_error", "correct_call", Value::Null),
        ] {
            let told = told(tool, query);
            let found = [&told["error_type"], &told["recovery"], &told["retry_after_ms"]];
            assert_eq!(found, [&json!(error_type), &json!(recovery), &retry_after], "{tool} {query}");
        }
    }
}

#[test]
fn the_field_at_fault_is_named() {
    let outcome = call("search", "anything");
    let failure = outcome.failure();
    let issues: Vec<_> = failure.iter().flat_map(|failure| failure.issues()).map(|i| i.path.to_string()).collect();
    assert_eq!(issues, ["query"]);
    assert_eq!(told("search", "anything")["errors"][0]["attempted_value"], "anything");
}

#[test]
fn the_text_of_the_error_is_unchanged() {
    assert_eq!(told("search", "anything")["error_message"], "no such query: anything");
    let hidden = told("search_hidden", "anything");
    assert_eq!(hidden["error_message"], "The tool failed; its details are not shown.");
    assert!(!call("search", "fire").to_text().contains("fire"));
}

#[test]
fn the_details_of_a_failure_contain_the_error_chain() {
    let details = |query| call("search", query).failure().and_then(Failure::observer_details).map(ToOwned::to_owned);
    let away = details("away");
    let chain = "the index is away: the index is away: an error occurred when formatting an argument";
    assert!(away.as_deref().is_some_and(|details| details.starts_with("the index is away")), "{away:?}");
    assert!(
        away.as_deref().is_some_and(|details| details.ends_with(": an error occurred when formatting an argument"))
    );
    assert!(away.is_some_and(|details| details.len() <= chain.len()));
    assert!(details("fire").is_some_and(|details| details.contains("disk 3 is on fire")));
}

#[derive(Debug, thiserror::Error, ToolFailure)]
#[error("the lease of {0} is over")]
#[tool(unavailable)]
struct Expired<T: std::fmt::Debug + std::fmt::Display + Send + Sync + 'static>(T);

/// Leases something.
#[tool]
fn lease(
    /// The kind of failure.
    way: u8,
) -> Result<u8, Expired<u8>> {
    if way == 0 { Ok(0) } else { Err(Expired(way)) }
}

#[test]
fn a_struct_has_one_kind_and_may_be_generic() {
    let session = Toolbox::builder().tool(LeaseTool).build().expect("the toolbox is valid").session();
    let way = |way: u8| pollster::block_on(session.call("call_1", "lease", json!({ "way": way })));
    assert_eq!(way(0).to_text(), "0");
    assert_eq!(way(4).failure().map(Failure::message).as_deref(), Some("the lease of 4 is over"));
    assert_eq!(way(4).failure().map(Failure::error_type), Some("unavailable"));
}

/// Other ways of failing still work.
mod others {
    use super::*;

    type Alias<T> = Result<T, Error>;

    /// Fails through an alias.
    #[tool]
    pub(crate) fn aliased() -> Alias<u8> {
        Err(Error::Slow)
    }

    /// Fails with a text.
    #[tool]
    pub(crate) fn text() -> Result<u8, String> {
        Err("a text".to_owned())
    }

    /// Fails on purpose.
    #[tool]
    pub(crate) fn purpose() -> Result<u8, ToolError> {
        Err(ToolError::unavailable("on purpose"))
    }

    /// Cannot fail.
    #[tool]
    pub(crate) fn plain() -> u8 {
        7
    }

    /// Gives nothing.
    #[tool]
    pub(crate) async fn nothing() {}
}

#[test]
fn other_return_types_still_work() {
    use others::{AliasedTool, NothingTool, PlainTool, PurposeTool, TextTool};
    let builder = Toolbox::builder().tool(AliasedTool).tool(TextTool).tool(PurposeTool).tool(PlainTool);
    let session = builder.tool(NothingTool).build().expect("the names differ").session();
    let kind = |name: &str| {
        let outcome = pollster::block_on(session.call("call_1", name, ""));
        outcome
            .as_result()
            .map_or_else(|failure| failure.error_type().to_owned(), |payload| payload.as_str().to_owned())
    };
    let kinds = ["aliased", "text", "purpose", "plain", "nothing"].map(kind);
    assert_eq!(kinds, ["timeout", "tool_error", "unavailable", "7", "done"]);
}

#[test]
fn a_treatment_may_be_implemented_manually() {
    #[derive(Debug, thiserror::Error)]
    #[error("status {0}")]
    struct Status(u16);

    impl ToolFailure for Status {
        fn treatment(&self) -> Treatment {
            if self.0 == 429 { Treatment::rate_limited() } else { Treatment::internal() }
        }
    }

    /// Answers with a status.
    #[tool]
    fn status(
        /// Which.
        code: u16,
    ) -> Result<(), Status> {
        Err(Status(code))
    }

    let session = Toolbox::builder().tool(StatusTool).build().expect("the toolbox is valid").session();
    let kind = |code: u16| {
        let outcome = pollster::block_on(session.call("call_1", "status", json!({ "code": code })));
        outcome.failure().map(Failure::error_type)
    };
    assert_eq!([kind(429), kind(500)], [Some("rate_limited"), Some("internal_error")]);
}

#[test]
fn an_infinite_pause_becomes_a_year() {
    let year = 365 * 24 * 60 * 60 * 1_000_u64;
    for (pause, shown) in [(Duration::MAX, year), (Duration::from_secs(u64::MAX), year), (Duration::ZERO, 0)] {
        let errors = [
            ToolError::unavailable("Down.").retry_after(pause),
            ToolError::rate_limited("Slow down.").retry_after(pause),
            ToolError::timeout("Too slow.").retry_after(pause),
        ];
        let failures = errors.iter().map(|error| Failure::tool_error("search", error));
        for failure in failures.chain([Failure::unavailable("search", Some(pause))]) {
            assert_eq!(failure.to_value()["retry_after_ms"].as_u64(), Some(shown));
            assert!(failure.retry_after() <= Some(Duration::from_millis(year)));
        }
    }
}
