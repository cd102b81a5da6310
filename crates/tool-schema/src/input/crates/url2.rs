//! `url::Url` with the format `uri`.
//!
//! The crate follows the URL standard of browsers: it also accepts white space around a URL, letters beyond ASCII and backslashes, and
//! rejects a few URIs that have no meaning in that standard, such as `https://` without a host.

use crate::input::std_types::leaves;
use crate::shape::{Kind, Rule, Shape, StringFormat};

leaves! { url::Url => Shape::from_kind_and_rules(Kind::String, &[Rule::Format(StringFormat::Uri)]) }

#[cfg(test)]
mod tests {
    use super::StringFormat;

    #[test]
    fn the_crate_differs_from_the_format_as_documented() {
        let reads = |text: &str| serde_json::from_value::<url::Url>(text.into()).is_ok();
        for (text, accepted, read) in [
            (StringFormat::Uri.example(), true, true),
            ("mailto:ada@example.org", true, true),
            ("example.org", false, false),
            (" https://example.org/ä ", false, true),
            ("https://", true, false),
        ] {
            assert_eq!((StringFormat::Uri.accepts(text), reads(text)), (accepted, read), "{text:?}");
        }
    }
}
