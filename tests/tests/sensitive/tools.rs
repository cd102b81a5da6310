//! Tools with secrets in, around and next to other parameters.

use std::collections::BTreeMap;

use serde::Deserialize;
use tool_runtime::toolbox::FeedbackForm;
use tool_runtime::{CustomRuleError, RepairPolicy, Session, ToolError, ToolInput, Toolbox, plugin_container, tool};

fn is_long(password: &Option<String>) -> Result<(), CustomRuleError> {
    let Some(password) = password else { return Ok(()) };
    if password.len() > 20 { Ok(()) } else { Err(format!("{password:?} is too short").into()) }
}

fn has_digit_first(password: &Option<String>) -> Result<(), CustomRuleError> {
    let Some(password) = password else { return Ok(()) };
    let fits = password.starts_with(|first: char| first.is_ascii_digit());
    if fits {
        Ok(())
    } else {
        Err(CustomRuleError::new("must begin with a digit").with_expected(format!("not {password}")))
    }
}

fn differ(login: &Login) -> Result<(), CustomRuleError> {
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
#[tool(ignore_unknown)]
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
#[tool(ignore_unknown)]
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

pub(super) fn session_of(form: FeedbackForm, policy: RepairPolicy) -> Session {
    Toolbox::builder()
        .feedback(form)
        .repair(policy)
        .tool(SignInTool)
        .tool(ChangeTool)
        .tool(BlabTool)
        .tool(LookUpTool)
        .tool(SignTool)
        .container(Vault)
        .build()
        .expect("the toolbox is valid")
        .session()
}
