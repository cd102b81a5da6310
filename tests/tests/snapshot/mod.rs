//! Sessions that are saved as text and restored, as after a restart of the program.

mod changed;
mod clocks;
mod continued;
mod damaged;
mod recorded;
mod secrets;
mod world;
