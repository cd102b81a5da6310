//! A session as a host sees it: one file a feature, over tools that are written by hand.

mod batch;
mod batch_model;
mod build;
mod call_tool;
mod cancel;
mod conditions;
mod containers;
mod definitions;
mod events;
mod inspect;
mod instead;
mod instructions;
mod limits;
mod names;
mod outcomes;
mod panics;
mod parallel;
mod retry;
mod state;
mod tools;
mod turns;
mod visibility;
mod visible_model;
mod written;
