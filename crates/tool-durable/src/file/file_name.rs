//! The name of a conversation's file.
//!
//! Invariants: different ids have different names, even on file systems that ignore case or normalize Unicode. A name is neither a path nor
//! a reserved name of a system, and has at most [`MOST_BYTES`] bytes.

/// The maximum number of bytes of a name, without its extension. The usual limit of file systems is 255, with the extension.
pub(super) const MOST_BYTES: usize = 240;

/// The prefix of every name, because `aux`, `con` and `nul` are reserved on Windows.
const PREFIX: &str = "c-";

/// Returns the name for an id. If the name would be too long, returns its length as the error. Lowercase ASCII letters, digits, `-` and `_`
/// are kept; every other byte is written as `%` and two hexadecimal digits.
pub(super) fn name(id: &str) -> Result<String, usize> {
    let is_kept = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
    let bytes = PREFIX.len() + id.bytes().map(|byte| if is_kept(byte) { 1 } else { 3 }).sum::<usize>();
    if bytes > MOST_BYTES {
        return Err(bytes);
    }
    let mut name = String::with_capacity(bytes);
    name.push_str(PREFIX);
    for byte in id.bytes() {
        if is_kept(byte) {
            name.push(char::from(byte));
        } else {
            name.push('%');
            name.extend([byte >> 4, byte & 15].map(|digit| char::from(b"0123456789abcdef"[usize::from(digit)])));
        }
    }
    Ok(name)
}

/// Returns the id of a name; `None` if [`name`] does not make this name. Because this inverse exists, no two ids have the same name.
pub(super) fn id(found: &str) -> Option<String> {
    let mut rest = found.strip_prefix(PREFIX)?.bytes();
    let mut id = Vec::new();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            id.push(byte);
            continue;
        }
        let digits = [rest.next()?, rest.next()?];
        id.push(u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?);
    }
    let id = String::from_utf8(id).ok()?;
    (name(&id).as_deref() == Ok(found)).then_some(id)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn an_id_is_found_only_in_its_own_name(found in "(c-)?[a-zA-Z0-9%._-]{0,20}") {
            if let Some(id) = id(&found) {
                prop_assert_eq!(name(&id), Ok(found));
            }
        }

        #[test]
        fn a_name_is_safe_and_says_its_id(text in "\\PC{0,80}|[a-zA-Z0-9./\\\\%_-]{0,90}|[\\x00-\\x7f]{0,60}") {
            match name(&text) {
                Ok(name) => {
                    prop_assert!(name.len() <= MOST_BYTES);
                    prop_assert!(name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'%')), "{}", name);
                    prop_assert_eq!(id(&name), Some(text));
                }
                Err(bytes) => prop_assert!(bytes > MOST_BYTES && text.len() > 79),
            }
        }
    }

    #[test]
    fn names_of_hostile_ids() {
        assert_eq!(name("order-7").as_deref(), Ok("c-order-7"));
        assert_eq!(name("../../etc/passwd").as_deref(), Ok("c-%2e%2e%2f%2e%2e%2fetc%2fpasswd"));
        assert_eq!(name("Order").as_deref(), Ok("c-%4frder"));
        assert_eq!(name("").as_deref(), Ok("c-"));
        assert_eq!(name(&"x".repeat(239)), Err(241));
    }
}
