//! Tool names as models write them: the tools that a called name can mean, and the tools to suggest for a name that means none.
//!
//! Sessions, the proxy and `toolbox check` find their tools here. Invariants: a name reaches a tool only if it consists of the letters of
//! the tool's name and of parts that certainly do not belong to a name (see [`find_tool`]). Every other name is at most suggested.

use std::cmp::Reverse;
use std::collections::HashSet;

use crate::suggest::{fold, ranked, words};

/// The beginnings of control tokens: `<|channel|>` in most templates, `<｜tool▁sep｜>` in `DeepSeek`, `</tool_call>` in Hermes and Qwen.
const TOKENS: [&str; 5] = ["<|", "<｜", "</tool_call", "</function", "<tool_call"];
/// The namespaces in which templates of models declare all tools.
const NAMESPACES: [&str; 2] = ["functions.", "default_api."];
/// The maximum length of names that are compared word by word.
const LONGEST: usize = 64;
/// The minimum length of an abbreviation, such as `dir` for `directory`, and of a name at the beginning of another name.
const SHORTEST: usize = 3;

/// The tools that a called name can mean.
#[derive(Debug, PartialEq, Eq)]
pub enum Named<T, W> {
    /// The tool with exactly this name.
    Exact(T),
    /// The tool with exactly this name before a control token.
    BeforeToken(T),
    /// The tools of which this name is another spelling. If there is more than one, the name is ambiguous.
    Spelled(Vec<(T, W)>),
}

/// Finds the tools that a called name can mean.
///
/// These parts do not belong to a name: control tokens after it, `()` after it, the namespaces `functions.` and `default_api.`, and a colon
/// with a number after it (`get_weather:0`), which some models copy from the ids of calls. The name with one of these parts is
/// looked up as well, so a tool that is called like that takes part. `exact` returns the tool with exactly this name, and
/// `spelled` the tools of which the name is another spelling, each with the way that leads to it.
pub fn find_tool<T: PartialEq, W>(
    name: &str,
    exact: impl Fn(&str) -> Option<T>,
    spelled: impl Fn(&str) -> Vec<(T, W)>,
) -> Named<T, W> {
    if let Some(tool) = exact(name) {
        return Named::Exact(tool);
    }
    if let Some(tool) = before_token(name).and_then(exact) {
        return Named::BeforeToken(tool);
    }
    let mut found: Vec<(T, W)> = Vec::new();
    for reading in readings(name) {
        for (tool, way) in spelled(reading) {
            if found.iter().all(|(other, _)| *other != tool) {
                found.push((tool, way));
            }
        }
    }
    Named::Spelled(found)
}

/// Returns the names that a called name can stand for: itself without control tokens, and then without the other parts that do not belong
/// to a name (see [`find_tool`]).
pub fn readings(name: &str) -> impl Iterator<Item = &str> {
    let name = before_token(name).unwrap_or(name).trim();
    let whole = name.strip_suffix("()").map_or(name, str::trim_end);
    let inner = NAMESPACES.iter().find_map(|namespace| whole.strip_prefix(namespace)).unwrap_or(whole);
    [whole, without_number(whole), inner, without_number(inner)]
        .into_iter()
        .enumerate()
        .filter(move |&(at, reading)| at == 0 || (reading != whole && !reading.is_empty()))
        .map(|(_, reading)| reading)
}

/// Returns the name before a control token; `None` if there is no token, or no name before it.
pub fn before_token(name: &str) -> Option<&str> {
    let end = TOKENS.iter().filter_map(|token| name.find(token)).min()?;
    name.get(..end).map(str::trim).filter(|plain| !plain.is_empty())
}

/// Removes a colon and a number from the end of a name.
fn without_number(name: &str) -> &str {
    let number = |(_, number): &(&str, &str)| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    name.rsplit_once(':').filter(number).map_or(name, |(name, _)| name)
}

/// Returns `true` if a name is another spelling of the name of a tool. Behind another namespace, it may be another tool: `drafts.delete` is
/// not `delete`.
pub fn is_spelling_of_tool(name: &str, tool: &str) -> bool {
    let meant = fold(tool);
    !meant.is_empty() && readings(name).any(|reading| fold(reading) == meant)
}

/// Returns the candidates that an unknown name may mean, the best first and at most `most` of them.
///
/// First come names that resemble the whole name, then names that resemble it without the prefix of another program; if there are
/// none, those with which the name begins (`search{"a":1}`, `searchsearch`, `search_123`); and last those with which it shares most words.
pub fn suggested_tools<'c>(name: &str, candidates: &[&'c str], most: usize) -> Vec<&'c str> {
    let all = || candidates.iter().copied();
    let mut found = ranked(name, all(), most);
    let plain = without_prefix(name);
    if plain != name && found.len() < most {
        found.extend(ranked(plain, all(), most));
    }
    if found.is_empty() {
        found = beginnings(name, candidates);
    }
    if found.len() < most {
        found.extend(sharing_words(plain, candidates));
    }
    let mut known = HashSet::new();
    found.retain(|&tool| known.insert(tool));
    found.truncate(most);
    found
}

/// Returns the candidates with which a name begins, the longest first. The words of a namespace may precede them.
fn beginnings<'c>(name: &str, candidates: &[&'c str]) -> Vec<&'c str> {
    let whole = fold(name);
    let inner = NAMESPACES.iter().find_map(|namespace| whole.strip_prefix(&fold(namespace)));
    let begins = |tool: &str| whole.starts_with(tool) || inner.is_some_and(|inner| inner.starts_with(tool));
    let mut found: Vec<_> = candidates.iter().map(|&tool| (Reverse(fold(tool).len()), tool)).collect();
    found.retain(|(length, tool)| length.0 >= SHORTEST && begins(&fold(tool)));
    found.sort_by_key(|&(length, _)| length);
    found.into_iter().map(|(_, tool)| tool).collect()
}

/// Returns the candidates that share most of their words with a name.
fn sharing_words<'c>(name: &str, candidates: &[&'c str]) -> Vec<&'c str> {
    if name.len() > LONGEST {
        return Vec::new();
    }
    let wanted = words(name);
    let others = candidates.iter().filter(|other| other.len() <= LONGEST);
    let mut sharing: Vec<_> =
        others.filter_map(|&other| Some((shared_letters(&wanted, &words(other))?, other))).collect();
    sharing.sort_by_key(|&(letters, other)| (Reverse(letters), other.len()));
    sharing.into_iter().map(|(_, other)| other).collect()
}

/// Returns `read_file` for `functions.read_file`, `mcp__files__read_file`, `functions.read_file:0` and
/// `read_file@files`.
fn without_prefix(name: &str) -> &str {
    let name = name.rsplit_once('@').map_or(name, |(front, _)| front);
    let parts = name.rsplit(['.', ':', '/', '\\', '#', '|', '>']).flat_map(|part| part.rsplit("__"));
    parts.map(str::trim).find(|part| part.contains(char::is_alphabetic)).unwrap_or(name)
}

/// Counts the letters in words that both names share. Returns `None` unless they are more than half of the letters of each name.
fn shared_letters(name: &[String], other: &[String]) -> Option<usize> {
    let letters = |words: &[String]| words.iter().map(String::len).sum::<usize>();
    let shared = |words: &[String], others: &[String]| {
        let is_shared = |word: &&String| others.iter().any(|other| is_same_word(word, other));
        words.iter().filter(is_shared).map(String::len).sum::<usize>()
    };
    let (here, there) = (shared(name, other), shared(other, name));
    (2 * here > letters(name) && 2 * there > letters(other)).then_some(here + there)
}

/// Returns `true` if two words are equal, or if one is a long enough abbreviation of the other.
fn is_same_word(one: &str, other: &str) -> bool {
    let (short, long) = if one.len() <= other.len() { (one, other) } else { (other, one) };
    short == long || (short.len() >= SHORTEST && long.starts_with(short))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_prefix_of_another_program_is_left_out() {
        for (name, plain) in [
            ("functions.ReadFile", "ReadFile"),
            ("default_api.read_file", "read_file"),
            ("default_api:read_file", "read_file"),
            ("mcp__files__read_file", "read_file"),
            ("functions.read_file:0", "read_file"),
            ("files/read_file", "read_file"),
            ("files->read_file", "read_file"),
            ("read_file@files", "read_file"),
            ("read_file", "read_file"),
            ("__read_file", "read_file"),
            ("...", "..."),
            ("", ""),
        ] {
            assert_eq!(without_prefix(name), plain, "{name}");
        }
    }

    #[test]
    fn names_share_words_if_most_of_both_is_shared() {
        let shares = |name, other| shared_letters(&words(name), &words(other)).is_some();
        for (name, other) in [
            ("list_dir", "ListDirectory"),
            ("fetch_weather", "get_weather"),
            ("exec_command", "run_command"),
            ("search_web", "web_search_tool"),
        ] {
            assert!(shares(name, other) && shares(other, name), "{name} {other}");
        }
        for (name, other) in [
            ("get_weather", "get_time"),
            ("read_file", "write_file"),
            ("get", "get_weather"),
            ("ls", "list"),
            ("", "a"),
            ("", ""),
        ] {
            assert!(!shares(name, other) && !shares(other, name), "{name} {other}");
        }
    }

    /// Looks a name up among these tools, as the users of this module do.
    fn found<'t>(name: &str, tools: &[&'t str]) -> Vec<&'t str> {
        let exact = |name: &str| tools.iter().copied().find(|tool| *tool == name);
        let spelled = |name: &str| match exact(name) {
            Some(tool) => vec![(tool, ())],
            None => tools.iter().filter(|tool| fold(tool) == fold(name)).map(|&tool| (tool, ())).collect(),
        };
        match find_tool(name, exact, spelled) {
            Named::Exact(tool) | Named::BeforeToken(tool) => vec![tool],
            Named::Spelled(found) => found.into_iter().map(|(tool, ())| tool).collect(),
        }
    }

    #[test]
    fn parts_that_belong_to_no_name_are_left_out() {
        let tools = ["get_weather", "search", "search_0", "ReadFile", "functions_list", "list"];
        let cases: [(&str, &[&str]); 25] = [
            ("functions.get_weather", &["get_weather"]),
            ("default_api.getWeather", &["get_weather"]),
            ("get_weather:0", &["get_weather"]),
            ("functions.get_weather:12", &["get_weather"]),
            (" functions.get_weather() ", &["get_weather"]),
            ("functions.read_file<|channel|>json", &["ReadFile"]),
            ("get_weather()", &["get_weather"]),
            ("search", &["search"]),
            ("search:1", &["search"]),
            // Two tools can be meant.
            ("search:0", &["search_0", "search"]),
            ("functions.list", &["functions_list", "list"]),
            ("functions_list", &["functions_list"]),
            ("functions.functions.get_weather", &[]),
            ("Functions.get_weather", &[]),
            ("functions.", &[]),
            ("functions.:0", &[]),
            (":0", &[]),
            ("", &[]),
            ("get_weather:", &["get_weather"]),
            ("get_weather:a", &[]),
            ("get_weather_123", &[]),
            ("get_weather{}", &[]),
            ("get_weather<arg_key>city", &[]),
            ("container.search", &[]),
            ("searchsearch", &[]),
        ];
        for (name, tools_meant) in cases {
            assert_eq!(found(name, &tools), tools_meant, "{name}");
        }
    }

    #[test]
    fn a_tool_with_exactly_this_name_comes_first() {
        let tools = ["functions.list", "list", "list:0", "get<|x"];
        for name in tools {
            assert_eq!(found(name, &tools), [name]);
        }
    }

    #[test]
    fn names_with_something_glued_to_them_are_suggested() {
        let tools = ["search", "web_search", "exec", "read_file", "ls"];
        for (name, suggested) in [
            ("searchsearchsearch", "search"),
            ("search_123", "search"),
            ("search{\"a\":1}", "search"),
            ("web_search<arg_key>query</arg_key>", "web_search"),
            ("web_search\n{\"query\": \"a\"}", "web_search"),
            ("functionsexec5", "exec"),
            ("functions_read_file_1", "read_file"),
            ("read_filefrak{\"path\":\"/a\"}", "read_file"),
            ("read_file 자동{\"path\":\"/a\"}", "read_file"),
            ("read_file(file_path=\"/a\")", "read_file"),
        ] {
            assert!(found(name, &tools).is_empty(), "{name}");
            assert_eq!(suggested_tools(name, &tools, 3).first(), Some(&suggested), "{name}");
        }
        assert!(suggested_tools("lsof", &tools, 3).is_empty());
    }
}
