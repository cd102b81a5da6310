//! Polls several futures as one, without an executor: [`Join`].
//!
//! In: futures, which are added one at a time. Out: the output of each. Invariants: a future is polled only when it starts and after it was woken, so
//! the cost is linear in the number of futures. The task is woken whenever one of the futures is woken.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

pub(super) struct Join<F> {
    /// The futures, in the order of their start; `None` for each future that is done.
    children: Vec<Option<Child<F>>>,
    running: usize,
    woken: Arc<Woken>,
}

struct Child<F> {
    future: F,
    bell: Arc<ChildWaker>,
    waker: Waker,
}

/// The futures that were woken since they were last polled.
#[derive(Default)]
struct Woken(Mutex<Queue>);

#[derive(Default)]
struct Queue {
    children: Vec<usize>,
    /// The waker of the task; `None` once a future was woken and has used the waker.
    task: Option<Waker>,
}

/// The waker of one child.
struct ChildWaker {
    child: usize,
    rung: AtomicBool,
    woken: Arc<Woken>,
}

impl<F: Future + Unpin> Join<F> {
    pub(super) fn new() -> Self {
        Self { children: Vec::new(), running: 0, woken: Arc::default() }
    }

    pub(super) const fn running(&self) -> usize {
        self.running
    }

    /// Returns the indices of the futures that were woken, in order. `task` is woken when the next future is woken.
    pub(super) fn woken(&self, task: &Waker) -> Vec<usize> {
        let mut queue = self.woken.queue();
        queue.task = Some(task.clone());
        std::mem::take(&mut queue.children)
    }

    /// Starts the next future.
    pub(super) fn start(&mut self, future: F) -> Poll<F::Output> {
        let child = self.children.len();
        let bell = Arc::new(ChildWaker { child, rung: AtomicBool::new(false), woken: Arc::clone(&self.woken) });
        let waker = Waker::from(Arc::clone(&bell));
        self.children.push(Some(Child { future, bell, waker }));
        self.running += 1;
        self.poll(child)
    }

    /// Skips the next index, because its future will never start.
    pub(super) fn skip(&mut self) {
        self.children.push(None);
    }

    /// Polls one future again.
    pub(super) fn poll(&mut self, child: usize) -> Poll<F::Output> {
        let Some(Child { future, bell, waker }) = self.children.get_mut(child).and_then(Option::as_mut) else {
            // The future was done before this wake-up.
            return Poll::Pending;
        };
        // Reset before the poll, so that a wake-up during the poll is not lost.
        bell.rung.store(false, Ordering::Release);
        let polled = Pin::new(future).poll(&mut Context::from_waker(waker));
        if polled.is_ready() {
            self.stop(child);
        }
        polled
    }

    /// Drops a future. Returns `true` if it was running.
    pub(super) fn stop(&mut self, child: usize) -> bool {
        let stopped = self.children.get_mut(child).and_then(Option::take);
        self.running -= usize::from(stopped.is_some());
        stopped.is_some()
    }
}

impl Woken {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        // The only code of others that runs under the lock is the clone of a waker.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Wake for ChildWaker {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        if self.rung.swap(true, Ordering::AcqRel) {
            return;
        }
        let task = {
            let mut queue = self.woken.queue();
            queue.children.push(self.child);
            queue.task.take()
        };
        // The lock is released before the task is woken, because the task may run at once.
        if let Some(task) = task {
            task.wake();
        }
    }
}
