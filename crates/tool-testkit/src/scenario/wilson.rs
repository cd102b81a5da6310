//! How sure a rate is: the Wilson score interval.
//!
//! In: how many of how many passed. Out: where the true rate lies, with 95 % confidence. What always holds: it lies within 0 and 1 and has
//! the observed rate in it, also for few runs and for rates of 0 and 1, where the usual interval collapses.

/// Where the true rate lies, with 95 % confidence.
///
/// ```
/// # use tool_testkit::Interval;
/// let interval = Interval::wilson(9, 10);
/// assert_eq!(format!("{:.3} to {:.3}", interval.low, interval.high), "0.596 to 0.982");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// The quantile of the normal distribution for 95 %.
const Z: f64 = 1.959_963_984_540_054;

impl Interval {
    /// The Wilson score interval for `passed` of `runs`. Without any runs it is everything: 0 to 1.
    ///
    /// ```
    /// # use tool_testkit::Interval;
    /// let interval = Interval::wilson(0, 0);
    /// assert_eq!((interval.low, interval.high), (0.0, 1.0));
    /// ```
    pub fn wilson(passed: u32, runs: u32) -> Self {
        if runs == 0 {
            return Self { low: 0.0, high: 1.0 };
        }
        let runs = f64::from(runs);
        let rate = f64::from(passed) / runs;
        let square = Z * Z / runs;
        let centre = rate + square / 2.0;
        let half = Z * (rate * (1.0 - rate) / runs + square / (4.0 * runs)).sqrt();
        let end = |end: f64| (end / (1.0 + square)).clamp(0.0, 1.0);
        // Rounding must not leave the observed rate outside.
        Self { low: end(centre - half).min(rate), high: end(centre + half).max(rate) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Ends from tables of the score interval.
    #[test]
    fn the_ends_are_those_of_the_tables() {
        let ends = |passed, runs| {
            let Interval { low, high } = Interval::wilson(passed, runs);
            format!("{low:.4} {high:.4}")
        };
        assert_eq!(ends(9, 10), "0.5958 0.9821");
        assert_eq!(ends(0, 10), "0.0000 0.2775");
        assert_eq!(ends(10, 10), "0.7225 1.0000");
        assert_eq!(ends(45, 50), "0.7864 0.9565");
    }

    proptest! {
        #[test]
        fn it_lies_within_0_and_1_around_the_rate((passed, runs) in (1_u32..2_000).prop_flat_map(|runs| (0..=runs, Just(runs)))) {
            let Interval { low, high } = Interval::wilson(passed, runs);
            let rate = f64::from(passed) / f64::from(runs);
            prop_assert!((0.0..=rate).contains(&low) && (rate..=1.0).contains(&high));
        }
    }
}
