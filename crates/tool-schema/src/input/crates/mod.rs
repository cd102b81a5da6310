//! `ToolInput` for types of other crates, each behind a feature that is named after the crate and its major version.
//!
//! A shape describes the standard form. If the crate's own `Deserialize` accepts more spellings, so does decoding, although the schema does
//! not mention them. If it accepts fewer, a call with such a value is rejected with a `custom` issue. Each file documents the differences.

#[cfg(feature = "chrono04")]
mod chrono04;
#[cfg(any(feature = "chrono04", feature = "jiff02", feature = "rust_decimal1"))]
mod civil_time_rules;
#[cfg(feature = "jiff02")]
mod jiff02;
#[cfg(feature = "rust_decimal1")]
mod rust_decimal1;
#[cfg(feature = "url2")]
mod url2;
#[cfg(feature = "uuid1")]
mod uuid1;

#[cfg(all(test, any(feature = "chrono04", feature = "jiff02", feature = "rust_decimal1")))]
mod tests {
    use serde::de::DeserializeOwned;

    use crate::input::ToolInput;
    use crate::shape::Rule;

    fn accepts<T: ToolInput>(text: &str) -> bool {
        T::SHAPE.rules.iter().all(|rule| match rule {
            Rule::Format(format) => format.accepts(text),
            Rule::Pattern(pattern) => pattern.is_match(text),
            _ => false,
        })
    }

    fn reads<T: DeserializeOwned>(text: &str) -> bool {
        serde_json::from_value::<T>(text.into()).is_ok()
    }

    /// Compares what the shape and what the crate say of a text.
    pub(super) fn check<T: ToolInput>(text: &str, accepted: bool, read: bool) {
        assert_eq!(
            (accepts::<T>(text), reads::<T>(text)),
            (accepted, read),
            "{text:?} as {}",
            std::any::type_name::<T>()
        );
    }
}
