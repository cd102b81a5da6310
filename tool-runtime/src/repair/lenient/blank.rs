//! Blanks and comments between two tokens.
//!
//! In comes the place; out goes the byte of the next token. JSON's own blanks are passed over, others and comments are left out.

use super::{Input, Machine};
use crate::repair::RepairRule;

/// What stands behind the blanks.
pub(super) enum Next {
    Byte(u8),
    /// The text ends, or ends inside a comment.
    End,
}

impl<'a> Machine<'a> {
    /// Passes over blanks and comments.
    #[inline]
    pub(super) fn blanks(&mut self, input: &Input<'_, 'a>) -> Next {
        loop {
            let Some(byte) = input.byte(self.at) else { return Next::End };
            match byte {
                b' ' | b'\n' | b'\t' | b'\r' => self.at += 1,
                b'/' | b'#' | 0x0b | 0x0c | 0x80.. => match self.unusual_blank(input, byte) {
                    Some(true) => {}
                    Some(false) => return Next::Byte(byte),
                    None => return Next::End,
                },
                _ => return Next::Byte(byte),
            }
        }
    }

    /// Whether what stands here is a blank or a comment; none where the text ends before that is clear.
    fn unusual_blank(&mut self, input: &Input<'_, 'a>, byte: u8) -> Option<bool> {
        match byte {
            b'#' => self.line_comment(input),
            b'/' => match input.byte(self.at + 1) {
                Some(b'/') => self.line_comment(input),
                Some(b'*') => self.block_comment(input),
                None if !input.last => None,
                _ => Some(false),
            },
            _ => {
                let Some(blank) = input.char(self.at).filter(|&next| is_blank(next)) else { return Some(false) };
                let rule =
                    if self.at == 0 && blank == '\u{feff}' { RepairRule::ByteOrderMark } else { RepairRule::Blank };
                let end = self.at + blank.len_utf8();
                self.edit(self.at, end, rule, "");
                self.at = end;
                Some(true)
            }
        }
    }

    fn line_comment(&mut self, input: &Input<'_, 'a>) -> Option<bool> {
        let from = self.scanned.max(self.at);
        let length = input.rest(from).find(['\n', '\r']);
        if length.is_none() && !input.last {
            self.scanned = input.text.len();
            return None;
        }
        let end = length.map_or(input.text.len(), |length| from + length);
        self.edit(self.at, end, RepairRule::Comment, "");
        self.at = end;
        Some(true)
    }

    fn block_comment(&mut self, input: &Input<'_, 'a>) -> Option<bool> {
        let from = self.scanned.max(self.at + 2);
        let end = input.rest(from).find("*/").map(|length| from + length + 2);
        if end.is_none() {
            // The last byte may be the star.
            self.scanned = input.text.len().saturating_sub(1).max(self.at + 2);
            while !input.text.is_char_boundary(self.scanned) {
                self.scanned -= 1;
            }
            if !input.last {
                return None;
            }
            self.leave_open(self.at, "the comment that begins here is not closed");
        }
        let end = end.unwrap_or(input.text.len());
        self.edit(self.at, end, RepairRule::Comment, "");
        self.at = end;
        Some(true)
    }
}

/// A blank that JSON does not know.
pub(super) fn is_blank(next: char) -> bool {
    matches!(next, '\u{b}' | '\u{c}' | '\u{180e}' | '\u{200b}' | '\u{feff}') || !next.is_ascii() && next.is_whitespace()
}
