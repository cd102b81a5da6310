//! All tests of this package in one program, because each program is linked with every dependency. Other programs: `allocations`, which counts the
//! allocations of its process, and `ui`, which starts compilers.

mod agreement;
mod answers;
mod check;
mod completeness;
mod conversation;
mod counts;
mod dialects;
mod dynamic;
mod error_kinds;
mod feedback;
mod hostile;
// Public, because the lint `missing_docs` ignores private modules.
pub mod macros;
mod many_types;
mod merged_examples;
mod odd_keys;
mod rejections;
mod repair;
mod repository;
mod run;
mod same_bytes;
mod schema;
mod secrets;
mod sensitive;
mod session;
mod snapshot;
mod sufficiency;
mod testkit;
mod throttle;
mod traces;
mod wide_objects;
mod wire;
