//! All integration tests of this package in one program, because each program is linked with every dependency.

mod files;
mod readme;
