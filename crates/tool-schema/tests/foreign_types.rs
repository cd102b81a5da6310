//! Compares the types of `chrono`, `jiff`, `rust_decimal`, `url` and `uuid` with the `jsonschema` crate: decoding accepts every value that the schema allows.

use chrono::{FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use jiff::civil::{Date, DateTime, Time};
use jiff::{SignedDuration, Span, Timestamp};
use rust_decimal::Decimal;
use serde_json::{Value, json};
use tool_schema::ToolInput;
use tool_schema::decode::decode;
use tool_schema::input::Arguments;
use tool_schema::schema::schema_text;
use url::Url;
use uuid::Uuid;

#[derive(serde::Deserialize, ToolInput)]
#[serde(bound = "T: serde::de::DeserializeOwned")]
#[tool(ignore_unknown, undocumented)]
#[allow(dead_code)]
struct Held<T> {
    value: T,
    others: Vec<Option<T>>,
}

#[track_caller]
fn judge<T: ToolInput>(accepted: &[&str], rejected: &[&str])
where
    Held<T>: ToolInput,
{
    let schema: Value = serde_json::from_str(&schema_text(<Held<T>>::SHAPE)).expect("a schema is JSON");
    let validator = jsonschema::draft202012::options().should_validate_formats(true).build(&schema).expect("a schema");
    for (texts, verdict) in [(accepted, true), (rejected, false)] {
        for text in texts {
            for value in [json!({"value": text, "others": [null]}), json!({"value": accepted[0], "others": [text]})] {
                let typed = decode::<Held<T>>(&Arguments::from(value.to_string())).is_ok();
                assert_eq!((typed, validator.is_valid(&value)), (verdict, verdict), "{value} under {schema}");
            }
        }
    }
}

#[test]
fn date_and_time_types_accept_only_valid_texts() {
    judge::<Timestamp>(&["2025-01-31T09:30:00Z", "2025-01-31T09:30:00.5+01:00"], &["2025-01-31T09:30:00", "soon", ""]);
    judge::<Date>(&["2025-01-31", "2024-02-29"], &["2025-02-29", "2025-13-01", "today"]);
    judge::<Time>(&["09:30", "23:59:59.123456789"], &["24:00", "09:30:00.", "09:30:00Z", "٠٩:30"]);
    judge::<DateTime>(&["2025-01-31T09:30", "2025-01-31T09:30:00"], &["2025-01-31T9:30", "2025-01-31T24:00"]);
    judge::<SignedDuration>(&["PT1H30M", "PT0S"], &["90", "P", "soon"]);
    judge::<Span>(&["P1Y2M3DT4H", "P1D", "PT5M"], &["P", "PT", "soon"]);
}

#[test]
fn uuids_and_urls_accept_only_valid_texts() {
    judge::<Uuid>(&["67e55044-10b1-426f-9247-bb680e5fe0c8"], &["67e55044", "", "67e55044-10b1-426f-9247-bb680e5fe0cg"]);
    judge::<Url>(&["https://example.org/a?b=c#d", "mailto:ada@example.org"], &["example.org", "", "//example.org"]);
}

#[test]
fn types_of_chrono_accept_only_valid_texts() {
    let times = (&["2025-01-31T09:30:00Z", "2025-01-31T09:30:00.5+01:00"], &["2025-01-31T09:30:00", "soon", ""]);
    judge::<chrono::DateTime<Utc>>(times.0, times.1);
    judge::<chrono::DateTime<FixedOffset>>(times.0, times.1);
    judge::<NaiveDate>(&["2025-01-31", "2024-02-29"], &["2025-02-29", "2025-13-01", "today"]);
    judge::<NaiveTime>(&["09:30", "23:59:59.123456789"], &["24:00", "09:30:00.", "09:30:00Z", "٠٩:30"]);
    judge::<NaiveDateTime>(&["2025-01-31T09:30:00", "2025-01-31T09:30:00.5"], &["2025-01-31", "soon", ""]);
}

#[test]
fn decimal_numbers_accept_only_valid_texts() {
    judge::<Decimal>(&["12.50", "-0.001", "1234567890123456789012345678"], &["1,5", "1.2.3", "ten", ""]);
}
