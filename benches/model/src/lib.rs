//! Measures with real models which answer to a rejected call leads to the right one.

pub mod run;
pub mod server;
pub mod sides;
pub mod table;
pub mod tasks;
pub mod tools;
