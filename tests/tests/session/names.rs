//! Resolution of the names that models call.

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};
use tool_runtime::{Session, Toolbox};

use super::tools::{call, group, named, rejection};

fn tools(names: &[&'static str]) -> Session {
    let builder = names.iter().fold(Toolbox::builder().no_throttle(), |builder, name| builder.tool(named(name)));
    builder.build().expect("all names differ").session()
}

/// Asserts which tool runs for a name, or the type of the rejection.
fn check(session: &Session, name: &str, expect: &str) {
    let outcome = call(session, name, "{}");
    let rejected = || rejection(&outcome)["error_type"].as_str().map(str::to_owned);
    let got = if outcome.is_ok() { Some(outcome.to_text().into_owned()) } else { rejected() };
    assert_eq!(got.as_deref(), Some(expect), "{name}");
}

#[test]
fn case_and_separators_are_repaired() {
    let session = tools(&["get_weather", "get_time"]);
    for name in [
        "get_weather",
        "GetWeather",
        "get-weather",
        "GET_WEATHER",
        "get weather",
        " get.weather",
        "getWeather<|channel|>x",
    ] {
        check(&session, name, "get_weather");
    }
}

#[test]
fn a_repair_is_recorded() {
    let session = tools(&["get_weather"]);
    let repaired = call(&session, "GetWeather", "{}");
    assert_eq!(repaired.tool_name(), "get_weather");
    assert_eq!(repaired.repairs()[0].to_string(), r#"Read tool "GetWeather" as get_weather."#);
    assert!(call(&session, "get_weather", "{}").repairs().is_empty());
}

#[test]
fn the_exact_name_has_precedence() {
    let session = tools(&["get_a", "getA"]);
    check(&session, "get_a", "get_a");
    check(&session, "getA", "getA");
}

#[test]
fn a_spelling_that_matches_two_names_is_ambiguous() {
    let outcome = call(&tools(&["get_a", "getA", "other"]), "GET_A", "{}");
    let rejection = rejection(&outcome);
    assert_eq!(
        (&rejection["error_type"], &rejection["candidates"]),
        (&json!("ambiguous_tool"), &json!(["get_a", "getA"]))
    );
}

#[test]
fn a_member_of_two_containers_is_ambiguous_without_its_container() {
    let toolbox = Toolbox::builder().container(group("A", &["add"])).container(group("B", &["add"])).build();
    let rejection = rejection(&call(&toolbox.expect("qualified names differ").session(), "add", "{}"));
    assert_eq!(rejection["candidates"], json!(["A__add", "B__add"]));
}

#[test]
fn a_member_with_a_unique_name_can_be_qualified() {
    let toolbox = Toolbox::builder().container(group("store", &["GET"])).tool(named("store__PUT")).build();
    let session = toolbox.expect("all names differ").session();
    check(&session, "store__GET", "container_not_expanded");
    assert!(call(&session, "store", "").is_ok());
    let outcome = call(&session, "store__GET", "{}");
    assert_eq!(outcome.tool_name(), "GET");
    assert_eq!(outcome.repairs()[0].to_string(), r#"Read tool "store__GET" as GET."#);
    check(&session, "store__get", "GET");
    check(&session, "store__PUT", "store__PUT");
}

#[test]
fn the_name_of_another_tool_is_not_taken_for_a_qualified_member() {
    let toolbox = Toolbox::builder().container(group("store", &["GET"])).tool(named("store_get")).build();
    check(&toolbox.expect("all names differ").session(), "store__GET", "store_get");
}

#[test]
fn a_repaired_name_of_a_hidden_member_does_not_run_it() {
    let toolbox = Toolbox::builder().container(group("Math", &["square_root"])).build();
    check(&toolbox.expect("all names differ").session(), "SquareRoot", "container_not_expanded");
}

#[test]
fn a_similar_name_is_suggested_but_never_run() {
    let outcome = call(&tools(&["get_weather", "get_time"]), "get_wether", "{}");
    let rejection = rejection(&outcome);
    assert_eq!(rejection["error_type"], "unknown_tool");
    assert_eq!(rejection["did_you_mean"], json!(["get_weather"]));
    assert_eq!(rejection["available_tools"], json!(["get_weather", "get_time"]));
    assert_eq!(outcome.tool_name(), "get_wether");
}

#[test]
fn a_name_with_a_foreign_prefix_is_suggested_but_never_run() {
    let session = tools(&["ReadFile", "exec", "ListDirectory", "get_weather"]);
    for (name, suggested) in [
        ("functions2.ReadFile", "ReadFile"),
        ("functions__ReadFile", "ReadFile"),
        ("default_api:read_file", "ReadFile"),
        ("mcp__files__read_file", "ReadFile"),
        ("functions.ReadFil", "ReadFile"),
        ("container.exec", "exec"),
        ("get_weather_123", "get_weather"),
        ("get_weather{\"city\":\"Rome\"}", "get_weather"),
        ("get_weather<arg_key>city</arg_key>", "get_weather"),
        ("execexecexec", "exec"),
        ("exec@shell", "exec"),
        ("list_dir", "ListDirectory"),
        ("functions.list_dir", "ListDirectory"),
        ("fetch_weather", "get_weather"),
    ] {
        let outcome = call(&session, name, "{}");
        let rejection = rejection(&outcome);
        assert_eq!(
            (&rejection["error_type"], &rejection["did_you_mean"]),
            (&json!("unknown_tool"), &json!([suggested]))
        );
        assert!(outcome.repairs().is_empty(), "{name}");
    }
}

#[test]
fn a_known_namespace_and_the_number_of_a_call_are_removed() {
    let session = tools(&["ReadFile", "exec", "exec_0", "get_weather", "functions_get", "get"]);
    for (name, expect) in [
        ("functions.ReadFile", "ReadFile"),
        ("default_api.read_file", "ReadFile"),
        ("functions.get_weather:0", "get_weather"),
        ("get_weather:17", "get_weather"),
        ("functions.get_weather()", "get_weather"),
        ("exec:1", "exec"),
        ("exec:0", "ambiguous_tool"),
        ("functions.get", "ambiguous_tool"),
        ("functions_get", "functions_get"),
        ("functions.functions.exec", "unknown_tool"),
        ("functions.", "unknown_tool"),
        (":0", "unknown_tool"),
    ] {
        check(&session, name, expect);
    }
    let outcome = call(&session, "functions.get_weather:0", "{}");
    assert_eq!(outcome.tool_name(), "get_weather");
    assert_eq!(outcome.repairs()[0].to_string(), r#"Read tool "functions.get_weather:0" as get_weather."#);
}

#[test]
fn an_alias_is_not_taken_apart() {
    let mut reader = named("read");
    reader.spec = reader.spec.aliases(["functions.write", "write:0", "write<|x"]);
    let toolbox = Toolbox::builder().no_throttle().tool(reader).tool(named("write")).build();
    let session = toolbox.expect("all names differ").session();
    for alias in ["functions.write", "write:0", "write<|x"] {
        check(&session, alias, "read");
    }
    check(&session, "default_api.write", "write");
    check(&session, "default_api.functions.write", "read");
}

#[test]
fn a_namespace_may_precede_a_container() {
    let toolbox =
        Toolbox::builder().container(group("functions", &["add"])).container(group("Math", &["square"])).build();
    let session = toolbox.expect("all names differ").session();
    for name in ["functions.add", "functions.functions.add", "functions.Math.square", "default_api.square:0"] {
        check(&session, name, "container_not_expanded");
    }
}

/// Returns a name without its separators, as all spellings of the name have it.
fn letters(name: &str) -> String {
    name.chars().filter(|next| next.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

proptest! {
    /// Without containers a name runs a tool only if it has the same letters in the same order, perhaps after a known namespace or before
    /// the number of a call; never because it is similar.
    #[test]
    fn no_name_is_routed_to_a_tool_with_other_letters(
        names in prop::collection::btree_set("[a-c]{1,4}(_[a-c]{1,4}){0,2}", 1..6),
        prefix in "((functions|default_api)\\.|(functions|default_api|container|[a-c]{1,3})?(\\.|::|__|->|#|@|/)?)",
        suffix in "(\\(\\)|:0|:12|@x|_1|1|\\{\\}|<arg_key>|)",
        index: Index,
        edits in "[a-c]{0,2}",
    ) {
        let names: Vec<&'static str> = names.into_iter().map(|name| &*name.leak()).collect();
        let session = tools(&names);
        let called = format!("{prefix}{}{edits}{suffix}", names[index.index(names.len())]);
        let outcome = call(&session, &called, "{}");
        if outcome.is_ok() {
            let is_namespace = matches!(&*prefix, "functions." | "default_api.");
            let prefix = if is_namespace { "" } else { &prefix };
            let suffix = if suffix.starts_with(':') { "" } else { &suffix };
            let plain = format!("{prefix}{}{edits}{suffix}", names[index.index(names.len())]);
            prop_assert!([letters(&plain), letters(&called)].contains(&letters(outcome.tool_name())), "{called}");
        } else {
            prop_assert!(outcome.repairs().is_empty());
            let rejection = rejection(&outcome);
            prop_assert!(rejection["did_you_mean"].as_array().is_none_or(|suggested| suggested.len() <= 3));
        }
    }
}

#[test]
fn hidden_members_are_not_offered() {
    let toolbox = Toolbox::builder().no_throttle().container(group("Math", &["square"])).build();
    let rejection = rejection(&call(&toolbox.expect("all names differ").session(), "sqare", "{}"));
    assert_eq!(rejection["available_tools"], json!(["Math"]));
    assert!(matches!(rejection.get("did_you_mean"), None | Some(Value::Array(_))));
}

#[test]
fn thousands_of_tools_give_three_suggestions() {
    let names: Vec<String> = (0..5_000).map(|number| format!("read_file_of_customer_{number}")).collect();
    let names: Vec<&'static str> = names.into_iter().map(|name| &*name.leak()).collect();
    let session = tools(&names);
    for name in ["functions.read_file_of_customer", "customer_file", "ReadCustomerFile4999"] {
        let rejection = rejection(&call(&session, name, "{}"));
        assert_eq!(rejection["error_type"], "unknown_tool");
        assert_eq!(rejection["did_you_mean"].as_array().map(Vec::len), Some(3), "{name}: {rejection}");
        assert!(rejection.to_string().len() <= 4_096);
    }
    check(&session, "readFileOfCustomer4999", "read_file_of_customer_4999");
}

#[test]
fn unknown_names_are_answered_briefly() {
    let session = tools(&["get_weather"]);
    let long = |text: &str, length: usize| text.repeat(length / text.len());
    let kilobytes = ["x", "a.", "__", "@", "()", "get weather\u{1b}[2J", "<|"].map(|text| long(text, 20_000));
    let megabytes = [".", "functions.get_weather"].map(|text| long(text, 1_000_000));
    let short = ["", "_", "\0", "💥", "()", "@", ".", "\u{202e}get", "get_weather(1)"].map(str::to_owned);
    for name in short.iter().chain(&kilobytes).chain(&megabytes) {
        let outcome = call(&session, name, "{}");
        assert_eq!(rejection(&outcome)["error_type"], "unknown_tool", "{}", &name[..name.len().min(40)]);
        assert!(outcome.to_text().len() < 1_024);
    }
}
