//! `pattern` and `format`: rules on strings of every type.
//!
//! A path that is not valid Unicode has no text, so it is rejected.

use std::path::{Path, PathBuf};

use super::Holder;
use crate::shape::StringFormat;

/// A textual value.
pub trait Textual {
    /// Returns `true` if the text passes the test, or is absent.
    fn passes(&self, test: impl FnOnce(&str) -> bool) -> bool;
}

/// A type to which `pattern` applies.
#[diagnostic::on_unimplemented(
    message = "`pattern` does not apply to `{Self}`",
    label = "is not a string",
    note = "`pattern` applies to strings, also inside `Option`, `Box`, `Arc` and `Cow`; for the items of an array write `inner(pattern = \"…\")`"
)]
pub trait AcceptsPattern {
    /// Calls `Textual::passes`. The compile error about this trait is clearer than the one about `Textual`.
    fn matches(&self, matcher: fn(&str) -> bool) -> bool;
}

#[diagnostic::do_not_recommend]
impl<T: Textual + ?Sized> AcceptsPattern for T {
    #[inline]
    fn matches(&self, matcher: fn(&str) -> bool) -> bool {
        self.passes(matcher)
    }
}

/// A type to which `format` applies.
#[diagnostic::on_unimplemented(
    message = "`format` does not apply to `{Self}`",
    label = "is not a string",
    note = "`format` applies to strings, also inside `Option`, `Box`, `Arc` and `Cow`; for the items of an array write `inner(format = \"…\")`"
)]
pub trait AcceptsFormat {
    /// Calls `Textual::passes`. The compile error about this trait is clearer than the one about `Textual`.
    fn is_format(&self, format: StringFormat) -> bool;
}

#[diagnostic::do_not_recommend]
impl<T: Textual + ?Sized> AcceptsFormat for T {
    #[inline]
    fn is_format(&self, format: StringFormat) -> bool {
        self.passes(|text| format.accepts(text))
    }
}

impl Textual for str {
    #[inline]
    fn passes(&self, test: impl FnOnce(&str) -> bool) -> bool {
        test(self)
    }
}

impl Textual for String {
    #[inline]
    fn passes(&self, test: impl FnOnce(&str) -> bool) -> bool {
        test(self)
    }
}

impl Textual for char {
    #[inline]
    fn passes(&self, test: impl FnOnce(&str) -> bool) -> bool {
        test(self.encode_utf8(&mut [0; 4]))
    }
}

impl Textual for Path {
    fn passes(&self, test: impl FnOnce(&str) -> bool) -> bool {
        self.to_str().is_some_and(test)
    }
}

impl Textual for PathBuf {
    fn passes(&self, test: impl FnOnce(&str) -> bool) -> bool {
        self.as_path().passes(test)
    }
}

#[diagnostic::do_not_recommend]
impl<H: Holder<Held: Textual>> Textual for H {
    #[inline]
    fn passes(&self, test: impl FnOnce(&str) -> bool) -> bool {
        self.held().is_none_or(|value| value.passes(test))
    }
}

#[cfg(test)]
mod tests {
    use super::Textual;

    #[test]
    fn textual() {
        assert!("Paris".passes(|text| text.starts_with('P')));
        assert!(None::<String>.passes(|_| false));
    }
}
