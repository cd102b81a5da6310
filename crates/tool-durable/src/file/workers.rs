//! Threads that wait for the disk, so that the executor of the host does not have to: [`Workers`].

use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use futures_channel::oneshot;

use crate::store::StoreError;

type Job = Box<dyn FnOnce() + Send>;

/// The number of threads. Even on one disk, several threads are useful, because file systems can write several files in the time of one.
const THREADS: usize = 4;

/// Threads that end when this value is dropped.
pub(super) struct Workers(Sender<Job>);

impl Workers {
    pub(super) fn start() -> std::io::Result<Self> {
        let (sender, receiver) = mpsc::channel::<Job>();
        let receiver = Arc::new(Mutex::new(receiver));
        for _ in 0..THREADS {
            let receiver = Arc::clone(&receiver);
            thread::Builder::new().name("tool-durable".to_owned()).spawn(move || work(&receiver))?;
        }
        Ok(Self(sender))
    }

    /// Runs a function on a thread and returns its result.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (sender, receiver) = oneshot::channel();
        let job = move || {
            // If the future was dropped, the result is dropped as well.
            let _ = sender.send(job());
        };
        let ended = || StoreError::other("the threads of the store have ended");
        self.0.send(Box::new(job)).map_err(|_| ended())?;
        receiver.await.map_err(|_| ended())?
    }
}

fn work(jobs: &Mutex<Receiver<Job>>) {
    loop {
        let job = jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
        match job {
            Ok(job) => job(),
            Err(_) => return,
        }
    }
}
