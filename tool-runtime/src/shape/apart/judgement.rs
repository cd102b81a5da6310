//! The judgements themselves, as a macro, so that the same lines are `const fn` for the compiler and ordinary functions for `build()`.
//!
//! The module around them says what can be seen, with `follow` (an edge), `elements` (a list) and `known` (a text). What always holds:
//! what cannot be seen is passed over, and a judgement takes at most `MOST_STEPS` steps, however the types lead back to each other.

macro_rules! judgement {
    ($($constant:tt)?) => {
        use super::Clash;
        use crate::shape::{Field, Kind, Object, Tagging, Union, Unknown};

        /// Shapes that one judgement looks at; what lies beyond is passed over.
        const MOST_STEPS: u16 = 4_096;

        /// The later variant that may take a value which breaks a rule of this one: serde takes the first that decodes, and knows nothing
        /// of rules.
        pub(crate) $($constant)? fn mistaken(union: &Union, index: usize) -> Option<usize> {
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

        /// What keeps a flattened field from getting its keys.
        pub(crate) $($constant)? fn clash(object: &Object, index: usize) -> Option<Clash> {
            let mut steps = MOST_STEPS;
            let Some(fields) = elements(&object.fields) else { return None };
            let Some(target) = target(&fields[index].shape, &mut steps) else { return None };
            if !has_keys(target) {
                return Some(Clash::NoKeys);
            }
            if takes_nothing(target) && matches!(object.unknown, Unknown::Refused) {
                return Some(Clash::ClosedMap);
            }
            let mut other = 0;
            while other < fields.len() {
                // Of two flattened fields the later one is told.
                let is_told_elsewhere = other == index || (fields[other].flatten && other > index);
                if !is_told_elsewhere && knows(target, &fields[other], &mut steps) {
                    return Some(Clash::SharedKey(other));
                }
                other += 1;
            }
            None
        }

        /// Whether the payload of a variant has no keys, which could stand beside a tag.
        pub(crate) $($constant)? fn is_keyless(union: &Union, index: usize) -> bool {
            let mut steps = MOST_STEPS;
            let Some(variants) = elements(&union.variants) else { return false };
            match &variants[index].payload {
                Some(edge) => match target(edge, &mut steps) {
                    Some(target) => !has_keys(target),
                    None => false,
                },
                None => false,
            }
        }

        /// Whether serde can find a value of the kind among the keys of an object.
        $($constant)? fn has_keys(shape: &Shape) -> bool {
            !matches!(
                shape.kind,
                Kind::Boolean | Kind::Integer | Kind::Number(_) | Kind::String | Kind::Array(_) | Kind::Tuple(_)
            )
        }

        /// Whether a flattened type looks at keys and takes none away, so that nobody seems to know them.
        $($constant)? fn takes_nothing(shape: &Shape) -> bool {
            match &shape.kind {
                Kind::Map { .. } | Kind::Any => true,
                Kind::Union(union) => matches!(union.tagging, Tagging::Internal { .. } | Tagging::Untagged),
                _ => false,
            }
        }

        /// The payload of a variant, where there is one to be seen.
        pub(crate) $($constant)? fn payload(union: &Union, index: usize) -> Option<&Shape> {
            let Some(variants) = elements(&union.variants) else { return None };
            match &variants[index].payload {
                Some(edge) => follow(edge),
                None => None,
            }
        }

        /// Takes one step; `false` where there are none left.
        $($constant)? fn step(steps: &mut u16) -> bool {
            *steps = steps.saturating_sub(1);
            *steps > 0
        }

        /// The shape itself, behind all names.
        $($constant)? fn target<'e>(edge: &'e Ref, steps: &mut u16) -> Option<&'e Shape> {
            let Some(shape) = follow(edge) else { return None };
            match &shape.kind {
                Kind::Alias(inner) | Kind::Nullable(inner) if step(steps) => target(inner, steps),
                _ => Some(shape),
            }
        }

        /// Whether an object knows a key of the field, or of what is flattened into it.
        $($constant)? fn knows(shape: &Shape, field: &Field, steps: &mut u16) -> bool {
            let Kind::Object(object) = &shape.kind else { return false };
            let Some(fields) = elements(&object.fields) else { return false };
            if !step(steps) {
                return false;
            }
            if field.flatten {
                return match target(&field.shape, steps) {
                    Some(other) => shares(fields, other, steps),
                    None => false,
                };
            }
            let mut index = 0;
            while index < fields.len() {
                let is_known = if !fields[index].flatten {
                    common_key(&fields[index], field)
                } else if let Some(inner) = target(&fields[index].shape, steps) {
                    knows(inner, field, steps)
                } else {
                    false
                };
                if is_known {
                    return true;
                }
                index += 1;
            }
            false
        }

        $($constant)? fn shares(fields: &[Field], other: &Shape, steps: &mut u16) -> bool {
            let mut index = 0;
            while index < fields.len() {
                if knows(other, &fields[index], steps) {
                    return true;
                }
                index += 1;
            }
            false
        }

        $($constant)? fn common_key(a: &Field, b: &Field) -> bool {
            let mut left = 0;
            while let Some(key) = key(a, left) {
                let mut right = 0;
                while let Some(other) = self::key(b, right) {
                    if same(key.as_bytes(), other.as_bytes()) {
                        return true;
                    }
                    right += 1;
                }
                left += 1;
            }
            false
        }

        /// The name, then the aliases.
        $($constant)? fn key(field: &Field, index: usize) -> Option<&str> {
            if index == 0 {
                return known(&field.name);
            }
            match elements(&field.aliases) {
                Some(aliases) if index <= aliases.len() => known(&aliases[index - 1]),
                _ => None,
            }
        }

        $($constant)? fn same(a: &[u8], b: &[u8]) -> bool {
            let mut index = 0;
            while index < a.len() && index < b.len() && a[index] == b[index] {
                index += 1;
            }
            index == a.len() && index == b.len()
        }

        /// Whether the author has put a rule on the shape or inside it. The rules of std types are serde's own, which says no by itself.
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

        /// The JSON types that a shape accepts, one bit each; all of them where nobody can tell.
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

        /// Whether no object fits both: one requires a key that the other refuses, or both mean different JSON types by a key that must
        /// be there.
        $($constant)? fn disjoint(a: &Shape, b: &Shape, steps: &mut u16) -> bool {
            requires_what_is_refused(a, b, steps) || requires_what_is_refused(b, a, steps)
        }

        $($constant)? fn requires_what_is_refused(a: &Shape, b: &Shape, steps: &mut u16) -> bool {
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
                if must_be_there && !found && matches!(b.unknown, Unknown::Refused) {
                    return true;
                }
                index += 1;
            }
            false
        }
    };
}

pub(super) use judgement;
