//! All integration tests of this package in one program, because each program is linked with every dependency. Another program, `typed_toolbox`,
//! has a `main` of its own.

mod command;
#[cfg(all(feature = "proxy", unix))]
mod install;
#[cfg(all(feature = "proxy", unix))]
mod proxy;
