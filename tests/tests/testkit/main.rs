//! Expectations about what a model calls: each of them passes where it should and fails with its sentence where it should not.

mod arguments;
mod behaviour;
mod bounds;
mod counts;
mod generated;
mod groups;
mod host;
mod interplay;
mod kit;
mod misuse;
mod numbers;
mod order;
mod said;
mod scenarios;
mod secrets;
mod sent;
mod snapshots;
mod time;
mod whole;
