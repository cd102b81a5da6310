//! All integration tests of this package in one program, because each program is linked with every dependency.

mod extract;
#[cfg(all(feature = "jiff02", feature = "uuid1", feature = "url2"))]
mod foreign_types;
