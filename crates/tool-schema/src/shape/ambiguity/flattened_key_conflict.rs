//! Detects flattened fields with keys in common. A macro generates the functions twice: as `const fn` for the compiler and as ordinary
//! functions for `build()`.
//!
//! The functions `follow`, `elements` and `known` of the surrounding module return the target of an edge, the elements of a list, and the
//! characters of a text. They return `None` for everything that the compiler cannot see. Invariant: unknown parts are skipped, and a check
//! takes at most `MOST_STEPS` steps, even for recursive types.

macro_rules! clash {
    ($($constant:tt)?) => {
        use super::FlattenConflict;
        use crate::shape::const_loop::any;
        use crate::shape::verify_literal::same;
        use crate::shape::{Field, Kind, Object, Tagging, Union, UnknownKeys};

        /// The maximum number of shapes visited in one check; further shapes are skipped.
        const MOST_STEPS: u16 = 4_096;

        /// Returns the reason why a flattened field cannot get its keys.
        pub $($constant)? fn clash(object: &Object, index: usize) -> Option<FlattenConflict> {
            let mut steps = MOST_STEPS;
            let Some(fields) = elements(&object.fields) else { return None };
            let Some(target) = target(&fields[index].shape, &mut steps) else { return None };
            if !has_keys(target) {
                return Some(FlattenConflict::NoKeys);
            }
            if takes_nothing(target) && matches!(object.unknown, UnknownKeys::Rejected) {
                return Some(FlattenConflict::ClosedMap);
            }
            let mut other = 0;
            while other < fields.len() {
                // A clash between two flattened fields is reported at the later one.
                let is_told_elsewhere = other == index || (fields[other].flatten && other > index);
                if !is_told_elsewhere && knows(target, &fields[other], &mut steps) {
                    return Some(FlattenConflict::SharedKey(other));
                }
                other += 1;
            }
            None
        }

        /// Returns `true` if the payload of a variant has no keys to put beside a tag.
        pub $($constant)? fn is_keyless(union: &Union, index: usize) -> bool {
            let mut steps = MOST_STEPS;
            let Some(variants) = elements(&union.variants) else { return false };
            let Some(edge) = &variants[index].payload else { return false };
            matches!(target(edge, &mut steps), Some(target) if !has_keys(target))
        }

        /// Returns `true` if serde can decode a value of this shape from the keys of an object.
        $($constant)? fn has_keys(shape: &Shape) -> bool {
            !matches!(
                shape.kind,
                Kind::Boolean | Kind::Integer | Kind::Number(_) | Kind::String | Kind::Array(_) | Kind::Tuple(_)
            )
        }

        /// Returns `true` if a flattened type sees the keys without removing any.
        $($constant)? fn takes_nothing(shape: &Shape) -> bool {
            match &shape.kind {
                Kind::Map { .. } | Kind::Any => true,
                Kind::Union(union) => matches!(union.tagging, Tagging::Internal { .. } | Tagging::Untagged),
                _ => false,
            }
        }

        /// Returns the payload of a variant; `None` for a unit variant, or if `follow` cannot reach the payload.
        pub(crate) $($constant)? fn payload(union: &Union, index: usize) -> Option<&Shape> {
            let Some(variants) = elements(&union.variants) else { return None };
            match &variants[index].payload {
                Some(edge) => follow(edge),
                None => None,
            }
        }

        /// Takes one step; returns `false` if none are left.
        $($constant)? fn step(steps: &mut u16) -> bool {
            *steps = steps.saturating_sub(1);
            *steps > 0
        }

        /// Returns the shape after following aliases.
        $($constant)? fn target<'e>(edge: &'e Ref, steps: &mut u16) -> Option<&'e Shape> {
            let Some(shape) = follow(edge) else { return None };
            match &shape.kind {
                Kind::Alias(inner) | Kind::Nullable(inner) if step(steps) => target(inner, steps),
                _ => Some(shape),
            }
        }

        /// Returns `true` if an object has a key in common with the field, or with the type of a flattened field.
        $($constant)? fn knows(shape: &Shape, field: &Field, steps: &mut u16) -> bool {
            let Kind::Object(object) = &shape.kind else { return false };
            let Some(fields) = elements(&object.fields) else { return false };
            if !step(steps) {
                return false;
            }
            if field.flatten {
                let Some(other) = target(&field.shape, steps) else { return false };
                return any!(own in fields => knows(other, own, steps));
            }
            any!(own in fields => if !own.flatten {
                common_key(own, field)
            } else if let Some(inner) = target(&own.shape, steps) {
                knows(inner, field, steps)
            } else {
                false
            })
        }

        $($constant)? fn common_key(a: &Field, b: &Field) -> bool {
            let mut left = 0;
            while let Some(key) = key(a, left) {
                let mut right = 0;
                while let Some(other) = self::key(b, right) {
                    if same(key, other) {
                        return true;
                    }
                    right += 1;
                }
                left += 1;
            }
            false
        }

        /// Returns a key of the field: its name at index 0, and its aliases at the following indices.
        $($constant)? fn key(field: &Field, index: usize) -> Option<&str> {
            if index == 0 {
                return known(&field.name);
            }
            match elements(&field.aliases) {
                Some(aliases) if index <= aliases.len() => known(&aliases[index - 1]),
                _ => None,
            }
        }
    };
}

pub(super) use clash;
