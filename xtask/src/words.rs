//! The wording of the pages and of the documentation. A test searches it, so that it is judged with all other tests.

use crate::process::{Done, cargo, finish};

/// Runs the tests about words.
pub(crate) fn run(_: &[String]) -> Done {
    finish(cargo(&["test", "--quiet", "-p", "tests", "--test", "all", "repository::words::"]))
}
