//! Decides where in a text a call can begin.
//!
//! Invariant: markup in code, in a quotation or in a sentence only shows what a call looks like.

/// The number of bytes of a line that are kept.
const LINE: usize = 512;
/// Words of a line that announces an example.
const EXAMPLE: [&str; 20] = [
    "example",
    "e.g.",
    "for instance",
    "format",
    "syntax",
    "looks like",
    "look like",
    "template",
    "such as",
    "would write",
    "would be",
    "like this",
    "as follows",
    " is how",
    "'s how",
    "sample",
    "markup",
    "-style",
    "tags",
    "tokens",
];

/// The chance that markup is a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chance {
    /// An example of a call.
    None,
    /// A call if nothing except calls follows: a line with a colon announces calls, and examples of calls.
    IfLast,
    /// A call.
    Certain,
}

/// The text before a position.
#[derive(Debug)]
pub(crate) struct Context {
    /// The beginning of the current line.
    line: String,
    /// The last character of the line that is not white space.
    last: Option<char>,
    /// Is `true` if white space follows `last`.
    has_gap: bool,
    /// The quotation marks in the line.
    quotes: usize,
    /// The backticks in the paragraph.
    ticks: usize,
    /// The code fence that is open.
    fence: Option<Fence>,
    /// The chance of a call after the line before.
    chance: Chance,
    /// Is `true` if the text has anything except white space.
    pub(crate) has_text: bool,
}

impl Context {
    pub(crate) const fn new() -> Self {
        Self {
            line: String::new(),
            last: None,
            has_gap: false,
            quotes: 0,
            ticks: 0,
            fence: None,
            chance: Chance::Certain,
            has_text: false,
        }
    }

    /// Adds text that is not a call.
    pub(crate) fn advance(&mut self, text: &str) {
        for part in text.split_inclusive('\n') {
            let content = part.strip_suffix('\n').unwrap_or(part);
            self.add(content);
            if content.len() < part.len() {
                self.end_line();
            }
        }
    }

    fn add(&mut self, text: &str) {
        let room = LINE.saturating_sub(self.line.len());
        // Cut after a character, so that nothing is added later.
        let end = (room..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
        self.line.push_str(text.get(..end).unwrap_or_default());
        let count = |byte: u8| text.bytes().filter(|other| *other == byte).count();
        self.ticks += count(b'`');
        self.quotes += count(b'"');
        let trimmed = text.trim_end();
        if let Some(last) = trimmed.chars().next_back() {
            self.last = Some(last);
            self.has_gap = false;
            self.has_text = true;
        }
        self.has_gap |= trimmed.len() < text.len();
    }

    fn end_line(&mut self) {
        let line = self.line.trim();
        match (self.fence, Fence::of(line)) {
            (None, Some((fence, info))) if !info.contains('`') => self.fence = Some(fence),
            (Some(open), Some((fence, ""))) if fence.closes(open) => {
                self.fence = None;
                self.ticks = 0;
            }
            _ => {}
        }
        if line.is_empty() {
            self.ticks = 0;
        } else {
            self.chance = match self.last {
                Some(':' | '：') if announces_example(line) => Chance::None,
                Some(':' | '：') => Chance::IfLast,
                _ => Chance::Certain,
            };
        }
        self.begin_line();
    }

    fn begin_line(&mut self) {
        self.line.clear();
        self.last = None;
        self.has_gap = false;
        self.quotes = 0;
    }

    /// Notes that a call or a block of reasoning ends here: the text after it is like that after a line break.
    pub(crate) fn restart(&mut self) {
        self.begin_line();
        self.chance = Chance::Certain;
        self.fence = None;
        self.ticks = 0;
    }

    /// Returns `true` if no word is here.
    pub(crate) fn can_begin_word(&self) -> bool {
        self.last.is_none_or(|last| self.has_gap || !last.is_alphanumeric())
    }

    /// Returns `true` in a code fence and in inline code.
    pub(crate) fn is_code(&self) -> bool {
        self.fence.is_some() || self.ticks % 2 == 1 || Fence::of(self.line.trim()).is_some()
    }

    /// Returns the chance that markup here is a call.
    pub(crate) fn chance(&self) -> Chance {
        if self.is_code() || self.quotes % 2 == 1 || self.line.trim_start().starts_with('>') {
            return Chance::None;
        }
        let can_begin = match self.last {
            // After other text, an indented line is code.
            None => !self.has_text || !(self.line.starts_with("    ") || self.line.starts_with('\t')),
            // A sentence ends, or a special token.
            Some('.' | '!' | '?' | '…' | '。' | '！' | '？') => true,
            Some('>') => self.line.trim_end().ends_with("|>"),
            // A word to which the mark is glued. In a sentence, there is a space before the mark.
            Some(last) => last.is_alphanumeric() && !self.has_gap,
        };
        if can_begin { self.chance } else { Chance::None }
    }
}

fn announces_example(line: &str) -> bool {
    let line = line.to_lowercase();
    EXAMPLE.iter().any(|word| line.contains(word))
}

/// The marks at the beginning of a fence: backticks or tildes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fence {
    mark: char,
    length: usize,
}

impl Fence {
    /// Reads a line without the white space around it: its marks, and the text after them.
    pub(crate) fn of(line: &str) -> Option<(Self, &str)> {
        let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let info = line.trim_start_matches(mark);
        let length = line.len() - info.len();
        (length >= 3).then_some((Self { mark, length }, info))
    }

    pub(crate) const fn closes(self, open: Self) -> bool {
        self.mark == open.mark && self.length >= open.length
    }
}

/// Returns the last position up to `at` that is not inside a character.
pub(crate) fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}
