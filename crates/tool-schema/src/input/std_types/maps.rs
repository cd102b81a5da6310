//! Maps: keys of one type, values of another. The edge to the values is lazy, because a value may contain the type that contains
//! the map. A key cannot contain it, so its edge is not lazy.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, Hash};

use crate::input::{MapKey, ToolInput};
use crate::shape::{Kind, Ref, Shape};

macro_rules! maps {
    ($([$($generics:tt)*] $type:ty),+) => {$(
        impl<V: ToolInput, K: MapKey $($generics)*> ToolInput for $type {
            const SHAPE: &'static Shape =
                &Shape::new(Kind::Map { keys: Ref::Static(K::SHAPE), values: Ref::Lazy(|| V::SHAPE) });
            const GUARDED: bool = K::GUARDED || V::GUARDED;

            #[inline]
            fn guard(&self) -> bool {
                !Self::GUARDED || self.iter().all(|(key, value)| key.guard() && value.guard())
            }
        }
    )+};
}

maps! {
    [+ Ord] BTreeMap<K, V>,
    [+ Eq + Hash, S: BuildHasher + Default + Send + 'static] HashMap<K, V, S>
}
