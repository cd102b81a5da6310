//! The assignment of calls to expectations, as a maximum matching of slots and calls. A slot is one required call.
//!
//! Invariants: the matching is maximum, so no assignment gives calls to more slots. Augmenting paths are found breadth first, without recursion. If a slot has
//! no call, [`CallAssignment::short`] returns the slots that compete for too few calls.

/// A matching that gives a different call to each slot, for as many slots as possible.
#[derive(Debug)]
pub(super) struct CallAssignment<'f> {
    fits: &'f [Vec<usize>],
    /// The slot to which each call is assigned, if any.
    slot_of: Vec<Option<usize>>,
    /// The call of each slot, if it has one.
    call_of: Vec<Option<usize>>,
    without: Vec<usize>,
    /// `true` for calls from which no path leads to a free call. Only used while slots are paired.
    is_lost: Vec<bool>,
}

/// The slots and calls on alternating paths, in the order in which they were reached.
struct Reached {
    slots: Vec<usize>,
    calls: Vec<usize>,
    /// The slot from which each call was first reached; `None` for other calls.
    from: Vec<Option<usize>>,
    /// A reached call that is not assigned to a slot.
    free: Option<usize>,
}

impl<'f> CallAssignment<'f> {
    /// Pairs each slot with one of its matching calls. `calls` is the number of calls.
    pub(super) fn of(fits: &'f [Vec<usize>], calls: usize) -> Self {
        let mut pairing = Self {
            fits,
            slot_of: vec![None; calls],
            call_of: vec![None; fits.len()],
            without: Vec::new(),
            is_lost: vec![false; calls],
        };
        for slot in 0..fits.len() {
            let reached = pairing.reach(vec![slot]);
            if let Some(free) = reached.free {
                pairing.shift(free, &reached);
                continue;
            }
            pairing.without.push(slot);
            for call in reached.calls {
                pairing.is_lost[call] = true;
            }
        }
        pairing.is_lost.fill(false);
        pairing
    }

    /// Returns the slots without a call, in order.
    pub(super) fn without(&self) -> &[usize] {
        &self.without
    }

    /// Returns `true` if a slot has this call.
    pub(super) fn is_taken(&self, call: usize) -> bool {
        self.slot_of[call].is_some()
    }

    /// Returns these slots and all slots that compete with them, and all calls that match any of these slots. There are fewer calls than
    /// slots.
    pub(super) fn short(&self, slots: Vec<usize>) -> (Vec<usize>, Vec<usize>) {
        let reached = self.reach(slots);
        (reached.slots, reached.calls)
    }

    /// Follows alternating paths from slots without a call, until a free call is found or every path ends.
    fn reach(&self, slots: Vec<usize>) -> Reached {
        let from = vec![None; self.slot_of.len()];
        let mut reached = Reached { slots, calls: Vec::new(), from, free: None };
        let mut next = 0;
        while let Some(&slot) = reached.slots.get(next) {
            next += 1;
            for &call in &self.fits[slot] {
                if self.is_lost[call] || reached.from[call].is_some() {
                    continue;
                }
                reached.from[call] = Some(slot);
                reached.calls.push(call);
                let Some(owner) = self.slot_of[call] else {
                    reached.free = Some(call);
                    return reached;
                };
                reached.slots.push(owner);
            }
        }
        reached
    }

    /// Assigns the free call to the slot from which it was reached, the previous call of this slot to the preceding slot on the path, and
    /// so on, up to the slot without a call.
    fn shift(&mut self, free: usize, reached: &Reached) {
        let mut given = Some(free);
        while let Some((call, slot)) = given.and_then(|call| Some((call, reached.from[call]?))) {
            self.slot_of[call] = Some(slot);
            given = self.call_of[slot].replace(call);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the maximum number of slots that can have a call, by trying every assignment.
    fn most(fits: &[Vec<usize>], taken: &mut Vec<usize>) -> usize {
        let Some((first, rest)) = fits.split_first() else { return 0 };
        let mut best = most(rest, taken);
        for call in first {
            if !taken.contains(call) {
                taken.push(*call);
                best = best.max(1 + most(rest, taken));
                taken.pop();
            }
        }
        best
    }

    fn graphs() -> impl Strategy<Value = (Vec<Vec<usize>>, usize)> {
        (0_usize..6).prop_flat_map(|calls| {
            let fits = proptest::sample::subsequence((0..calls).collect::<Vec<_>>(), 0..=calls);
            (proptest::collection::vec(fits, 0..6), Just(calls))
        })
    }

    proptest! {
        #[test]
        fn no_other_assignment_gives_a_call_to_more_slots((fits, calls) in graphs()) {
            let pairing = CallAssignment::of(&fits, calls);
            prop_assert_eq!(fits.len() - pairing.without().len(), most(&fits, &mut Vec::new()));
            for (slot, call) in pairing.call_of.iter().enumerate() {
                prop_assert_eq!(call.is_none(), pairing.without().contains(&slot));
                if let Some(call) = *call {
                    prop_assert!(fits[slot].contains(&call));
                    prop_assert_eq!(pairing.slot_of[call], Some(slot));
                }
            }
            let taken = (0..calls).filter(|call| pairing.is_taken(*call)).count();
            prop_assert_eq!(taken, fits.len() - pairing.without().len());
        }

        #[test]
        fn slots_without_a_call_compete_for_too_few_calls((fits, calls) in graphs()) {
            let pairing = CallAssignment::of(&fits, calls);
            let (slots, calls) = pairing.short(pairing.without().to_vec());
            prop_assert_eq!(slots.len(), calls.len() + pairing.without().len());
            let mut wanted: Vec<usize> = slots.iter().flat_map(|slot| fits[*slot].clone()).collect();
            wanted.sort_unstable();
            wanted.dedup();
            let mut named = calls.clone();
            named.sort_unstable();
            prop_assert_eq!(wanted, named);
        }
    }

    #[test]
    fn a_chain_of_reassignments_is_found() {
        // Each slot takes its first call, and moves to its second call when the next slot needs the first.
        let fits = [vec![0, 1], vec![0, 2], vec![0, 3], vec![0]];
        assert!(CallAssignment::of(&fits, 4).without().is_empty());
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let slots = 3_000;
        let fits: Vec<Vec<usize>> =
            (0..slots).map(|slot| if slot + 1 == slots { vec![0] } else { vec![slot, slot + 1] }).collect();
        assert!(CallAssignment::of(&fits, slots).without().is_empty());
    }
}
