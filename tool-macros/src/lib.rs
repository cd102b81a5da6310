//! Entry points.

#[cfg_attr(not(test), expect(dead_code, reason = "the parser of rules, which calls this, lands beside it"))]
mod check;
