//! Code that `#[tool]` and `#[plugin_container]` generate: types, specs, answers.

use std::collections::BTreeMap;
use std::sync::Mutex;

use serde::{Deserialize, Serialize};
use tool_runtime::container::PluginContainer;
use tool_runtime::tool::{Annotations, AnswerOrFuture, CallError, Payload, Tool, ToolSpec};
use tool_runtime::{CallContext, ToolInput, Toolbox, TypedTool, plugin_container, tool};

/// A scale of temperatures.
#[derive(Clone, Copy, Debug, Deserialize, Serialize, PartialEq, ToolInput)]
#[serde(rename_all = "lowercase")]
enum Unit {
    Celsius,
    Fahrenheit,
}

/// Current weather for a city.
#[tool(read_only, open_world = true, idempotent = false)]
async fn get_weather(
    /// City and country.
    #[tool(length(min = 1, max = 80), example = "Paris, France", alias = "place")]
    location: String,
    /// Unit of the temperatures.
    #[tool(default = "celsius")]
    unit: Unit,
    /// Days of forecast.
    #[tool(range(min = 1, max = 14))]
    days: Option<u8>,
) -> Result<Vec<u8>, std::io::Error> {
    let _ = (location, unit);
    Ok((0..days.unwrap_or(1)).collect())
}

struct Counter(Mutex<u32>);

fn seven() -> u32 {
    7
}

/// Counts.
#[tool(name = "count-up", ignore_unknown, errors = "hidden", blocking, output_schema)]
fn count(
    #[tool(state)] counter: &Counter,
    #[tool(context)] cx: &CallContext,
    /// The number of steps.
    #[tool(rename = "type", default_fn = seven)]
    r#by: u32,
) -> Result<u32, String> {
    if cx.is_cancelled() {
        return Err("cancelled".to_owned());
    }
    let mut count = counter.0.lock().map_err(|error| error.to_string())?;
    *count += by;
    Ok(*count)
}

struct Store<T>(Mutex<BTreeMap<String, T>>);

/// Keeps values.
#[plugin_container(name = "Keep", rename_all = "camelCase", instructions = "Put before you take.")]
impl<T: ToolInput + Serialize + Sync + Clone> Store<T> {
    const SOME: &'static str = "Takes a value.";

    /// Puts a value.
    #[tool]
    fn put_value(
        &self,
        /// Its name.
        name: String,
        /// The value.
        value: T,
    ) {
        if let Ok(mut values) = self.0.lock() {
            values.insert(name, value);
        }
    }

    #[tool(description = Self::SOME)]
    async fn take_value(
        &self,
        /// Its name.
        #[tool(length(min = 1))]
        name: String,
    ) -> Option<T> {
        self.0.lock().ok()?.remove(&name)
    }

    /// Counts the values that fit.
    #[tool]
    fn room() -> &'static str {
        "plenty"
    }

    fn count(&self) -> usize {
        self.0.lock().map_or(0, |values| values.len())
    }
}

type Outcome = Result<(), Box<dyn std::error::Error>>;

fn spec<T: TypedTool>(_: T) -> &'static ToolSpec {
    T::SPEC
}

#[test]
fn the_spec_has_the_values_of_the_attributes() {
    let weather = spec(GetWeatherTool);
    assert_eq!(weather.name, "get_weather");
    assert_eq!(weather.description, "Current weather for a city.");
    let Annotations { read_only, destructive, idempotent, open_world } = weather.settings.annotations;
    assert_eq!([read_only, destructive, idempotent, open_world], [Some(true), None, Some(false), Some(true)]);
    let count = spec(CountTool);
    assert_eq!((&*count.name, count.settings.show_errors, count.settings.blocking), ("count-up", Some(false), true));
    assert_eq!(count.state.len(), 1);
    assert!(count.output.as_ref().is_some_and(|schema| schema.to_value()["type"] == "integer"));
}

#[test]
fn missing_keys_get_defaults_and_unknown_keys_are_rejected() -> Outcome {
    type Args = <GetWeatherTool as TypedTool>::Args;
    let arguments: Args = serde_json::from_str(r#"{"place": "Paris"}"#)?;
    assert_eq!((&*arguments.location, arguments.unit, arguments.days), ("Paris", Unit::Celsius, None));
    assert!(serde_json::from_str::<Args>(r#"{"location": "Paris", "unit": null}"#).is_err());
    assert!(serde_json::from_str::<Args>(r#"{"location": "Paris", "extra": 1}"#).is_err());
    assert!(!serde_json::from_str::<Args>(r#"{"location": "", "days": 3}"#)?.guard());
    assert!(!serde_json::from_str::<Args>(r#"{"location": "Paris", "days": 30}"#)?.guard());

    let arguments: <CountTool as TypedTool>::Args = serde_json::from_str(r#"{"extra": 1}"#)?;
    assert_eq!(arguments.r#by, 7);
    Ok(())
}

#[test]
fn state_and_context_come_from_the_call() -> Result<(), CallError> {
    let cx = CallContext::for_test().with_state(Counter(Mutex::new(1)));
    assert_eq!(CountTool::run(serde_json::from_str("{}").unwrap(), &cx)?, Payload::json(&8)?);
    let missing = CountTool::run(serde_json::from_str("{}").unwrap(), &CallContext::for_test());
    assert!(matches!(missing, Err(CallError::Tool(_))));
    Ok(())
}

#[test]
fn a_sync_tool_is_ready_and_an_async_one_pending() {
    let cx = CallContext::for_test().with_state(Counter(Mutex::new(0)));
    assert!(matches!(CountTool.call("{}".into(), &cx), AnswerOrFuture::Ready(Ok(Payload::Json(_)))));
    assert!(matches!(CountTool.call("[]".into(), &cx), AnswerOrFuture::Rejected(_)));
    let AnswerOrFuture::Pending(pending) = GetWeatherTool.call(r#"{"location": "Paris", "days": 2}"#.into(), &cx)
    else {
        panic!("an async tool is not ready")
    };
    assert!(matches!(pollster::block_on(pending), Ok(Payload::Json(json)) if *json == *"[0,1]"));
    assert!(matches!(GetWeatherTool.call("{}".into(), &cx), AnswerOrFuture::Rejected(_)));
}

#[test]
fn a_container_describes_its_members_in_order() {
    let keep = Store::<u8>::SPEC;
    assert_eq!((&*keep.name, &*keep.description), ("Keep", "Keeps values."));
    assert_eq!(keep.instructions.as_deref(), Some("Put before you take."));
    assert_eq!(StorePutValueTool::<u8>::SPEC.name, "putValue");
    assert_eq!(StoreTakeValueTool::<u8>::SPEC.description, "Takes a value.");
    assert_eq!(Store::<u8>::MEMBERS.len(), 3);
}

#[test]
fn members_run_on_their_container() -> Outcome {
    let (store, cx) = (Store(Mutex::new(BTreeMap::new())), CallContext::for_test());
    let answer = |answer: Result<Payload, CallError>| answer.map_err(|error| format!("{error:?}"));

    let arguments = StorePutValueTool::<u8>::decode(r#"{"name": "a", "value": 7}"#)?;
    assert_eq!(answer(StorePutValueTool::run(&store, arguments, &cx))?, Payload::Done);
    assert_eq!(store.count(), 1);
    let arguments = StoreTakeValueTool::<u8>::decode(r#"{"name": "a"}"#)?;
    assert_eq!(answer(pollster::block_on(StoreTakeValueTool::run(&store, arguments, &cx)))?.as_str(), "7");
    let arguments = StoreRoomTool::<u8>::decode("{}")?;
    assert_eq!(answer(StoreRoomTool::run(&store, arguments, &cx))?, Payload::Text("plenty".to_owned()));
    assert!(StorePutValueTool::<u8>::decode(r#"{"name": "a", "value": 300}"#).is_err());
    Ok(())
}

/// A type whose decoding is stricter than its schema.
#[derive(Deserialize, ToolInput)]
#[serde(try_from = "u8")]
struct Even;

impl TryFrom<u8> for Even {
    type Error = String;

    fn try_from(value: u8) -> Result<Self, String> {
        if value.is_multiple_of(2) { Ok(Self) } else { Err(format!("{value} is odd")) }
    }
}

/// Has a default that only serde can judge.
#[tool]
fn halve(
    /// An even number.
    #[tool(default = 3)]
    _number: Even,
) {
}

/// Has an example that only its pattern can judge.
#[tool]
fn book(
    /// Which.
    #[tool(pattern = "^[A-Z]+$", example = "lh")]
    _flight: String,
) {
}

#[test]
fn invalid_literals_that_compile_are_found_by_build() {
    let Err(error) = Toolbox::builder().tool(HalveTool).tool(BookTool).tool(GetWeatherTool).build() else {
        panic!("3 is not even")
    };
    let text = error.to_string();
    assert!(text.contains("the default of _number: 3 does not decode"), "{text}");
    assert!(text.contains(r#"the example of _flight: "lh" breaks a rule"#), "{text}");
    // Without `build()`, the call fails.
    assert!(HalveTool::decode("{}").is_err());
}
