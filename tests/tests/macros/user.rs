//! A program as a user would write it: containers that borrow across `await`, type aliases of results, `Self`, maps with keys of every
//! kind, sessions with their own state. The answers and the `jsonschema` crate show which calls run and why others are rejected.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tool_runtime::RepairPolicy;
use tool_runtime::toolbox::{FeedbackForm, NeedsSessionState};
use tool_runtime::{Dialect, Session, ToolInput, Toolbox, TypedTool, plugin_container, tool};

type Outcome<T> = Result<T, Box<dyn Error + Send + Sync>>;

trait Clock: Send + Sync {
    fn now(&self) -> u64;
}

impl Clock for u64 {
    fn now(&self) -> u64 {
        *self
    }
}

#[derive(Clone, Copy, Deserialize, Serialize, PartialEq, Eq, PartialOrd, Ord, ToolInput)]
#[serde(rename_all = "snake_case")]
enum Color {
    DarkRed,
    DarkBlue,
}

/// A drawing.
#[derive(Clone, Deserialize, Serialize, ToolInput)]
#[tool(ignore_unknown)]
struct Drawing {
    /// Its name.
    name: String,
}

/// Drawings.
#[plugin_container]
impl Drawing {
    const SIDES: usize = 2;

    fn one() -> u8 {
        1
    }

    /// A reference into the container.
    #[tool]
    async fn name(&self) -> &str {
        std::future::ready(()).await;
        &self.name
    }

    /**
        A reference
        to the text itself.
    */
    #[tool]
    fn title(&self) -> &String {
        &self.name
    }

    /** A shared text,
     * told in
     *   two ways.
     */
    #[tool]
    fn shared(&self) -> Arc<str> {
        self.name.as_str().into()
    }

    /// Two drawings
    /// as one.
    #[tool]
    async fn join(
        &self,
        /// The other one.
        other: Self,
        /// Number of steps, to either side.
        #[tool(default_fn = Self::one)]
        times: u8,
        /// Width and height.
        size: Option<[u8; Self::SIDES]>,
    ) -> Outcome<Self> {
        std::future::ready(()).await;
        if size == Some([0, 0]) {
            return Err("nothing can be seen".into());
        }
        Ok(Self { name: format!("{}{}", self.name, other.name.repeat(times.into())) })
    }

    /// Paints.
    #[tool]
    fn r#match(
        &self,
        /// Number of items of each colour.
        r#type: BTreeMap<Color, u8>,
        /// By number.
        numbers: Option<BTreeMap<i8, bool>>,
    ) -> usize {
        r#type.len() + numbers.map_or(0, |numbers| numbers.len())
    }
}

/// Names the user and the time.
#[tool]
async fn whoami(#[tool(state)] user: &String, #[tool(state)] clock: &Arc<dyn Clock>) -> Value {
    json!([user, clock.now()])
}

fn toolbox() -> Toolbox<NeedsSessionState> {
    toolbox_under(RepairPolicy::default())
}

fn toolbox_under(policy: RepairPolicy) -> Toolbox<NeedsSessionState> {
    let drawing = Drawing { name: "a".to_owned() };
    let clock: Arc<dyn Clock> = Arc::new(7_u64);
    let builder = Toolbox::builder()
        .feedback(FeedbackForm::Json)
        .container(drawing)
        .tool(WhoamiTool)
        .require_session_state::<String>()
        .state(clock);
    builder.repair(policy).build().expect("the toolbox is valid")
}

/// Returns a session in which the container is expanded.
fn session() -> Session {
    session_under(RepairPolicy::default())
}

fn session_under(policy: RepairPolicy) -> Session {
    let session = toolbox_under(policy).session_with("ann".to_owned()).expect("the state has the declared type");
    assert!(call(&session, "Drawing", "").starts_with(r#"{"expanded":"#));
    session
}

fn call(session: &Session, name: &str, arguments: &str) -> String {
    let id = "call \"1\"\n\u{0}";
    let outcome = pollster::block_on(session.call(id, name, arguments));
    assert_eq!(outcome.call_id(), id);
    outcome.to_text().into_owned()
}

#[test]
fn every_kind_of_text_is_returned_unchanged() {
    let session = session();
    for name in ["name", "title", "shared"] {
        assert_eq!(call(&session, name, "{}"), "a", "{name}");
    }
}

#[test]
fn a_comment_of_several_lines_has_no_margin() {
    assert_eq!(DrawingJoinTool::SPEC.description, "Two drawings\nas one.");
    assert_eq!(DrawingTitleTool::SPEC.description, "A reference\nto the text itself.");
    assert_eq!(DrawingSharedTool::SPEC.description, "A shared text,\ntold in\n  two ways.");
}

#[test]
fn members_can_use_self() {
    let session = session();
    assert_eq!(call(&session, "join", r#"{"other": {"name": "b"}, "size": [1, 2]}"#), r#"{"name":"ab"}"#);
    let rejected: Value = serde_json::from_str(&call(&session, "join", r#"{"other": {"name": "b"}, "size": [0, 0]}"#))
        .expect("a rejection is JSON");
    assert_eq!(rejected["error_message"], "nothing can be seen");
}

#[test]
fn sessions_share_a_toolbox_but_no_state() {
    fn is_send<T: Send>(value: T) -> T {
        value
    }

    let toolbox = toolbox();
    for user in ["ann", "bob"] {
        let session = toolbox.session_with(user.to_owned()).expect("the state has the declared type");
        let outcome = pollster::block_on(is_send(session.call("", "whoami", "{}")));
        assert_eq!(outcome.to_text(), json!([user, 7]).to_string());
        let early = call(&session, "name", "{}");
        assert!(early.contains("container_not_expanded"), "expansions belong to a session: {early}");
    }
}

/// A wrong key is reported as a key: if the issue were about the value under it, a model would correct the value and fail again.
#[test]
fn a_wrong_key_of_a_map_is_not_reported_as_a_wrong_value() {
    let session = session_under(RepairPolicy::Strict);
    let hint = |arguments: &str| -> Value {
        let answer: Value = serde_json::from_str(&call(&session, "match", arguments)).expect("a rejection is JSON");
        answer["retry_hint"]["constraints"].clone()
    };
    assert_eq!(
        hint(r#"{"type": {"darkRed": 1}}"#),
        json!([{"field": "type.darkRed", "remove": true, "did_you_mean": "dark_red"}]),
    );
    assert_eq!(hint(r#"{"type": {"darkRed": 1, "dark_red": 2}}"#), json!([{"field": "type.darkRed", "remove": true}]));
    assert_eq!(
        hint(r#"{"type": {}, "numbers": {"x": 5, "200": true, "-1": true}}"#),
        json!([{"field": "numbers.x", "remove": true}, {"field": "numbers[\"200\"]", "remove": true}]),
    );
    let told = call(&session, "match", r#"{"type": {}, "numbers": {"x": true}}"#);
    assert!(told.contains("numbers.x is not a known field (known: integer from -128 to 127)"), "{told}");
}

#[test]
fn a_call_runs_if_the_schema_accepts_it() {
    let session = session_under(RepairPolicy::Strict);
    let definitions: Value = serde_json::from_str(&session.definitions_in(Dialect::MCP).to_string()).expect("JSON");
    let calls = [
        ("join", r#"{"other": {"name": "b"}}"#, true),
        ("join", r#"{"other": {"name": "b"}, "size": null}"#, true),
        ("join", r#"{"other": {"name": "b"}, "size": [1, 2, 3]}"#, false),
        ("join", r#"{"other": {"name": "b"}, "times": null}"#, false),
        ("join", r#"{"other": {"name": null}}"#, false),
        ("join", r#"{"other": {"name": "b"}, "self": {}}"#, false),
        ("match", r#"{"type": {"dark_red": 1, "dark_blue": 255}}"#, true),
        ("match", r#"{"type": {"DarkRed": 1}}"#, false),
        ("match", r#"{"type": {"dark_red": 256}}"#, false),
        ("match", r#"{"type": {}, "numbers": {"-5": true, "0": false}}"#, true),
        ("match", r#"{"type": {}, "numbers": {"05": true}}"#, false),
        ("match", r#"{"r#type": {}}"#, false),
    ];
    for (name, arguments, accepted) in calls {
        let tool = definitions.as_array().and_then(|tools| tools.iter().find(|tool| tool["name"] == name));
        let schema = jsonschema::validator_for(&tool.expect("the tool is defined")["inputSchema"]).expect("a schema");
        let value: Value = serde_json::from_str(arguments).expect("JSON");
        let outcome = pollster::block_on(session.call("1", name, arguments));
        assert_eq!([outcome.as_result().is_ok(), schema.is_valid(&value)], [accepted; 2], "{name} {arguments}");
    }
}
