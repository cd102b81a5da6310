//! Assembly of the pieces of an answer.

use proptest::prelude::*;
use tool_chat::model::{Assembler, Delta, Response, StopReason, ToolCall, Usage};

pub(crate) fn piece(index: usize, id: Option<&str>, name: Option<&str>, arguments: &str) -> Delta {
    Delta::Call { index, id: id.map(str::to_owned), name: name.map(str::to_owned), arguments: arguments.to_owned() }
}

fn assembled(deltas: impl IntoIterator<Item = Delta>) -> Response {
    let mut assembler = Assembler::new();
    deltas.into_iter().for_each(|delta| assembler.push(delta));
    assembler.finish()
}

#[test]
fn pieces_of_two_calls_may_alternate() {
    let response = assembled([
        piece(0, Some("a"), Some("add"), "{\"a\""),
        piece(1, Some("b"), Some("now"), "{"),
        piece(0, None, None, ": 1}"),
        piece(1, None, None, "}"),
    ]);
    assert_eq!(response.calls, [ToolCall::new("a", "add", "{\"a\": 1}"), ToolCall::new("b", "now", "{}")]);
}

#[test]
fn an_index_may_be_any_number() {
    let response = assembled([piece(usize::MAX, Some("a"), Some("now"), "{}")]);
    assert_eq!(response.calls, [ToolCall::new("a", "now", "{}")]);
}

#[test]
fn an_id_and_a_name_may_be_in_each_piece() {
    let response = assembled([piece(0, Some("a"), Some("now"), "{"), piece(0, Some("a"), Some("now"), "}")]);
    assert_eq!(response.calls, [ToolCall::new("a", "now", "{}")]);
}

#[test]
fn each_piece_of_a_call_may_have_its_own_id() {
    // vLLM did this for a long time; only the first piece has the name.
    let response = assembled([
        piece(0, Some("a"), Some("now"), ""),
        piece(0, Some("b"), None, "{"),
        piece(0, Some("c"), Some(""), "}"),
    ]);
    assert_eq!(response.calls, [ToolCall::new("a", "now", "{}")]);
}

#[test]
fn calls_without_index_and_id_are_distinguished_by_their_names() {
    let response =
        assembled([piece(0, None, Some("now"), "{}"), piece(0, None, Some("later"), "{"), piece(0, None, None, "}")]);
    assert_eq!(response.calls, [ToolCall::new("call_1", "now", "{}"), ToolCall::new("call_2", "later", "{}")]);
}

#[test]
fn names_may_be_split_and_names_and_ids_may_follow_the_arguments() {
    let response = assembled([
        piece(0, None, Some("get_"), ""),
        piece(0, None, Some("weather"), ""),
        piece(0, None, None, "{}"),
        piece(1, None, None, "{\"a\""),
        piece(1, Some("b"), None, ": 1}"),
        piece(1, None, Some("add"), ""),
        piece(0, Some("a"), None, ""),
    ]);
    assert_eq!(response.calls, [ToolCall::new("a", "get_weather", "{}"), ToolCall::new("b", "add", "{\"a\": 1}")]);
}

#[test]
fn usage_may_be_reported_in_parts() {
    let first = Usage::new(12, 1);
    let last = Usage::new(0, 7);
    let response = assembled([Delta::Usage(first), Delta::Usage(last), Delta::Stop(StopReason::Length)]);
    assert_eq!((response.usage, response.stop), (Usage::new(12, 7), StopReason::Length));
}

/// Returns a call with the positions at which its arguments are split, and the piece with its id.
fn cut_call() -> impl Strategy<Value = (String, String, Vec<usize>, usize)> {
    ("[a-c]{1,3}", ".{0,12}", prop::collection::vec(0_usize..12, 0..4), 0_usize..5)
}

proptest! {
    /// Calls with indices are assembled correctly, in whatever order their pieces and ids arrive.
    #[test]
    fn calls_with_indices_are_assembled_correctly(
        calls in prop::collection::vec(cut_call(), 1..5),
        order in prop::collection::vec(0_usize..5, 40),
    ) {
        let mut rests: Vec<Vec<Delta>> = Vec::new();
        let mut expected = Vec::new();
        for (index, (name, arguments, cuts, late)) in calls.into_iter().enumerate() {
            let letters: Vec<char> = arguments.chars().collect();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(letters.len())).collect();
            cuts.extend([0, letters.len()]);
            cuts.sort_unstable();
            let stretches = cuts.windows(2).map(|ends| letters[ends[0]..ends[1]].iter().collect::<String>());
            let id = format!("id_{index}");
            let late = late.min(cuts.len() - 2);
            let mut pieces: Vec<Delta> = stretches
                .enumerate()
                .map(|(at, text)| piece(index, (at == late).then_some(&*id), (at == 0).then_some(&*name), &text))
                .collect();
            pieces.reverse();
            rests.push(pieces);
            expected.push(ToolCall::new(&*id, name, arguments));
        }
        // Calls begin in order; their other pieces alternate.
        let mut deltas: Vec<Delta> = rests.iter_mut().filter_map(Vec::pop).collect();
        let count = rests.len();
        deltas.extend(order.into_iter().filter_map(|turn| rests[turn % count].pop()));
        deltas.extend(rests.into_iter().flat_map(|rest| rest.into_iter().rev()));
        prop_assert_eq!(assembled(deltas).calls, expected);
    }
}
