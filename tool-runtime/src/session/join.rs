//! Several futures in one, without an executor: [`Join`].
//!
//! In: futures, one after the other. Out: what each of them comes to. What always holds: a future is polled when it starts and when it was
//! woken, and at no other time, so a thousand of them cost a thousand times what one costs; the task is woken whenever one of them was.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

pub(super) struct Join<F> {
    /// In the order in which they started; nothing where one is done.
    children: Vec<Option<Child<F>>>,
    running: usize,
    woken: Arc<Woken>,
}

struct Child<F> {
    future: F,
    bell: Arc<Bell>,
    waker: Waker,
}

/// Who was woken since the last look.
#[derive(Default)]
struct Woken(Mutex<Queue>);

#[derive(Default)]
struct Queue {
    children: Vec<usize>,
    /// Taken by the first who is woken.
    task: Option<Waker>,
}

/// Wakes one child.
struct Bell {
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

    /// Those that were woken, in that order; from now on, this task is woken for the next.
    pub(super) fn woken(&self, task: &Waker) -> Vec<usize> {
        let mut queue = self.woken.queue();
        queue.task = Some(task.clone());
        std::mem::take(&mut queue.children)
    }

    /// Starts the next one.
    pub(super) fn start(&mut self, future: F) -> Poll<F::Output> {
        let child = self.children.len();
        let bell = Arc::new(Bell { child, rung: AtomicBool::new(false), woken: Arc::clone(&self.woken) });
        let waker = Waker::from(Arc::clone(&bell));
        self.children.push(Some(Child { future, bell, waker }));
        self.running += 1;
        self.poll(child)
    }

    /// Leaves out the next one: it is done before it starts.
    pub(super) fn skip(&mut self) {
        self.children.push(None);
    }

    /// Goes on with one of them.
    pub(super) fn poll(&mut self, child: usize) -> Poll<F::Output> {
        let Some(Child { future, bell, waker }) = self.children.get_mut(child).and_then(Option::as_mut) else {
            // It was woken once more than needed.
            return Poll::Pending;
        };
        // Put down before the poll, so that a bell that rings within it is heard.
        bell.rung.store(false, Ordering::Release);
        let polled = Pin::new(future).poll(&mut Context::from_waker(waker));
        if polled.is_ready() {
            self.stop(child);
        }
        polled
    }

    /// Drops one of them; whether it was running.
    pub(super) fn stop(&mut self, child: usize) -> bool {
        let stopped = self.children.get_mut(child).and_then(Option::take);
        self.running -= usize::from(stopped.is_some());
        stopped.is_some()
    }
}

impl Woken {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        // Nothing of a caller's runs under the lock but the clone of a waker.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Wake for Bell {
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
        // Without the lock: the task may run at once.
        if let Some(task) = task {
            task.wake();
        }
    }
}
