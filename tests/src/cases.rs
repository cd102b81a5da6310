//! How many cases a property gets: what its test says, times `PROPERTY_TIMES` where somebody sets it to look longer.

/// So many cases, or a multiple of them.
#[must_use]
pub fn cases(usual: u32) -> u32 {
    let times = std::env::var("PROPERTY_TIMES").ok().and_then(|text| text.parse().ok());
    usual.saturating_mul(times.unwrap_or(1).max(1))
}
