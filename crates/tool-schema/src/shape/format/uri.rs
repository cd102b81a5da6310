//! `uri` and `uri-reference` (RFC 3986).
//! Comes in: a text. Goes out: whether it follows the generic syntax: scheme, authority with port and IP literal,
//! allowed characters, percent escapes. Rules of single schemes are not known here, nor is any text normalised.

use std::net::Ipv6Addr;

/// With a scheme.
pub(super) fn absolute(text: &str) -> bool {
    scheme(text).is_some() && reference(text)
}

/// With or without a scheme.
pub(super) fn reference(text: &str) -> bool {
    let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
    let (text, query) = text.split_once('?').unwrap_or((text, ""));
    let scheme = scheme(text);
    let rest = scheme.map_or(text, |scheme| &text[scheme.len() + 1..]);
    let path = match rest.strip_prefix("//") {
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            if !is_authority(authority) {
                return false;
            }
            path
        }
        // The first segment of a relative path would be read as a scheme.
        None if scheme.is_none() && rest.split('/').next().is_some_and(|segment| segment.contains(':')) => {
            return false;
        }
        None => rest,
    };
    consists_of(path, b"/:@") && consists_of(query, b"/:@?") && consists_of(fragment, b"/:@?")
}

/// What stands before the first `:`, if that can be a scheme.
fn scheme(text: &str) -> Option<&str> {
    let (scheme, _) = text.split_once(':')?;
    let sound = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    (scheme.starts_with(|first: char| first.is_ascii_alphabetic()) && scheme.bytes().all(sound)).then_some(scheme)
}

/// `[ userinfo "@" ] host [ ":" port ]`
fn is_authority(text: &str) -> bool {
    let (user, host) = text.split_once('@').unwrap_or(("", text));
    let (host_is_sound, port) = if let Some(literal) = host.strip_prefix('[') {
        literal.split_once(']').map_or((false, ""), |(literal, port)| (is_ip_literal(literal), port))
    } else {
        let (name, port) = host.split_at(host.find(':').unwrap_or(host.len()));
        (consists_of(name, b""), port)
    };
    let digits = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    host_is_sound && consists_of(user, b":") && (port.is_empty() || port.strip_prefix(':').is_some_and(digits))
}

/// An IPv6 address, or `"v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )`.
fn is_ip_literal(text: &str) -> bool {
    let future = |(version, address): (&str, &str)| {
        let hexadecimal = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_hexdigit());
        hexadecimal && !address.is_empty() && !address.contains('%') && consists_of(address, b":")
    };
    text.parse::<Ipv6Addr>().is_ok()
        || text.strip_prefix(['v', 'V']).and_then(|rest| rest.split_once('.')).is_some_and(future)
}

/// Unreserved characters, sub-delimiters, whole percent escapes and what is in `others`.
fn consists_of(text: &str, others: &[u8]) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let sound = match byte {
            b'%' => (0..2).all(|_| bytes.next().is_some_and(|digit| digit.is_ascii_hexdigit())),
            _ => byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&byte) || others.contains(&byte),
        };
        if !sound {
            return false;
        }
    }
    true
}
