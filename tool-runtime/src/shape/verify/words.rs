//! The words of a fault, put together by the compiler: a `const fn` cannot allocate, so they stand in a buffer.
//!
//! In comes a [`Fault`], out goes a sentence with what to write instead. What does not fit is left out whole, with `…` in its place.

use crate::json::Number;
use crate::shape::Variant;

/// What is wrong with a literal.
#[derive(Clone, Copy)]
pub(super) enum Fault {
    /// A whole sentence.
    Words(&'static str),
    /// A sentence that ends with a key.
    Key(&'static str, &'static str),
    /// A sentence that ends with a bound.
    Bound(&'static str, Number),
    /// None of these.
    Variants(&'static [Variant]),
}

impl Fault {
    /// The sentence.
    pub(super) const fn words(self) -> Words {
        let mut words = Words { bytes: [0; CAPACITY], length: 0, full: false };
        match self {
            Self::Words(sentence) => words.push(sentence),
            Self::Key(sentence, key) => {
                words.push(sentence);
                words.push("\"");
                words.push(key);
                words.push("\"");
            }
            Self::Bound(sentence, bound) => {
                words.push(sentence);
                words.number(bound);
            }
            Self::Variants(variants) => {
                words.push("the value is not one of the enum's values: write one of ");
                words.names(variants);
            }
        }
        words
    }
}

const CAPACITY: usize = 400;
const ELLIPSIS: &str = "…";

/// A text as `const` data.
pub(super) struct Words {
    bytes: [u8; CAPACITY],
    length: usize,
    full: bool,
}

impl Words {
    /// The text.
    pub(super) const fn as_str(&self) -> &str {
        match str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => text,
            // Only whole texts were put in.
            Err(_) => "",
        }
    }

    const fn push(&mut self, text: &str) {
        if self.full {
            return;
        }
        let fits = self.length + text.len() + ELLIPSIS.len() <= CAPACITY;
        self.full = !fits;
        let bytes = if fits { text.as_bytes() } else { ELLIPSIS.as_bytes() };
        let mut index = 0;
        while index < bytes.len() {
            self.bytes[self.length] = bytes[index];
            self.length += 1;
            index += 1;
        }
    }

    const fn names(&mut self, variants: &[Variant]) {
        let (mut index, mut quote) = (0, "\"");
        while index < variants.len() {
            let variant = &variants[index];
            index += 1;
            // Untagged ones have no name on the wire.
            if let (Some(name), false) = (variant.name.as_static(), variant.untagged) {
                self.push(quote);
                self.push(name);
                self.push("\"");
                quote = ", \"";
            }
        }
    }

    /// A float stands for itself where it is an integer; no `const fn` can write the others down.
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::float_cmp)]
    const fn number(&mut self, number: Number) {
        match number {
            Number::Integer(integer) => {
                if integer < 0 {
                    self.push("-");
                }
                self.digits(integer.unsigned_abs());
            }
            Number::Large(integer) => self.digits(integer),
            Number::Float(float) if (float as i64) as f64 == float => self.number(Number::Integer(float as i128)),
            Number::Float(_) => self.push("the bound"),
        }
    }

    const fn digits(&mut self, number: u128) {
        let mut power = 1;
        while number / power >= 10 {
            power *= 10;
        }
        while power > 0 {
            let digit = (number / power % 10) as usize;
            self.push("0123456789".split_at(digit).1.split_at(1).0);
            power /= 10;
        }
    }
}
