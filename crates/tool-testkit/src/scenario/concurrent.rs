//! Several futures at the same time, without an executor.
//!
//! Invariants: at most `at_once` futures are running. When one finishes, the next one starts. The caller polls all of them.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

type Run<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Awaits `count` futures, at most `at_once` at the same time, and returns their results in order.
pub(super) async fn several<'a, T>(count: usize, at_once: usize, make: impl Fn() -> Run<'a, T>) -> Vec<T> {
    let mut done: Vec<Option<T>> = std::iter::repeat_with(|| None).take(count).collect();
    let mut numbers = 0..count;
    let mut open: Vec<(usize, Run<'a, T>)> = Vec::new();
    poll_fn(|cx| {
        loop {
            open.extend(numbers.by_ref().take(at_once - open.len()).map(|number| (number, make())));
            let before = open.len();
            open.retain_mut(|(number, run)| match run.as_mut().poll(cx) {
                Poll::Ready(result) => {
                    done[*number] = Some(result);
                    false
                }
                Poll::Pending => true,
            });
            // If a future has finished, the loop runs again, because the next future has not been polled yet.
            if open.is_empty() && numbers.is_empty() {
                return Poll::Ready(());
            }
            if open.len() == before {
                return Poll::Pending;
            }
        }
    })
    .await;
    done.into_iter().flatten().collect()
}
