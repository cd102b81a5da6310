//! The pause that a provider requests: [`retry_after`].
//!
//! Invariant: no input causes a panic. Only numbers are parsed, because a date would require that the clocks of server and client agree.

use std::time::Duration;

use serde_json::Value;

pub(super) fn retry_after<'h>(header: impl Fn(&str) -> Option<&'h str>, body: &Value) -> Option<Duration> {
    let seconds = |text: &str| text.trim().parse::<f64>().ok();
    let found = header("retry-after-ms").and_then(seconds).map(|milliseconds| milliseconds / 1_000.0);
    let found = found.or_else(|| header("retry-after").and_then(seconds));
    let found = found.or_else(|| seconds(delay(body)?.strip_suffix('s')?));
    Duration::try_from_secs_f64(found?).ok()
}

/// Returns the pause in the body of Gemini's answer: `{"error": {"details": [{"@type": "….RetryInfo", "retryDelay": "17s"}]}}`.
fn delay(body: &Value) -> Option<&str> {
    let details = body.pointer("/error/details")?.as_array()?;
    details.iter().find_map(|detail| detail.get("retryDelay")?.as_str())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::retry_after;

    fn parsed(name: &'static str, value: &'static str) -> Option<Duration> {
        retry_after(|asked| (asked == name).then_some(value), &Value::Null)
    }

    #[test]
    fn only_numbers_are_parsed() {
        assert_eq!(parsed("retry-after", "7"), Some(Duration::from_secs(7)));
        assert_eq!(parsed("retry-after", "0.5"), Some(Duration::from_millis(500)));
        assert_eq!(parsed("retry-after-ms", "1500"), Some(Duration::from_millis(1_500)));
        for nonsense in ["", "-1", "inf", "NaN", "1e300", "Wed, 21 Oct 2015 07:28:00 GMT"] {
            assert_eq!(parsed("retry-after", nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn the_pause_of_gemini_is_in_the_body() {
        let body = json!({"error": {"details": [{"reason": "quota"}, {"retryDelay": "17s"}]}});
        assert_eq!(retry_after(|_| None, &body), Some(Duration::from_secs(17)));
    }
}
