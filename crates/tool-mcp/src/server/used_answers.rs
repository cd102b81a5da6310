//! The answers of users that have been used, so that each answer runs its call only once: [`UsedAnswers`].

use std::collections::{HashSet, VecDeque};
use std::time::{Duration, Instant};

/// The maximum number of answers that are remembered. While so many are remembered, further answers do not count.
const MOST: usize = 10_000;

/// The random part of a sealed state.
pub(super) type Nonce = [u8; 16];

/// Creates a nonce; `None` if the system has no random numbers.
pub(super) fn nonce() -> Option<Nonce> {
    let mut nonce = [0; 16];
    getrandom::fill(&mut nonce).ok().map(|()| nonce)
}

/// The answers that were used and have not expired, oldest first.
#[derive(Default)]
pub(super) struct UsedAnswers {
    nonces: HashSet<Nonce>,
    since: VecDeque<(Instant, Nonce)>,
}

impl UsedAnswers {
    /// Returns `true` if the answer may be used: at most once for each nonce.
    pub(super) fn first_use(&mut self, nonce: Nonce, now: Instant, valid: Duration) -> bool {
        while let Some((since, oldest)) = self.since.front()
            && now.saturating_duration_since(*since) > valid
        {
            self.nonces.remove(oldest);
            self.since.pop_front();
        }
        let is_first = self.nonces.len() < MOST && self.nonces.insert(nonce);
        if is_first {
            self.since.push_back((now, nonce));
        }
        is_first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALID: Duration = Duration::from_secs(600);

    fn numbered(number: usize) -> Nonce {
        (number as u128).to_be_bytes()
    }

    #[test]
    fn an_answer_counts_once_while_it_is_valid() {
        let (mut used, start) = (UsedAnswers::default(), Instant::now());
        assert!(used.first_use(numbered(1), start, VALID));
        assert!(!used.first_use(numbered(1), start + VALID, VALID));
        assert!(used.first_use(numbered(2), start + VALID, VALID));
        // By now, the seal of the answer has expired, so the answer need not be remembered.
        let later = start + VALID + Duration::from_millis(1);
        assert!(used.first_use(numbered(3), later, VALID));
        assert_eq!((used.nonces.len(), used.since.len()), (2, 2));
    }

    #[test]
    fn answers_are_remembered_in_bounded_memory() {
        let (mut used, start) = (UsedAnswers::default(), Instant::now());
        assert!((0..MOST).all(|number| used.first_use(numbered(number), start, VALID)));
        assert!(!used.first_use(numbered(MOST), start, VALID));
        assert_eq!((used.nonces.len(), used.since.len()), (MOST, MOST));
        assert!(used.first_use(numbered(MOST), start + VALID * 2, VALID));
        assert_eq!(used.nonces.len(), 1);
    }
}
