//! Instants, civil dates and times, and durations of `jiff`, in the forms of RFC 3339 and ISO 8601.
//!
//! The crate accepts spellings that the schema does not mention: a space instead of `T`, numbers without separators, a time zone in
//! brackets after the offset, and `1h 30m` for a duration. It refuses values that its types cannot represent: an instant in the last hours
//! of the year 9999, a `SignedDuration` in days or more. A leap second becomes the second before it. `Zoned` is not supported, because it
//! needs a time zone database and has no form in JSON Schema.

use jiff::civil::{Date, DateTime, Time};
use jiff::{SignedDuration, Span, Timestamp};

use crate::input::std_types::leaves;
use crate::shape::{Kind, Pattern, PatternMatcher, Rule, Shape, StringFormat, Text};

/// The pattern of a civil time. The format `time` of JSON Schema does not fit, because it requires an offset.
const TIME: &str = r"^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?$";
/// The pattern of a civil date and time, which has no offset either.
const DATE_TIME: &str = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?$";

leaves! {
    Timestamp => Shape::ruled(Kind::String, &[Rule::Format(StringFormat::DateTime)]),
    Date => Shape::ruled(Kind::String, &[Rule::Format(StringFormat::Date)]),
    Time => Shape::ruled(Kind::String, const { &[pattern(TIME, is_time, "09:30:00")] }),
    DateTime => Shape::ruled(Kind::String, const { &[pattern(DATE_TIME, is_date_time, "2025-01-31T09:30:00")] }),
    SignedDuration => Shape::ruled(Kind::String, &[Rule::Format(StringFormat::Duration)]),
    Span => Shape::ruled(Kind::String, &[Rule::Format(StringFormat::Duration)]),
}

const fn pattern(source: &'static str, matcher: fn(&str) -> bool, candidate: &'static str) -> Rule {
    let matcher = PatternMatcher::Static(matcher);
    Rule::Pattern(Pattern { source: Text::new(source), matcher, candidate: Text::new(candidate) })
}

/// Matches [`TIME`] without a regular expression.
fn is_time(text: &str) -> bool {
    let (clock, fraction) = text.split_once('.').map_or((text, None), |(clock, fraction)| (clock, Some(fraction)));
    let fits = |part: &str, limit: u8| is_digits(part, 2) && part.parse().is_ok_and(|value: u8| value < limit);
    let mut parts = clock.split(':');
    let (hour, minute, second) = (parts.next(), parts.next(), parts.next());
    hour.is_some_and(|hour| fits(hour, 24))
        && minute.is_some_and(|minute| fits(minute, 60))
        && second.map_or(fraction.is_none(), |second| fits(second, 60))
        && fraction.is_none_or(|fraction| fraction.len() <= 9 && is_digits(fraction, fraction.len().max(1)))
        && parts.next().is_none()
}

/// Matches [`DATE_TIME`] without a regular expression.
fn is_date_time(text: &str) -> bool {
    text.split_once('T').is_some_and(|(date, time)| {
        let parts: Vec<_> = date.splitn(4, '-').collect();
        matches!(parts[..], [year, month, day] if is_digits(year, 4) && is_digits(month, 2) && is_digits(day, 2))
            && is_time(time)
    })
}

fn is_digits(text: &str, count: usize) -> bool {
    text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use serde::de::DeserializeOwned;

    use super::*;
    use crate::input::ToolInput;

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

    fn check<T: ToolInput>(text: &str, accepted: bool, read: bool) {
        assert_eq!(
            (accepts::<T>(text), reads::<T>(text)),
            (accepted, read),
            "{text:?} as {}",
            std::any::type_name::<T>()
        );
    }

    #[test]
    fn the_standard_form_is_accepted() {
        check::<Timestamp>("2025-01-31T09:30:00Z", true, true);
        check::<Timestamp>("2025-01-31T09:30:00.5+01:00", true, true);
        check::<Date>("2025-01-31", true, true);
        check::<Time>("09:30", true, true);
        check::<Time>("23:59:59.123456789", true, true);
        check::<DateTime>("2025-01-31T09:30:00", true, true);
        check::<SignedDuration>("PT1H30M", true, true);
        check::<Span>("P1Y2M3DT4H", true, true);
    }

    #[test]
    fn the_examples_in_hints_are_accepted() {
        let candidate = |shape: &Shape| match &shape.rules[..] {
            [Rule::Pattern(pattern)] => pattern.candidate.to_string(),
            rules => panic!("{rules:?}"),
        };
        check::<Time>(&candidate(Time::SHAPE), true, true);
        check::<DateTime>(&candidate(DateTime::SHAPE), true, true);
    }

    #[test]
    fn schema_and_crate_refuse_invalid_times() {
        check::<Timestamp>("2025-01-31T09:30:00", false, false);
        check::<Date>("2025-02-29", false, false);
        check::<Time>("24:00", false, false);
        check::<Time>("09:30:00.", false, false);
        check::<Time>("09:30:00Z", false, false);
        check::<DateTime>("2025-01-31T9:30", false, false);
        check::<Span>("soon", false, false);
    }

    #[test]
    fn the_crate_differs_from_the_schema_as_documented() {
        check::<Timestamp>("2025-01-31 09:30:00Z", false, true);
        check::<Timestamp>("2025-01-31T09:30:00+01:00[Europe/Berlin]", false, true);
        check::<Timestamp>("9999-12-31T23:59:59Z", true, false);
        check::<Date>("20250131", false, true);
        check::<DateTime>("2025-02-30T09:30", true, false);
        check::<SignedDuration>("1h 30m", false, true);
        check::<SignedDuration>("P1D", true, false);
    }

    #[cfg(feature = "pattern")]
    #[test]
    fn the_functions_agree_with_the_patterns() -> Result<(), regex::Error> {
        let texts = [
            "09:30",
            "9:30",
            "24:00",
            "23:60",
            "23:59:60",
            "09:30:00.1",
            "09:30:00.",
            "09:30.5",
            "09:30:00.1234567890",
            "09:30:00.123456789",
            "09:30:00:00",
            "",
            "٠٩:30",
            "2025-01-31T09:30",
            "2025-01-31T09:30:00.5",
            "2025-1-31T09:30",
            "2025-01-31 09:30",
            "2025-01-31-01T09:30",
            "T09:30",
            "2025-01-31T",
        ];
        for (source, matcher) in [(TIME, is_time as fn(&str) -> bool), (DATE_TIME, is_date_time)] {
            let regex = regex::Regex::new(source)?;
            for text in texts {
                assert_eq!(matcher(text), regex.is_match(text), "{text:?} against {source}");
            }
        }
        Ok(())
    }
}
