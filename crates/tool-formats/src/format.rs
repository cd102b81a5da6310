//! Call formats: marks, and the notation of the calls between them.

mod table;

use std::fmt;
use std::str::FromStr;

/// A call format: the way in which a family of models writes a call as text.
///
/// ```
/// use tool_formats::CallFormat;
///
/// assert_eq!("qwen3-coder".parse(), Ok(CallFormat::QWEN3_CODER));
/// assert!(CallFormat::QWEN3_CODER.source().starts_with("https://"));
/// ```
#[derive(Clone, Copy)]
pub struct CallFormat {
    name: &'static str,
    models: &'static str,
    source: &'static str,
    example: &'static str,
    /// The marks of a call, with one entry for each spelling.
    pub(crate) marks: &'static [Marks],
    /// Marks around one or more calls. Next to a call, they are not a part of the text.
    pub(crate) section: &'static [&'static str],
}

/// The marks around one call. White space may separate the marks of a sequence.
#[derive(Clone, Copy)]
pub(crate) struct Marks {
    /// If this is empty, an answer can consist of such calls without any mark.
    pub(crate) open: &'static [&'static str],
    /// If this is empty, the call ends with its JSON value.
    pub(crate) close: &'static [&'static str],
    pub(crate) body: Body,
}

/// The notation of a call between its marks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Body {
    /// `{"name": …, "arguments": …}`, several of them, or a list of them.
    Object,
    /// A name, this mark, and the arguments as JSON. The mark may be missing in front of `{`.
    NameJson(&'static str),
    /// A name, the end of its tag, and an element for each parameter, with these marks; or the arguments as JSON.
    Elements(&'static str, &'static str),
    /// A name, and pairs of `<arg_key>` and `<arg_value>`.
    Pairs,
    /// `name(key=value)`, or a list of these.
    Python,
    /// `name{key:<|"|>value<|"|>}`.
    QuoteTokens,
}

impl CallFormat {
    /// Returns `true` if an answer can consist of calls in this notation, without any mark.
    pub(crate) fn is_bare(&self, body: Body) -> bool {
        self.marks.iter().any(|marks| marks.open.is_empty() && marks.body == body)
    }

    /// Returns the name, which `parse` accepts.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the models that use the format.
    pub const fn models(&self) -> &'static str {
        self.models
    }

    /// Returns the address of a page or a parser that defines the format.
    pub const fn source(&self) -> &'static str {
        self.source
    }

    /// Returns a call of a tool `get_weather` with the arguments `{"city": "Paris", "days": 3}`.
    ///
    /// ```
    /// use tool_formats::CallFormat;
    ///
    /// assert_eq!(CallFormat::PYTHONIC.example(), r#"[get_weather(city="Paris", days=3)]"#);
    /// ```
    pub const fn example(&self) -> &'static str {
        self.example
    }
}

impl PartialEq for CallFormat {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for CallFormat {}

impl fmt::Debug for CallFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CallFormat({})", self.name)
    }
}

/// The error of a name that is not the name of a call format.
///
/// ```
/// use tool_formats::CallFormat;
///
/// let error = "qwen9".parse::<CallFormat>().unwrap_err();
/// assert!(error.to_string().starts_with("no call format is called `qwen9`; there are hermes, qwen3-coder"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownCallFormat(String);

impl fmt::Display for UnknownCallFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = CallFormat::ALL.iter().map(CallFormat::name).collect();
        let name: String = self.0.chars().take(64).collect();
        write!(f, "no call format is called `{name}`; there are {}", names.join(", "))
    }
}

impl std::error::Error for UnknownCallFormat {}

impl FromStr for CallFormat {
    type Err = UnknownCallFormat;

    fn from_str(name: &str) -> Result<Self, UnknownCallFormat> {
        let format = Self::ALL.iter().find(|format| format.name.eq_ignore_ascii_case(name.trim()));
        format.copied().ok_or_else(|| UnknownCallFormat(name.to_owned()))
    }
}
