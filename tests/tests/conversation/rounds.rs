//! An obedient model corrects k planted defects within ⌈k/3⌉ + 1 rounds, for generated tools.
//!
//! Each type of the agreement whose arguments are an object becomes a tool, and so does the deep type of the sufficiency test. The whole
//! loop is tested: the model reads the answers of a session. Two cases are excluded: types with a pattern but without an example, because a
//! hint then has no value; and values with a control character in a key, because hints replace it by a space, so the path is not usable.

use proptest::prelude::Rng;
use proptest::test_runner::{RngAlgorithm, TestRng};
use serde_json::Value;
use tests::deep::Stage;
use tests::generate::{Choices, Planted, planted};
use tests::obedient::obedient;
use tests::rows::rows;
use tool_chat::conversation::{Conversation, TurnEnd, TurnLimits};
use tool_runtime::Arguments;
use tool_runtime::ValidationError;
use tool_runtime::tool::{AnswerOrFuture, CallError, Payload, Tool, ToolSpec};
use tool_runtime::toolbox::FeedbackForm;
use tool_runtime::{CallContext, ToolInput, Toolbox};
use tool_schema::decode::decode;
use tool_schema::shape::{Kind, Ref, Shape};

/// A tool that only decodes its arguments.
struct Decoding {
    spec: ToolSpec,
    decode: fn(&str) -> Result<(), ValidationError>,
}

impl Tool for Decoding {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn check(&self, arguments: &Arguments<'_>) -> Result<(), ValidationError> {
        let text = arguments.to_json().map_or_else(|_| String::new(), |json| json.to_text());
        (self.decode)(&text)
    }

    fn call<'a>(&'a self, arguments: Arguments<'a>, _: &'a CallContext) -> AnswerOrFuture<'a> {
        AnswerOrFuture::Ready(self.check(&arguments).map(|()| Payload::Done).map_err(CallError::Invalid))
    }
}

type Decode = fn(&str) -> Result<(), ValidationError>;

fn tools() -> Vec<(&'static str, &'static Shape, Decode)> {
    let stage: Decode = |text| decode::<Stage>(&Arguments::from(text)).map(drop);
    let rows = rows().into_iter().filter(|row| matches!(row.shape.kind, Kind::Object(_)));
    let rows = rows.filter(|row| !row.source.contains("pattern"));
    let rows = rows.map(|row| (row.name, row.shape, row.decode));
    rows.chain([("Stage", Stage::SHAPE, stage)]).collect()
}

/// Returns the number of rejections, or an error with all calls if the model never succeeded.
fn rounds(shape: &'static Shape, decode: Decode, arguments: &str, most: usize) -> Result<usize, String> {
    let tool = Decoding { spec: ToolSpec::new("plan", "Plans.", Ref::Static(shape)), decode };
    let session =
        Toolbox::builder().feedback(FeedbackForm::Json).tool(tool).build().expect("the toolbox is valid").session();
    let mut limits = TurnLimits::default();
    limits.corrections = most;
    let mut conversation = Conversation::new(session, obedient([("plan", arguments)])).limits(limits);
    let end = pollster::block_on(conversation.ask("Plan it."));
    let calls = || conversation.transcript().calls();
    match end {
        TurnEnd::Answered { .. } if calls().next_back().is_some_and(|call| call.outcome.is_ok()) => {
            Ok(calls().count() - 1)
        }
        _ => {
            let told = calls().map(|call| format!("{}\n    {}", call.arguments, call.outcome.to_text()));
            Err(told.collect::<Vec<_>>().join("\n  "))
        }
    }
}

/// Returns `true` if hints can print every key exactly.
fn has_plain_keys(value: &Value) -> bool {
    match value {
        Value::Object(members) => {
            members.iter().all(|(key, value)| !key.contains(char::is_control) && has_plain_keys(value))
        }
        Value::Array(items) => items.iter().all(has_plain_keys),
        _ => true,
    }
}

fn cases() -> usize {
    std::env::var("SUFFICIENCY_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(tests::cases(6) as usize)
}

#[test]
fn correcting_k_defects_takes_at_most_k_div_ceil_3_plus_1_rounds() {
    const MOST: usize = 6;
    let mut source = TestRng::from_seed(RngAlgorithm::ChaCha, &[0; 32]);
    let mut table = [[0_usize; 3]; MOST];
    let mut failed = Vec::new();
    for (name, shape, decode) in tools() {
        for attempt in 0..cases() {
            let numbers: Vec<u32> = (0..400).map(|_| source.next_u32()).collect();
            let count = 1 + attempt % MOST;
            let Some(Planted { tree, defects }) = planted(shape, count, |_| true, &mut Choices::new(&numbers)) else {
                continue;
            };
            let (k, text) = (defects.len(), tree.to_string());
            if serde_json::from_str(&text).is_ok_and(|value| !has_plain_keys(&value)) {
                continue;
            }
            let bound = k.div_ceil(3) + 1;
            let [cases, most, sum] = &mut table[k - 1];
            *cases += 1;
            match rounds(shape, decode, &text, bound) {
                Ok(rounds) => {
                    *most = rounds.max(*most);
                    *sum += rounds;
                }
                Err(told) => failed.push(format!("{name}, {k} defects:\n  {told}")),
            }
        }
    }
    println!("defects   bound   cases   most rounds   rounds in all");
    for (k, [cases, most, sum]) in (1_usize..).zip(table) {
        println!("{k:>7} {:>7} {cases:>7} {most:>13} {sum:>15}", k.div_ceil(3) + 1);
        assert!(cases > 0, "no tool had {k} defects");
    }
    let shortest = failed.iter().min_by_key(|told| told.len());
    assert!(shortest.is_none(), "{} cases failed; {}", failed.len(), shortest.map_or("", String::as_str));
}
