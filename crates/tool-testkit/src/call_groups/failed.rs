//! The comparison of a group with the calls that were made, and the findings if the group is not met.
//!
//! Invariants: the search decides whether a group is met. The findings only explain its result, and there is at least one. An alternative
//! is explained by its own findings.

use std::cmp::Reverse;

use super::call_group::{CallGroup, Kind, Mode, Others, own, words_of};
use super::matching_calls::MatchingCalls;
use super::search::{MOST_STEPS, SearchResult, search};
use crate::actual_call::{ActualCall, Screen};
use crate::calls::CallExpectation;
use crate::failed_expectation::first_of;
use crate::{FailedExpectation, ordered_calls, report_sentences, unordered_calls};

/// The distance of a function that was not called. It is larger than the distance of any call with other arguments.
const NOT_CALLED: usize = 1_000;

impl CallGroup {
    pub(crate) fn failed(&self, made: &[ActualCall], screen: &Screen) -> Vec<FailedExpectation> {
        let search = &mut Search { made, screen, budget: MOST_STEPS };
        let undecided = || {
            FailedExpectation::new(format!(
                "It is undecided if the expected calls were made ({}): there are too many ways to assign the calls, and the search \
                 stopped after {MOST_STEPS} steps. Expect fewer calls and alternatives in one group.",
                self.words()
            ))
        };
        search.whole(self, self.others).unwrap_or_else(|Undecided| vec![undecided()])
    }
}

/// The error if the budget of the search was used up.
struct Undecided;

struct Search<'m> {
    made: &'m [ActualCall],
    screen: &'m Screen,
    budget: usize,
}

impl Search<'_> {
    /// Compares all calls with an outermost group, or with an alternative of an outermost `any_of`.
    fn whole(&mut self, group: &CallGroup, others: Others) -> Result<Vec<FailedExpectation>, Undecided> {
        let (mode, members) = match &group.kind {
            Kind::Calls(_) => (Mode::AnyOrder, std::slice::from_ref(group)),
            Kind::Members(mode, members) => (*mode, members.as_slice()),
        };
        match mode {
            Mode::OnlyThese => return Ok(unordered_calls::judge_only_calls(&slots(members), self.made, self.screen)),
            Mode::AnyOf => {
                let judged: Vec<_> =
                    members.iter().map(|member| self.whole(member, others.max(member.others))).collect();
                if judged.iter().any(|findings| findings.as_ref().is_ok_and(Vec::is_empty)) {
                    return Ok(Vec::new());
                }
                let findings = judged.into_iter().collect::<Result<_, _>>()?;
                return Ok(self.nearest(members, findings));
            }
            Mode::AnyOrder | Mode::InOrder => {}
        }
        match self.search(mode, members, others) {
            SearchResult::Met(_) => return Ok(Vec::new()),
            SearchResult::Undecided => return Err(Undecided),
            SearchResult::Unmet => {}
        }
        let mut findings = self.explain_whole(mode, members, others);
        if findings.is_empty() {
            findings.push(FailedExpectation::new(format!(
                "Expected these calls, but they were not made in this way: {}.",
                group.words()
            )));
        }
        Ok(findings)
    }

    fn search(&mut self, mode: Mode, members: &[CallGroup], others: Others) -> SearchResult {
        search(&MatchingCalls::of(mode, members, self.made), self.made.len(), others, &mut self.budget)
    }

    fn is_unmet(&mut self, mode: Mode, members: &[CallGroup]) -> bool {
        matches!(self.search(mode, members, Others::Allowed), SearchResult::Unmet)
    }

    /// Explains why an outermost group is not met.
    fn explain_whole(&mut self, mode: Mode, members: &[CallGroup], others: Others) -> Vec<FailedExpectation> {
        let is_flat = members.iter().all(|member| member.as_calls().is_some());
        match (mode, others) {
            (Mode::AnyOrder, Others::Never) if is_flat => {
                unordered_calls::judge_all(&slots(members), self.made, self.screen)
            }
            (Mode::InOrder, Others::After) if is_flat => {
                ordered_calls::judge_from_the_start(&slots(members), self.made, self.screen).into_iter().collect()
            }
            (_, Others::Allowed) => self.explain_members(mode, members),
            _ => match self.search(mode, members, Others::Allowed) {
                SearchResult::Met(claimed) => self.unexpected(&claimed, others),
                SearchResult::Unmet | SearchResult::Undecided => self.explain_members(mode, members),
            },
        }
    }

    /// Reports the calls that no member claims.
    fn unexpected(&self, claimed: &[usize], others: Others) -> Vec<FailedExpectation> {
        let left = self.made.iter().enumerate().filter(|(index, _)| !claimed.contains(index));
        let finding = |(index, made): (usize, &ActualCall)| {
            let sentence = if others == Others::After {
                format!(
                    "Call {} was of function '{}', but only expected calls may be made before the last expected call.",
                    index + 1,
                    made.name()
                )
            } else {
                report_sentences::unexpected(made.name())
            };
            FailedExpectation::new(sentence).near(made, &[], self.screen)
        };
        let findings = left.map(finding);
        if others == Others::After { findings.take(1).collect() } else { first_of(findings.collect()) }
    }

    /// Explains why a group is not met, apart from calls that it does not expect.
    fn explain(&mut self, group: &CallGroup) -> Vec<FailedExpectation> {
        match &group.kind {
            Kind::Calls(_) => self.explain_members(Mode::AnyOrder, std::slice::from_ref(group)),
            Kind::Members(mode, members) => self.explain_members(*mode, members),
        }
    }

    fn explain_members(&mut self, mode: Mode, members: &[CallGroup]) -> Vec<FailedExpectation> {
        let is_flat = members.iter().all(|member| member.as_calls().is_some());
        match mode {
            Mode::InOrder if is_flat => {
                ordered_calls::failed(&slots(members), self.made, self.screen).into_iter().collect()
            }
            Mode::InOrder => self.explain_first(mode, members),
            Mode::AnyOf | Mode::OnlyThese => {
                let findings = members.iter().map(|member| self.explain(member)).collect();
                self.nearest(members, findings)
            }
            Mode::AnyOrder => {
                let mut findings = unordered_calls::failed(&slots(members), self.made, self.screen);
                for member in members.iter().filter(|member| member.as_calls().is_none()) {
                    if self.is_unmet(Mode::AnyOrder, std::slice::from_ref(member)) {
                        findings.extend(self.explain(member));
                    }
                }
                if findings.is_empty() { self.explain_first(mode, members) } else { findings }
            }
        }
    }

    /// Finds the first member that cannot be met together with the members before it, and explains why.
    fn explain_first(&mut self, mode: Mode, members: &[CallGroup]) -> Vec<FailedExpectation> {
        // The first `met` members can be met together, and the first `unmet` members cannot.
        let (mut met, mut unmet) = (0, members.len());
        while unmet - met > 1 {
            let middle = met.midpoint(unmet);
            if self.is_unmet(mode, &members[..middle]) { unmet = middle } else { met = middle }
        }
        let (before, Some(member)) = (&members[..met], members.get(met)) else { return Vec::new() };
        if before.is_empty() || self.is_unmet(Mode::AnyOrder, std::slice::from_ref(member)) {
            return self.explain(member);
        }
        let (member, before) = (member.words(), words_of(mode, before));
        vec![FailedExpectation::new(match mode {
            Mode::InOrder => {
                format!("Expected {member} to be called after {before}, but these calls were not made in this order.")
            }
            _ => format!("Expected {member} besides {before}, but there are not enough calls for both."),
        })]
    }

    /// Returns the findings of the alternative that is nearest to the calls.
    fn nearest(&self, alternatives: &[CallGroup], findings: Vec<Vec<FailedExpectation>>) -> Vec<FailedExpectation> {
        let count = alternatives.len();
        let names: Option<Vec<&str>> =
            alternatives.iter().map(|group| group.as_calls().map(CallExpectation::name)).collect();
        let is_called = |name: &&str| self.made.iter().any(|made| made.name() == *name);
        if let Some(names) = names.filter(|names| count > 1 && !names.iter().any(is_called)) {
            return vec![FailedExpectation::new(report_sentences::none_called(&names, self.made))];
        }
        let found = alternatives.iter().zip(findings).enumerate();
        let Some((index, (group, findings))) =
            found.min_by_key(|(_, (group, findings))| (self.distance(group), findings.len()))
        else {
            return Vec::new();
        };
        if count == 1 {
            return findings;
        }
        let nearest =
            format!("None of {count} alternatives was met. The nearest is number {} ({}): ", index + 1, group.words());
        findings.into_iter().map(|finding| finding.after(&nearest)).collect()
    }

    /// Returns the distance between a group and the calls, ignoring orders. It is the number of missing calls and differences; between
    /// equal numbers, more matching calls are nearer.
    fn distance(&self, group: &CallGroup) -> (usize, Reverse<usize>) {
        match &group.kind {
            Kind::Calls(calls) => {
                let faults = |made: &ActualCall| if calls.fits(made) { 0 } else { 1 + calls.faults(made) };
                let of_function = self.made.iter().filter(|made| calls.is_of(made));
                let least = of_function.map(faults).min().unwrap_or(NOT_CALLED).min(NOT_CALLED);
                (least, Reverse(usize::from(least == 0)))
            }
            Kind::Members(Mode::AnyOf, members) => {
                members.iter().map(|member| self.distance(member)).min().unwrap_or_default()
            }
            Kind::Members(_, members) => {
                let distances = members.iter().map(|member| self.distance(member));
                distances
                    .fold((0, Reverse(0)), |(all, Reverse(met)), (one, Reverse(more))| (all + one, Reverse(met + more)))
            }
        }
    }
}

/// Returns the members that are calls of one function. A member that needs several calls is repeated accordingly.
fn slots(members: &[CallGroup]) -> Vec<&CallExpectation> {
    let calls = members.iter().filter_map(CallGroup::as_calls);
    calls.flat_map(|calls| std::iter::repeat_n(calls, own(calls))).collect()
}
