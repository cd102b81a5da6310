//! The calls that every side answers: a good call and ten bad calls.

/// The arguments that the model means, even in the bad calls.
pub const MEANT: &str = r#"{"city":"Oslo","days":3,"unit":"celsius"}"#;

/// The name of the tool.
pub const TOOL: &str = "get_weather";

/// A call as a model sends it.
#[derive(Clone, Copy, Debug)]
pub struct BadCall {
    /// The issue, for tables.
    pub fault: &'static str,
    /// The name that is called.
    pub name: &'static str,
    /// The arguments as text.
    pub arguments: &'static str,
}

/// Bad calls with issues that models make, most frequent first.
pub const BAD: [BadCall; 10] = [
    bad("number in a string", r#"{"city":"Oslo","days":"3","unit":"celsius"}"#),
    bad("missing field", r#"{"city":"Oslo","unit":"celsius"}"#),
    bad("wrong name of a field", r#"{"town":"Oslo","days":3,"unit":"celsius"}"#),
    bad("value that is not in the enum", r#"{"city":"Oslo","days":3,"unit":"kelvin"}"#),
    bad("enum value in capitals", r#"{"city":"Oslo","days":3,"unit":"CELSIUS"}"#),
    bad("number out of range", r#"{"city":"Oslo","days":30,"unit":"celsius"}"#),
    bad("three issues", r#"{"city":7,"days":"many","unit":"kelvin"}"#),
    bad("Python quotes", "{'city': 'Oslo', 'days': 3, 'unit': 'celsius'}"),
    bad("truncated in a string", r#"{"days":3,"unit":"celsius","city":"Osl"#),
    BadCall { fault: "wrong name of the tool", name: "getWeather", arguments: MEANT },
];

const fn bad(fault: &'static str, arguments: &'static str) -> BadCall {
    BadCall { fault, name: TOOL, arguments }
}

/// Returns the arguments of a good call. Each number gives another city, because a session stops a model that repeats the same call.
#[must_use]
pub fn good(number: usize) -> String {
    format!(r#"{{"city":"City {number}","days":3,"unit":"celsius"}}"#)
}
