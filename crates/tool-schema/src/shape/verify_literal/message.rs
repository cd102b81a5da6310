//! The text of an issue, built at compile time in a buffer, because a `const fn` cannot allocate.
//!
//! The text says what to write instead. Parts that do not fit are replaced by `…`.

use crate::json::Number;
use crate::shape::Variant;

/// An issue of a literal.
#[derive(Clone, Copy)]
pub(in crate::shape) enum Fault {
    /// A complete sentence.
    Words(&'static str),
    /// A sentence that ends with a key.
    Key(&'static str, &'static str),
    /// A sentence that ends with a bound.
    Bound(&'static str, Number),
    /// A sentence that ends with a range.
    Range(&'static str, Number, Number),
    /// A literal that names none of these variants.
    Variants(&'static [Variant]),
}

impl Fault {
    /// Returns the sentence.
    pub(in crate::shape) const fn words(self) -> Words {
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
            Self::Range(sentence, min, max) => {
                words.push(sentence);
                words.push("`range(min = ");
                words.number(min);
                words.push(", max = ");
                words.number(max);
                words.push(")`");
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

/// A text in `const` data.
pub(in crate::shape) struct Words {
    bytes: [u8; CAPACITY],
    length: usize,
    full: bool,
}

impl Words {
    /// Returns the text.
    pub(in crate::shape) const fn as_str(&self) -> &str {
        match str::from_utf8(self.bytes.split_at(self.length).0) {
            Ok(text) => text,
            // This cannot happen, because only complete texts are pushed.
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
            // Untagged variants have no name in the JSON.
            if let (Some(name), false) = (variant.name.as_static(), variant.untagged) {
                self.push(quote);
                self.push(name);
                self.push("\"");
                quote = ", \"";
            }
        }
    }

    /// Writes a number. Floats with more than fifteen digits cannot be written in a `const fn`.
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
            Number::Float(float) => self.decimal(float),
        }
    }

    /// Writes a float with the smallest number of decimals that denotes it.
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::cast_sign_loss, clippy::float_cmp)]
    const fn decimal(&mut self, float: f64) {
        const LARGEST: f64 = 1e15;
        let (positive, mut power, mut places) = (float.abs(), 10_u64, 1);
        while positive * (power as f64) < LARGEST && places <= 15 {
            let digits = (positive * (power as f64) + 0.5) as u64;
            // Both integers are exact, so their quotient is the float that the decimal denotes.
            if digits as f64 / power as f64 == positive {
                if float < 0.0 {
                    self.push("-");
                }
                self.digits((digits / power) as u128);
                self.push(".");
                let mut place = power / 10;
                while place > 0 {
                    self.digits((digits / place % 10) as u128);
                    place /= 10;
                }
                return;
            }
            power *= 10;
            places += 1;
        }
        self.push("the bound");
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
