//! Translates escapes, such as `\d`, `\u{1F600}` and `\p{L}`, into a character or a set in the syntax of `regex`. Parsing starts after the
//! `\`.
//!
//! `\d`, `\w` and `\s` have their ECMA meaning. A set is allowed inside and outside a class.

use super::source::{PatternError, Source};

/// The meaning of an escape.
pub(super) enum Escape {
    Character(char),
    Set(String),
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum Place {
    Outside,
    Class,
}

/// The characters of `WhiteSpace` and `LineTerminator` in ECMA-262.
const SPACE: &str = r"\t-\r \u{A0}\u{1680}\u{2000}-\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}\u{FEFF}";

/// The short and long names of `General_Category` values that both ECMA-262 and `regex` have.
pub(super) const CATEGORIES: &str = "L Lu Ll Lt LC Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc \
     Cf Co Cn Letter Uppercase_Letter Lowercase_Letter Titlecase_Letter Cased_Letter Modifier_Letter Other_Letter Mark \
     Nonspacing_Mark Spacing_Mark Enclosing_Mark Number Decimal_Number Letter_Number Other_Number Punctuation \
     Connector_Punctuation Dash_Punctuation Open_Punctuation Close_Punctuation Initial_Punctuation Final_Punctuation \
     Other_Punctuation Symbol Math_Symbol Currency_Symbol Modifier_Symbol Other_Symbol Separator Space_Separator \
     Line_Separator Paragraph_Separator Other Control Format Private_Use Unassigned";

/// The binary properties that both ECMA-262 and `regex` have.
pub(super) const PROPERTIES: &str = "Any ASCII Alphabetic Alpha Lowercase Lower Uppercase Upper White_Space ASCII_Hex_Digit AHex \
     Hex_Digit Hex Dash Diacritic Ideographic Emoji Emoji_Presentation Extended_Pictographic ID_Start IDS ID_Continue \
     IDC XID_Start XIDS XID_Continue XIDC Math";

pub(super) fn read(source: &mut Source, place: Place) -> Result<Escape, PatternError> {
    let Some(letter) = source.next() else {
        return Err(PatternError::instead(r"\", "ends the pattern", r"\\"));
    };
    let set = |set: &str| Ok(Escape::Set(set.to_owned()));
    let character = match letter {
        'd' => return set("[0-9]"),
        'D' => return set("[^0-9]"),
        'w' => return set("[A-Za-z0-9_]"),
        'W' => return set("[^A-Za-z0-9_]"),
        's' => return Ok(Escape::Set(format!("[{SPACE}]"))),
        'S' => return Ok(Escape::Set(format!("[^{SPACE}]"))),
        'p' | 'P' => return property(letter, source).map(Escape::Set),
        't' => '\t',
        'n' => '\n',
        'v' => '\x0B',
        'f' => '\x0C',
        'r' => '\r',
        '-' if place == Place::Class => '-',
        '0' if !source.rest.starts_with(|next: char| next.is_ascii_digit()) => '\0',
        'c' => control(source)?,
        'x' => hexadecimal(source, 2).and_then(char::from_u32).ok_or_else(|| {
            PatternError::new(r"`\x` takes two hexadecimal digits: write `\x41`, or `\u{1F600}` for more")
        })?,
        'u' => unicode(source)?,
        '^' | '$' | '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '/' => letter,
        _ => return Err(unknown(letter, place)),
    };
    Ok(Escape::Character(character))
}

/// Returns the error for an unknown escape.
fn unknown(letter: char, place: Place) -> PatternError {
    let mut itself = [0; 4];
    let replacement = match letter {
        'b' if place == Place::Class => {
            return PatternError::new(
                r"`\b` in a class is a backspace in ECMA-262 and an error in other dialects: write `\x08` for a backspace, or `\b` outside the class for a word boundary",
            );
        }
        '1'..='9' | 'k' if place == Place::Outside => {
            return PatternError::new("back references cannot be matched in linear time: repeat the group");
        }
        '0'..='9' => return PatternError::new(r"octal escapes are not ECMA-262: write two hexadecimal digits, `\x07`"),
        'Q' | 'E' => return PatternError::new(r"`\Q…\E` is not ECMA-262: write a `\` before each special character"),
        'A' if place == Place::Outside => "^",
        'z' | 'Z' if place == Place::Outside => "$",
        'R' if place == Place::Outside => r"(?:\r\n|\n|\r)",
        'N' if place == Place::Outside => ".",
        'h' if place == Place::Outside => r"[ \t]",
        'h' => r" \t",
        'a' => r"\x07",
        'e' => r"\x1B",
        _ => letter.encode_utf8(&mut itself),
    };
    PatternError::instead(&format!(r"\{letter}"), "is not an escape of ECMA-262", replacement)
}

/// Parses `\cJ`.
fn control(source: &mut Source) -> Result<char, PatternError> {
    match source.next() {
        Some(letter) if letter.is_ascii_alphabetic() => Ok(char::from(letter as u8 % 32)),
        _ => Err(PatternError::new(r"`\c` takes a letter: write `\cJ`, or `\\c` for a backslash and a c")),
    }
}

/// Parses `\u0041`, `\uD83D\uDE00` or `\u{1F600}`.
fn unicode(source: &mut Source) -> Result<char, PatternError> {
    let code = if source.take("{") {
        let digits =
            source.take_before("}", |text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit()));
        digits.and_then(|digits| u32::from_str_radix(digits, 16).ok())
    } else {
        hexadecimal(source, 4).map(|high| pair(high, source))
    };
    code.and_then(char::from_u32).ok_or_else(|| {
        PatternError::new(
            r"`\u` takes four hexadecimal digits or up to 10FFFF in braces, and no half of a surrogate pair: write `\u00E9` or `\u{1F600}`",
        )
    })
}

/// Returns the character of a surrogate pair if `high` begins one, or else `high` itself.
fn pair(high: u32, source: &mut Source) -> u32 {
    if let 0xD800..=0xDBFF = high
        && let Some(rest) = source.rest.strip_prefix(r"\u")
        && let mut behind = (Source { rest })
        && let Some(low @ 0xDC00..=0xDFFF) = hexadecimal(&mut behind, 4)
    {
        source.rest = behind.rest;
        return 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00);
    }
    high
}

fn hexadecimal(source: &mut Source, length: usize) -> Option<u32> {
    let (digits, rest) = source.rest.split_at_checked(length)?;
    source.rest = rest;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

/// Parses `\p{Lu}` or `\P{Script=Greek}`. Accepts only spellings that have the same meaning in ECMA-262 and `regex`.
fn property(letter: char, source: &mut Source) -> Result<String, PatternError> {
    let Some(name) = source.take("{").then(|| source.take_before("}", |_| true)).flatten() else {
        return Err(PatternError::new(format!(r"`\{letter}` takes a property in braces: write `\{letter}{{L}}`")));
    };
    let listed = |names: &str, name: &str| names.split_ascii_whitespace().any(|known| known == name);
    let portable = match name.split_once('=') {
        Some(("General_Category" | "gc", value)) => listed(CATEGORIES, value),
        Some(("Script" | "sc" | "Script_Extensions" | "scx", value)) => is_title_case(value),
        Some(_) => false,
        None => listed(CATEGORIES, name) || listed(PROPERTIES, name),
    };
    let set = format!(r"\{letter}{{{name}}}");
    if portable && regex_syntax::parse(&set).is_ok() {
        return Ok(set);
    }
    let replacement = format!(r"\{letter}{{Script={name}}}");
    Err(if is_title_case(name) && regex_syntax::parse(&replacement).is_ok() {
        PatternError::instead(&set, "is not ECMA-262", &replacement)
    } else {
        PatternError::new(format!(
            r"`{set}` is not a portable property: write one such as `\p{{Lu}}` or `\p{{Script=Greek}}`"
        ))
    })
}

/// Returns `true` for names such as `Greek` and `Old_Italic`. ECMA-262 requires the official spelling of a name; `regex` accepts any
/// spelling.
fn is_title_case(name: &str) -> bool {
    name.split('_').all(|word| {
        let mut letters = word.chars();
        letters.next().is_some_and(|first| first.is_ascii_uppercase())
            && letters.all(|letter| letter.is_ascii_lowercase())
    })
}
