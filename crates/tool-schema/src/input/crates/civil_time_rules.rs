//! The rules of civil times and dates, which have no offset from UTC.

use crate::shape::{Pattern, PatternMatcher, Rule, Text};

/// The pattern of a civil time. The format `time` of JSON Schema does not fit, because it requires an offset.
const TIME: &str = r"^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?$";
/// The pattern of a civil date and time.
const DATE_TIME: &str = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?$";

/// Returns the rule of a civil time.
pub(super) const fn time() -> Rule {
    pattern(TIME, is_time, "09:30:00")
}

/// Returns the rule of a civil date and time.
pub(super) const fn date_time() -> Rule {
    pattern(DATE_TIME, is_date_time, "2025-01-31T09:30:00")
}

/// Returns a rule whose pattern is matched by a function.
pub(super) const fn pattern(source: &'static str, matcher: fn(&str) -> bool, sample: &'static str) -> Rule {
    let matcher = PatternMatcher::Static(matcher);
    Rule::Pattern(Pattern { source: Text::from_static(source), matcher, sample: Text::from_static(sample) })
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

pub(super) fn is_digits(text: &str, count: usize) -> bool {
    text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(all(test, feature = "pattern"))]
mod tests {
    use super::*;

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
