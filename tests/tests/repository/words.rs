//! Finds constructions that a reader has to read twice, in the pages and in the documentation of the sources, and words that the glossary
//! replaces, there and in names.
//!
//! The list is short on purpose: each pattern was a frequent cause when fresh readers marked sentences. Code, goldens and the changelog
//! are not searched. The pages contain none of the patterns. A folder of sources has an allowance, which only shrinks: lower it when you improve a text.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use regex::Regex;
use syn::visit::Visit;
use tests::source::{CRATES, root, sources};

/// A pattern, and what to write instead.
const PATTERNS: &[(&str, &str)] = &[
    (r"\botherwise than\b|\bread otherwise\b|\bsays otherwise\b|\bwhat (?:is|was) otherwise\b", "differs, is repaired"),
    (r"\bfor whom\b|\bof whose\b|\bof which nobody\b|\bwho learns\b", "name the thing"),
    (r"(?i)\b(?:is|are|was|were|be|been|being) told(?: [a-su-z]\w*| th\w*|[.,;:)])", "reported, or: the model reads"),
    (
        r"(?i)\b(?:stands?|stood) (?:in|on|at|beside|behind|below|above|between|around|there|alone|under|before|after)\b",
        "is, appears",
    ),
    (r"(?i)\b(?:gives?|gave|given) way\b", "is shortened, is left out"),
    (r"(?i)\bgoes with\b", "disappears with, belongs to"),
    (r"(?i)\bheld against\b|\bholds? (?:\w+ )?against\b", "compared with, counted for"),
    (r"(?i)\b(?:is|are|was|were) looked (?:at|for)\b", "inspected, searched for"),
    (r"(?i)\bwhat is left\b|\bwhat is there\b|\bthat (?:is|are) there\b", "the rest, existing"),
    (r"(?i)\bno JSON\b|\bno UTF-8\b", "not valid JSON"),
    (
        r"(?i)\b(?:it|that|this|which|what|he|value|text|call|result|rate|answer|error|nobody|argument)s? (?:is|are) no\b",
        "is not a",
    ),
    (
        r"\bin the order in which they (?:were|are|stand)[.,;]|\bhow many (?:of them|there are)\b",
        "in order, the number of",
    ),
    (r"(?i)\bas it (?:is|was|stands)\b(?: that)", "name the thing"),
    (r"(?i)\bwhere nothing is said\b|\bwhere somebody\b|\bwhere nobody\b", "by default, if"),
    (r"(?i)\bbe of use\b|\bis of use\b|\bof one's own\b|\bunasked\b", "plain words"),
    (r"(?i)\bdoes without\b|\bmakes nothing of\b|\bknows of no\b", "plain words"),
    (r"(?i)\bso many (?:of|as)\b|\bbeside the point\b|\bfor ever\b", "plain words"),
];

/// The beginning of a documented item: a verb in the third person or a noun phrase, never one of these.
const BEGINNINGS: &str = r"^(?:What|Whether|How|The same|Who|It|They|Those|These|This|That|Where|Whatever|Whoever)\b";

/// The beginning of a sentence, unless it is a question or a heading.
const SENTENCES: &str = r"(?:^|[.:;] )(?:What|Whoever|Whatever) [^.?!]*[.!]";

/// Words that `docs/glossary.md` replaces, and the word to write. The decisions keep the words of their time.
const TERMS: &[(&str, &str)] = &[
    (r"(?i)\brefus(?:e|es|ed|ing|als?)\b(?: t[^o]| [^t]|[.,;:)|]|$)", "rejected, throttled, denied"),
    (r"(?i)\bdeclin(?:es|ed)\b", "denied"),
    (r"(?i)\bfaults?\b", "issue, error"),
    (r"(?i)\brenditions?\b", "dialect"),
    (r"(?i)\bbless(?:ed|es|ing)?\b", "update"),
];

/// Words that names do not contain, and the word to use.
const NAMES: &[(&[&str], &str)] = &[
    (&["refuse", "refuses", "refused", "refusing", "refusal", "refusals"], "reject, throttle, deny"),
    (&["declined", "declines"], "denied"),
    (&["fault", "faults", "faulty", "mistaken"], "issue, error, invalid"),
    (&["problem", "problems"], "issue, error, reason"),
    (&["mistake", "mistakes", "misuse", "misused", "misuses"], "error"),
    (&["rendition", "renditions", "bless", "blessed"], "dialect, update"),
    (&["told", "said"], "identity, message, text"),
    (&["mend", "mended", "mending"], "repair"),
    (&["tell", "tells"], "report, record"),
    (&["heard", "unheard", "lent", "caught"], "received, borrowed, catch_panic"),
    (&["wish", "wishes", "hiding"], "request, preference, scrub"),
];

/// The names with such a word that each crate may still have, once for each file. Lower it when you rename one.
const ALLOWED_NAMES: &[(&str, usize)] = &[
    ("tool-macros", 8),
    ("tool-runtime", 7),
    ("crates/tool-schema", 143),
    ("crates/tool-formats", 0),
    ("crates/tool-report", 1),
    ("crates/tool-dynamic", 9),
    ("crates/tool-chat", 11),
    ("crates/tool-testkit", 38),
    ("crates/tool-adapters", 3),
    ("crates/tool-durable", 0),
    ("crates/tool-mcp", 21),
    ("crates/tool-proxy", 2),
    ("crates/toolbox", 24),
];

/// The findings that the documentation in each folder may still have. Those in `examples` and `benches` are descriptions for the model.
const ALLOWED: &[(&str, usize)] = &[
    ("tool-macros/src", 0),
    ("tool-runtime/src", 0),
    ("crates/tool-schema/src", 0),
    ("crates/tool-formats/src", 0),
    ("crates/tool-report/src", 0),
    ("crates/tool-dynamic/src", 0),
    ("crates/tool-chat/src", 0),
    ("crates/tool-testkit/src", 0),
    ("crates/tool-adapters/src", 0),
    ("crates/tool-durable/src", 0),
    ("crates/tool-mcp/src", 0),
    ("crates/tool-proxy/src", 0),
    ("crates/toolbox/src", 0),
    ("tests/src", 2),
    ("tests/tests", 51),
    ("examples/src", 4),
    ("examples/tests", 0),
    ("examples/agents", 7),
    ("benches/src", 7),
    ("benches/benches", 0),
    ("fuzz/fuzz_targets", 0),
    ("xtask/src", 0),
];

/// Code spans and the targets of links, which are not searched.
static SPANS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"`[^`]*`|\]\([^)]*\)").expect("the pattern is valid"));

/// A paragraph with the number of its first line; `is_first` if an item begins with it.
struct Paragraph {
    line: usize,
    text: String,
    is_first: bool,
}

/// Returns the paragraphs of Markdown, without blocks of code, code spans, comments and the targets of links.
fn paragraphs<'t>(lines: impl Iterator<Item = (usize, &'t str)>) -> Vec<Paragraph> {
    let mut found: Vec<Paragraph> = Vec::new();
    let (mut fence, mut is_open, mut is_first) = (None, false, true);
    for (line, text) in lines {
        let text = text.trim();
        let ticks = text.len() - text.trim_start_matches(['`', '~']).len();
        if ticks >= 3 && fence.is_none_or(|open| text == open) {
            fence = if fence.is_some() { None } else { text.get(..ticks) };
            is_open = false;
            continue;
        }
        let is_skipped =
            text.starts_with("<!--") || text.starts_with('#') || (text.starts_with('[') && text.contains("]: "));
        if fence.is_some() || text.is_empty() || is_skipped {
            is_open = false;
            continue;
        }
        let begins =
            text.starts_with("- ") || text.starts_with("| ") || text.starts_with(|first: char| first.is_ascii_digit());
        match found.last_mut().filter(|_| is_open && !begins) {
            Some(paragraph) => paragraph.text.extend([" ", text]),
            None => found.push(Paragraph { line, text: text.to_owned(), is_first }),
        }
        (is_open, is_first) = (true, false);
    }
    for paragraph in &mut found {
        paragraph.text = SPANS.replace_all(&paragraph.text, "code").into_owned();
    }
    found
}

/// Returns the blocks of documentation of a source.
fn documentation(text: &str) -> Vec<Paragraph> {
    let mut found = Vec::new();
    let mut block: Vec<(usize, &str)> = Vec::new();
    for (line, text) in text.lines().enumerate().chain([(0, "")]) {
        let text = text.trim_start();
        match text.strip_prefix("///").or_else(|| text.strip_prefix("//!")) {
            Some(documented) => block.push((line + 1, documented)),
            None => found.extend(paragraphs(block.drain(..))),
        }
    }
    found
}

/// The compiled patterns.
struct Search {
    patterns: Vec<(Regex, &'static str)>,
    terms: Vec<(Regex, &'static str)>,
    beginnings: Regex,
    sentences: Regex,
}

impl Search {
    fn new() -> Self {
        let compiled = |pattern: &str| Regex::new(pattern).expect("the pattern is valid");
        let all = |list: &[(&str, &'static str)]| {
            list.iter().map(|(pattern, instead)| (compiled(pattern), *instead)).collect()
        };
        Self {
            patterns: all(PATTERNS),
            terms: all(TERMS),
            beginnings: compiled(BEGINNINGS),
            sentences: compiled(SENTENCES),
        }
    }

    /// Returns the findings in a text, each with its file and line.
    fn findings(&self, file: &Path, paragraphs: &[Paragraph], is_source: bool) -> Vec<String> {
        let mut found = Vec::new();
        for Paragraph { line, text, is_first } in paragraphs {
            let mut report = |what: &str, instead: &str| {
                found.push(format!("{}:{line}: “{}” ({instead})", file.display(), what.trim()));
            };
            for (pattern, instead) in &self.patterns {
                pattern.find_iter(text).for_each(|hit| report(hit.as_str(), instead));
            }
            if is_source && *is_first {
                self.beginnings.find(text).into_iter().for_each(|hit| report(hit.as_str(), "a verb or a noun phrase"));
            } else {
                self.sentences.find_iter(text).for_each(|hit| report(hit.as_str(), "a noun"));
            }
        }
        found
    }

    /// Returns the words in a text that the glossary replaces.
    fn terms(&self, file: &Path, paragraphs: &[Paragraph]) -> Vec<String> {
        let all = paragraphs.iter().flat_map(|paragraph| self.terms.iter().map(move |term| (paragraph, term)));
        let found = all.flat_map(|(Paragraph { line, text, .. }, (pattern, instead))| {
            pattern.find_iter(text).map(move |hit| format!("{}:{line}: “{}” ({instead})", file.display(), hit.as_str()))
        });
        found.collect()
    }

    fn page(&self, file: &Path) -> Vec<String> {
        let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let lines = text.lines().enumerate().map(|(line, text)| (line + 1, text));
        let (file, text) = (file.strip_prefix(root()).unwrap_or(file), paragraphs(lines));
        let mut found = self.findings(file, &text, false);
        if !file.starts_with("docs/decisions") && !file.ends_with("glossary.md") {
            found.extend(self.terms(file, &text));
        }
        found
    }
}

#[test]
fn the_pages_are_plain() {
    let (root, search) = (root(), Search::new());
    let crates = CRATES.iter().flat_map(|name| [(*name).to_owned(), format!("{name}/docs")]);
    let folders = ["", "docs", "docs/contributing", "docs/decisions"].map(str::to_owned).into_iter().chain(crates);
    let (mut findings, mut pages) = (Vec::new(), 0);
    for folder in folders {
        for entry in fs::read_dir(root.join(folder)).into_iter().flatten().filter_map(Result::ok) {
            let file = entry.path();
            if file.extension().is_some_and(|kind| kind == "md") && !file.ends_with("CHANGELOG.md") {
                findings.extend(search.page(&file));
                pages += 1;
            }
        }
    }
    assert!(pages >= 60, "only {pages} pages were found");
    assert!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n"));
}

#[test]
fn doc_comments_have_at_most_the_allowed_unclear_constructions() {
    let search = Search::new();
    let mut faults = Vec::new();
    for (name, allowed) in ALLOWED {
        let folder = root().join(name);
        let mut findings = Vec::new();
        for file in sources(&folder) {
            let text = fs::read_to_string(&file).expect("a source can be read");
            let file = file.strip_prefix(root()).unwrap_or(&file);
            findings.extend(search.findings(file, &documentation(&text), true));
        }
        if findings.len() > *allowed {
            faults.push(format!(
                "{name} has {} findings, {allowed} are allowed:\n{}",
                findings.len(),
                findings.join("\n")
            ));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn the_documentation_of_the_crates_uses_the_words_of_the_glossary() {
    let search = Search::new();
    let mut findings = Vec::new();
    for name in CRATES {
        for file in sources(&root().join(name).join("src")) {
            let text = fs::read_to_string(&file).expect("a source can be read");
            findings.extend(search.terms(file.strip_prefix(root()).unwrap_or(&file), &documentation(&text)));
        }
    }
    assert!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n"));
}

/// Returns the words of a name in lower case: `Refused` and `is_refused` contain `refused`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_lower = false;
    for letter in name.chars() {
        if letter == '_' || (letter.is_uppercase() && was_lower) {
            words.push(String::new());
        }
        was_lower = letter.is_lowercase() || letter.is_ascii_digit();
        if letter != '_'
            && let Some(last) = words.last_mut()
        {
            last.extend(letter.to_lowercase());
        }
    }
    words
}

/// The names of a source that contain a word of [`NAMES`].
#[derive(Default)]
struct Names(BTreeSet<String>);

impl<'ast> Visit<'ast> for Names {
    fn visit_ident(&mut self, name: &'ast syn::Ident) {
        let name = name.to_string();
        let of_name = words(&name);
        if NAMES.iter().any(|(listed, _)| listed.iter().any(|word| of_name.iter().any(|part| part == word))) {
            self.0.insert(name);
        }
    }
}

#[test]
fn names_use_the_words_of_the_glossary() {
    let mut errors = Vec::new();
    for (name, allowed) in ALLOWED_NAMES {
        let mut found = Vec::new();
        for file in sources(&root().join(name).join("src")) {
            let text = fs::read_to_string(&file).expect("a source can be read");
            let mut names = Names::default();
            names.visit_file(&syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display())));
            let file = file.strip_prefix(root()).unwrap_or(&file);
            found.extend(names.0.iter().map(|name| format!("{}: {name}", file.display())));
        }
        if found.len() > *allowed {
            errors.push(format!("{name} has {} names, {allowed} are allowed:\n{}", found.len(), found.join("\n")));
        }
    }
    assert_eq!(ALLOWED_NAMES.len(), CRATES.len(), "each crate has a number");
    assert!(errors.is_empty(), "{}\nThe words to use: {NAMES:?}", errors.join("\n\n"));
}

#[test]
fn names_are_split_into_words() {
    for (name, expected) in
        [("Refused", "refused"), ("is_refused", "is refused"), ("ToolRefused", "tool refused"), ("fault2", "fault2")]
    {
        assert_eq!(words(name).join(" "), expected);
    }
}

/// The patterns find the sentences for which they were written, and pass over their replacements.
#[test]
fn the_patterns_find_unclear_sentences_and_pass_their_replacements() {
    let search = Search::new();
    let findings = |text: &str, is_source| {
        search.findings(Path::new("page"), &paragraphs([(1, text)].into_iter()), is_source).len()
    };
    for (old, new) in [
        ("What was read otherwise than it was written.", "The repairs that were applied, in order."),
        ("Whether a call ran.", "Returns `true` if the call ran."),
        ("Each fault is told once.", "Each fault is reported once."),
        ("An error that is no object.", "An error that is not an object."),
        ("Everything else gives way first.", "Everything else is left out first."),
        ("A value held against its shape.", "A value compared with its shape."),
        ("The remark stands beside the result.", "The remark appears with the result."),
    ] {
        assert!(findings(old, true) > 0, "{old}");
        assert_eq!(findings(new, true), 0, "{new}");
    }
}
