//! `Remembered`: what was once found out about a Rust type by walking its whole shape.
//!
//! In comes a type and the walk; out goes the verdict, walked for once. What always holds: a program has finitely many types, and so has
//! this; a verdict is written whole or not at all, so a panic elsewhere cannot have spoilt it.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

/// Verdicts on types, for a `static`.
pub(crate) struct Remembered(LazyLock<RwLock<HashMap<TypeId, bool>>>);

impl Remembered {
    pub(crate) const fn new() -> Self {
        Self(LazyLock::new(RwLock::default))
    }

    /// The verdict on a type.
    pub(crate) fn verdict(&self, id: TypeId, walk: impl FnOnce() -> bool) -> bool {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&id).copied();
        known.unwrap_or_else(|| {
            let verdict = walk();
            self.0.write().unwrap_or_else(PoisonError::into_inner).insert(id, verdict);
            verdict
        })
    }
}
