//! Expectations about the calls of a model: each passes when it should, and otherwise fails with its sentence.

mod answers;
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
mod nested;
mod nested_oracle;
mod numbers;
mod order;
mod said;
mod scenarios;
mod secrets;
mod sent;
mod snapshots;
mod time;
mod whole;
