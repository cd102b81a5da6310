//! Parses strict RFC 8259 text into a [`Json`] tree.
//!
//! The tree borrows every number and every string without escapes. The parser accepts the same texts as `serde_json`, with the same depth
//! limit, and also numbers beyond the range of `f64`, which it keeps as text. It makes one pass, and its recursion is bounded by
//! [`DEPTH_LIMIT`], so that neither parsing nor dropping can overflow the stack.

use std::borrow::Cow;

use super::{DEPTH_LIMIT, Json, Member, Node, Span, SyntaxError};

/// The initial capacity for items or members.
const FIRST: usize = 8;

pub(super) type Parsed<T> = Result<T, SyntaxError>;

impl<'a> Json<'a> {
    /// Parses exactly one JSON document, strictly by RFC 8259.
    pub fn parse(text: &'a str) -> Result<Self, SyntaxError> {
        if u32::try_from(text.len()).is_err() {
            return Err(SyntaxError::TooLarge { bytes: text.len() });
        }
        let mut parser = Parser::new(text, 0);
        let json = parser.value()?;
        match parser.peek_past_blanks() {
            None => Ok(json),
            Some(_) => Err(parser.trailing()),
        }
    }

    /// Parses exactly one JSON document from UTF-8 bytes.
    ///
    /// A text that ends inside a character is incomplete, like any other text that ends too early.
    ///
    /// ```
    /// use tool_schema::json::{Json, SyntaxError};
    ///
    /// assert_eq!(Json::parse_bytes(b"[true]")?.items().len(), 1);
    /// assert_eq!(Json::parse_bytes(b"[\"\xFF\"]"), Err(SyntaxError::NotUtf8 { offset: 2 }));
    /// assert_eq!(Json::parse_bytes(b"[\"\xC3"), Err(SyntaxError::Incomplete { offset: 2 }));
    /// # Ok::<(), SyntaxError>(())
    /// ```
    pub fn parse_bytes(bytes: &'a [u8]) -> Result<Self, SyntaxError> {
        let error = match std::str::from_utf8(bytes) {
            Ok(text) => return Self::parse(text),
            Err(error) => error,
        };
        let (valid, _) = bytes.split_at(error.valid_up_to());
        match std::str::from_utf8(valid).map(Json::parse) {
            Ok(Err(fault)) if error.error_len().is_none() => Err(fault),
            _ => Err(SyntaxError::NotUtf8 { offset: error.valid_up_to() }),
        }
    }
}

/// Returns `true` if a text is exactly one JSON number.
pub(crate) fn is_number(text: &str) -> bool {
    let mut parser = Parser::new(text, 0);
    parser.number().is_ok() && parser.at == text.len()
}

pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
    depth: usize,
    /// The items and members of all open arrays and objects. When an array or object is closed, its elements move into a `Vec` of the exact
    /// size; otherwise, most of the memory of a tree of short lists would be spare capacity.
    items: Vec<Json<'a>>,
    members: Vec<Member<'a>>,
}

/// Makes room for one more element. The capacity grows by a quarter, because doubling it would need three times the memory while the
/// elements are moved.
fn grow<T>(list: &mut Vec<T>) {
    if list.len() == list.capacity() {
        list.reserve_exact(FIRST.max(list.len() / 4));
    }
}

impl<'a> Parser<'a> {
    pub(super) const fn new(text: &'a str, at: usize) -> Self {
        Self { text, at, depth: 0, items: Vec::new(), members: Vec::new() }
    }

    fn value(&mut self) -> Parsed<Json<'a>> {
        let first = self.peek_past_blanks();
        let start = self.at;
        let node = match first {
            Some(b'"') => Node::String(self.string()?),
            Some(b'{') => self.nested(Self::object)?,
            Some(b'[') => self.nested(Self::array)?,
            Some(b'-' | b'0'..=b'9') => Node::Number(Cow::Borrowed(self.number()?)),
            Some(b't') => self.literal("true", Node::Bool(true))?,
            Some(b'f') => self.literal("false", Node::Bool(false))?,
            Some(b'n') => self.literal("null", Node::Null)?,
            _ => {
                return Err(
                    self.expected("a value (object, array, string in double quotes, number, true, false or null)")
                );
            }
        };
        Ok(Json { node, span: self.span_from(start) })
    }

    fn nested(&mut self, inner: fn(&mut Self) -> Parsed<Node<'a>>) -> Parsed<Node<'a>> {
        if self.depth == DEPTH_LIMIT {
            return Err(SyntaxError::depth(self.at));
        }
        self.depth += 1;
        self.at += 1;
        let node = inner(self);
        self.depth -= 1;
        node
    }

    fn object(&mut self) -> Parsed<Node<'a>> {
        if self.peek_past_blanks() == Some(b'}') {
            self.at += 1;
            return Ok(Node::Object(Vec::new()));
        }
        let first_member = self.members.len();
        loop {
            if self.peek_past_blanks() != Some(b'"') {
                let first = self.members.len() == first_member;
                return Err(self.expected(if first {
                    "a key in double quotes or `}`"
                } else {
                    "a key in double quotes after the comma"
                }));
            }
            let start = self.at;
            let key = self.string()?;
            let key_span = self.span_from(start);
            if self.peek_past_blanks() != Some(b':') {
                return Err(self.expected("`:` after the key"));
            }
            self.at += 1;
            let value = self.value()?;
            grow(&mut self.members);
            self.members.push(Member { key, key_span, value });
            match self.peek_past_blanks() {
                Some(b',') => self.at += 1,
                Some(b'}') => break,
                _ => return Err(self.expected("`,` or `}`")),
            }
        }
        self.at += 1;
        Ok(Node::Object(self.members.split_off(first_member)))
    }

    fn array(&mut self) -> Parsed<Node<'a>> {
        if self.peek_past_blanks() == Some(b']') {
            self.at += 1;
            return Ok(Node::Array(Vec::new()));
        }
        let first_item = self.items.len();
        loop {
            let item = self.value()?;
            grow(&mut self.items);
            self.items.push(item);
            match self.peek_past_blanks() {
                Some(b',') => self.at += 1,
                Some(b']') => break,
                _ => return Err(self.expected("`,` or `]`")),
            }
        }
        self.at += 1;
        Ok(Node::Array(self.items.split_off(first_item)))
    }

    fn number(&mut self) -> Parsed<&'a str> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
            if self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
                return Err(self.expected("no digit after a leading zero"));
            }
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(&self.text[start..self.at])
    }

    fn digits(&mut self) -> Parsed<()> {
        let count = self.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
        if count == 0 {
            return Err(self.expected("a digit"));
        }
        self.at += count;
        Ok(())
    }

    fn literal(&mut self, word: &str, node: Node<'a>) -> Parsed<Node<'a>> {
        for byte in word.bytes() {
            if self.peek() != Some(byte) {
                return Err(self.expected("true, false or null, in lower case and without quotes"));
            }
            self.at += 1;
        }
        Ok(node)
    }

    /// Returns the error for text after a complete document: another document, or text that is not valid JSON.
    #[cold]
    fn trailing(&mut self) -> SyntaxError {
        let offset = self.at;
        match self.value() {
            Ok(_) | Err(SyntaxError::Incomplete { .. } | SyntaxError::Depth { .. }) => {
                SyntaxError::MultipleDocuments { offset }
            }
            Err(_) => SyntaxError::Syntax { offset, expected: "nothing after the end of the JSON value" },
        }
    }

    #[cold]
    pub(super) fn expected(&self, expected: &'static str) -> SyntaxError {
        let offset = self.at;
        if offset >= self.text.len() {
            SyntaxError::Incomplete { offset }
        } else {
            SyntaxError::Syntax { offset, expected }
        }
    }

    #[inline]
    fn peek_past_blanks(&mut self) -> Option<u8> {
        loop {
            match self.peek() {
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.at += 1,
                other => return other,
            }
        }
    }

    #[inline]
    pub(super) fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    #[inline]
    pub(super) fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    #[inline]
    #[allow(clippy::cast_possible_truncation)] // `Json::parse` rejects longer texts.
    fn span_from(&self, start: usize) -> Span {
        Span { start: start as u32, end: self.at as u32 }
    }
}
