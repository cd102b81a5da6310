//! Sessions that are saved as text and restored, as after a restart of the program.

mod continued;
mod world;
