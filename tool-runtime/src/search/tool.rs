//! The tool that a model calls to search, as a toolbox registers it.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use super::index::Index;
use super::member::{Available, SearchedMember};
use super::settings::{FindTools, MOST, Ranking, RankingRequest, ToolCandidate};
use crate::context::CallContext;
use crate::decode::decode_or_reject;
use crate::input::{Arguments, ToolInput};
use crate::shape::Ref;
use crate::suggest::{fold, words};
use crate::tool::{Answer, AnswerOrFuture, DecodedArguments, Payload, Tool, ToolSpec};

/// The place for the members of a search, which a toolbox fills when it knows their advertised names.
pub(crate) type SearchedMembers = Arc<OnceLock<Vec<SearchedMember>>>;

/// The maximum length of a query that may be a name.
const LONGEST_NAME: usize = 64;

#[derive(Deserialize, tool_schema::ToolInput)]
#[serde(deny_unknown_fields)]
struct Search {
    /// Words that describe what the tool should do.
    #[tool(length(min = 1, max = 1000), example = "create an issue on GitHub")]
    query: String,
}

/// The answer of the tool, from which the session makes the text for the model.
#[derive(Serialize, Deserialize)]
struct Found {
    found: Vec<String>,
}

/// Returns the names in an answer of the tool, or in the text that a session made from it.
pub(crate) fn found_names(payload: &Payload) -> Option<Vec<String>> {
    let Payload::Json(text) = payload else { return None };
    serde_json::from_str(text).ok().map(|Found { found }| found)
}

/// The tool as registered by a toolbox.
pub(crate) struct FindTool {
    spec: ToolSpec,
    most: usize,
    ranking: Option<Box<Ranking>>,
    members: SearchedMembers,
}

impl FindTool {
    /// Creates the tool. It finds nothing until the place for its members is filled.
    pub(crate) fn new(settings: FindTools, members: &SearchedMembers) -> Self {
        let FindTools { name, description, most, ranking } = settings;
        let mut spec = ToolSpec::new(name, description, Ref::Static(Search::SHAPE));
        spec.decode = Some(|arguments| decode_or_reject::<Search>(arguments).map(DecodedArguments::new));
        let annotations = &mut spec.settings.annotations;
        (annotations.read_only, annotations.idempotent, annotations.open_world) = (Some(true), Some(true), Some(false));
        Self { spec, most, ranking, members: Arc::clone(members) }
    }

    fn find(&self, query: String, cx: &CallContext) -> AnswerOrFuture<'_> {
        let members = self.members.get().map_or(&[][..], Vec::as_slice);
        let available: Vec<_> =
            members.iter().filter_map(|member| Available::from_member(member, cx.scope())).collect();
        let mut index = Index::default();
        for available in &available {
            available.add_to(&mut index);
        }
        let ranked = index.rank(&query);
        let exact = named(&available, &query);
        // Tools whose names are in the query come first, even if they are more than `most`.
        let others = ranked.iter().map(|(number, _)| *number).filter(|number| !exact.contains(number));
        let numbers = exact.iter().copied().chain(others).take(self.most.max(exact.len()));
        let found: Vec<String> = numbers.map(|number| available[number].member.name.to_string()).collect();
        let Some(rank) = &self.ranking else { return AnswerOrFuture::Ready(answer(found)) };

        let with_words: HashSet<usize> = ranked.iter().map(|(number, _)| *number).collect();
        let others = (0..available.len()).filter(|number| !with_words.contains(number)).map(|number| (number, 0.0));
        let candidate = |(number, score): (usize, f64)| {
            let (name, description) = (available[number].member.name.to_string(), available[number].description());
            ToolCandidate { name, description: description.to_string(), score }
        };
        let candidates = ranked.iter().copied().chain(others).map(candidate).collect();
        let mut known: HashSet<String> = available.iter().map(|available| available.member.name.to_string()).collect();
        let ranking = rank(RankingRequest { query, candidates });
        AnswerOrFuture::Pending(Box::pin(async move {
            let Some(names) = ranking.await else { return answer(found) };
            // Each name is taken out when it is used, so that no tool is named twice.
            answer(names.into_iter().filter(|name| known.remove(name)).take(self.most).collect())
        }))
    }
}

impl Tool for FindTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn call<'a>(&'a self, arguments: Arguments<'a>, cx: &'a CallContext) -> AnswerOrFuture<'a> {
        let search = match cx.take_decoded_arguments(&arguments) {
            Some(search) => search,
            None => match decode_or_reject(&arguments) {
                Ok(search) => search,
                Err(rejected) => return AnswerOrFuture::Rejected(rejected),
            },
        };
        let Search { query } = search;
        self.find(query, cx)
    }
}

/// Returns the tools whose names are in a query, at most [`MOST`]. A name of one word counts only if it is the whole query, because such a word
/// usually describes something. A name without its first words, such as the name of a server, counts if it is the whole query.
fn named(available: &[Available<'_>], query: &str) -> Vec<usize> {
    let mut known: HashMap<String, Vec<usize>> = HashMap::new();
    for (number, available) in available.iter().enumerate() {
        for name in available.names() {
            known.entry(fold(name)).or_default().push(number);
        }
    }
    let mut found = Vec::new();
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-' | '.');
    for name in query.split(|letter| !is_part(letter)).filter(|name| !name.is_empty()) {
        if (name == query.trim() || words(name).len() > 1)
            && let Some(numbers) = known.get(&fold(name))
        {
            for &number in numbers {
                if found.len() < MOST && !found.contains(&number) {
                    found.push(number);
                }
            }
        }
    }
    let whole = if query.len() <= LONGEST_NAME { words(query) } else { Vec::new() };
    if whole.len() > 1 && found.is_empty() {
        let ends = |available: &Available<'_>| available.names().any(|name| words(name).ends_with(&whole));
        found.extend((0..available.len()).filter(|&number| ends(&available[number])).take(MOST));
    }
    found
}

fn answer(found: Vec<String>) -> Answer {
    Payload::json(&Found { found })
}
