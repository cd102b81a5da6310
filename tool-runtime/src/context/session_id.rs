//! The id of a session, which is random unless the host sets it: [`SessionId`].

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::OnceLock;

/// The id of a session. A random one is created at its first use.
#[derive(Debug, Default)]
pub(crate) struct SessionId(OnceLock<Box<str>>);

impl SessionId {
    pub(crate) fn get(&self) -> &str {
        self.0.get_or_init(|| format!("{:016x}{:016x}", random(), random()).into())
    }

    /// Sets the id, unless it was used before.
    pub(crate) fn set(&self, id: String) {
        let _ = self.0.set(id.into());
    }
}

impl From<String> for SessionId {
    fn from(id: String) -> Self {
        Self(OnceLock::from(Box::from(id)))
    }
}

/// Returns a random number. The standard library seeds its hashers from the operating system.
fn random() -> u64 {
    RandomState::new().hash_one(0_u8)
}
