//! The compared verdicts: serde with the typed rules, the checker, and the `jsonschema` crate.

use jsonschema::Validator;
use serde_json::Value;
use tests::private::check::{accepts, check};
use tests::rows::Row;
use tests::table::keeps_all_digits;
use tool_schema::json::Json;
use tool_schema::schema::schema_text;

/// A row with its compiled schemas.
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

    /// Returns the verdicts of the typed path, the checker and our schema.
    pub(crate) fn verdict(&self, text: &str) -> [bool; 3] {
        [(self.row.typed)(text), self.checker(text), judged(&self.ours, text)]
    }

    /// Returns the verdicts of our schema and of that of `schemars`, or `None` if `schemars` cannot describe the type.
    pub(crate) fn schemas(&self, text: &str) -> Option<[bool; 2]> {
        Some([judged(&self.ours, text), judged(self.schemars.as_ref()?, text)])
    }

    fn checker(&self, text: &str) -> bool {
        let Ok(json) = Json::parse(text) else { return false };
        let accepted = check(self.row.shape, &json).is_empty();
        assert_eq!(accepted, accepts(self.row.shape, &json), "{}: `check` and `accepts` on {text}", self.row.name);
        accepted
    }

    /// Returns `true` if a call is rejected with issues exactly if the typed path rejects its arguments. Only objects are arguments.
    /// Effects of the feature `arbitrary_precision` of `serde_json` are ignored, and the checker decides if only the checker can.
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

/// Text that `serde_json` cannot parse (`1e400`) is rejected.
fn judged(validator: &Validator, text: &str) -> bool {
    serde_json::from_str(text).is_ok_and(|value: Value| validator.is_valid(&value))
}
