//! Assembly of the pieces of an answer.

use proptest::prelude::*;
use tool_chat::model::{Delta, DeltaAssembler, Response, StopReason, ToolCall, Usage};

pub(crate) fn piece(index: usize, id: Option<&str>, name: Option<&str>, arguments: &str) -> Delta {
    Delta::Call { index, id: id.map(str::to_owned), name: name.map(str::to_owned), arguments: arguments.to_owned() }
}

fn assembled(deltas: impl IntoIterator<Item = Delta>) -> Response {
    let mut assembler = DeltaAssembler::new();
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

/// Returns the names and arguments of the assembled calls.
fn calls(deltas: impl IntoIterator<Item = Delta>) -> Vec<(String, String)> {
    assembled(deltas).calls.into_iter().map(|call| (call.name, call.arguments)).collect()
}

fn expected(calls: &[(&str, &str)]) -> Vec<(String, String)> {
    calls.iter().map(|&(name, arguments)| (name.to_owned(), arguments.to_owned())).collect()
}

const NO_INDEX: usize = usize::MAX;

#[test]
fn pieces_at_an_unknown_index_belong_to_the_only_open_call() {
    let search = |arguments| piece(0, Some("a"), Some("search"), arguments);
    for pieces in [
        vec![search(""), piece(1, None, None, r#"{"url":"a"}"#)],
        vec![search(r#"{"url":"#), piece(1, None, None, r#""a""#), piece(2, None, None, "}")],
        vec![search(""), piece(1, None, Some(""), r#"{"url""#), piece(1, Some(""), None, r#":"a"}"#)],
        vec![search(r#"{"url":"#), piece(NO_INDEX, None, None, r#""a"}"#)],
        vec![search("{"), piece(0, None, None, r#""url":"#), piece(7, None, None, r#""a"}"#)],
        // The id says to which call the piece belongs.
        vec![search(""), piece(1, Some("a"), None, r#"{"url":"a"}"#)],
        vec![search(""), piece(1, Some("b"), Some("now"), "{}"), piece(1, Some("a"), None, r#"{"url":"a"}"#)],
    ] {
        assert_eq!(calls(pieces.clone())[0], expected(&[("search", r#"{"url":"a"}"#)])[0], "{pieces:?}");
    }
    // After the first call is complete, the second one is the only open call.
    let pieces = [
        search(""),
        piece(NO_INDEX, None, None, r#"{"url":"a"}"#),
        piece(1, Some("b"), Some("now"), ""),
        piece(NO_INDEX, None, None, r#"{"zone":"#),
        piece(NO_INDEX, None, None, r#""b"}"#),
    ];
    assert_eq!(calls(pieces), expected(&[("search", r#"{"url":"a"}"#), ("now", r#"{"zone":"b"}"#)]));
}

#[test]
fn a_call_that_may_have_lost_its_arguments_is_left_incomplete() {
    let header = |index, id, name| piece(index, Some(id), Some(name), "");
    let object = r#"{"url":"a"}"#;
    for pieces in [
        // Two calls are open.
        vec![header(0, "a", "search"), header(1, "b", "now"), piece(2, None, None, object)],
        vec![header(0, "a", "search"), header(1, "b", "now"), piece(NO_INDEX, None, None, object)],
        // All arguments are sent at the index of the first call.
        vec![
            header(0, "a", "search"),
            header(1, "b", "now"),
            piece(0, None, None, object),
            piece(0, None, None, object),
        ],
        // A call without a name may own the arguments.
        vec![header(0, "a", "search"), piece(1, Some("b"), None, object)],
        vec![piece(0, Some("a"), Some("search"), "{}"), piece(1, None, None, object)],
        vec![piece(3, None, None, object), header(0, "a", "search")],
        // A header follows arguments that were given to the only open call.
        vec![header(0, "a", "search"), piece(1, None, None, object), header(1, "b", "now")],
        // Each piece has an id and a name of its own.
        vec![header(0, "a", "search"), piece(0, Some("b"), Some("search"), r#"{"url""#)],
        // The object is completed after a piece that may belong to it.
        vec![
            piece(0, Some("a"), Some("search"), r#"{"url":"a""#),
            piece(1, Some("b"), Some("now"), r#"{"a":1"#),
            piece(2, None, None, r#","b":2"#),
            piece(0, None, None, "}"),
            piece(1, None, None, "}"),
        ],
    ] {
        for (name, arguments) in calls(pieces.clone()) {
            let is_incomplete =
                !arguments.trim().is_empty() && serde_json::from_str::<serde_json::Value>(&arguments).is_err();
            assert!(name.is_empty() || is_incomplete, "{name} {arguments} {pieces:?}");
        }
    }
}

#[test]
fn a_name_after_a_complete_object_begins_a_call_once_a_text_follows() {
    let search = |id, arguments| piece(0, id, Some("search"), arguments);
    let (first, second) = (r#"{"url":"a"}"#, r#"{"url":"b"}"#);
    let both = expected(&[("search", first), ("search", second)]);
    for id in [None, Some("a"), Some("")] {
        assert_eq!(calls([search(id, first), search(id, second)]), both);
        assert_eq!(calls([search(id, first), search(id, ""), piece(0, None, None, second)]), both);
        assert_eq!(calls([search(id, first), search(id, "")]), both[..1]);
        assert_eq!(calls([search(id, ""), search(id, first), search(id, "")]), both[..1]);
        assert_eq!(calls([search(id, "{}"), search(id, first)]), both[..1], "a placeholder is replaced");
        assert_eq!(calls([search(id, "{}"), piece(0, None, None, first)]), both[..1]);
        assert_eq!(calls([search(id, "{ "), piece(0, None, None, "} "), search(id, first)]), both[..1]);
        assert_eq!(calls([search(id, "{}"), search(id, "{}")]), expected(&[("search", "{}")]));
    }
    assert_eq!(calls([search(Some("a"), first), search(Some("b"), ""), piece(0, None, None, second)]), both);
    assert_eq!(
        calls([search(Some("a"), ""), search(Some("b"), second)]),
        expected(&[("search", ""), ("search", second)])
    );
    // A call that is repeated as a whole at the end of a stream is one call.
    let spaced = r#"{ "url": "a" }"#;
    assert_eq!(calls([search(Some("a"), first), search(Some("a"), spaced)]), both[..1]);
    assert_eq!(calls([search(Some("a"), first), search(None, first)]), both[..1]);
}

/// Texts that begin, continue and end arguments.
const TEXTS: [&str; 16] = [
    "",
    "",
    "{}",
    "{",
    "}",
    " ",
    "{\"a\":1}",
    "{\"a\":",
    "1}",
    " {\"b\": \"}\"}",
    "\"}\\\"{",
    "\"",
    "[",
    "x",
    "{\"é\"",
    "{\"a\":1}{\"b\":2}",
];

fn any_piece() -> impl Strategy<Value = Delta> {
    let index = prop_oneof![4 => 0..3_usize, 1 => Just(NO_INDEX)];
    let id = prop::option::weighted(0.3, prop::sample::select(vec!["a", "b", ""]));
    let name = prop::option::weighted(0.4, prop::sample::select(vec!["f", "g", ""]));
    (index, id, name, prop::sample::select(TEXTS.to_vec()))
        .prop_map(|(index, id, name, text)| piece(index, id, name, text))
}

/// Cuts the text of a piece into pieces. The first has the id and the name.
fn cut(delta: &Delta, every: usize) -> Vec<Delta> {
    let Delta::Call { index, id, name, arguments } = delta else { return vec![delta.clone()] };
    let letters: Vec<char> = arguments.chars().collect();
    let mut pieces = Vec::new();
    if every == 0 {
        pieces.push(piece(*index, id.as_deref(), name.as_deref(), ""));
    }
    for (at, chunk) in letters.chunks(every.max(1)).enumerate() {
        let (id, name) = if at == 0 && every > 0 { (id.as_deref(), name.as_deref()) } else { (None, None) };
        pieces.push(piece(*index, id, name, &chunk.iter().collect::<String>()));
    }
    if pieces.is_empty() { vec![delta.clone()] } else { pieces }
}

/// A call, and how a server sends it.
#[derive(Clone, Debug)]
struct Sent {
    name: &'static str,
    arguments: String,
    cut: usize,
}

/// The habits of a server.
#[derive(Clone, Copy, Debug)]
struct Server {
    /// The index of the first piece of a call, and of the others.
    indices: (Index, Index),
    has_ids: bool,
    names_in_each_piece: bool,
    placeholder: bool,
}

#[derive(Clone, Copy, Debug)]
enum Index {
    Own,
    Next,
    Zero,
    Missing,
}

fn sent() -> impl Strategy<Value = Sent> {
    let arguments = prop_oneof![
        2 => Just("{}".to_owned()),
        1 => Just(String::new()),
        5 => ("[a-c{}\"\\\\]{0,4}", 0..3_u8).prop_map(|(text, number)| serde_json::json!({"a": text, "b": {"c": number}}).to_string()),
    ];
    (prop::sample::select(vec!["f", "g"]), arguments, 0..6_usize).prop_map(|(name, arguments, cut)| Sent {
        name,
        arguments,
        cut,
    })
}

fn server() -> impl Strategy<Value = Server> {
    // If a piece has the index of another open call, nobody can know that it is wrong.
    let indices = prop::sample::select(vec![
        (Index::Own, Index::Own),
        (Index::Own, Index::Next),
        (Index::Own, Index::Missing),
        (Index::Zero, Index::Zero),
        (Index::Zero, Index::Missing),
        (Index::Missing, Index::Missing),
    ]);
    (indices, any::<bool>(), any::<bool>(), any::<bool>()).prop_map(
        |(indices, has_ids, names_in_each_piece, placeholder)| Server {
            indices,
            has_ids,
            // A name at another index would be another call.
            names_in_each_piece: names_in_each_piece && !matches!(indices.1, Index::Next),
            // A name that follows arguments at their index is their name.
            placeholder: placeholder && !matches!(indices.1, Index::Next),
        },
    )
}

fn send(server: Server, calls: &[Sent]) -> Vec<Delta> {
    let mut deltas = Vec::new();
    for (number, Sent { name, arguments, cut: every }) in calls.iter().enumerate() {
        let at = |index, has_name| match index {
            Index::Own => number,
            Index::Next => number + 1,
            Index::Zero => 0,
            Index::Missing if has_name => 0,
            Index::Missing => NO_INDEX,
        };
        let id = format!("id_{number}");
        let id = server.has_ids.then_some(&*id);
        let first = at(server.indices.0, true);
        if server.placeholder && !arguments.is_empty() {
            deltas.push(piece(first, id, Some(name), "{}"));
            if arguments == "{}" {
                continue;
            }
        } else {
            deltas.push(piece(first, id, Some(name), ""));
        }
        for delta in cut(&piece(0, None, None, arguments), (*every).max(1)) {
            let Delta::Call { arguments, .. } = delta else { continue };
            let name = server.names_in_each_piece.then_some(*name);
            deltas.push(piece(at(server.indices.1, name.is_some()), None, name, &arguments));
        }
    }
    deltas
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(tests::cases(256)) })]

    /// The calls do not depend on where the texts are cut, for any pieces of a server.
    #[test]
    fn the_calls_are_the_same_at_every_cut(deltas in prop::collection::vec(any_piece(), 0..12), cuts in prop::collection::vec(0..4_usize, 12)) {
        let whole = assembled(deltas.clone()).calls;
        for every in 0..3 {
            prop_assert_eq!(&assembled(deltas.iter().flat_map(|delta| cut(delta, every))).calls, &whole, "{}", every);
        }
        let cut = deltas.iter().zip(&cuts).flat_map(|(delta, every)| cut(delta, *every));
        prop_assert_eq!(&assembled(cut).calls, &whole);
    }

    /// No call that can run has other arguments than the model wrote, for many habits of servers.
    #[test]
    fn no_call_runs_with_lost_arguments(server in server(), made in prop::collection::vec(sent(), 1..4)) {
        let parsed = |text: &str| match text.trim() {
            "" => Some(serde_json::json!({})),
            text => serde_json::from_str::<serde_json::Value>(text).ok().filter(serde_json::Value::is_object),
        };
        let deltas = send(server, &made);
        let calls = assembled(deltas.clone()).calls;
        for call in &calls {
            let Some(arguments) = parsed(&call.arguments).filter(|_| ["f", "g"].contains(&&*call.name)) else { continue };
            let is_made = made.iter().any(|made| made.name == call.name && parsed(&made.arguments).as_ref() == Some(&arguments));
            prop_assert!(is_made, "{:?} of {:#?}", call, deltas);
        }
        if let Server { indices: (Index::Own, Index::Own), placeholder: false, .. } = server {
            let made: Vec<_> = made.iter().map(|made| (made.name.to_owned(), made.arguments.clone())).collect();
            let calls: Vec<_> = calls.into_iter().map(|call| (call.name, call.arguments)).collect();
            prop_assert_eq!(calls, made);
        }
    }
}
