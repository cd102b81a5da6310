//! Hints are tested, not admired: `sufficiency` sends a mechanical `fixer` on its way with them, `budget` gives them what nobody would
//! send, `rules` holds them to WIRE §2.

mod budget;
mod cramped;
mod fixer;
mod order;
mod rules;
mod sufficiency;
mod weather;
