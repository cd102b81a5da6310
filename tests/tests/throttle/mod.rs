//! The throttle as sessions use it: every rule call by call, rejected loops, legitimate patterns, general properties.

mod clock;
mod legitimate;
mod loops;
mod pauses;
mod properties;
mod rules;
mod same_error;
mod sessions;
mod statistics;
mod strict;
mod texts;
mod through_session;
mod words;
