//! Texts of a page: short lines, times, numbers.

use std::time::Duration;

pub(super) use crate::private::visible::short_line;

/// Returns a number with a unit, of which there may be one.
pub(super) fn counted(number: usize, unit: &str) -> String {
    if number == 1 { format!("1 {unit}") } else { format!("{number} {unit}s") }
}

pub(super) fn bytes(bytes: u64) -> String {
    #[expect(clippy::cast_precision_loss)] // Three digits are shown.
    let thousands = bytes as f64 / 1_000.0;
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{thousands:.1} kB"),
        _ => format!("{:.1} MB", thousands / 1_000.0),
    }
}

pub(super) fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{:.1} s", time.as_secs_f64()),
        60..3_600 => format!("{} min {} s", seconds / 60, seconds % 60),
        _ => format!("{} h {} min", seconds / 3_600, seconds / 60 % 60),
    }
}

pub(super) fn median(median: Option<f32>) -> String {
    median.map_or_else(|| "–".to_owned(), |ms| format!("{ms:.0} ms"))
}

/// Returns a time in milliseconds since 1970 as text, in UTC.
pub(super) fn utc(ms: u64) -> String {
    let (days, seconds) = (ms / 86_400_000, ms / 1_000 % 86_400);
    // The days of a year that begins in March, so that the leap day is its last one ("chrono-Compatible Low-Level Date Algorithms").
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, year) = if month < 10 { (month + 3, year) } else { (month - 9, year + 1) };
    let year = year + era * 400;
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_in_utc() {
        for (ms, expected) in [
            (0, "1970-01-01 00:00:00"),
            (951_782_399_999, "2000-02-28 23:59:59"),
            (951_782_400_000, "2000-02-29 00:00:00"),
            (1_700_000_000_000, "2023-11-14 22:13:20"),
        ] {
            assert_eq!(utc(ms), expected);
        }
    }

    #[test]
    fn sizes_have_a_unit() {
        assert_eq!([0, 999, 1_500, 2_300_000].map(bytes), ["0 B", "999 B", "1.5 kB", "2.3 MB"]);
    }
}
