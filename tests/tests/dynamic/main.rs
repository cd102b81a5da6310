//! Tools whose schema is only known at run time, judged by the `jsonschema` crate and by recorded calls.

mod corpora;
mod errors;
mod guide;
mod hostile;
mod keywords;
mod session;
mod suggestions;
mod verdicts;
