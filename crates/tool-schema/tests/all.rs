//! All integration tests of this package in one program, because each program is linked with every dependency.

mod extract;
#[cfg(all(feature = "chrono04", feature = "jiff02", feature = "rust_decimal1", feature = "url2", feature = "uuid1"))]
mod foreign_types;
