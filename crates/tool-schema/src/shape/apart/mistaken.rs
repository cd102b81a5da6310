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
            let own = match elements(&shape.rules) {
                Some(rules) => !rules.is_empty(),
                None => false,
            };
            match &shape.kind {
                Kind::Alias(inner) | Kind::Nullable(inner) => own || has_rules_behind(inner, steps),
                Kind::Array(inner) | Kind::Map { values: inner, .. } => has_rules_behind(inner, steps),
                Kind::Tuple(positions) => own || has_ruled_position(positions, steps),
                Kind::Object(object) => own || has_ruled_field(object, steps),
                Kind::Union(union) => own || has_ruled_payload(union, steps),
                _ => false,
            }
        }

        $($constant)? fn has_rules_behind(edge: &Ref, steps: &mut u16) -> bool {
            match follow(edge) {
                Some(shape) => has_rules(shape, steps),
                None => false,
            }
        }

        $($constant)? fn has_ruled_position(positions: &List<Ref>, steps: &mut u16) -> bool {
            let Some(positions) = elements(positions) else { return false };
            let mut index = 0;
            while index < positions.len() {
                if has_rules_behind(&positions[index], steps) {
                    return true;
                }
                index += 1;
            }
            false
        }

        $($constant)? fn has_ruled_field(object: &Object, steps: &mut u16) -> bool {
            let Some(fields) = elements(&object.fields) else { return false };
            let mut index = 0;
            while index < fields.len() {
                let is_ruled = match elements(&fields[index].rules) {
                    Some(rules) => !rules.is_empty(),
                    None => false,
                };
                if is_ruled || has_rules_behind(&fields[index].shape, steps) {
                    return true;
                }
                index += 1;
            }
            false
        }

        $($constant)? fn has_ruled_payload(union: &Union, steps: &mut u16) -> bool {
            let Some(variants) = elements(&union.variants) else { return false };
            let mut index = 0;
            while index < variants.len() {
                if let Some(payload) = &variants[index].payload
                    && has_rules_behind(payload, steps)
                {
                    return true;
                }
                index += 1;
            }
            false
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
            match follow(edge) {
                Some(shape) => types(shape, steps),
                None => EVERY,
            }
        }

        /// Returns `true` if no object fits both shapes: one requires a key that the other rejects, or both require a key with different
        /// JSON types.
        $($constant)? fn disjoint(a: &Shape, b: &Shape, steps: &mut u16) -> bool {
            requires_what_is_rejected(a, b, steps) || requires_what_is_rejected(b, a, steps)
        }

        $($constant)? fn requires_what_is_rejected(a: &Shape, b: &Shape, steps: &mut u16) -> bool {
            let (Kind::Object(a), Kind::Object(b)) = (&a.kind, &b.kind) else { return false };
            let (Some(required), Some(known)) = (elements(&a.fields), elements(&b.fields)) else { return false };
            let mut index = 0;
            while index < required.len() {
                let field = &required[index];
                let must_be_there = field.required && !field.flatten;
                let (mut found, mut other) = (false, 0);
                while other < known.len() {
                    if known[other].flatten {
                        found = true;
                    } else if common_key(field, &known[other]) {
                        found = true;
                        let (one, two) = (types_behind(&field.shape, steps), types_behind(&known[other].shape, steps));
                        if must_be_there && one & two == 0 {
                            return true;
                        }
                    }
                    other += 1;
                }
                if must_be_there && !found && matches!(b.unknown, Unknown::Rejected) {
                    return true;
                }
                index += 1;
            }
            false
        }
    };
}

pub(super) use mistaken;
