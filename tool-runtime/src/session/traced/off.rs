//! The no-op version, without feature `tracing`.

use std::future::Future;

use crate::input::Arguments;
use crate::session::Outcome;
use crate::session::session_with_toolbox::SessionView;

/// `true` if calls have spans.
pub(in crate::session) const IS_TRACED: bool = false;

pub(in crate::session) struct Trace;

#[inline]
pub(in crate::session) const fn trace(_: &SessionView, _: &str, _: &str, _: &Arguments<'_>) -> Trace {
    Trace
}

impl Trace {
    #[inline]
    #[expect(clippy::unused_self, reason = "with the feature it is used")]
    pub(in crate::session) fn around<F: Future<Output = Outcome>>(self, answer: F) -> F {
        answer
    }
}

#[inline]
pub(in crate::session) const fn in_current_span<F: FnOnce() + Send>(work: F) -> F {
    work
}
