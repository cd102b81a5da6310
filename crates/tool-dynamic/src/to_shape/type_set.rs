//! Sets of JSON types, as in the keyword `type`. An integer is a number without a fraction (JSON Schema 2020-12, validation §6.1.1).

use tool_runtime::tool_schema::json::{Json, JsonType, Node};

/// A set of types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TypeSet(u8);

impl TypeSet {
    pub(super) const NULL: Self = Self(1);
    pub(super) const BOOLEAN: Self = Self(1 << 1);
    pub(super) const INTEGER: Self = Self(1 << 2);
    /// A number with a fraction. No `type` means this alone.
    pub(super) const FRACTION: Self = Self(1 << 3);
    pub(super) const NUMBER: Self = Self(Self::INTEGER.0 | Self::FRACTION.0);
    pub(super) const STRING: Self = Self(1 << 4);
    pub(super) const ARRAY: Self = Self(1 << 5);
    pub(super) const OBJECT: Self = Self(1 << 6);
    pub(super) const ANY: Self = Self(0x7f);

    fn named(name: &str) -> Self {
        match name {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => Self::ANY,
        }
    }

    /// Returns the types that a `type` keyword names.
    pub(super) fn of_keyword(json: &Json<'_>) -> Self {
        match &json.node {
            Node::String(name) => Self::named(name),
            Node::Array(names) => {
                names.iter().filter_map(Json::as_str).fold(Self(0), |types, name| Self(types.0 | Self::named(name).0))
            }
            _ => Self::ANY,
        }
    }

    /// Returns the type of a value.
    pub(super) fn of_value(json: &Json<'_>) -> Self {
        match json.json_type() {
            JsonType::Null => Self::NULL,
            JsonType::Boolean => Self::BOOLEAN,
            JsonType::Integer => Self::INTEGER,
            JsonType::Number => Self::FRACTION,
            JsonType::String => Self::STRING,
            JsonType::Array => Self::ARRAY,
            JsonType::Object => Self::OBJECT,
        }
    }

    pub(super) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(super) const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the set without `null`, and `true` if `null` was in the set.
    pub(super) const fn without_null(self) -> (Self, bool) {
        (Self(self.0 & !Self::NULL.0), self.0 & Self::NULL.0 != 0)
    }

    /// Returns each type in the set, in the usual order.
    pub(super) fn each(self) -> impl Iterator<Item = Self> {
        let number = self.and(Self::NUMBER);
        [Self::STRING, number, Self::BOOLEAN, Self::OBJECT, Self::ARRAY]
            .into_iter()
            .filter(move |one| !one.is_empty() && self.contains(*one))
    }
}
