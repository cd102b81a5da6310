//! Loops over slices in a `const fn`, which cannot use iterators.

/// Returns `true` if the condition holds for an element of a slice.
macro_rules! any {
    ($element:ident in $list:expr => $condition:expr) => {{
        let (list, mut index) = ($list, 0);
        loop {
            if index == list.len() {
                break false;
            }
            let $element = &list[index];
            if $condition {
                break true;
            }
            index += 1;
        }
    }};
}

/// Returns the first result of an expression for an element of a slice that is not `None`.
macro_rules! first {
    ($element:ident in $list:expr => $result:expr) => {{
        let (list, mut index) = ($list, 0);
        loop {
            if index == list.len() {
                break None;
            }
            let $element = &list[index];
            if let Some(result) = $result {
                break Some(result);
            }
            index += 1;
        }
    }};
}

pub(crate) use {any, first};

/// Returns the number of characters of a text: all bytes except those that continue a character.
pub(crate) const fn characters(text: &str) -> usize {
    let (bytes, mut index, mut count) = (text.as_bytes(), 0, 0);
    while index < bytes.len() {
        count += (bytes[index] & 0b1100_0000 != 0b1000_0000) as usize;
        index += 1;
    }
    count
}
