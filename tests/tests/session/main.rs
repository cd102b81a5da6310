//! A session as a host sees it: one file a feature, over tools that are written by hand.

mod build;
mod call_tool;
mod cancel;
mod conditions;
mod containers;
mod definitions;
mod events;
mod guarded;
mod inspect;
mod instead;
mod instructions;
mod names;
mod outcomes;
mod panics;
mod parallel;
mod state;
mod tools;
mod visibility;
mod visible_model;
