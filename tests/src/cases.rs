//! The number of cases of a property test: the usual number times `PROPERTY_TIMES`, an environment variable for longer runs.

/// Returns the usual number of cases, times `PROPERTY_TIMES`.
#[must_use]
pub fn cases(usual: u32) -> u32 {
    let times = std::env::var("PROPERTY_TIMES").ok().and_then(|text| text.parse().ok());
    usual.saturating_mul(times.unwrap_or(1).max(1))
}
