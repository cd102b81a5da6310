//! Tests of hints: `sufficiency` corrects calls with a mechanical `fixer`, `budget` tries extreme inputs, and `rules` checks the contract
//! of `docs/wire.md`.

mod budget;
mod cramped;
mod fixer;
mod order;
mod rules;
mod sufficiency;
mod weather;
