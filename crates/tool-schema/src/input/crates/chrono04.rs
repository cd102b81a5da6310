//! Dates and times of `chrono`, in the forms of RFC 3339 and ISO 8601.
//!
//! The crate accepts spellings that the schema does not mention: a space instead of `T`, and parts of one digit. It rejects dates that do not
//! exist, such as `2025-02-30`, of which the pattern of `NaiveDateTime` knows nothing, and a `NaiveDateTime` without seconds.
//! `TimeDelta` is not supported, because it has no form in JSON: use `input::Seconds`, or `jiff`.

use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Utc};

use super::civil_time_rules::{date_time, time};
use crate::input::std_types::leaves;
use crate::shape::{Kind, Rule, Shape, StringFormat};

leaves! {
    DateTime<Utc> => Shape::from_kind_and_rules(Kind::String, &[Rule::Format(StringFormat::DateTime)]),
    DateTime<FixedOffset> => Shape::from_kind_and_rules(Kind::String, &[Rule::Format(StringFormat::DateTime)]),
    NaiveDate => Shape::from_kind_and_rules(Kind::String, &[Rule::Format(StringFormat::Date)]),
    NaiveTime => Shape::from_kind_and_rules(Kind::String, const { &[time()] }),
    NaiveDateTime => Shape::from_kind_and_rules(Kind::String, const { &[date_time()] }),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::crates::tests::check;

    #[test]
    fn the_standard_form_is_accepted() {
        check::<DateTime<Utc>>("2025-01-31T09:30:00Z", true, true);
        check::<DateTime<FixedOffset>>("2025-01-31T09:30:00.5+01:00", true, true);
        check::<NaiveDate>("2025-01-31", true, true);
        check::<NaiveTime>("09:30", true, true);
        check::<NaiveTime>("23:59:59.123456789", true, true);
        check::<NaiveDateTime>("2025-01-31T09:30:00", true, true);
    }

    #[test]
    fn schema_and_crate_reject_invalid_times() {
        check::<DateTime<Utc>>("2025-01-31T09:30:00", false, false);
        check::<NaiveDate>("2025-02-29", false, false);
        check::<NaiveDate>("31.01.2025", false, false);
        check::<NaiveTime>("24:00", false, false);
        check::<NaiveTime>("09:30:00Z", false, false);
        check::<NaiveDateTime>("2025-01-31", false, false);
    }

    #[test]
    fn the_crate_differs_from_the_schema_as_documented() {
        check::<DateTime<Utc>>("2025-01-31 09:30:00Z", false, true);
        check::<NaiveDate>("2025-1-31", false, true);
        check::<NaiveDateTime>("2025-02-30T09:30:00", true, false);
        check::<NaiveDateTime>("2025-01-31T09:30", true, false);
    }
}
