//! `uuid::Uuid`: the format `uuid`, 36 characters.
//!
//! The crate also reads 32 digits without hyphens, braces and `urn:uuid:`; the schema asks for the standard form alone.

use crate::input::std_types::leaves;
use crate::shape::{Kind, Rule, Shape, StringFormat};

leaves! { uuid::Uuid => Shape::ruled(Kind::String, &[Rule::Format(StringFormat::Uuid)]) }

#[cfg(test)]
mod tests {
    use super::StringFormat;

    #[test]
    fn the_crate_reads_what_the_format_accepts() {
        let standard = StringFormat::Uuid.example();
        assert!(serde_json::from_value::<uuid::Uuid>(standard.into()).is_ok());
        let compact = standard.replace('-', "");
        assert!(
            serde_json::from_value::<uuid::Uuid>(compact.clone().into()).is_ok()
                && !StringFormat::Uuid.accepts(&compact)
        );
    }
}
