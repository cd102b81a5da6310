//! `TypeCache`: a cache of results for Rust types, computed by walking the whole shape.
//!
//! The cache is bounded, because a program has finitely many types. A panic cannot leave a partial result in it.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{LazyLock, PoisonError, RwLock};

/// A cache of results for types, for use in a `static`.
pub(crate) struct TypeCache(LazyLock<RwLock<HashMap<TypeId, bool>>>);

impl TypeCache {
    pub(crate) const fn new() -> Self {
        Self(LazyLock::new(RwLock::default))
    }

    /// Returns the result for a type, which is computed only once.
    pub(crate) fn verdict(&self, id: TypeId, walk: impl FnOnce() -> bool) -> bool {
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&id).copied();
        known.unwrap_or_else(|| {
            let verdict = walk();
            self.0.write().unwrap_or_else(PoisonError::into_inner).insert(id, verdict);
            verdict
        })
    }
}
