//! `uuid::Uuid` with the format `uuid`, 36 characters.
//!
//! The crate also accepts braces, the prefix `urn:uuid:`, and 32 digits without hyphens; the schema only allows the standard form.

use crate::input::std_types::leaves;
use crate::shape::{Kind, Rule, Shape, StringFormat};

leaves! { uuid::Uuid => Shape::from_kind_and_rules(Kind::String, &[Rule::Format(StringFormat::Uuid)]) }

#[cfg(test)]
mod tests {
    use super::StringFormat;

    #[test]
    fn the_crate_accepts_the_format() {
        let standard = StringFormat::Uuid.example();
        assert!(serde_json::from_value::<uuid::Uuid>(standard.into()).is_ok());
        let compact = standard.replace('-', "");
        assert!(
            serde_json::from_value::<uuid::Uuid>(compact.clone().into()).is_ok()
                && !StringFormat::Uuid.accepts(&compact)
        );
    }
}
