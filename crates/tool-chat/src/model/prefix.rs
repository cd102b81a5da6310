//! The part of a prompt that a provider can take from its cache: [`PromptPrefix`].
//!
//! In: the requests of a conversation, in order. Out: the bytes of each request's predecessor that do not begin the request. Invariant: only
//! hashes and lengths are kept, so the memory does not grow with the texts.

use std::hash::{DefaultHasher, Hasher};
use std::io;

use tool_runtime::tool_schema::dialect::Definition;

use super::{Message, Request};

/// Compares each request of a conversation with the request before it, because a provider only caches the beginning that both have in
/// common.
///
/// A request counts as the definitions of its tools, followed by its messages. A [conversation](crate::conversation::Conversation)
/// with a listener reports each loss as an event. Use this type if you send the requests yourself.
///
/// ```
/// use tool_chat::model::{Message, Options, PromptPrefix, Request};
///
/// let (tools, options) = (Default::default(), Options::default());
/// let mut prefix = PromptPrefix::default();
/// let mut messages = vec![Message::System("Be brief.".to_owned())];
/// assert_eq!(prefix.compare(&Request::new(&messages, &tools, &options)), None);
/// messages.push(Message::User("What time is it?".to_owned()));
/// assert_eq!(prefix.compare(&Request::new(&messages, &tools, &options)), None);
///
/// messages[0] = Message::System("Be polite.".to_owned());
/// let loss = prefix.compare(&Request::new(&messages, &tools, &options)).ok_or("the beginning has changed")?;
/// assert_eq!((loss.kept, loss.part.as_str()), (0, "system"));
/// assert_eq!(loss.lost, r#"{"system":"Be brief."}{"user":"What time is it?"}"#.len());
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct PromptPrefix {
    before: Vec<Segment>,
}

/// A definition or a message of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Segment {
    part: PromptPart,
    hash: u64,
    bytes: usize,
}

/// The bytes of a request that the next request does not begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PrefixLoss {
    /// The part of the request that changed first.
    pub part: PromptPart,
    /// The number of bytes of the earlier request that both requests have in common.
    pub kept: usize,
    /// The number of bytes of the earlier request after that. The provider has to process them again, also if they are unchanged.
    pub lost: usize,
}

/// A part of a request, in the order in which providers process them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PromptPart {
    /// The definitions of the tools.
    Tools,
    /// The system message.
    System,
    /// The other messages.
    Messages,
}

impl PromptPart {
    /// Returns the part in `snake_case`, for logs and counters.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Tools => "tools",
            Self::System => "system",
            Self::Messages => "messages",
        }
    }
}

impl PromptPrefix {
    /// Returns the loss if the request does not begin with the request before it. The next request is compared with this one.
    pub fn compare(&mut self, request: &Request<'_>) -> Option<PrefixLoss> {
        let tools = request.tools.iter().map(of_tool);
        let now: Vec<Segment> = tools.chain(request.messages.iter().map(of_message)).collect();
        let before = std::mem::replace(&mut self.before, now);
        let common = before.iter().zip(&self.before).take_while(|(before, now)| before == now).count();
        let bytes = |segments: &[Segment]| segments.iter().map(|segment| segment.bytes).sum();
        let (kept, lost) = (bytes(&before[..common]), bytes(&before[common..]));
        let changed = self.before.get(common).or(before.get(common))?;
        (lost > 0).then_some(PrefixLoss { part: changed.part, kept, lost })
    }
}

fn of_tool(tool: &Definition) -> Segment {
    let text = tool.to_string();
    let mut hasher = DefaultHasher::new();
    hasher.write(text.as_bytes());
    Segment { part: PromptPart::Tools, hash: hasher.finish(), bytes: text.len() }
}

fn of_message(message: &Message) -> Segment {
    let part = if matches!(message, Message::System(_)) { PromptPart::System } else { PromptPart::Messages };
    let mut meter = Meter::default();
    // Writing cannot fail, and messages are always valid JSON.
    let _ = serde_json::to_writer(&mut meter, message);
    Segment { part, hash: meter.hasher.finish(), bytes: meter.bytes }
}

/// Counts and hashes bytes.
#[derive(Default)]
struct Meter {
    hasher: DefaultHasher,
    bytes: usize,
}

impl io::Write for Meter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.hasher.write(bytes);
        self.bytes += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
