//! [`DecodedArguments`]: arguments that are decoded before their call runs.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use crate::input::Arguments;

/// The decoded arguments of one call, as a value of any type.
///
/// A session decodes the arguments before it calls a [hook](crate::hook::BeforeCall). The tool takes the value from the context of its
/// call, so that nothing is decoded twice.
pub struct DecodedArguments(Box<dyn Any + Send>);

impl DecodedArguments {
    /// Creates the value from decoded arguments.
    pub fn new<T: Send + 'static>(arguments: T) -> Self {
        Self(Box::new(arguments))
    }
}

/// Storage for prepared arguments. All clones of the context share it, and the value can be taken once.
#[derive(Clone)]
pub(super) struct Slot(Arc<Waiting>);

struct Waiting {
    prepared: Mutex<Option<DecodedArguments>>,
    /// The address and length of the arguments that were decoded. The arguments are not moved while the call runs.
    source: (usize, usize),
}

impl Slot {
    pub(super) fn new(prepared: DecodedArguments, source: &Arguments<'_>) -> Self {
        Self(Arc::new(Waiting { prepared: Mutex::new(Some(prepared)), source: location(source) }))
    }

    /// Takes the decoded form of these arguments, if it exists and has this type. If a tool passes its context to another tool with other
    /// arguments, that tool does not get this value.
    #[inline]
    pub(super) fn take<T: 'static>(&self, arguments: &Arguments<'_>) -> Option<T> {
        let waiting = &self.0;
        if waiting.source != location(arguments) {
            return None;
        }
        let prepared = waiting.prepared.lock().unwrap_or_else(PoisonError::into_inner).take()?;
        prepared.0.downcast().ok().map(|arguments| *arguments)
    }
}

/// Returns the address and the length of arguments.
fn location(arguments: &Arguments<'_>) -> (usize, usize) {
    match arguments {
        Arguments::Text(text) => (text.as_ptr().addr(), text.len()),
        Arguments::Bytes(bytes) => (bytes.as_ptr().addr(), bytes.len()),
        Arguments::Value(value) => (std::ptr::from_ref(&**value).addr(), 0),
        Arguments::Map(map) => (std::ptr::from_ref(&**map).addr(), 0),
    }
}
