//! The confidence interval of a rate: the Wilson score interval.
//!
//! Invariant: the interval lies between 0 and 1 and contains the observed rate, even for few runs and for rates of 0 and 1, for which the
//! usual interval collapses to a point.

/// An interval that contains the true rate with 95 % confidence.
///
/// ```
/// # use tool_testkit::ConfidenceInterval;
/// let interval = ConfidenceInterval::wilson(9, 10);
/// assert_eq!(format!("{:.3} to {:.3}", interval.low, interval.high), "0.596 to 0.982");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct ConfidenceInterval {
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

/// The quantile of the normal distribution for 95 % confidence.
const Z: f64 = 1.959_963_984_540_054;

impl ConfidenceInterval {
    /// Returns the Wilson score interval for `passed` of `runs` runs. Without any runs, it is 0 to 1.
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
        // Rounding must not exclude the observed rate.
        Self { low: end(centre - half).min(rate), high: end(centre + half).max(rate) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The bounds are from published tables of the score interval.
    #[test]
    fn the_bounds_agree_with_published_tables() {
        let ends = |passed, runs| {
            let ConfidenceInterval { low, high } = ConfidenceInterval::wilson(passed, runs);
            format!("{low:.4} {high:.4}")
        };
        assert_eq!(ends(9, 10), "0.5958 0.9821");
        assert_eq!(ends(0, 10), "0.0000 0.2775");
        assert_eq!(ends(10, 10), "0.7225 1.0000");
        assert_eq!(ends(45, 50), "0.7864 0.9565");
    }

    proptest! {
        #[test]
        fn the_interval_is_within_0_and_1_and_contains_the_rate((passed, runs) in (1_u32..2_000).prop_flat_map(|runs| (0..=runs, Just(runs)))) {
            let ConfidenceInterval { low, high } = ConfidenceInterval::wilson(passed, runs);
            let rate = f64::from(passed) / f64::from(runs);
            prop_assert!((0.0..=rate).contains(&low) && (rate..=1.0).contains(&high));
        }
    }
}
