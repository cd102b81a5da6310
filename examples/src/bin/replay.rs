//! Replays recorded calls.

fn main() {}
