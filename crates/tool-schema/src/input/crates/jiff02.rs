//! Instants, civil dates and times, and durations of `jiff`, in the forms of RFC 3339 and ISO 8601.
//!
//! The crate accepts spellings that the schema does not mention: a space instead of `T`, numbers without separators, a time zone in
//! brackets after the offset, and `1h 30m` for a duration. It rejects values that its types cannot represent: an instant in the last hours
//! of the year 9999, a `SignedDuration` in days or more. A leap second becomes the second before it. `Zoned` is not supported, because it
//! needs a time zone database and has no form in JSON Schema.

use jiff::civil::{Date, DateTime, Time};
use jiff::{SignedDuration, Span, Timestamp};

use super::civil_time_rules::{date_time, time};
use crate::input::std_types::leaves;
use crate::shape::{Kind, Rule, Shape, StringFormat};

leaves! {
    Timestamp => Shape::from_kind_and_rules(Kind::String, &[Rule::Format(StringFormat::DateTime)]),
    Date => Shape::from_kind_and_rules(Kind::String, &[Rule::Format(StringFormat::Date)]),
    Time => Shape::from_kind_and_rules(Kind::String, const { &[time()] }),
    DateTime => Shape::from_kind_and_rules(Kind::String, const { &[date_time()] }),
    SignedDuration => Shape::from_kind_and_rules(Kind::String, &[Rule::Format(StringFormat::Duration)]),
    Span => Shape::from_kind_and_rules(Kind::String, &[Rule::Format(StringFormat::Duration)]),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::ToolInput;
    use crate::input::crates::tests::check;

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
            [Rule::Pattern(pattern)] => pattern.sample.to_string(),
            rules => panic!("{rules:?}"),
        };
        check::<Time>(&candidate(Time::SHAPE), true, true);
        check::<DateTime>(&candidate(DateTime::SHAPE), true, true);
    }

    #[test]
    fn schema_and_crate_reject_invalid_times() {
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
}
