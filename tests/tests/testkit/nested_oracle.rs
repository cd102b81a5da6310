//! Random groups inside groups agree with a search through all sets of calls; hostile ones end within the budget, without a wrong pass.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tool_testkit::{CallExpectation, CallGroup, any_of, calls, calls_in_any_order, calls_in_order, exactly};

use crate::testkit::kit::{Held, tools};

/// A group as a tree, to be compared in two ways.
#[derive(Clone, Debug)]
enum Tree {
    /// A call at one of several locations, and how often.
    Call(&'static str, usize),
    AnyOrder(Vec<Tree>),
    InOrder(Vec<Tree>),
    AnyOf(Vec<Tree>),
}

/// The letters that each pattern matches; the patterns overlap.
const PATTERNS: [&str; 6] = ["a", "b", "c", "ab", "bc", "abc"];

fn expected(pattern: &str, times: usize) -> CallExpectation {
    let call = calls("get_weather").at("location", tool_testkit::one_of(pattern.chars().map(String::from)));
    if times == 1 { call } else { call.times(times) }
}

impl Tree {
    fn group(&self) -> CallGroup {
        let groups = |members: &[Self]| -> Vec<CallGroup> { members.iter().map(Self::group).collect() };
        match self {
            Self::Call(pattern, times) => expected(pattern, *times).into(),
            Self::AnyOrder(members) => calls_in_any_order(groups(members)),
            Self::InOrder(members) => calls_in_order(groups(members)),
            Self::AnyOf(members) => any_of(groups(members)),
        }
    }

    /// Returns all sets of calls, as bits, that meet the tree.
    fn sets(&self, made: &str) -> BTreeSet<u32> {
        let join = |members: &[Self], fits: fn(u32, u32) -> bool| {
            members.iter().fold(BTreeSet::from([0]), |all, member| {
                let sets = member.sets(made);
                let pairs = all.iter().flat_map(|one| sets.iter().map(move |other| (*one, *other)));
                pairs.filter(|(one, other)| fits(*one, *other)).map(|(one, other)| one | other).collect()
            })
        };
        match self {
            Self::Call(pattern, times) => {
                let fits = |bits: &u32| {
                    bits.count_ones() as usize == *times
                        && made
                            .chars()
                            .enumerate()
                            .all(|(index, letter)| bits >> index & 1 == 0 || pattern.contains(letter))
                };
                (0..1 << made.len()).filter(fits).collect()
            }
            Self::AnyOrder(members) => join(members, |one, other| one & other == 0),
            Self::InOrder(members) => {
                join(members, |one, other| u32::BITS - one.leading_zeros() <= other.trailing_zeros())
            }
            Self::AnyOf(members) => members.iter().flat_map(|member| member.sets(made)).collect(),
        }
    }
}

fn leaves(patterns: &'static [&'static str]) -> impl Strategy<Value = Tree> + Clone {
    let times = prop_oneof![3 => Just(1_usize), 1 => Just(2)];
    (proptest::sample::select(patterns), times).prop_map(|(pattern, times)| Tree::Call(pattern, times))
}

fn members(of: impl Strategy<Value = Tree>, count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Tree>> {
    proptest::collection::vec(of, count)
}

/// Returns trees of any form.
fn trees() -> impl Strategy<Value = Tree> {
    leaves(&PATTERNS).prop_recursive(4, 12, 3, |inner| {
        prop_oneof![
            members(inner.clone(), 1..4).prop_map(Tree::AnyOrder),
            members(inner.clone(), 1..4).prop_map(Tree::InOrder),
            members(inner, 1..4).prop_map(Tree::AnyOf)
        ]
    })
}

/// Returns trees of orders and alternatives that compete for the same calls.
fn competing() -> impl Strategy<Value = Tree> {
    let call = || leaves(&PATTERNS[..4]);
    let order = || members(call(), 2..4).prop_map(Tree::InOrder);
    let member = prop_oneof![
        3 => order(),
        1 => members(prop_oneof![call(), order()], 2..3).prop_map(Tree::AnyOf),
        1 => call(),
    ];
    members(member, 2..4).prop_map(Tree::AnyOrder)
}

fn made(letters: &str) -> Held {
    let session = tools().no_throttle().build().expect("the tools have different names").session();
    letters.chars().fold(Held::over(session), |held, letter| {
        held.step(&[("get_weather", &format!(r#"{{"location": "{letter}"}}"#))])
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(tests::cases(330)))]
    #[test]
    fn the_search_agrees_with_trying_all_assignments(tree in trees(), letters in "[abc]{0,7}") {
        compare(&tree, &letters)?;
    }

    #[test]
    fn the_search_agrees_if_members_compete_for_calls(tree in competing(), letters in "[ab]{4,8}") {
        compare(&tree, &letters)?;
    }
}

fn compare(tree: &Tree, letters: &str) -> Result<(), TestCaseError> {
    let (sets, held) = (tree.sets(letters), made(letters));
    let is_met = |group: CallGroup| held.sentences(group).is_empty();
    prop_assert_eq!(is_met(tree.group()), !sets.is_empty());
    let is_start = |bits: &u32| bits & (bits + 1) == 0;
    prop_assert_eq!(is_met(tree.group().from_the_start()), sets.iter().any(is_start));
    let is_all = |bits: &u32| bits.count_ones() as usize == letters.len();
    prop_assert_eq!(is_met(exactly([tree.group()])), sets.iter().any(is_all));
    Ok(())
}

/// Returns numbers that look random.
fn numbers(seed: u64) -> impl Iterator<Item = usize> {
    let next =
        |number: &u64| Some(number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407));
    std::iter::successors(Some(seed), next).skip(1).map(|number| (number >> 40) as usize)
}

/// Returns letters that look random.
fn letters(count: usize, seed: u64) -> String {
    numbers(seed).map(|number| ['a', 'b', 'c'][number % 3]).take(count).collect()
}

fn each(letters: &str) -> impl Iterator<Item = CallExpectation> {
    letters.chars().map(|letter| expected(&letter.to_string(), 1))
}

#[test]
fn four_interleaved_orders_of_calls_are_matched() {
    for seed in 0..8 {
        let orders: Vec<String> = (0..4).map(|order| letters(10, 100 * seed + order)).collect();
        let mut rests: Vec<Vec<char>> = orders.iter().map(|order| order.chars().rev().collect()).collect();
        let mut mixed = String::new();
        let picks = numbers(seed).scan((), |(), number| {
            rests.retain(|rest| !rest.is_empty());
            let count = rests.len();
            rests.get_mut(number.checked_rem(count)?)?.pop()
        });
        mixed.extend(picks);
        assert_eq!(mixed.len(), 40);
        made(&mixed).passes(exactly(orders.iter().map(|order| calls_in_order(each(order)))));
    }
}

#[test]
fn members_in_an_order_are_searched_one_after_the_other() {
    let bag = || calls_in_any_order((0..20).map(|index| expected(PATTERNS[index % 6], 1)));
    let sentences =
        made(&letters(66, 99)).sentences(calls_in_order([bag(), bag(), bag(), calls_in_order(each("aaaaa"))]));
    assert!(
        sentences.len() == 1 && sentences[0].ends_with("these calls were not made in this order."),
        "{sentences:?}"
    );
    let calls = letters(60, 1) + "abcabc";
    made(&(calls.repeat(3) + "aaaaa")).passes(calls_in_order([bag(), bag(), bag(), calls_in_order(each("aaaaa"))]));
}

#[test]
fn a_search_that_takes_too_long_is_reported_as_undecided() {
    // Thirty pairs of alternatives compete for as many calls as they need.
    let triple = |seed| calls_in_any_order(each(&letters(3, seed)));
    let pairs = (0..30).map(|seed| any_of([triple(seed), triple(50 + seed)]));
    let sentences = made(&letters(90, 99)).sentences(calls_in_any_order(pairs));
    assert_eq!(sentences.len(), 1, "{sentences:?}");
    assert!(sentences[0].starts_with("It is undecided if the expected calls were made ((("), "{sentences:?}");
    assert!(sentences[0].len() < 600, "{sentences:?}");
    let orders = (0..16).map(|seed| calls_in_order(each(&letters(6, seed))));
    let sentences = made(&letters(96, 99)).sentences(exactly(orders.clone()));
    assert!(!sentences.is_empty());
    // With many calls to choose from, the earliest ones fit.
    made(&"abc".repeat(200)).passes(calls_in_any_order(orders));
}
