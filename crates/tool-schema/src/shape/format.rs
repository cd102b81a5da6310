//! The string formats of JSON Schema: their names, grammars, descriptions and examples.
//!
//! Each format follows the grammar of the RFC that JSON Schema names. `std` parses addresses and `fluent_uri` parses URIs
//! (`docs/decisions/0001-libraries-and-own-code.md`). Invariant: linear time, no allocation, no panic; each example is accepted.

mod calendar;
mod internet;

#[cfg(test)]
mod tests;

use std::net::{Ipv4Addr, Ipv6Addr};

use fluent_uri::{Uri, UriRef};

/// A string format of JSON Schema.
///
/// A format accepts the same texts as JSON Schema 2020-12 with format assertion. Two formats are deliberately simpler than IDNA and
/// RFC 5322: the `xn--` labels of a host name are letters, digits and hyphens and are not decoded, and an email address is the `Mailbox` of
/// RFC 5321, so `Ada <ada@example.org>` is rejected.
///
/// ```
/// use tool_schema::shape::StringFormat;
///
/// assert_eq!(StringFormat::from_name("date"), Some(StringFormat::Date));
/// assert!(StringFormat::Date.accepts("2024-02-29"));
/// assert!(!StringFormat::Date.accepts("2025-02-29"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StringFormat {
    /// `date-time`: a date and a time of day with its offset from UTC (RFC 3339 §5.6).
    DateTime,
    /// `date`: a day of the Gregorian calendar (RFC 3339 §5.6, `full-date`).
    Date,
    /// `time`: a time of day with its offset from UTC (RFC 3339 §5.6, `full-time`).
    Time,
    /// `duration`: an ISO 8601 duration (RFC 3339 appendix A).
    Duration,
    /// `email`: an email address (RFC 5321 §4.1.2, `Mailbox`).
    Email,
    /// `hostname`: a host name of the Internet (RFC 1123 §2.1).
    Hostname,
    /// `ipv4`: four decimal numbers (RFC 2673 §3.2).
    Ipv4,
    /// `ipv6`: an IPv6 address without a zone (RFC 4291 §2.2).
    Ipv6,
    /// `uri`: a URI with its scheme (RFC 3986).
    Uri,
    /// `uri-reference`: a URI or a relative reference (RFC 3986 §4.1).
    UriReference,
    /// `uuid`: a UUID of any version, written in 36 characters with hyphens (RFC 4122 §3).
    Uuid,
    /// `json-pointer`: a JSON Pointer in its string form (RFC 6901 §5).
    JsonPointer,
}

/// The properties of one format.
struct Facts {
    name: &'static str,
    expectation: &'static str,
    example: &'static str,
    accepts: fn(&str) -> bool,
}

impl StringFormat {
    /// Every format, in the order of the JSON Schema specification.
    pub const ALL: &'static [Self] = &[
        Self::DateTime,
        Self::Date,
        Self::Time,
        Self::Duration,
        Self::Email,
        Self::Hostname,
        Self::Ipv4,
        Self::Ipv6,
        Self::Uri,
        Self::UriReference,
        Self::Uuid,
        Self::JsonPointer,
    ];

    /// Returns the format with this name in JSON Schema; `None` for an unknown name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.name() == name)
    }

    /// Returns the name in JSON Schema.
    pub const fn name(self) -> &'static str {
        self.facts().name
    }

    /// Returns the description for a model.
    pub const fn expectation(self) -> &'static str {
        self.facts().expectation
    }

    /// Returns a text that the format accepts.
    pub const fn example(self) -> &'static str {
        self.facts().example
    }

    /// Returns `true` if `text` has this format, in time linear in its length.
    pub fn accepts(self, text: &str) -> bool {
        (self.facts().accepts)(text)
    }

    const fn facts(self) -> Facts {
        match self {
            Self::DateTime => Facts {
                name: "date-time",
                expectation: "date and time with offset (RFC 3339, YYYY-MM-DDThh:mm:ssZ)",
                example: "2025-01-31T09:30:00Z",
                accepts: calendar::date_time,
            },
            Self::Date => {
                Facts { name: "date", expectation: "date (YYYY-MM-DD)", example: "2025-01-31", accepts: calendar::date }
            }
            Self::Time => Facts {
                name: "time",
                expectation: "time of day with offset (RFC 3339, hh:mm:ssZ)",
                example: "09:30:00Z",
                accepts: calendar::time,
            },
            Self::Duration => Facts {
                name: "duration",
                expectation: "duration (ISO 8601, PnDTnHnMnS)",
                example: "PT1H30M",
                accepts: calendar::duration,
            },
            Self::Email => Facts {
                name: "email",
                expectation: "email address",
                example: "ada@example.org",
                accepts: internet::email,
            },
            Self::Hostname => Facts {
                name: "hostname",
                expectation: "host name",
                example: "www.example.org",
                accepts: internet::hostname,
            },
            Self::Ipv4 => Facts {
                name: "ipv4",
                expectation: "IPv4 address (four numbers with dots)",
                example: "192.0.2.1",
                accepts: |text| text.parse::<Ipv4Addr>().is_ok(),
            },
            Self::Ipv6 => Facts {
                name: "ipv6",
                expectation: "IPv6 address",
                example: "2001:db8::1",
                accepts: |text| text.parse::<Ipv6Addr>().is_ok(),
            },
            Self::Uri => Facts {
                name: "uri",
                expectation: "URI with its scheme (https://…)",
                example: "https://example.org/path",
                accepts: |text| Uri::parse(text).is_ok(),
            },
            Self::UriReference => Facts {
                name: "uri-reference",
                expectation: "URI or relative reference",
                example: "../path?query",
                accepts: |text| UriRef::parse(text).is_ok(),
            },
            Self::Uuid => Facts {
                name: "uuid",
                expectation: "UUID (hexadecimal digits in groups of 8-4-4-4-12)",
                example: "123e4567-e89b-12d3-a456-426614174000",
                accepts: uuid,
            },
            Self::JsonPointer => Facts {
                name: "json-pointer",
                expectation: "JSON Pointer (RFC 6901, begins with /)",
                example: "/items/0/name",
                accepts: json_pointer,
            },
        }
    }
}

fn uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

/// Returns `true` for an empty text, or tokens that each begin with `/` and escape `~` as `~0` and `/` as `~1`.
fn json_pointer(text: &str) -> bool {
    (text.is_empty() || text.starts_with('/')) && text.split('~').skip(1).all(|after| after.starts_with(['0', '1']))
}
