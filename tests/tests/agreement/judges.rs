//! The judges: serde with the typed rules, our checker, and the `jsonschema` crate.

use jsonschema::Validator;
use serde_json::Value;
use tests::private::check::{accepts, check};
use tests::rows::Row;
use tests::table::keeps_all_digits;
use tool_schema::json::Json;
use tool_schema::schema::schema_text;

/// A row with its schemas compiled.
pub(crate) struct Judges {
    pub(crate) row: Row,
    ours: Validator,
    schemars: Option<Validator>,
}

impl Judges {
    pub(crate) fn new(row: Row) -> Self {
        let ours = serde_json::from_str(&schema_text(row.shape)).expect("a schema is JSON");
        let schemars = row.schemars.map(|schema| validator(&row, &schema().into()));
        Self { ours: validator(&row, &ours), schemars, row }
    }

    /// Whether the typed path, the checker and our schema accept a text.
    pub(crate) fn verdict(&self, text: &str) -> [bool; 3] {
        [(self.row.typed)(text), self.checker(text), judged(&self.ours, text)]
    }

    /// Whether our schema and that of `schemars` accept a text; `None` where `schemars` cannot say what the type says.
    pub(crate) fn schemas(&self, text: &str) -> Option<[bool; 2]> {
        Some([judged(&self.ours, text), judged(self.schemars.as_ref()?, text)])
    }

    fn checker(&self, text: &str) -> bool {
        let Ok(json) = Json::parse(text) else { return false };
        let accepted = check(self.row.shape, &json).is_empty();
        assert_eq!(accepted, accepts(self.row.shape, &json), "{}: `check` and `accepts` on {text}", self.row.name);
        accepted
    }

    /// Whether a call is refused with issues exactly where the typed path refuses. Only objects are arguments. What only the feature
    /// `arbitrary_precision` of `serde_json` spoils is read all the same, and where only the checker can tell, it is asked.
    pub(crate) fn decode_agrees(&self, text: &str, asks_the_checker: bool) -> bool {
        !text.starts_with('{')
            || match (self.row.decode)(text) {
                Ok(()) => (self.row.typed)(text) || ((keeps_all_digits() || asks_the_checker) && self.checker(text)),
                Err(error) => !(self.row.typed)(text) && !error.issues().is_empty(),
            }
    }
}

fn validator(row: &Row, schema: &Value) -> Validator {
    let built = jsonschema::draft202012::options().should_validate_formats(true).build(schema);
    built.unwrap_or_else(|error| panic!("{}: {error} in {schema}", row.name))
}

/// What `serde_json` cannot read at all (`1e400`) is not accepted.
fn judged(validator: &Validator, text: &str) -> bool {
    serde_json::from_str(text).is_ok_and(|value: Value| validator.is_valid(&value))
}
