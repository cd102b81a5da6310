//! The values of numbers in rules, with their comparison and divisibility.
//!
//! Integers of up to 128 bits are exact, even when compared with floats. Floats have the value of the shortest decimal that denotes them.
//! No function allocates.

use std::{cmp::Ordering, fmt};

/// The value of a number in rules, usable in `const`.
///
/// ```
/// use tool_schema::json::Number;
///
/// const MAXIMUM: Number = Number::Integer(14);
/// assert_eq!(MAXIMUM.to_string(), "14");
/// assert_eq!(Number::Float(0.5).to_string(), "0.5");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// An integer.
    Integer(i128),
    /// An integer above `i128::MAX`.
    Large(u128),
    /// Any other number. It is finite, because JSON has neither infinities nor NaN.
    Float(f64),
}

impl Number {
    /// Compares two values; an integer and a float are compared without rounding.
    ///
    /// ```
    /// use std::cmp::Ordering;
    /// use tool_schema::json::Number;
    ///
    /// const ORDER: Ordering = Number::Integer((1 << 53) + 1).compare(Number::Float(9_007_199_254_740_992.0));
    /// assert_eq!(ORDER, Ordering::Greater);
    /// ```
    #[inline]
    pub const fn compare(self, other: Self) -> Ordering {
        match (self, other) {
            (Self::Integer(left), Self::Integer(right)) => order(left < right, left > right),
            (Self::Large(left), Self::Large(right)) => order(left < right, left > right),
            (Self::Float(left), Self::Float(right)) => order(left < right, left > right),
            (Self::Integer(_), Self::Large(_)) => Ordering::Less,
            (Self::Large(_), Self::Integer(_)) => Ordering::Greater,
            (integer, Self::Float(float)) => integer.compare_float(float),
            (Self::Float(float), integer) => integer.compare_float(float).reverse(),
        }
    }

    /// Compares an integer with a float: first with the truncated float, then, if both are equal, by the fraction that truncation removed.
    /// A float beyond the integer type would be truncated to the largest integer, which is rounded up when it is converted back, so such
    /// floats are handled first.
    #[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss, clippy::cast_sign_loss)]
    const fn compare_float(self, float: f64) -> Ordering {
        const TWO_TO_127: f64 = (1_u128 << 127) as f64;
        let (whole, back) = match self {
            Self::Integer(_) if float >= TWO_TO_127 => return Ordering::Less,
            Self::Large(_) if float >= 2.0 * TWO_TO_127 => return Ordering::Less,
            Self::Integer(value) => (order(value < float as i128, value > float as i128), float as i128 as f64),
            Self::Large(value) => (order(value < float as u128, value > float as u128), float as u128 as f64),
            Self::Float(value) => return order(value < float, value > float),
        };
        match whole {
            Ordering::Equal => order(back < float, back > float),
            unequal => unequal,
        }
    }

    /// Returns the nearest `f64`, for comparisons of size.
    #[allow(clippy::cast_precision_loss)]
    pub(crate) const fn as_f64(self) -> f64 {
        match self {
            Self::Integer(value) => value as f64,
            Self::Large(value) => value as f64,
            Self::Float(value) => value,
        }
    }

    /// Returns `true` if the number is an integer multiple of the divisor.
    ///
    /// Floats have the value of the shortest decimal that denotes them, so `0.3` is a multiple of `0.1`, and the arithmetic is exact. Only
    /// zero is a multiple of zero, and infinity is never a multiple.
    ///
    /// ```
    /// use tool_schema::json::Number;
    ///
    /// assert!(Number::Float(4.5).is_multiple_of(Number::Float(0.1)));
    /// assert!(!Number::Float(4.55).is_multiple_of(Number::Float(0.1)));
    /// ```
    pub fn is_multiple_of(self, divisor: Self) -> bool {
        let (Some((value, scale)), Some((divisor, divisor_scale))) = (self.scaled(), divisor.scaled()) else {
            return false;
        };
        if value == 0 || divisor == 0 {
            return value == 0;
        }
        let shift = scale - divisor_scale;
        if shift < 0 {
            // This product only overflows if it exceeds the value.
            let step = 10_u128.checked_pow(shift.unsigned_abs()).and_then(|power| power.checked_mul(divisor));
            return step.is_some_and(|step| value % step == 0);
        }
        (0..shift).fold(value % divisor, |rest, _| times_ten(rest, divisor)) == 0
    }

    /// Appends the same text as `Display`, but faster for floats and for integers of the usual size.
    #[allow(clippy::cast_possible_truncation)] // The value is checked to fit.
    pub(crate) fn push(self, out: &mut String) {
        match self {
            Self::Integer(value) if value.unsigned_abs() <= usize::MAX as u128 => {
                if value < 0 {
                    out.push('-');
                }
                push_digits(out, value.unsigned_abs() as usize);
            }
            Self::Float(value) => {
                // The longest float has 24 bytes.
                let mut digits = [0; 32];
                let mut rest = &mut digits[..];
                let unused = serde_json::to_writer(&mut rest, &value).map_or(0, |()| rest.len());
                let written = digits.len() - unused;
                out.push_str(str::from_utf8(&digits[..written]).unwrap_or_default());
            }
            // Writing to a `String` cannot fail.
            _ => drop(fmt::Write::write_fmt(out, format_args!("{self}"))),
        }
    }

    /// Returns the absolute value as an integer and a power of ten.
    fn scaled(self) -> Option<(u128, i32)> {
        match self {
            Self::Integer(value) => Some((value.unsigned_abs(), 0)),
            Self::Large(value) => Some((value, 0)),
            Self::Float(value) if value.is_finite() => {
                let mut shortest = Scientific::default();
                fmt::Write::write_fmt(&mut shortest, format_args!("{:e}", value.abs())).ok()?;
                Some((shortest.digits, shortest.exponent() - shortest.places))
            }
            Self::Float(_) => None,
        }
    }
}

/// Appends a number in decimal digits.
fn push_digits(out: &mut String, number: usize) {
    const DIGITS: [char; 10] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
    if number > 9 {
        push_digits(out, number / 10);
    }
    out.push(DIGITS[number % 10]);
}

impl From<usize> for Number {
    fn from(count: usize) -> Self {
        // No `usize` exceeds an `i128`.
        Self::Integer(i128::try_from(count).unwrap_or(i128::MAX))
    }
}

/// Formats the number like `serde_json`; infinity and NaN, which JSON does not have, become `null`.
impl fmt::Display for Number {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Integer(value) => value.fmt(formatter),
            Self::Large(value) => value.fmt(formatter),
            Self::Float(value) => match serde_json::Number::from_f64(value) {
                Some(number) => number.fmt(formatter),
                None => formatter.write_str("null"),
            },
        }
    }
}

/// Parses `d.ddde-dd` while it is being formatted, so that no buffer is needed.
#[derive(Default)]
struct Scientific {
    digits: u128,
    /// The number of digits after the dot.
    places: i32,
    power: i32,
    behind_dot: bool,
    in_power: bool,
    negative_power: bool,
}

impl Scientific {
    const fn exponent(&self) -> i32 {
        if self.negative_power { -self.power } else { self.power }
    }
}

impl fmt::Write for Scientific {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        for byte in part.bytes() {
            match byte {
                b'.' => self.behind_dot = true,
                b'e' => self.in_power = true,
                b'-' => self.negative_power = true,
                digit if self.in_power => self.power = self.power * 10 + i32::from(digit - b'0'),
                digit => {
                    self.digits = self.digits * 10 + u128::from(digit - b'0');
                    self.places += i32::from(self.behind_dot);
                }
            }
        }
        Ok(())
    }
}

/// Returns `rest × 10 mod divisor` for `rest < divisor`, within 128 bits.
const fn times_ten(rest: u128, divisor: u128) -> u128 {
    const fn plus(left: u128, right: u128, divisor: u128) -> u128 {
        if left >= divisor - right { left - (divisor - right) } else { left + right }
    }
    let double = plus(rest, rest, divisor);
    let fourfold = plus(double, double, divisor);
    let fivefold = plus(fourfold, rest, divisor);
    plus(fivefold, fivefold, divisor)
}

const fn order(less: bool, greater: bool) -> Ordering {
    if less {
        Ordering::Less
    } else if greater {
        Ordering::Greater
    } else {
        Ordering::Equal
    }
}
