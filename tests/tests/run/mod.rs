//! Tests of the turn loop as data: well-formed requests, stored runs and records, and damaged ones.

mod damaged;
mod fixture;
mod scripts;
mod secrets;
mod settings;
mod stored_conversations;
mod tools;
mod well_formed;
