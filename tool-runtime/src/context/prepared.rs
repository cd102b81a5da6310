//! [`Prepared`]: arguments that were decoded before their call runs.

use std::any::Any;
use std::sync::{Arc, Mutex, PoisonError};

use crate::input::Arguments;

/// Decoded arguments of one call, whatever their type.
///
/// A session decodes before it asks a [hook](crate::hook::BeforeCall); the tool takes the value from the context of its call, so that nothing
/// is decoded twice.
pub struct Prepared(Box<dyn Any + Send>);

impl Prepared {
    /// Creates one from decoded arguments.
    pub fn new<T: Send + 'static>(arguments: T) -> Self {
        Self(Box::new(arguments))
    }
}

/// A place for prepared arguments, from which they are taken once, by whichever clone of the context runs the call.
#[derive(Clone, Default)]
pub(super) struct Slot(Option<Arc<Waiting>>);

struct Waiting {
    prepared: Mutex<Option<Prepared>>,
    /// The address and the length of the arguments that were decoded. They stay there while the call runs, so nothing else can be there.
    source: (usize, usize),
}

impl Slot {
    pub(super) fn of(prepared: Prepared, source: &Arguments<'_>) -> Self {
        Self(Some(Arc::new(Waiting { prepared: Mutex::new(Some(prepared)), source: location(source) })))
    }

    /// Takes the decoded form of these arguments, if it is there and of this type. A tool that calls another one with arguments of its own is not
    /// given what was decoded from others.
    #[inline]
    pub(super) fn take<T: 'static>(&self, arguments: &Arguments<'_>) -> Option<T> {
        let waiting = self.0.as_ref()?;
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
