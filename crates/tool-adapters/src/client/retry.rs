//! How long a provider asks to wait: [`retry_after`].
//!
//! In: the headers and the body of a refusal. Out: the pause, where one is told as a number. What always holds: nothing that a server
//! sends makes it panic; a date is not read, because that takes a clock that agrees with the server's.

use std::time::Duration;

use serde_json::Value;

pub(super) fn retry_after<'h>(header: impl Fn(&str) -> Option<&'h str>, body: &Value) -> Option<Duration> {
    let seconds = |text: &str| text.trim().parse::<f64>().ok();
    let told = header("retry-after-ms").and_then(seconds).map(|milliseconds| milliseconds / 1_000.0);
    let told = told.or_else(|| header("retry-after").and_then(seconds));
    let told = told.or_else(|| seconds(delay(body)?.strip_suffix('s')?));
    Duration::try_from_secs_f64(told?).ok()
}

/// Gemini tells it in the body: `{"error": {"details": [{"@type": "….RetryInfo", "retryDelay": "17s"}]}}`.
fn delay(body: &Value) -> Option<&str> {
    let details = body.pointer("/error/details")?.as_array()?;
    details.iter().find_map(|detail| detail.get("retryDelay")?.as_str())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};

    use super::retry_after;

    fn told(name: &'static str, value: &'static str) -> Option<Duration> {
        retry_after(|asked| (asked == name).then_some(value), &Value::Null)
    }

    #[test]
    fn numbers_are_read_and_nothing_else() {
        assert_eq!(told("retry-after", "7"), Some(Duration::from_secs(7)));
        assert_eq!(told("retry-after", "0.5"), Some(Duration::from_millis(500)));
        assert_eq!(told("retry-after-ms", "1500"), Some(Duration::from_millis(1_500)));
        for nonsense in ["", "-1", "inf", "NaN", "1e300", "Wed, 21 Oct 2015 07:28:00 GMT"] {
            assert_eq!(told("retry-after", nonsense), None, "{nonsense}");
        }
    }

    #[test]
    fn gemini_tells_it_in_the_body() {
        let body = json!({"error": {"details": [{"reason": "quota"}, {"retryDelay": "17s"}]}});
        assert_eq!(retry_after(|_| None, &body), Some(Duration::from_secs(17)));
    }
}
