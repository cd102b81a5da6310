//! The turn loop, with models that say what a script says: one file a subject.

mod assembled;
mod bounds;
mod codes;
mod deferred;
mod deferred_bounds;
mod ends;
mod mismatches;
mod mistakes;
mod odd;
mod recordings;
mod repeated;
mod rounds;
mod scripted;
mod secrets;
mod streaming;
mod tools;
