//! Detects untagged variants that can be confused. The macro is used in the same module as `clash`.
//!
//! Invariant: two variants are reported unless it is certain that they cannot be confused.

macro_rules! mistaken {
    ($($constant:tt)?) => {
        /// Returns the index of a later variant that may accept a value which breaks a rule of this variant. serde would choose this
        /// variant, because it does not check rules, but the checker would choose the later one.
        pub $($constant)? fn mistaken(union: &Union, index: usize) -> Option<usize> {
            let mut steps = MOST_STEPS;
            let Some(variants) = elements(&union.variants) else { return None };
            let Some(payload) = payload(union, index) else { return None };
            if !has_rules(payload, &mut steps) {
                return None;
            }
            let own = types(payload, &mut steps);
            let mut later = index + 1;
            while later < variants.len() {
                let others = match &variants[later].payload {
                    None => NULL,
                    Some(edge) => match follow(edge) {
                        Some(other) if !disjoint(payload, other, &mut steps) => types(other, &mut steps),
                        _ => 0,
                    },
                };
                if own & others != 0 {
                    return Some(later);
                }
                later += 1;
            }
            None
        }

        /// Returns `true` if the author has put a rule on the shape or inside it. The rules of std types do not count, because serde
        /// enforces them.
        $($constant)? fn has_rules(shape: &Shape, steps: &mut u16) -> bool {
            if !step(steps) {
                return false;
            }
            let own = !is_empty(&shape.rules);
            match &shape.kind {
                Kind::Alias(inner) | Kind::Nullable(inner) => own || has_rules_behind(inner, steps),
                Kind::Array(inner) | Kind::Map { values: inner, .. } => has_rules_behind(inner, steps),
                Kind::Tuple(positions) => {
                    let Some(positions) = elements(positions) else { return own };
                    own || any!(edge in positions => has_rules_behind(edge, steps))
                }
                Kind::Object(object) => {
                    let Some(fields) = elements(&object.fields) else { return own };
                    own || any!(field in fields => !is_empty(&field.rules) || has_rules_behind(&field.shape, steps))
                }
                Kind::Union(union) => {
                    let Some(variants) = elements(&union.variants) else { return own };
                    own || any!(variant in variants => match &variant.payload {
                        Some(payload) => has_rules_behind(payload, steps),
                        None => false,
                    })
                }
                _ => false,
            }
        }

        /// Returns `true` if a list is empty, or cannot be seen.
        $($constant)? fn is_empty<T>(rules: &SharedSlice<T>) -> bool {
            match elements(rules) {
                Some(rules) => rules.is_empty(),
                None => true,
            }
        }

        $($constant)? fn has_rules_behind(edge: &Ref, steps: &mut u16) -> bool {
            let Some(shape) = follow(edge) else { return false };
            has_rules(shape, steps)
        }

        const NULL: u8 = 1;
        const BOOLEAN: u8 = 2;
        const NUMBER: u8 = 4;
        const STRING: u8 = 8;
        const ARRAY: u8 = 16;
        const OBJECT: u8 = 32;
        const EVERY: u8 = 63;

        /// Returns the JSON types that a shape accepts, one bit each; all of them if this is not known.
        $($constant)? fn types(shape: &Shape, steps: &mut u16) -> u8 {
            match &shape.kind {
                Kind::Null => NULL,
                Kind::Boolean => BOOLEAN,
                Kind::Integer | Kind::Number(_) => NUMBER,
                Kind::String => STRING,
                Kind::Array(_) | Kind::Tuple(_) => ARRAY,
                Kind::Map { .. } | Kind::Object(_) => OBJECT,
                Kind::Alias(inner) if step(steps) => types_behind(inner, steps),
                Kind::Nullable(inner) if step(steps) => NULL | types_behind(inner, steps),
                Kind::Union(union) => match union.tagging {
                    Tagging::External => STRING | OBJECT,
                    Tagging::Internal { .. } | Tagging::Adjacent { .. } => OBJECT,
                    Tagging::Untagged => EVERY,
                },
                _ => EVERY,
            }
        }

        $($constant)? fn types_behind(edge: &Ref, steps: &mut u16) -> u8 {
            let Some(shape) = follow(edge) else { return EVERY };
            types(shape, steps)
        }

        /// Returns `true` if no object fits both shapes: one requires a key that the other rejects, or both require a key with different
        /// JSON types.
        $($constant)? fn disjoint(a: &Shape, b: &Shape, steps: &mut u16) -> bool {
            requires_what_is_rejected(a, b, steps) || requires_what_is_rejected(b, a, steps)
        }

        $($constant)? fn requires_what_is_rejected(a: &Shape, b: &Shape, steps: &mut u16) -> bool {
            let (Kind::Object(a), Kind::Object(b)) = (&a.kind, &b.kind) else { return false };
            let (Some(required), Some(known)) = (elements(&a.fields), elements(&b.fields)) else { return false };
            any!(field in required => {
                let (must_be_there, is_closed) = (field.required && !field.flatten, matches!(b.unknown, UnknownKeys::Rejected));
                let is_unknown = !any!(other in known => other.flatten || common_key(field, other));
                let is_other = any!(other in known => !other.flatten
                    && common_key(field, other)
                    && types_behind(&field.shape, steps) & types_behind(&other.shape, steps) == 0);
                must_be_there && (is_unknown && is_closed || is_other)
            })
        }
    };
}

pub(super) use mistaken;
