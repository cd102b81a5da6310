//! Tests of the turn loop with scripted models, one file for each topic.

mod answers;
mod assembled;
mod bounds;
mod codes;
mod cut_off;
mod deferred;
mod deferred_bounds;
mod ends;
mod mismatches;
mod mistakes;
mod odd;
mod pages;
mod prefixes;
mod recordings;
mod reminders;
mod repeated;
mod rounds;
mod scripted;
mod secrets;
mod shortened;
mod streaming;
mod text_calls;
mod tools;
mod written;
