//! The throttle as a session uses it: every rule call by call, loops that are caught, patterns that pass, what always holds.

mod clock;
mod legitimate;
mod loops;
mod pauses;
mod properties;
mod rules;
mod statistics;
mod strict;
mod texts;
mod through_session;
mod words;
