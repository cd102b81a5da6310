//! Measures the search for tools: tasks in users' words, and the tools that were used for them, among the tools of real MCP servers.
//!
//! The figures are the share of the used tools among the found ones, with the whole task as the query and with each of its sentences as a
//! query, compared with plain BM25; and the size of the definitions of a request.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::{Map, Value, json};
use tool_dynamic::DynamicTool;
use tool_runtime::container::{DefinitionLoading, ExpansionSettings};
use tool_runtime::toolbox::{FindTools, ToolboxBuilder};
use tool_runtime::{CallContext, Container, Dialect, Session, Toolbox};

use super::{Bench, Outcome};

/// The maximum number of characters of a query.
const LONGEST: usize = 1_000;
/// The smallest share of used tools that five found tools must contain, in percent. It is a little less than measured.
const GOAL: usize = 33;

/// A task and the tools that were used for it.
struct Task {
    question: String,
    tools: Vec<String>,
}

pub(super) fn judge(bench: &mut Bench) -> Outcome {
    println!("search for tools");
    let rows = bench.rows("mcp_tools.jsonl")?;
    let names: HashSet<&str> = rows.iter().filter_map(|row| row["name"].as_str()).collect();
    let tasks = tasks(&bench.rows("tasks_livemcpbench.jsonl")?, &names);
    let used: usize = tasks.iter().map(|task| task.tools.len()).sum();
    println!("      {} tasks, {used} uses of {} tools", tasks.len(), rows.len());
    let plain = Plain::new(&rows);
    let mut found_by_words = 0;
    for most in [5, 10] {
        let session = builder(&rows, false).find_tools(FindTools::new().max_results(most)).build()?.session();
        let ours = |query: &str| found(&session, query);
        let theirs = |query: &str| plain.rank(query, most);
        let splits: [Split; 2] = [|question| vec![question], sentences];
        let [words, sentences] = splits.map(|split| share(&tasks, split, &ours));
        let [plain_words, plain_sentences] = splits.map(|split| share(&tasks, split, &theirs));
        let percent = |found: usize| format!("{:.1} %", 100.0 * as_number(found) / as_number(used));
        println!(
            "      recall at {most}: {} with the task, {} with its sentences; plain BM25: {}, {}",
            percent(words),
            percent(sentences),
            percent(plain_words),
            percent(plain_sentences),
        );
        found_by_words = found_by_words.max(if most == 5 { 100 * words / used.max(1) } else { 0 });
    }
    bench.figure(found_by_words >= GOAL, &format!("{found_by_words} % of the used tools are among five found ones"));
    sizes(&rows, &tasks)?;
    Ok(())
}

/// A function that makes queries from a task.
type Split = for<'q> fn(&'q str) -> Vec<&'q str>;

fn tasks(rows: &[Value], known: &HashSet<&str>) -> Vec<Task> {
    let task = |row: &Value| {
        let tools = row["tools"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let tools = tools.filter(|tool| known.contains(tool)).map(str::to_owned).collect();
        Task { question: row["question"].as_str().unwrap_or_default().to_owned(), tools }
    };
    rows.iter().map(task).collect()
}

fn sentences(text: &str) -> Vec<&str> {
    let parts = text.split_inclusive(['.', '?', '!', '\n']).map(str::trim);
    parts.filter(|part| part.chars().any(char::is_alphanumeric)).collect()
}

/// Returns the number of used tools that are among the found ones.
fn share(tasks: &[Task], split: Split, find: &impl Fn(&str) -> Vec<String>) -> usize {
    let of_task = |task: &Task| {
        let found: HashSet<String> = split(&task.question).into_iter().flat_map(find).collect();
        task.tools.iter().filter(|tool| found.contains(*tool)).count()
    };
    tasks.iter().map(of_task).sum()
}

/// Returns the names of the found tools, without the names of their containers.
fn found(session: &Session, query: &str) -> Vec<String> {
    let query: String = query.chars().take(LONGEST).collect();
    let outcome = pollster::block_on(session.call("call_1", "find_tools", json!({"query": query})));
    let value = outcome.value().unwrap_or_default();
    let names = value["found"].as_array().into_iter().flatten().filter_map(Value::as_str);
    names.map(|name| name.split_once("__").map_or(name, |(_, name)| name).to_owned()).collect()
}

/// Returns the name of the server of a tool.
fn server(row: &Value) -> String {
    let source = row["source"].as_str().unwrap_or_default();
    let name = match source.split_once('#') {
        Some((_, server)) => server,
        None => source.split('@').next().and_then(|repository| repository.rsplit('/').next()).unwrap_or_default(),
    };
    let name: String = name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
    format!("S_{name}").chars().take(64).collect()
}

/// Returns a toolbox with a container for each server. If it is `flat`, all members are visible.
fn builder(rows: &[Value], flat: bool) -> ToolboxBuilder {
    let mut servers: BTreeMap<String, (Container, HashSet<String>)> = BTreeMap::new();
    for row in rows {
        let (name, description) =
            (row["name"].as_str().unwrap_or_default(), row["description"].as_str().unwrap_or_default());
        let description: String = description.chars().take(1_024).collect();
        let handler = |_: Map<String, Value>, _: &CallContext| Ok::<_, String>("done".to_owned());
        let tool = DynamicTool::builder(name.to_owned(), description, &row["parameters"]).sync_handler(handler);
        let Ok(tool) = tool else { continue };
        let server = server(row);
        let fresh = || {
            let container = Container::new(server.clone(), "The tools of a server.");
            (if flat { container.always_expanded() } else { container }, HashSet::new())
        };
        let (container, known) = servers.remove(&server).unwrap_or_else(fresh);
        let mut known = known;
        let is_new = known.insert(name.to_owned());
        let container = if is_new { container.tool(tool) } else { container };
        servers.insert(server, (container, known));
    }
    servers.into_values().fold(Toolbox::builder().no_throttle(), |builder, (container, _)| builder.container(container))
}

/// Prints the sizes of the definitions of a request.
fn sizes(rows: &[Value], tasks: &[Task]) -> Outcome {
    let bytes = |session: &Session| session.definitions().to_string().len();
    let flat = bytes(&builder(rows, true).build()?.session());
    let servers: HashMap<&str, String> =
        rows.iter().filter_map(|row| Some((row["name"].as_str()?, server(row)))).collect();
    let toolbox = builder(rows, false).find_tools(FindTools::new()).build()?;
    let fixed = builder(rows, false)
        .find_tools(FindTools::new())
        .expansion(ExpansionSettings::new().fixed_definitions())
        .build()?;
    let native = |dialect| {
        let builder = builder(rows, false).find_tools(FindTools::new());
        builder.for_provider(dialect).definition_loading(DefinitionLoading::Native).build()
    };
    let (openai, anthropic) = (native(Dialect::OPENAI_RESPONSES)?, native(Dialect::ANTHROPIC)?);
    let collapsed = bytes(&toolbox.session());
    let (mut expanded, mut searched, mut answered, mut loaded) = (0, 0, 0, 0);
    for task in tasks {
        let session = toolbox.session();
        for container in task.tools.iter().filter_map(|tool| servers.get(tool.as_str())) {
            drop(pollster::block_on(session.call("call_1", container, "{}")));
        }
        expanded += bytes(&session);
        let session = toolbox.session();
        found(&session, &task.question);
        searched += bytes(&session);
        let query: String = task.question.chars().take(LONGEST).collect();
        let outcome = pollster::block_on(fixed.session().call("call_1", "find_tools", json!({"query": query})));
        answered += outcome.to_text().len();
        let outcome = pollster::block_on(openai.session().call("call_1", "find_tools", json!({"query": query})));
        loaded += outcome.loaded_definitions().map_or(0, str::len);
    }
    let (openai, anthropic) = (bytes(&openai.session()), anthropic.session().definitions());
    let shown: usize = anthropic.iter().filter(|tool| !tool.is_deferred()).map(|tool| tool.to_string().len() + 1).sum();
    let fixed = bytes(&fixed.session());
    let average = |sum: usize| sum / tasks.len().max(1);
    println!("      bytes of definitions: flat {flat}; containers {collapsed}");
    println!(
        "      on average: containers of the task expanded {}; after a search {}",
        average(expanded),
        average(searched)
    );
    println!("      fixed {fixed}, and {} in the answer to a search", average(answered));
    println!("      native, Responses: {openai}, and {} that the answer to a search loads", average(loaded));
    println!("      native, Anthropic: {} of which {shown} are not deferred", anthropic.to_string().len());
    Ok(())
}

/// BM25 over names and descriptions, without any further rule.
struct Plain {
    documents: Vec<(String, HashMap<String, f64>, f64)>,
    having: HashMap<String, f64>,
    average: f64,
}

impl Plain {
    fn new(rows: &[Value]) -> Self {
        let mut having: HashMap<String, f64> = HashMap::new();
        let document = |row: &Value| {
            let (name, description) =
                (row["name"].as_str().unwrap_or_default(), row["description"].as_str().unwrap_or_default());
            let mut counts: HashMap<String, f64> = HashMap::new();
            for word in words(&format!("{name} {description}")) {
                *counts.entry(word).or_default() += 1.0;
            }
            for word in counts.keys() {
                *having.entry(word.clone()).or_default() += 1.0;
            }
            let length = counts.values().sum();
            (name.to_owned(), counts, length)
        };
        let documents: Vec<_> = rows.iter().map(document).collect();
        let average = documents.iter().map(|(_, _, length)| length).sum::<f64>() / as_number(documents.len());
        Self { documents, having, average }
    }

    fn rank(&self, query: &str, most: usize) -> Vec<String> {
        let terms: HashSet<String> = words(query).collect();
        let mut terms: Vec<_> = terms.into_iter().collect();
        terms.sort();
        let score = |(name, counts, length): &(String, HashMap<String, f64>, f64)| {
            let of_term = |term: &String| {
                let count = counts.get(term)?;
                let having = self.having.get(term)?;
                let rarity = (1.0 + (as_number(self.documents.len()) - having + 0.5) / (having + 0.5)).ln();
                Some(rarity * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * length / self.average)))
            };
            (terms.iter().filter_map(of_term).sum::<f64>(), name.clone())
        };
        let mut ranked: Vec<_> = self.documents.iter().map(score).filter(|(score, _)| *score > 0.0).collect();
        ranked.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        ranked.into_iter().take(most).map(|(_, name)| name).collect()
    }
}

fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

fn as_number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}
