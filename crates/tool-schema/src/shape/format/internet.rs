//! `hostname` (RFC 1123 §2.1) and `email` (RFC 5321 §4.1.2, `Mailbox`).
//!
//! A text must follow the grammar and the length limits of DNS and SMTP. There is no DNS lookup, and `xn--` labels are not decoded, because
//! the Unicode tables of IDNA are too large for the benefit. `docs/decisions/0001-libraries-and-own-code.md` compares this with the crate
//! `email_address`.

use std::net::{Ipv4Addr, Ipv6Addr};

pub(super) fn hostname(text: &str) -> bool {
    text.len() <= 253 && text.split('.').all(is_label)
}

/// Returns `true` for letters, digits and inner hyphens. Hyphens as both the third and the fourth character are reserved for `xn--` (RFC
/// 5891 §4.2.3.1).
fn is_label(text: &str) -> bool {
    (1..=63).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && !text.starts_with('-')
        && !text.ends_with('-')
        && (text.get(2..4) != Some("--") || text[..2].eq_ignore_ascii_case("xn"))
}

pub(super) fn email(text: &str) -> bool {
    text.rsplit_once('@').is_some_and(|(local, domain)| is_local_part(local) && is_mail_domain(domain))
}

fn is_local_part(text: &str) -> bool {
    let quoted = || text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).is_some_and(is_quoted_content);
    text.len() <= 64 && (text.split('.').all(is_atom) || quoted())
}

fn is_atom(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&byte))
}

/// Returns `true` for printable ASCII with a backslash before `"` and `\`.
fn is_quoted_content(text: &str) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let printable = match byte {
            b'"' => return false,
            b'\\' => bytes.next(),
            _ => Some(byte),
        };
        if !printable.is_some_and(|byte| matches!(byte, b' '..=b'~')) {
            return false;
        }
    }
    true
}

/// Returns `true` for a host name, or an address in brackets.
fn is_mail_domain(text: &str) -> bool {
    let Some(literal) = text.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else { return hostname(text) };
    match literal.split_at_checked(5) {
        Some((tag, address)) if tag.eq_ignore_ascii_case("IPv6:") => address.parse::<Ipv6Addr>().is_ok(),
        _ => literal.parse::<Ipv4Addr>().is_ok(),
    }
}
