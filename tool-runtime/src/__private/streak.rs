//! The numbers of a throttle rule in generated code. At compile time, they are compared with each other and with the defaults.

use std::time::Duration;

use crate::throttle::StreakLimits;

/// A builder of the settings of a throttle rule. Call `limit` before `warn`.
#[derive(Clone, Copy)]
#[must_use]
pub struct StreakInit(pub StreakLimits);

impl StreakInit {
    /// Sets the count at which calls are rejected. If needed, lowers the default count of the warning, so that the warning comes first.
    pub const fn limit(mut self, count: u32) -> Self {
        self.0.limit = count;
        if self.0.warn >= count {
            self.0.warn = count.saturating_sub(1);
        }
        self
    }

    pub const fn warn(mut self, count: u32) -> Self {
        self.0.warn = count;
        self
    }

    pub const fn factor(mut self, factor: u32) -> Self {
        self.0.pause.factor = factor;
        self
    }

    pub const fn first(mut self, seconds: u32) -> Self {
        self.0.pause.first = Duration::from_secs(seconds as u64);
        self
    }

    pub const fn cap(mut self, seconds: u32) -> Self {
        self.0.pause.cap = Duration::from_secs(seconds as u64);
        self
    }
}

/// Panics if the warning does not come before the pause.
#[track_caller]
pub const fn warns_in_time(streak: &StreakLimits) {
    if streak.warn >= streak.limit {
        let message = Message::EMPTY.text("the tool is paused at ").number(streak.limit as u64);
        panic!(
            "{}",
            message
                .text(", so this warning never appears: write a smaller number, or `warn = 0` for no warning")
                .as_str()
        );
    }
}

/// Panics if the first pause is longer than the maximum pause. `advice` is the end of the message.
#[track_caller]
pub const fn pause_fits(streak: &StreakLimits, advice: &str) {
    let (first, cap) = (streak.pause.first.as_secs(), streak.pause.cap.as_secs());
    if first > cap {
        let message = Message::EMPTY.text("the first pause (").number(first).text(" s) is longer than `cap` (");
        let message = message.number(cap).text(" s): write `cap = ").number(first).text("`");
        panic!("{}", message.text(advice).as_str());
    }
}

/// A text with numbers that is built in a `const`.
#[derive(Clone, Copy)]
struct Message {
    bytes: [u8; 160],
    length: usize,
}

impl Message {
    const EMPTY: Self = Self { bytes: [b' '; 160], length: 0 };

    const fn text(mut self, text: &str) -> Self {
        let mut index = 0;
        while index < text.len() {
            self.bytes[self.length] = text.as_bytes()[index];
            self.length += 1;
            index += 1;
        }
        self
    }

    const fn number(self, number: u64) -> Self {
        const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
        let this = if number < 10 { self } else { self.number(number / 10) };
        this.text(DIGITS[(number % 10) as usize])
    }

    const fn as_str(&self) -> &str {
        match std::str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => text,
            Err(_) => "the numbers contradict each other",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::throttle::Backoff;

    const USUAL: StreakInit = StreakInit(StreakLimits::DEFAULT);

    #[test]
    fn the_default_warning_comes_before_the_rejection() {
        let warn = |streak: StreakLimits, limit| StreakInit(streak).limit(limit).0.warn;
        assert_eq!([1, 2, 3, 9].map(|limit| warn(StreakLimits::DEFAULT, limit)), [0, 1, 2, 2]);
        assert_eq!([2, 4, 5, 9].map(|limit| warn(StreakLimits::FAILURES, limit)), [1, 3, 4, 4]);
        assert_eq!(USUAL.limit(9).warn(8).0.warn, 8);
    }

    #[test]
    fn missing_numbers_are_the_defaults_of_the_runtime() {
        let pause = USUAL.first(400).cap(400).factor(3).0.pause;
        assert_eq!(pause, Backoff { first: Duration::from_secs(400), factor: 3, cap: Duration::from_secs(400) });
        pause_fits(&USUAL.first(400).cap(400).0, "");
        warns_in_time(&USUAL.limit(9).warn(8).0);
    }

    fn rejection(check: impl FnOnce() + std::panic::UnwindSafe) -> Option<String> {
        let panic = std::panic::catch_unwind(check).err()?;
        panic.downcast::<String>().ok().map(|message| *message)
    }

    #[test]
    fn a_contradiction_names_both_numbers() {
        let fits = |streak: StreakInit, advice| rejection(move || pause_fits(&streak.0, advice));
        for (rejected, message) in [
            (
                rejection(|| warns_in_time(&USUAL.limit(12).warn(12).0)),
                "the tool is paused at 12, so this warning never appears: write a smaller number, or `warn = 0` for no warning",
            ),
            (
                fits(USUAL.first(400), " beside it"),
                "the first pause (400 s) is longer than `cap` (300 s): write `cap = 400` beside it",
            ),
            (
                fits(USUAL.first(86_400).cap(1), " or more"),
                "the first pause (86400 s) is longer than `cap` (1 s): write `cap = 86400` or more",
            ),
        ] {
            assert_eq!(rejected.as_deref(), Some(message));
        }
    }
}
