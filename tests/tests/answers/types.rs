//! Ten types of answers, and their values as a model sends them in a dialect.

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tests::dialects::forward::{In, sent};
use tool_runtime::tool_schema::dialect::Definitions;
use tool_runtime::tool_schema::schema::schema_text;
use tool_runtime::tool_schema::{AnswerForm, ToolInput};
use tool_runtime::{Dialect, Session, Toolbox};

/// A dialect for each of the providers with a form of its own, and one in which a tool stands for the answer.
pub(super) const DIALECTS: [Dialect; 6] = [
    Dialect::OPENAI,
    Dialect::OPENAI_RESPONSES,
    Dialect::ANTHROPIC,
    Dialect::GEMINI,
    Dialect::GEMINI_SCHEMA,
    Dialect::BEDROCK,
];

/// A type that the tests ask for.
pub(super) trait Answer: ToolInput + Serialize + DeserializeOwned + PartialEq + Debug + Clone + 'static {}

impl<T: ToolInput + Serialize + DeserializeOwned + PartialEq + Debug + Clone + 'static> Answer for T {}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[serde(deny_unknown_fields)]
pub(super) struct Flat {
    /// The name.
    pub(super) name: String,
    /// The count.
    #[tool(range(min = 1, max = 9))]
    pub(super) count: u8,
    /// The note.
    pub(super) note: Option<String>,
    /// Is it done?
    pub(super) done: bool,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[tool(ignore_unknown)]
pub(super) struct Nested {
    /// The first.
    pub(super) first: Flat,
    /// The other ones.
    #[tool(length(max = 3))]
    pub(super) others: Vec<Flat>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[serde(rename_all = "snake_case")]
pub(super) enum Mood {
    /// Good mood.
    VeryGood,
    /// Bad mood.
    Bad,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[tool(ignore_unknown)]
#[serde(untagged)]
pub(super) enum Either {
    /// A number.
    Number(u8),
    /// Words.
    Words(Vec<String>),
    /// A person.
    Person {
        /// The name of the person.
        person: String,
    },
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[tool(ignore_unknown)]
pub(super) struct Tree {
    /// The name.
    pub(super) name: String,
    /// The children.
    pub(super) children: Vec<Tree>,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[tool(ignore_unknown)]
pub(super) struct Coded {
    /// The code.
    #[tool(pattern = "^[A-Z]{3}-[0-9]+$")]
    pub(super) code: String,
    /// The mail.
    #[tool(format = "email")]
    pub(super) mail: String,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[tool(ignore_unknown)]
pub(super) struct Secret {
    /// The token.
    #[tool(sensitive)]
    pub(super) token: String,
    /// The level.
    #[tool(range(max = 3))]
    pub(super) level: u8,
}

#[derive(Clone, Debug, Deserialize, PartialEq, Serialize, ToolInput)]
#[tool(ignore_unknown)]
pub(super) struct Page<T> {
    /// The items.
    pub(super) items: Vec<T>,
    /// The next page.
    pub(super) next: Option<u32>,
}

/// Does something with each of the ten types.
pub(super) trait Each {
    fn of<T: Answer>(&mut self, name: &str, good: &T);
}

/// Passes a value of each type to a check.
pub(super) fn each(check: &mut impl Each) {
    let flat = Flat { name: "Ada".to_owned(), count: 2, note: Some("it's fine".to_owned()), done: true };
    let other = Flat { name: "Bob".to_owned(), count: 9, note: None, done: false };
    check.of("flat", &flat);
    check.of("nested", &Nested { first: flat.clone(), others: vec![other.clone(), flat.clone()] });
    check.of("enum", &Mood::VeryGood);
    check.of("untagged", &Either::Words(vec!["a, b".to_owned(), "c".to_owned()]));
    check.of("list", &vec![flat.clone(), other]);
    check.of("map", &BTreeMap::from([("left".to_owned(), 1_u8), ("right".to_owned(), 2)]));
    let leaf = |name: &str| Tree { name: name.to_owned(), children: Vec::new() };
    check.of("recursive", &Tree { name: "root".to_owned(), children: vec![leaf("a"), leaf("b")] });
    check.of("patterns", &Coded { code: "ABC-12".to_owned(), mail: "ada@example.org".to_owned() });
    check.of("sensitive", &Secret { token: "t-1234567".to_owned(), level: 1 });
    check.of("generic", &Page { items: vec![flat], next: Some(3) });
}

/// Returns the form of a type in a dialect; `None` for a recursive type in the dialect without references.
pub(super) fn form<T: ToolInput>(dialect: Dialect, name: &str) -> Option<AnswerForm<T>> {
    let form = AnswerForm::new(dialect, &Definitions::default());
    if dialect == Dialect::GEMINI_SCHEMA && name == "recursive" {
        let error = form.err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.ends_with("is recursive"), "{error}");
        return None;
    }
    Some(form.unwrap_or_else(|error| panic!("{dialect}: {name}: {error}")))
}

pub(super) fn no_tools() -> Session {
    Toolbox::builder().build().expect("nothing is registered").session()
}

/// Returns `true` if the schema in the request has one member, the wrapper.
pub(super) fn is_wrapped(schema: &Value) -> bool {
    schema["properties"].as_object().is_some_and(|named| named.len() == 1 && named.contains_key("value"))
}

/// Returns the schema in a request, wherever the provider wants it.
pub(super) fn schema_of(request: &Value) -> Value {
    let places = [
        "/response_format/json_schema/schema",
        "/text/format/schema",
        "/output_config/format/schema",
        "/generationConfig/responseJsonSchema",
        "/generationConfig/responseSchema",
        "/function/parameters",
        "/parameters",
        "/input_schema",
        "/parametersJsonSchema",
        "/toolSpec/inputSchema/json",
    ];
    let found = places.iter().find_map(|place| request.pointer(place));
    found.unwrap_or_else(|| panic!("no schema in {request}")).clone()
}

/// Returns a value as a model sends it in a form: wrapped if the type is not a struct, and as the schema of the provider says.
pub(super) fn as_sent<T: ToolInput>(form: &AnswerForm<T>, value: &Value) -> Value {
    let shown = schema_of(&form.definition().to_value());
    let mut plain: Value = serde_json::from_str(&schema_text(T::SHAPE)).unwrap_or_default();
    let mut value = value.clone();
    if is_wrapped(&shown) {
        let references = plain.as_object_mut().and_then(|members| members.remove("$defs")).unwrap_or_else(|| json!({}));
        plain = json!({"properties": {"value": plain}, "$defs": references});
        value = json!({ "value": value });
    }
    sent(In::root(&plain), In::root(&shown), &value).unwrap_or_else(|error| panic!("{shown}: {error}"))
}
