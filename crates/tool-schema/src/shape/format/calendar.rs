//! `date`, `time`, `date-time` (RFC 3339 §5.6) and `duration` (its appendix A).
//!
//! A text must follow the grammar and name a moment that exists: no 30 February, and a leap second only at 23:59 UTC.

pub(super) fn date_time(text: &str) -> bool {
    text.split_once(['T', 't']).is_some_and(|(day, moment)| date(day) && time(moment))
}

pub(super) fn date(text: &str) -> bool {
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2] = *text.as_bytes() else { return false };
    let (Some(year), Some(month), Some(day)) = (number(&[y1, y2, y3, y4]), number(&[m1, m2]), number(&[d1, d2])) else {
        return false;
    };
    (1..=days_in_month(year, month)).contains(&day)
}

pub(super) fn time(text: &str) -> bool {
    let [h1, h2, b':', m1, m2, b':', s1, s2, ref rest @ ..] = *text.as_bytes() else { return false };
    let (Some(hour), Some(minute), Some(second)) = (number(&[h1, h2]), number(&[m1, m2]), number(&[s1, s2])) else {
        return false;
    };
    let offset = match rest {
        [b'.', fraction @ ..] => match leading_digits(fraction) {
            0 => return false,
            digits => &fraction[digits..],
        },
        _ => rest,
    };
    let Some(offset) = offset_minutes(offset) else { return false };
    let leap = second == 60 && (60 * hour + minute - offset).rem_euclid(24 * 60) == 23 * 60 + 59;
    hour < 24 && minute < 60 && (second < 60 || leap)
}

/// Returns the offset from UTC in minutes.
fn offset_minutes(text: &[u8]) -> Option<i32> {
    match *text {
        [b'Z' | b'z'] => Some(0),
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => {
            let (hours, minutes) = (number(&[h1, h2])?, number(&[m1, m2])?);
            let ahead = 60 * hours + minutes;
            (hours < 24 && minutes < 60).then_some(if sign == b'+' { ahead } else { -ahead })
        }
        _ => None,
    }
}

pub(super) fn duration(text: &str) -> bool {
    let Some(text) = text.strip_prefix('P') else { return false };
    match text.split_once('T') {
        None => components(text, b"YMD") || components(text, b"W"),
        Some((date, time)) => (date.is_empty() || components(date, b"YMD")) && components(time, b"HMS"),
    }
}

/// Returns `true` for one or more numbers, each followed by its unit; the units must be consecutive in `order`.
fn components(text: &str, order: &[u8]) -> bool {
    let (mut text, mut next) = (text.as_bytes(), None);
    while !text.is_empty() {
        let digits = leading_digits(text);
        let Some(place) = text.get(digits).and_then(|unit| order.iter().position(|known| known == unit)) else {
            return false;
        };
        if digits == 0 || next.is_some_and(|next| next != place) {
            return false;
        }
        next = Some(place + 1);
        text = &text[digits + 1..];
    }
    next.is_some()
}

fn leading_digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_digit()).count()
}

/// Returns the value of the digits; `None` if one is not a digit.
fn number(digits: &[u8]) -> Option<i32> {
    digits.iter().try_fold(0, |value, digit| digit.is_ascii_digit().then(|| value * 10 + i32::from(digit - b'0')))
}

/// Returns the number of days in a month; zero for a month that does not exist.
const fn days_in_month(year: i32, month: i32) -> i32 {
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 0,
    }
}
