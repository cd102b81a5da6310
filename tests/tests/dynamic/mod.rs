//! Tools whose schema is only known at run time, compared with the `jsonschema` crate and with recorded calls.

mod corpora;
mod errors;
mod guide;
mod hostile;
mod keywords;
mod recursion;
mod session;
mod suggestions;
mod verdicts;
