//! A search of a model among many tools. It is compared with plain BM25 over names and descriptions, which is also indexed for each search, with a
//! search among half as many tools, and with a call.

use std::collections::HashMap;
use std::hint::black_box;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use tool_runtime::tool::{AnswerOrFuture, Tool, ToolSpec};
use tool_runtime::tool_schema::shape::Ref;
use tool_runtime::toolbox::FindTools;
use tool_runtime::{Arguments, CallContext, Container, Session, ToolInput, Toolbox};

use super::{Comparison, comparison};
use crate::payloads::{GetWeatherTool, SMALL, Trip};

const TOOLS: usize = 700;
const QUERY: &str = r#"{"query": "Book the cheapest flight and a hotel for the trip to Lisbon, and send the invoice to my accountant."}"#;

pub(super) fn comparisons() -> Vec<Comparison> {
    vec![
        comparison!("search/700", Some(8.0), "find_tools" => search(TOOLS), "plain BM25" => plain()),
        comparison!("search/doubled", Some(2.2), "700 tools" => search(TOOLS), "350 tools" => search(TOOLS / 2)),
        comparison!("search/call", None, "find_tools" => search(TOOLS), "call" => call()),
    ]
}

const VERBS: [&str; 7] = ["book", "cancel", "list", "send", "create", "delete", "show"];
const NOUNS: [&str; 10] =
    ["flight", "hotel", "invoice", "issue", "branch", "message", "calendar", "file", "customer", "order"];

/// Returns the name and the description of a tool. Each tool has some words that no other has, as real tools do.
fn words(number: usize) -> (String, String) {
    let (verb, noun) = (VERBS[number % VERBS.len()], NOUNS[number / VERBS.len() % NOUNS.len()]);
    let description = format!(
        "The {noun} that the user of service{number} wants to {verb}. Returns the {noun} with its number and its state, or an error of region{number}."
    );
    (format!("{verb}_{noun}_{number}"), description)
}

struct Named(ToolSpec);

impl Tool for Named {
    fn spec(&self) -> &ToolSpec {
        &self.0
    }

    fn call<'a>(&'a self, _: Arguments<'a>, _: &'a CallContext) -> AnswerOrFuture<'a> {
        unreachable!("it is only searched")
    }
}

fn search(tools: usize) -> impl Fn() {
    let named = |number| {
        let (name, description) = words(number);
        Named(ToolSpec::new(name, description, Ref::Static(Trip::SHAPE)))
    };
    let container = |first: usize| {
        let members = first..(first + 20).min(tools);
        members.fold(Container::new(format!("Server_{first}"), "A server."), |container, number| {
            container.tool(named(number))
        })
    };
    let builder = (0..tools).step_by(20).fold(Toolbox::builder(), |builder, first| builder.container(container(first)));
    let toolbox = builder.no_throttle().find_tools(FindTools::new()).build().expect("the names differ");
    let session = toolbox.session();
    move || run(&session, "find_tools", QUERY)
}

fn call() -> impl Fn() {
    let toolbox = Toolbox::builder().no_throttle().tool(GetWeatherTool).build().expect("one tool has no clashes");
    let session = toolbox.session();
    move || run(&session, "get_weather", SMALL)
}

fn run(session: &Session, tool: &str, arguments: &str) {
    let call = pin!(session.call("call_1", tool, black_box(arguments)));
    let Poll::Ready(outcome) = call.poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("a sync tool is done at the first poll")
    };
    assert!(outcome.is_ok() && !black_box(outcome.to_text()).is_empty());
}

/// Ranks the tools by the words of their names and descriptions.
fn plain() -> impl Fn() {
    let texts: Vec<String> = (0..TOOLS)
        .map(|number| {
            let (name, description) = words(number);
            format!("{name} {description}")
        })
        .collect();
    move || {
        let split = |text: &str| -> Vec<String> {
            let words = text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
            words.map(str::to_lowercase).collect()
        };
        let mut having: HashMap<String, f64> = HashMap::new();
        let mut documents = Vec::new();
        for text in black_box(&texts) {
            let mut counts: HashMap<String, f64> = HashMap::new();
            let words = split(text);
            let length = words.len() as f64;
            words.into_iter().for_each(|word| *counts.entry(word).or_default() += 1.0);
            counts.keys().for_each(|word| *having.entry(word.clone()).or_default() += 1.0);
            documents.push((counts, length));
        }
        let average = documents.iter().map(|(_, length)| length).sum::<f64>() / documents.len() as f64;
        let query = split(black_box(QUERY));
        let score = |(counts, length): &(HashMap<String, f64>, f64)| -> f64 {
            let of_word = |word: &String| {
                let (count, having) = (counts.get(word)?, having.get(word)?);
                let rarity = (1.0 + (documents.len() as f64 - having + 0.5) / (having + 0.5)).ln();
                Some(rarity * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / average)))
            };
            query.iter().filter_map(of_word).sum()
        };
        let mut ranked: Vec<(usize, f64)> = documents.iter().map(score).enumerate().collect();
        ranked.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        ranked.truncate(5);
        assert_eq!(black_box(ranked).len(), 5);
    }
}
