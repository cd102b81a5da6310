//! Reads a text that arrives in pieces.
//!
//! Invariant: every decision depends only on the text before it, never on where a piece ends. Text is returned as soon as it certainly is
//! not a part of a call.

mod bare_calls;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use tool_schema::shape::Ref;

use crate::call_body_parser::{BodyCall, Tools, begins, read_body};
use crate::can_call_begin::{Chance, Context, Fence, floor};
use crate::echo::Seen;
use crate::format::{Body, CallFormat, Marks};
use crate::parsed_answer::{AnswerPart, FoundCall, TextAnswer};
use crate::value_end::{End, Scan, Sequence, WHITE_SPACE, find_end, sequence};

/// The maximum length of the text of a call. If a call is longer, the rest of the answer is text.
const LONGEST_CALL: usize = 8 << 20;
/// The maximum number of calls in an answer. Further calls are text.
const MOST_CALLS: usize = 128;

/// The beginnings and ends of reasoning.
const REASONING: [(&str, &str); 10] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|channel|>analysis<|message|>", "<|end|>"),
    ("<|start|>assistant<|channel|>analysis<|message|>", "<|end|>"),
    ("<|channel>thought", "<channel|>"),
];
/// The end of reasoning whose beginning is in the prompt.
const THOUGHT: &str = "</think>";

/// Reads the calls in the text of a model, at once or in pieces.
///
/// A call counts only if its markup is complete and its name is the name of a known tool. Markup in a block of reasoning, in code, in a
/// quotation or in a sentence does not count, nor does markup that also occurs in one of the texts that the model has [seen](Self::ignore_echoes_of).
/// A list of calls without marks, and calls in a code fence, count only if the answer contains nothing else except reasoning.
///
/// ```
/// use tool_formats::{AnswerPart, CallFormat, CallReader};
/// use tool_schema::ToolInput;
/// use tool_schema::shape::Ref;
///
/// #[derive(ToolInput, serde::Deserialize)]
/// #[serde(deny_unknown_fields)]
/// #[tool(undocumented)]
/// struct Forecast {
///     city: String,
///     days: u8,
/// }
///
/// let tools = |name: &str| (name == "get_weather").then_some(Ref::Static(Forecast::SHAPE));
/// let mut reader = CallReader::new(&[CallFormat::GLM4], tools);
/// let mut parts = reader.push("Let me look.\n<tool_call>get_weather<arg_key>city</arg_key><arg_value>12</arg_value>");
/// assert_eq!(parts, [AnswerPart::Text("Let me look.\n".into())]);
/// parts = reader.push("<arg_key>days</arg_key><arg_value>3</arg_value></tool_call>");
/// // The schema says which of the values is a string.
/// assert!(matches!(&parts[..], [AnswerPart::Call(call)] if call.arguments == r#"{"city":"12","days":3}"#));
/// assert_eq!(reader.finish(), []);
/// ```
pub struct CallReader<'t> {
    formats: Vec<CallFormat>,
    tools: Arc<Tools<'t>>,
    seen: Seen<'t>,
    /// The first bytes of all marks, by their positions.
    starts: [[bool; 256]; 4],
    /// The text that was not returned yet.
    buffer: String,
    /// The position of the buffer in the whole text.
    base: usize,
    /// The position up to which everything was returned.
    head: usize,
    state: ReaderState,
    context: Context,
    /// Is `true` while the answer can consist only of calls.
    may_be_bare: bool,
    has_fences: bool,
    count: usize,
    /// The calls between `head` and the current position. They count if nothing else follows.
    held: Vec<FoundCall>,
    parts: Vec<AnswerPart>,
}

/// The kind of the text after `head`. All positions refer to the buffer.
#[derive(Clone, Copy)]
enum ReaderState {
    Text,
    /// Between the marks of a section, or after a call.
    Between(Between),
    /// Reasoning, which ends with this mark.
    Reasoning(&'static str),
    Call(Open),
    /// Calls without marks.
    Bare(Body, Scan),
    /// A fence, the beginnings of its content, of the current line and of the text that was not searched, and whether it is closed.
    Fenced {
        fence: Fence,
        content: usize,
        line: usize,
        at: usize,
        end: Option<usize>,
    },
    /// Text after a call that was too long.
    Spent,
}

#[derive(Clone, Copy)]
struct Between {
    /// The position up to which there are only marks and white space.
    at: usize,
    /// The chance of a call here.
    chance: Chance,
    /// Is `true` if a call ended before.
    follows_call: bool,
    /// The format of the marks.
    format: Option<CallFormat>,
    /// The marks of a call that has no mark at its end. The next call can follow without a mark.
    again: Option<&'static Marks>,
}

#[derive(Clone, Copy)]
struct Open {
    format: CallFormat,
    marks: &'static Marks,
    start: usize,
    body: usize,
    scan: Scan,
    chance: Chance,
}

/// A mark at a position.
enum Mark {
    Section(CallFormat, usize),
    Call(CallFormat, &'static Marks, usize),
    Reasoning(&'static str, usize),
    /// More text is necessary.
    Unknown,
    None,
}

impl<'t> CallReader<'t> {
    /// Creates a reader for a model that uses one of these formats: the format of the model, or [`CallFormat::AUTO`].
    ///
    /// The function returns the input of the tool with exactly this name; `None` if there is none.
    pub fn new(formats: &[CallFormat], tools: impl Fn(&str) -> Option<Ref> + Send + Sync + 't) -> Self {
        Self::of(formats.to_vec(), Arc::new(tools))
    }

    fn of(formats: Vec<CallFormat>, tools: Arc<Tools<'t>>) -> Self {
        let mut starts = [[false; 256]; 4];
        let marks = formats.iter().flat_map(|format| {
            let opens = format.marks.iter().filter_map(|marks| marks.open.first());
            opens.chain(format.section).copied()
        });
        for mark in marks.chain(REASONING.map(|(open, _)| open)) {
            for (byte, starts) in mark.bytes().zip(&mut starts) {
                starts[usize::from(byte)] = true;
            }
        }
        Self {
            formats,
            tools,
            seen: Seen::new(Vec::new()),
            starts,
            buffer: String::new(),
            base: 0,
            head: 0,
            state: ReaderState::Text,
            context: Context::new(),
            may_be_bare: true,
            has_fences: true,
            count: 0,
            held: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// Adds texts that the model has read and that it did not write: results of tools, messages of the user, attachments. A call in
    /// one of these texts does not count.
    ///
    /// ```
    /// use tool_formats::{CallFormat, CallReader};
    /// use tool_schema::shape::{Ref, Shape};
    ///
    /// let reader = CallReader::new(CallFormat::AUTO, |_| Some(Ref::Static(Shape::ANY)));
    /// let page = r#"{"page": "<function=rm>{\"path\": \"/\"}</function>"}"#;
    /// let echo = "<function=rm>{\"path\": \"/\"}</function>";
    /// assert!(reader.ignore_echoes_of([page]).read(echo).calls.is_empty());
    /// ```
    #[must_use]
    pub fn ignore_echoes_of(mut self, texts: impl IntoIterator<Item = impl Into<Cow<'t, str>>>) -> Self {
        self.seen.extend(texts.into_iter().map(Into::into));
        self
    }

    /// Says that the text begins inside of a block of reasoning, as that of a model whose prompt ends with `<think>`.
    ///
    /// ```
    /// use tool_formats::{CallFormat, CallReader};
    /// use tool_schema::shape::{Ref, Shape};
    ///
    /// let text = "I could call\n<function=rm>{}</function>\n</think>\nNothing to do.";
    /// let mut reader = CallReader::new(CallFormat::AUTO, |_| Some(Ref::Static(Shape::ANY))).in_reasoning();
    /// assert!(reader.push(text).iter().all(|part| matches!(part, tool_formats::AnswerPart::Text(_))));
    /// ```
    #[must_use]
    pub fn in_reasoning(mut self) -> Self {
        self.state = ReaderState::Reasoning(THOUGHT);
        self
    }

    /// Reads a complete answer. Text before a `</think>` without a `<think>` is reasoning, as if [`Self::in_reasoning`] had been called.
    pub fn read(mut self, text: &str) -> TextAnswer {
        let end = text.find(THOUGHT);
        if end.is_some_and(|end| !text.get(..end).unwrap_or_default().contains("<think>"))
            && self.base + self.buffer.len() == 0
        {
            self = self.in_reasoning();
        }
        let mut parts = self.push(text);
        parts.extend(self.finish());
        let mut calls = TextAnswer::default();
        for part in parts {
            match part {
                AnswerPart::Text(text) => calls.text.push_str(&text),
                AnswerPart::Call(call) => calls.calls.push(call),
            }
        }
        calls
    }

    /// Adds a piece of the answer, and returns the text and the calls that are certain now.
    ///
    /// ```
    /// use tool_formats::{AnswerPart, CallFormat, CallReader};
    /// use tool_schema::shape::{Ref, Shape};
    ///
    /// let mut reader = CallReader::new(CallFormat::AUTO, |_| Some(Ref::Static(Shape::ANY)));
    /// assert_eq!(reader.push("<function=now>"), []);
    /// assert!(matches!(&reader.push("</function>")[..], [AnswerPart::Call(call)] if call.name == "now"));
    /// ```
    pub fn push(&mut self, piece: &str) -> Vec<AnswerPart> {
        self.buffer.push_str(piece);
        while self.step(false) {}
        self.compact();
        std::mem::take(&mut self.parts)
    }

    /// Ends the answer, and returns the rest of it. A call that is not complete is text.
    ///
    /// ```
    /// use tool_formats::{AnswerPart, CallFormat, CallReader};
    /// use tool_schema::shape::{Ref, Shape};
    ///
    /// let mut reader = CallReader::new(CallFormat::AUTO, |_| Some(Ref::Static(Shape::ANY)));
    /// assert_eq!(reader.push("<function=now>"), []);
    /// assert_eq!(reader.finish(), [AnswerPart::Text("<function=now>".into())]);
    /// ```
    pub fn finish(mut self) -> Vec<AnswerPart> {
        while self.step(true) {}
        self.release(self.buffer.len());
        self.parts
    }

    /// Removes the text that was returned.
    fn compact(&mut self) {
        let by = std::mem::take(&mut self.head);
        if by == 0 {
            return;
        }
        self.buffer.drain(..by);
        self.base += by;
        match &mut self.state {
            ReaderState::Text | ReaderState::Reasoning(_) | ReaderState::Spent => {}
            ReaderState::Between(between) => between.at -= by,
            ReaderState::Call(open) => {
                open.start -= by;
                open.body -= by;
                open.scan.at -= by;
            }
            ReaderState::Bare(_, scan) => scan.at -= by,
            ReaderState::Fenced { content, line, at, end, .. } => {
                *content -= by;
                *line -= by;
                *at -= by;
                *end = end.map(|end| end - by);
            }
        }
    }

    fn rest(&self, at: usize) -> &str {
        self.buffer.get(at..).unwrap_or_default()
    }

    /// Returns the text up to a position as text.
    fn release(&mut self, end: usize) {
        let Some(text) = self.buffer.get(self.head..end).filter(|text| !text.is_empty()) else { return };
        self.context.advance(text);
        match self.parts.last_mut() {
            Some(AnswerPart::Text(before)) => before.push_str(text),
            _ => self.parts.push(AnswerPart::Text(text.to_owned())),
        }
        self.head = end;
    }

    /// Goes on as far as one decision. Returns `false` if more text is necessary.
    fn step(&mut self, is_last: bool) -> bool {
        match self.state {
            ReaderState::Text => self.text(is_last),
            ReaderState::Between(between) => self.between(between, is_last),
            ReaderState::Reasoning(close) => self.reasoning(close),
            ReaderState::Call(open) => self.call(open),
            ReaderState::Bare(body, scan) => self.bare(body, scan, is_last),
            ReaderState::Fenced { .. } => self.fenced(is_last),
            ReaderState::Spent => {
                self.release(self.buffer.len());
                false
            }
        }
    }

    fn text(&mut self, is_last: bool) -> bool {
        if self.may_be_bare {
            let rest = self.rest(self.head);
            let white = rest.len() - rest.trim_start().len();
            self.release(self.head + white);
            match self.begins_bare(is_last) {
                Some(true) => return true,
                Some(false) => self.may_be_bare = self.rest(self.head).is_empty(),
                None => return false,
            }
        }
        let mut from = self.head;
        let (at, mark) = loop {
            let [starts, ..] = &self.starts;
            let found = self.rest(from).bytes().position(|byte| starts[usize::from(byte)]);
            let Some(at) = found.map(|found| from + found) else {
                self.release(self.buffer.len());
                return false;
            };
            match self.mark(at, None, is_last) {
                // Most of these bytes begin no mark.
                Mark::None => from = at + 1,
                mark => break (at, mark),
            }
        };
        self.release(at);
        let is_word = self.rest(at).starts_with(char::is_alphabetic);
        let chance = if is_word && !self.context.can_begin_word() { Chance::None } else { self.context.chance() };
        match mark {
            Mark::Unknown => return false,
            _ if self.context.is_code() => self.release(at + 1),
            Mark::Section(format, length) => {
                let between =
                    Between { at: at + length, chance, follows_call: false, format: Some(format), again: None };
                self.state = ReaderState::Between(between);
            }
            Mark::Call(format, marks, length) => self.open(format, marks, at, length, chance),
            Mark::Reasoning(close, length) => {
                self.may_be_bare = !self.context.has_text;
                self.release(at + length);
                self.state = ReaderState::Reasoning(close);
            }
            Mark::None => {}
        }
        true
    }

    /// Returns the mark at a position. The format `first` takes precedence.
    fn mark(&self, at: usize, first: Option<CallFormat>, is_last: bool) -> Mark {
        let text = self.rest(at);
        if text.bytes().zip(&self.starts).any(|(byte, starts)| !starts[usize::from(byte)]) {
            return Mark::None;
        }
        let rows = first.iter().chain(self.formats.iter().filter(|format| Some(**format) != first));
        for format in rows.clone() {
            for marks in format.marks.iter().filter(|marks| !marks.open.is_empty()) {
                let begins = match sequence(text, marks.open) {
                    Sequence::Length(length) => match begins_body(marks.body, text.get(length..).unwrap_or_default()) {
                        Some(true) => return Mark::Call(*format, marks, length),
                        begins => begins,
                    },
                    Sequence::Open => None,
                    Sequence::Other => Some(false),
                };
                if begins.is_none() && !is_last {
                    return Mark::Unknown;
                }
            }
        }
        for (open, close) in REASONING {
            match sequence(text, &[open]) {
                Sequence::Length(length) => return Mark::Reasoning(close, length),
                Sequence::Open if !is_last => return Mark::Unknown,
                _ => {}
            }
        }
        let mut found = Mark::None;
        for (format, mark) in rows.flat_map(|format| format.section.iter().map(move |mark| (format, mark))) {
            match sequence(text, &[mark]) {
                Sequence::Length(length) if matches!(found, Mark::None) => found = Mark::Section(*format, length),
                Sequence::Open if !is_last => return Mark::Unknown,
                _ => {}
            }
        }
        found
    }

    fn open(&mut self, format: CallFormat, marks: &'static Marks, start: usize, length: usize, chance: Chance) {
        let body = start + length;
        let scan = Scan::new(body, marks.body == Body::QuoteTokens);
        self.state = ReaderState::Call(Open { format, marks, start, body, scan, chance });
    }

    fn between(&mut self, between: Between, is_last: bool) -> bool {
        let rest = self.rest(between.at);
        let at = between.at + rest.len() - rest.trim_start().len();
        if at == self.buffer.len() && at - between.at <= WHITE_SPACE {
            if is_last && between.follows_call {
                self.parts.extend(self.held.drain(..).map(AnswerPart::Call));
                self.head = at;
            }
            return false;
        }
        let mark = if at - between.at > WHITE_SPACE { Mark::None } else { self.mark(at, between.format, is_last) };
        match mark {
            Mark::Unknown => return false,
            Mark::Section(format, length) => {
                let at = at + length;
                if between.follows_call && self.held.is_empty() {
                    self.head = at;
                }
                self.state = ReaderState::Between(Between { at, format: Some(format), ..between });
            }
            Mark::Call(format, marks, length) => self.open(format, marks, at, length, between.chance),
            Mark::Reasoning(..) | Mark::None => {
                if let (Some(format), Some(marks)) = (between.format, between.again)
                    && let Some(after) = self.rest(at).strip_prefix(';')
                {
                    match begins_body(marks.body, after) {
                        Some(true) => {
                            self.open(format, marks, at, 1, between.chance);
                            return true;
                        }
                        None if !is_last => return false,
                        _ => {}
                    }
                }
                self.drop_held();
                self.release(between.at);
                self.state = ReaderState::Text;
            }
        }
        true
    }

    /// Forgets calls that text follows.
    fn drop_held(&mut self) {
        self.count -= self.held.len();
        self.held.clear();
    }

    fn reasoning(&mut self, close: &'static str) -> bool {
        let rest = self.rest(self.head);
        if let Some(end) = rest.find(close) {
            self.release(self.head + end + close.len());
            self.context.restart();
            self.context.has_text &= !self.may_be_bare;
            self.state = ReaderState::Text;
            return true;
        }
        let certain = floor(rest, (rest.len() + 1).saturating_sub(close.len()));
        self.release(self.head + certain);
        false
    }

    fn call(&mut self, mut open: Open) -> bool {
        let end = find_end(open.marks, &self.buffer, open.body, &mut open.scan);
        let length = if let End::At(_, after) = end { after } else { self.buffer.len() } - open.start;
        if length > LONGEST_CALL {
            self.state = ReaderState::Spent;
            return true;
        }
        let (end, after) = match end {
            End::At(end, after) => (end, after),
            End::Open => {
                self.state = ReaderState::Call(open);
                return false;
            }
            End::Never => {
                self.release(open.body);
                self.state = ReaderState::Text;
                return true;
            }
        };
        let body = self.buffer.get(open.body..end).unwrap_or_default();
        let found =
            (open.chance != Chance::None).then(|| read_body(open.marks.body, body, true, &*self.tools)).flatten();
        // The markup of the call itself, without those marks around it that other formats do not have.
        let last = open.marks.open.last().copied().unwrap_or_default();
        let own =
            self.buffer.get(open.start..open.body).and_then(|marks| marks.rfind(last)).unwrap_or_default() + open.start;
        let close = open.marks.close.first().map_or(0, |mark| mark.len());
        let calls = found.map(|found| found.calls).unwrap_or_default();
        let calls = self.take(calls, open.format, open.start..after, open.body, own..end + close);
        let follows_call = !calls.is_empty();
        if open.chance == Chance::IfLast {
            self.held.extend(calls);
        } else {
            self.parts.extend(calls.into_iter().map(AnswerPart::Call));
        }
        if !follows_call {
            self.drop_held();
            self.release(after);
        } else if self.held.is_empty() {
            self.head = after;
            self.context.restart();
        }
        self.state = ReaderState::Between(Between {
            at: after,
            chance: open.chance,
            follows_call,
            format: Some(open.format),
            again: Some(open.marks).filter(|marks| follows_call && marks.close.is_empty()),
        });
        true
    }

    /// Returns calls, except those that the model only repeats. `span` is the range of their markup; `body` is the position to which the
    /// ranges of single calls refer; `whole` is the markup of a call without a range.
    fn take(
        &mut self,
        calls: Vec<BodyCall>,
        format: CallFormat,
        span: Range<usize>,
        body: usize,
        whole: Range<usize>,
    ) -> Vec<FoundCall> {
        let mut found = Vec::new();
        for BodyCall { name, arguments, own } in calls {
            let markup = own.map_or_else(|| whole.clone(), |own| body + own.start..body + own.end);
            if self.count < MOST_CALLS && !self.seen.contains(self.buffer.get(markup).unwrap_or_default()) {
                self.count += 1;
                let span = self.base + span.start..self.base + span.end;
                found.push(FoundCall { name, arguments, span, format });
            }
        }
        found
    }
}

/// Returns `true` if a text begins as the body of a call, after white space; `None` if more text is necessary.
fn begins_body(body: Body, text: &str) -> Option<bool> {
    let white = text.len() - text.trim_start().len();
    if white > WHITE_SPACE { Some(false) } else { begins(body, text) }
}
