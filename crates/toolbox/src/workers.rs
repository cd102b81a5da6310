//! Works on blocks of input with several threads: [`in_order`].
//!
//! One thread reads the blocks and takes the results, in the order of the blocks. Invariants: the results do not depend on the number of
//! threads; at most [`AHEAD`] blocks per thread are in memory, however slow one of them is.

use std::collections::VecDeque;
use std::num::NonZero;
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// The maximum number of blocks per thread that are read and whose results are not yet taken.
const AHEAD: usize = 3;

/// Calls `work` on each block that `next` returns, and `done` on each result. Both `next` and `done` run on the calling thread.
///
/// # Errors
///
/// Ends with the first error of `done`.
pub(super) fn in_order<B: Send, R: Send, E>(
    threads: NonZero<usize>,
    next: impl FnMut() -> Option<B>,
    work: impl Fn(B) -> R + Sync,
    mut done: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    // Standard input is not read again after its end.
    let mut unread = std::iter::from_fn(next).fuse();
    if threads.get() == 1 {
        return unread.try_for_each(|block| done(work(block)));
    }
    let (sender, blocks) = channel::<(B, SyncSender<R>)>();
    let blocks = Mutex::new(blocks);
    let worker = || {
        while let Some((block, result)) = take(&blocks) {
            // Nobody waits for the result after an error.
            let _ = result.send(work(block));
        }
    };
    thread::scope(|scope| {
        // The workers end when it is dropped.
        let sender = sender;
        for _ in 0..threads.get() {
            scope.spawn(worker);
        }
        let mut open: VecDeque<Receiver<R>> = VecDeque::new();
        loop {
            while open.len() < AHEAD * threads.get()
                && let Some(block) = unread.next()
            {
                let (result, receiver) = sync_channel(1);
                // It cannot fail, because the other end lives as long as this function.
                let _ = sender.send((block, result));
                open.push_back(receiver);
            }
            // A worker that panics drops its sender. The scope then panics too.
            let Some(Ok(result)) = open.pop_front().map(|receiver| receiver.recv()) else { return Ok(()) };
            done(result)?;
        }
    })
}

/// Waits for the next block; `None` after the last one.
fn take<B>(blocks: &Mutex<Receiver<B>>) -> Option<B> {
    blocks.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use proptest::prelude::*;

    use super::*;

    fn threads(number: usize) -> NonZero<usize> {
        NonZero::new(number).unwrap_or(NonZero::<usize>::MIN)
    }

    proptest! {
        #[test]
        fn results_have_the_order_of_the_blocks(number in 1_usize..5, blocks in proptest::collection::vec(0_u64..200, 0..60)) {
            let mut open = blocks.iter().copied();
            let mut results = Vec::new();
            let work = |micros| {
                thread::sleep(std::time::Duration::from_micros(micros));
                micros
            };
            let ended: Result<(), ()> = in_order(threads(number), || open.next(), work, |result| {
                results.push(result);
                Ok(())
            });
            prop_assert_eq!((ended, results), (Ok(()), blocks));
        }
    }

    #[test]
    fn few_blocks_are_read_ahead_of_a_slow_one() {
        for number in 1..5 {
            let (read, slow) = (AtomicUsize::new(0), Mutex::new(()));
            let held = slow.lock();
            let mut held = Some(held);
            let mut most = 0;
            let next = || {
                let block = read.fetch_add(1, Ordering::SeqCst);
                if block + 1 == if number == 1 { 1 } else { AHEAD * number } {
                    // The first block was slow until as many blocks as possible were read.
                    held = None;
                }
                (block < 1_000).then_some(block)
            };
            let work = |block| {
                if block == 0 {
                    drop(slow.lock());
                }
                block
            };
            let ended: Result<(), ()> = in_order(threads(number), next, work, |block| {
                most = most.max(read.load(Ordering::SeqCst) - block);
                Ok(())
            });
            assert_eq!((ended, read.into_inner()), (Ok(()), 1_001));
            assert!(most <= AHEAD * number, "{most} blocks with {number} threads");
        }
    }

    #[test]
    fn the_first_error_ends_the_work() {
        for number in 1..5 {
            let mut read = 0_usize;
            let next = || {
                read += 1;
                Some(read)
            };
            let ended =
                in_order(threads(number), next, |block| block, |block| if block < 7 { Ok(()) } else { Err(block) });
            assert_eq!(ended, Err(7));
            assert!(read <= 7 + AHEAD * number, "{read} blocks");
        }
    }
}
