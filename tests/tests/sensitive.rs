//! Secrets that a model sends are in no answer, whatever else is wrong with the call.
//!
//! The tests make calls with a fault in, around or next to a `#[tool(sensitive)]` field, each with the same secret. Every call is refused,
//! and the text for the model must not contain the secret. Values that are not secret must still appear, or a model could not correct the
//! call.

// The tools are only called with arguments that they refuse; rules take references for every type.
#![allow(dead_code, clippy::needless_pass_by_value, clippy::ref_option, clippy::zero_sized_map_values)]

use std::collections::BTreeMap;

use proptest::prelude::*;
use proptest::sample::Index;
use serde::Deserialize;
use serde_json::{Value, json};
use tool_runtime::RepairPolicy;
use tool_runtime::toolbox::Form;
use tool_runtime::{Rejection, Session, ToolError, ToolInput, Toolbox, plugin_container, tool};

const SECRET: &str = "hunter2";
const HIDDEN: &str = "The tool failed; its details are not shown.";

fn is_long(password: &Option<String>) -> Result<(), Rejection> {
    let Some(password) = password else { return Ok(()) };
    if password.len() > 20 { Ok(()) } else { Err(format!("{password:?} is too short").into()) }
}

fn has_digit_first(password: &Option<String>) -> Result<(), Rejection> {
    let Some(password) = password else { return Ok(()) };
    let fits = password.starts_with(|first: char| first.is_ascii_digit());
    if fits { Ok(()) } else { Err(Rejection::new("must begin with a digit").expected(format!("not {password}"))) }
}

fn differ(login: &Login) -> Result<(), Rejection> {
    if login.user == login.password { Err(format!("{} twice", login.user).into()) } else { Ok(()) }
}

/// A user and a password.
#[derive(Deserialize, PartialEq, Eq, Hash, ToolInput)]
#[serde(deny_unknown_fields)]
#[tool(custom = differ)]
struct Login {
    /// Name of the user.
    user: String,
    /// Password of the user.
    #[tool(sensitive)]
    password: String,
}

/// A password that only its own decoding can judge.
#[derive(Deserialize, ToolInput)]
#[serde(try_from = "String")]
struct Strong;

impl TryFrom<String> for Strong {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Err(format!("{text} is weak"))
    }
}

#[derive(Deserialize, ToolInput)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Proof {
    Token {
        /// The token.
        #[tool(sensitive, length(max = 3))]
        token: String,
    },
    Nobody,
    Named {
        /// The name.
        name: String,
    },
}

#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "snake_case")]
enum External {
    Login(Login),
    Nobody,
}

#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
enum Untagged {
    Key {
        /// The key.
        #[tool(sensitive)]
        key: String,
    },
    Number {
        /// The number of a key.
        key: u8,
        /// The ring that it hangs on.
        ring: u8,
    },
}

#[derive(Deserialize, ToolInput)]
struct Flat {
    #[serde(flatten)]
    login: FlatLogin,
    #[serde(flatten)]
    proof: Option<Proof>,
}

#[derive(Deserialize, ToolInput)]
struct FlatLogin {
    /// Password.
    #[tool(sensitive, length(max = 3))]
    password: String,
}

#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
enum Colour {
    Hunter,
    Other,
}

/// Signs somebody in.
#[tool]
#[allow(clippy::too_many_arguments)]
fn sign_in(
    /// A plain word.
    _plain: Option<String>,
    /// Short, long and both.
    #[tool(sensitive, length(max = 3), custom = is_long, custom = has_digit_first)]
    _password: Option<String>,
    /// Of many kinds.
    #[tool(sensitive, format = "date", pattern = "^[0-9]+$")]
    _pin: Option<String>,
    /// One of two.
    #[tool(sensitive)]
    _colour: Option<Colour>,
    /// A number.
    #[tool(sensitive, range(max = 3))]
    _number: Option<f64>,
    /// A value that only serde checks.
    #[tool(sensitive)]
    _strong: Option<Strong>,
    /// By name, names being secret too.
    #[tool(sensitive)]
    _keys: Option<BTreeMap<String, u8>>,
    /// Judged by serde, by name.
    #[tool(sensitive)]
    _strong_keys: Option<BTreeMap<String, Strong>>,
    /// A list of secrets.
    #[tool(sensitive, unique_items)]
    _list: Option<Vec<String>>,
    /// User and password.
    _login: Option<Box<Login>>,
    /// Several of them.
    #[tool(unique_items)]
    _logins: Option<Vec<Login>>,
    /// One for each name.
    _by_name: Option<BTreeMap<String, Login>>,
    /// Two of them.
    _pair: Option<(Login, u8)>,
    /// A proof.
    _proof: Option<Proof>,
    /// A proof, told otherwise.
    _external: Option<External>,
    /// An untagged proof.
    _untagged: Option<Untagged>,
    /// A flattened proof.
    _flat: Option<Flat>,
) {
}

/// Changes what somebody signs in with.
#[tool]
fn change(
    /// Which of the two is wrong.
    which: String,
    /// User and password.
    #[tool(alias = "to")]
    _login: Login,
    /// Password.
    #[tool(sensitive)]
    _password: BTreeMap<String, String>,
) -> Result<(), ToolError> {
    Err(ToolError::retry("Choose another one.").field(&which))
}

/// Says what is wrong in its own words, with all that it was given.
#[tool]
fn blab(
    /// The tone of the message.
    how: String,
    /// Somebody's name.
    user: String,
    /// User and password.
    login: Option<Login>,
    /// A proof.
    proof: Option<Proof>,
    /// An untagged proof.
    untagged: Option<Untagged>,
    /// Passwords by name.
    #[tool(sensitive)]
    keys: Option<BTreeMap<String, Vec<String>>>,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let login = login.map(|login| login.password);
    let proof = proof.map(|proof| if let Proof::Token { token } = proof { token } else { String::new() });
    let untagged = untagged.map(|untagged| if let Untagged::Key { key } = untagged { key } else { String::new() });
    let words = format!("{user} cannot use {login:?}, {proof:?}, {untagged:?} or {keys:?}.");
    Err(match &*how {
        "retry" => ToolError::retry(words).field("user").into(),
        "unavailable" => ToolError::unavailable(words).into(),
        "cut" => format!("{}{words}", "-".repeat(240)).into(),
        "blanks" => format!("{}{words}", " ".repeat(9_000)).into(),
        _ => words.into(),
    })
}

/// How to look.
#[derive(Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
struct Options {
    /// Maximum number of results.
    limit: u8,
    /// Words.
    words: Vec<String>,
}

/// Looks something up; all of its secrets must be there.
#[tool]
#[allow(unused_variables)]
fn look_up(
    /// Key of the service.
    #[tool(sensitive)]
    api_key: String,
    /// Words to leave out.
    filters: Vec<String>,
    /// How to look.
    options: Options,
    /// The login of the user.
    login: Login,
    /// On whose behalf.
    others: Vec<Login>,
) {
}

/// Keeps secrets.
struct Vault;

/// Functions of a vault.
#[plugin_container]
impl Vault {
    /// Opens the vault.
    #[tool]
    fn open(
        /// User and password.
        _login: Vec<Login>,
    ) {
    }
}

/// Returns a session without repairs, so that every fault is reported.
fn session() -> Session {
    session_in(Form::Json)
}

fn session_in(form: Form) -> Session {
    session_of(form, RepairPolicy::Strict)
}

fn session_of(form: Form, policy: RepairPolicy) -> Session {
    Toolbox::builder()
        .feedback(form)
        .repair(policy)
        .tool(SignInTool)
        .tool(ChangeTool)
        .tool(BlabTool)
        .tool(LookUpTool)
        .container(Vault)
        .build()
        .expect("the toolbox is valid")
        .session()
}

/// Returns the answer without repairs, after asserting that the answer with repairs does not contain the secret.
fn refused(name: &str, arguments: &str) -> String {
    let repaired = pollster::block_on(session_of(Form::Json, RepairPolicy::Assisted).call("call_1", name, arguments));
    let told = format!("{} {:?}", repaired.to_text(), repaired.repairs());
    assert!(!told.contains(SECRET), "the answer to {arguments} contains the secret: {told}");
    refused_by(&session(), name, arguments)
}

fn refused_by(session: &Session, name: &str, arguments: &str) -> String {
    let outcome = pollster::block_on(session.call("call_1", name, arguments));
    assert!(!outcome.is_ok(), "{arguments} should be refused");
    outcome.to_text().into_owned()
}

/// Returns the answers in every form, to the first and to the second call.
fn refused_in_all_forms(name: &str, arguments: &str) -> Vec<String> {
    let told = |form| {
        let session = session_in(form);
        [refused_by(&session, name, arguments), refused_by(&session, name, arguments)]
    };
    [Form::Json, Form::MarkedUp, Form::Markdown].into_iter().flat_map(told).collect()
}

/// Tests every fault alone, and then together with another one.
#[test]
fn a_secret_is_in_no_answer() {
    let s = SECRET;
    let faults = [
        json!({"_password": s}),
        json!({"_password": [s]}),
        json!({"_password": {"value": s}}),
        json!({"_pin": s}),
        json!({"_colour": s}),
        json!({"_colour": "hunter22"}),
        json!({"_number": s}),
        json!({"_strong": s}),
        json!({"_keys": {"hunter2": 300}}),
        json!({"_keys": {"hunter2": {"hunter2": 1}}}),
        json!({"_keys": [s]}),
        json!({"_strong_keys": {"hunter2": s}}),
        json!({"_list": [s, s]}),
        json!({"_list": [s, 5]}),
        json!({"_list": s}),
        // The fault is in the object around the secret.
        json!({"_login": s}),
        json!({"_login": [s, s, s]}),
        json!({"_login": {"password": s}}),
        json!({"_login": {"user": "a", "pasword": s}}),
        json!({"_login": {"user": "a", "password": {"value": s}}}),
        json!({"_login": {"user": {"password": s}, "password": "x"}}),
        json!({"_login": {"user": s, "password": s}}),
        json!({"_login": {"login": {"user": "a", "password": s}}}),
        json!({"_logins": [{"user": "a", "password": s}, {"user": "a", "password": s}]}),
        json!({"_logins": [[s]]}),
        json!({"_logins": {"a": s}}),
        json!({"_by_name": {"a": {"user": s, "password": s}}}),
        json!({"_by_name": {"a": {"user": [s], "password": s}}}),
        json!({"_pair": [{"user": "a", "password": s}]}),
        json!({"_pair": [{"user": "a", "password": s}, 1, s]}),
        json!({"_pair": {"user": "a", "password": s}}),
        // The variant is the wrong one.
        json!({"_proof": {"token": s}}),
        json!({"_proof": {"type": "token", "token": s}}),
        json!({"_proof": {"type": "nobdy", "token": s}}),
        json!({"_proof": {"type": "named", "name": "a", "token": s}}),
        json!({"_proof": {"type": ["token", s]}}),
        json!({"_proof": s}),
        json!({"_external": {"login": s}}),
        json!({"_external": {"lgin": {"user": "a", "password": s}}}),
        json!({"_external": {"login": {"user": "a", "password": s}, "other": s}}),
        json!({"_external": {"a": s, "b": s}}),
        json!({"_external": [s]}),
        json!({"_external": {"nobody": s}}),
        json!({"_untagged": {"key": [s]}}),
        json!({"_untagged": {"key": s, "ring": 1}, "_number": 5}),
        json!({"_untagged": {"key": [s], "ring": s}}),
        json!({"_untagged": s}),
        json!({"_flat": {"password": s}}),
        json!({"_flat": {"password": [s], "type": "named"}}),
        json!({"_flat": s}),
        // The field is unknown.
        json!({"password": s}),
        json!({"credentials": {"user": "a", "password": s}}),
        json!({"_plain": {"user": "a", "password": s}}),
        json!([s]),
        json!(s),
    ];
    for fault in &faults {
        let alone = fault.to_string();
        let mut texts = vec![alone.clone()];
        if let Value::Object(members) = fault {
            let mut more = members.clone();
            more.insert("_pair".to_owned(), json!([5, 300, s]));
            texts.push(Value::Object(more).to_string());
        }
        for text in texts {
            for answer in refused_in_all_forms("sign_in", &text) {
                assert!(!answer.contains(SECRET), "the answer to {text} contains the secret: {answer}");
            }
        }
    }
}

#[test]
fn text_that_is_not_valid_json_is_not_shown() {
    for text in [r#"{"_password": "hunter2"#, r#"{"_password": hunter2}"#, r#"{"_password": "hunter2"} hunter2"#] {
        for answer in refused_in_all_forms("sign_in", text) {
            assert!(!answer.contains(SECRET), "{text}: {answer}");
        }
    }
}

#[test]
fn the_value_of_a_repeated_key_is_not_shown() {
    for text in [
        r#"{"_password": "hunter2", "_password": "hunter2"}"#,
        r#"{"_login": {"user": "a", "password": "hunter2", "password": "hunter2"}}"#,
        r#"{"_proof": {"type": "token", "token": "hunter2", "type": "token"}}"#,
    ] {
        for answer in refused_in_all_forms("sign_in", text) {
            assert!(!answer.contains(SECRET), "{text}: {answer}");
        }
    }
}

#[test]
fn a_refusal_by_the_tool_does_not_show_the_arguments() {
    for which in ["_login", "_login.password", "_password", "_password.hunter", "$"] {
        let login = json!({"user": "a", "password": SECRET});
        let answer =
            refused("change", &json!({"which": which, "_login": login, "_password": {"hunter": SECRET}}).to_string());
        assert!(answer.contains(HIDDEN) && !answer.contains("Choose") && !answer.contains(SECRET), "{answer}");
    }
}

#[test]
fn the_message_of_a_tool_does_not_repeat_a_secret() {
    for how in ["retry", "unavailable", "cut", "blanks", "error"] {
        for secrets in [
            json!({"login": {"user": "a", "password": SECRET}}),
            json!({"proof": {"type": "token", "token": "hun"}, "login": {"user": "a", "password": SECRET}}),
            json!({"untagged": {"key": SECRET}}),
            json!({"keys": {"hunter2": [SECRET]}}),
            json!({"keys": {"a": [format!("a\"{SECRET}\n"), SECRET]}}),
        ] {
            let mut arguments = json!({"how": how, "user": "Ada Lovelace"});
            arguments.as_object_mut().unwrap().extend(secrets.as_object().unwrap().clone());
            let answer = refused("blab", &arguments.to_string());
            assert!(
                answer.contains(HIDDEN) && !answer.contains("cannot use") && !answer.contains("hunter"),
                "{answer}"
            );
        }
        let nothing = refused("blab", &json!({"how": how, "user": "Ada Lovelace", "login": null}).to_string());
        assert!(how == "blanks" || nothing.contains("Ada Lovelace cannot use"), "{nothing}");
    }
}

#[test]
fn a_container_does_not_repeat_values_for_a_member_with_secrets() {
    for arguments in [
        json!({"function": "open", "login": [{"user": "a", "password": SECRET}]}),
        json!({"password": SECRET}),
        json!([SECRET]),
        json!(SECRET),
    ] {
        let answer = refused("Vault", &arguments.to_string());
        assert!(!answer.contains(SECRET) && answer.contains("<redacted>"), "{answer}");
    }
    assert!(!refused("Vault", "open hunter2").contains(SECRET));
}

#[test]
fn values_that_are_not_secret_are_shown() {
    for (arguments, told) in [
        (json!({"_login": {"user": 5, "password": SECRET}}), r#""attempted_value":5"#),
        (json!({"_login": {"user": "a", "pasword": SECRET}}), r#""rename_to":"password""#),
        (json!({"_untagged": {"kay": SECRET}}), "_untagged"),
        (json!({"_proof": {"type": "nobdy"}}), r#""did_you_mean":"nobody""#),
        // A constant message of the program cannot contain the arguments.
        (json!({"_password": "abc"}), "must begin with a digit"),
    ] {
        let answer = refused("sign_in", &arguments.to_string());
        assert!(answer.contains(told), "the answer to {arguments} should contain {told}: {answer}");
    }
}

/// Returns arguments of `look_up` with the secret at one of the `PLACES`.
fn looked_up(place: usize) -> Value {
    let login = |secret: bool| json!({"user": "ada", "password": if secret { SECRET } else { "open sesame" }});
    json!({
        "api_key": if place == 0 { SECRET } else { "4711-0815" },
        "filters": ["old"],
        "options": {"limit": 3, "words": ["a"]},
        "login": login(place == 1),
        "others": [login(false), login(place == 2)],
    })
}

/// Location of the secret, by the number that `looked_up` takes.
const PLACES: [(&str, &str); 3] = [("", "api_key"), ("/login", "password"), ("/others/1", "password")];

/// A number must belong to the field itself, and so must a text that breaks another rule. Any other value of the wrong type may be a
/// misplaced secret.
#[test]
fn a_value_of_the_wrong_type_is_not_shown() {
    let with = |pointer: &str, value: Value| {
        let mut arguments = looked_up(0);
        *arguments.pointer_mut(pointer).unwrap() = value;
        refused("look_up", &arguments.to_string())
    };
    for pointer in ["/filters", "/options", "/options/words", "/options/limit", "/filters/0"] {
        for hidden in [json!([["new"]]), json!({"any": "new"}), json!([{"ApiKey": "new"}]), json!({"new": 1})] {
            let answer = with(pointer, hidden.clone());
            assert!(!answer.contains("new"), "{hidden} at {pointer}: {answer}");
        }
    }
    assert!(!with("/options/limit", json!("new")).contains("new"));
    assert!(with("/options/limit", json!(300)).contains("300"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// A secret that was sent one level too high or under another key is in no answer.
    #[test]
    fn a_misplaced_secret_is_in_no_answer(
        place in 0..PLACES.len(),
        way in 0..8,
        typo in "[a-z_]{0,3}",
        at in any::<Index>(),
        stays in any::<bool>(),
        other_fault in any::<bool>(),
    ) {
        let (parent, key) = PLACES[place];
        let mut arguments = looked_up(place);
        if other_fault {
            arguments["options"]["limit"] = json!("many");
        }
        // Inserts text into a key, takes a neighbouring key, or moves the secret to the enclosing object.
        let cut = at.index(key.len());
        let misspelt = format!("{}{typo}{}", &key[..cut], &key[(cut + 1).min(key.len())..]);
        let members = arguments.pointer_mut(parent).and_then(Value::as_object_mut).unwrap();
        let siblings: Vec<String> = members.keys().filter(|other| *other != key).cloned().collect();
        let sibling = (!siblings.is_empty()).then(|| siblings[at.index(siblings.len())].clone());
        if !stays {
            members.remove(key);
        }
        let sibling = sibling.unwrap_or_else(|| "other".to_owned());
        match way {
            0 => drop(members.insert(misspelt, json!(SECRET))),
            1 => drop(members.insert(key.to_owned(), json!([SECRET]))),
            2 => drop(members.insert(key.to_owned(), json!({"value": SECRET}))),
            3 => drop(members.insert(misspelt, json!({key: SECRET}))),
            4 => drop(members.insert(sibling, json!([[SECRET]]))),
            5 => drop(members.insert(sibling, json!({misspelt: {"x": SECRET}}))),
            6 => drop(arguments.pointer_mut(parent).map(|around| *around = json!(SECRET))),
            _ => drop(arguments.as_object_mut().unwrap().insert(misspelt, json!(SECRET))),
        }
        let text = arguments.to_string();
        let outcome = pollster::block_on(session().call("call_1", "look_up", text.as_str()));
        prop_assert!(!outcome.to_text().contains(SECRET), "{text}: {}", outcome.to_text());
    }
}

/// A valid secret next to an unrelated fault is hidden, and everything else is shown.
#[test]
fn a_secret_beside_a_fault_is_hidden() {
    let s = SECRET;
    for (arguments, shown) in [
        (json!({"_login": {"user": "ada", "password": s}, "_plain": 5}), "\"user\": \"ada\""),
        (json!({"_logins": [{"user": "ada", "password": s}], "_plain": 5}), "\"user\": \"ada\""),
        (json!({"_by_name": {"x": {"user": "ada", "password": s}}, "_plain": 5}), "\"user\": \"ada\""),
        (json!({"_proof": {"type": "token", "token": "ab", "more": s}, "_plain": 5}), "\"type\": \"token\""),
        (json!({"_external": {"login": {"user": "ada", "password": s}}, "_plain": 5}), "\"user\": \"ada\""),
        (json!({"_untagged": {"key": s}, "_plain": 5}), "\"key\": \"<redacted>\""),
        (json!({"_flat": {"password": s, "type": "nobody"}, "_plain": 5}), "\"type\": \"nobody\""),
        (json!({"_keys": {s: 1}, "_plain": 5}), "\"_keys\": \"<redacted>\""),
        (json!({"_colour": "hunter", "_list": [s, "a"], "_plain": 5}), "\"_list\": \"<redacted>\""),
    ] {
        for answer in refused_in_all_forms("sign_in", &arguments.to_string()) {
            assert!(!answer.contains(SECRET), "the answer to {arguments} contains the secret: {answer}");
        }
        for form in [Form::MarkedUp, Form::Markdown] {
            let answer = refused_by(&session_in(form), "sign_in", &arguments.to_string());
            assert!(answer.contains(shown), "the answer to {arguments} should show {shown}: {answer}");
        }
    }
}

/// Documents with two kinds of proofs.
#[derive(Deserialize, ToolInput)]
struct Document {
    /// The name.
    name: String,
    #[serde(flatten)]
    proof: Option<Proof>,
    #[serde(flatten)]
    login: Option<External>,
}

/// Signs a document.
#[tool]
fn sign(
    /// The document.
    document: Document,
) -> Result<(), ToolError> {
    Err(ToolError::retry(format!("{} cannot be signed.", document.name)))
}

#[test]
fn the_text_of_an_error_is_hidden_only_if_a_flattened_enum_with_secrets_was_sent() {
    let session = Toolbox::builder().tool(SignTool).build().expect("one tool").session();
    let text = |document: &Value| refused_by(&session, "sign", &json!({"document": document}).to_string());
    let shown = text(&json!({"name": "letter"}));
    assert!(shown.contains("letter cannot be signed."), "{shown}");
    for sent in [
        json!({"name": "letter", "type": "token", "token": "abc"}),
        json!({"name": "letter", "login": {"user": "ada", "password": "abc"}}),
    ] {
        let hidden = text(&sent);
        assert!(!hidden.contains("letter cannot be signed."), "{hidden}");
    }
}
