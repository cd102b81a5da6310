//! Objects and flattened fields, compared with structs that serde decodes.

use std::collections::BTreeMap;

use serde::Deserialize;
use tool_schema::shape::{Kind, Ref, SharedSlice, Tagging, Text, UnknownKeys};

use crate::check::{
    STRING, agrees, flattened, issues, nullable, object, optional, shape, table, u8_shape, union, variant,
};

#[derive(Deserialize)]
#[allow(dead_code)]
#[serde(deny_unknown_fields)]
struct Closed {
    #[serde(alias = "first")]
    a: u8,
    b: Option<u8>,
    #[serde(default)]
    c: u8,
}

fn closed(unknown: UnknownKeys) -> &'static tool_schema::shape::Shape {
    static ALIASES: &[Text] = &[Text::from_static("first")];
    let a = tests::private::FieldInit { aliases: ALIASES, ..crate::check::field("a", u8_shape()) };
    object(&[a, optional("b", nullable(u8_shape())), optional("c", u8_shape())], unknown)
}

#[test]
fn fields_are_accepted_like_in_serde() {
    let texts = [
        "{\"a\": 1}",
        "{\"first\": 1}",
        "{\"a\": 1, \"first\": 1}",
        "{\"a\": 1, \"a\": 2}",
        "{\"b\": 1}",
        "{}",
        "null",
        "{\"a\": 1, \"b\": null, \"c\": 2}",
        "{\"a\": 1, \"c\": null}",
        "{\"a\": 1, \"d\": 2}",
        "{\"a\": 256}",
    ];
    agrees::<Closed>(closed(UnknownKeys::Rejected), &texts, &["[1, 2, 3]"]);
}

#[test]
fn issues_of_fields_come_in_declaration_order_before_unknown_keys() {
    let known = "is not a known field (known: a, b, c)";
    table(
        closed(UnknownKeys::Rejected),
        &[
            (
                "{\"z\": 1, \"c\": \"x\", \"y\": 2}",
                &format!("a is required; c must be an integer; z {known}; y {known}"),
            ),
            ("{\"a\": 1, \"a\": \"x\", \"a\": 3}", "a must be given only once"),
            ("{\"a\": 1, \"first\": 2}", "first must not be given beside a, which means the same"),
            ("{\"first\": \"x\"}", "first must be an integer"),
        ],
    );
    table(closed(UnknownKeys::Ignored), &[("{\"a\": 1, \"z\": 1, \"z\": 2}", "")]);
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Inner {
    x: u8,
    y: u8,
}

fn inner() -> &'static tool_schema::shape::Shape {
    object(&[crate::check::field("x", u8_shape()), crate::check::field("y", u8_shape())], UnknownKeys::Rejected)
}

#[test]
fn a_flattened_struct_in_a_closed_struct_is_checked_like_in_serde() {
    #[derive(Deserialize)]
    #[allow(dead_code)]
    #[serde(deny_unknown_fields)]
    struct Outer {
        a: u8,
        #[serde(flatten)]
        inner: Inner,
    }
    let outer = object(&[crate::check::field("a", u8_shape()), flattened(inner())], UnknownKeys::Rejected);
    let texts = [
        "{\"a\": 1, \"x\": 1, \"y\": 1}",
        "{\"a\": 1, \"x\": 1}",
        "{\"x\": 1, \"y\": 1}",
        "{\"a\": 1, \"x\": 1, \"y\": 1, \"z\": 1}",
        "{\"a\": 1, \"x\": 1, \"x\": 1, \"y\": 1}",
        "{\"a\": 1, \"x\": 1, \"y\": 1, \"flattened\": {\"x\": 1, \"y\": 1}}",
    ];
    agrees::<Outer>(outer, &texts, &[]);
    let said = "a is required; y is required; z is not a known field (known: a, x, y)";
    table(outer, &[("{\"z\": 1, \"x\": 1}", said)]);
}

#[test]
fn a_flattened_option_is_absent_if_it_does_not_decode() {
    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Outer {
        #[serde(flatten)]
        inner: Option<Inner>,
    }
    let outer = object(&[flattened(nullable(inner()))], UnknownKeys::Ignored);
    let texts = ["{}", "{\"x\": 1}", "{\"x\": 1, \"y\": 1}", "{\"x\": \"a\", \"y\": 1}", "[]"];
    // A number that is too large for its type is reported, although serde decodes the field as absent.
    agrees::<Outer>(outer, &texts[..4], &["{\"x\": 1, \"y\": 300}", "[]"][..1]);
}

#[test]
fn a_flattened_map_accepts_the_remaining_keys() {
    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Outer {
        a: u8,
        #[serde(flatten)]
        rest: BTreeMap<String, String>,
    }
    let map = shape(Kind::Map { keys: Ref::Static(STRING), values: Ref::Static(STRING) });
    let outer = object(&[crate::check::field("a", u8_shape()), flattened(map)], UnknownKeys::Ignored);
    agrees::<Outer>(outer, &["{\"a\": 1}", "{\"a\": 1, \"b\": \"x\"}", "{\"a\": 1, \"b\": 2}", "{\"b\": \"x\"}"], &[]);
    table(outer, &[("{\"b\": 2, \"c\": 3}", "a is required; b must be a string; c must be a string")]);
}

#[derive(Deserialize)]
#[allow(dead_code)]
enum External {
    X(u8),
    Y { y: u8 },
}

#[derive(Deserialize)]
#[allow(dead_code)]
#[serde(tag = "t")]
enum Internal {
    X { x: u8 },
    U,
}

#[derive(Deserialize)]
#[allow(dead_code)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    X(u8),
    U,
}

#[derive(Deserialize)]
#[allow(dead_code)]
#[serde(untagged)]
enum Untagged {
    X { x: u8 },
    Y { y: u8, z: u8 },
}

#[test]
fn flattened_enums_are_checked_like_in_serde() {
    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Outer<T> {
        a: u8,
        #[serde(flatten)]
        inner: T,
    }
    let outer = |inner| object(&[crate::check::field("a", u8_shape()), flattened(inner)], UnknownKeys::Ignored);
    let of = |name: &'static str| object(&[crate::check::field(name, u8_shape())], UnknownKeys::Ignored);
    let tag = || Text::from_static("t");
    let texts = [
        "{\"a\": 1}",
        "{\"a\": 1, \"X\": 1}",
        "{\"a\": 1, \"X\": \"x\"}",
        "{\"a\": 1, \"z\": 1, \"X\": 1, \"Y\": 1}",
        "{\"a\": 1, \"Y\": {\"y\": 1}}",
        "{\"a\": 1, \"t\": \"X\", \"x\": 1}",
        "{\"a\": 1, \"x\": 1, \"t\": \"X\", \"z\": 1}",
        "{\"a\": 1, \"t\": \"U\"}",
        "{\"a\": 1, \"t\": \"Z\"}",
        "{\"a\": 1, \"t\": \"X\", \"c\": 1}",
        "{\"a\": 1, \"t\": \"X\"}",
        "{\"a\": 1, \"c\": 1}",
        "{\"a\": 1, \"x\": 1}",
        "{\"a\": 1, \"y\": 1, \"z\": 2}",
        "{\"a\": 1, \"y\": 1}",
        "{\"t\": \"U\"}",
    ];
    let external = [variant("X", Some(u8_shape())), variant("Y", Some(of("y")))];
    agrees::<Outer<External>>(outer(union(Tagging::External, &external, UnknownKeys::Ignored)), &texts, &[]);
    let internal = [variant("X", Some(of("x"))), variant("U", None)];
    let tagging = Tagging::Internal { tag: tag() };
    agrees::<Outer<Internal>>(
        outer(union(tagging, &internal, UnknownKeys::Ignored)),
        &texts,
        &["{\"a\": 1, \"t\": 1}"],
    );
    let adjacent = [variant("X", Some(u8_shape())), variant("U", None)];
    let tagging = Tagging::Adjacent { tag: tag(), content: Text::from_static("c") };
    agrees::<Outer<Adjacent>>(outer(union(tagging, &adjacent, UnknownKeys::Ignored)), &texts, &[]);
    let yz =
        object(&[crate::check::field("y", u8_shape()), crate::check::field("z", u8_shape())], UnknownKeys::Ignored);
    let untagged = [variant("X", Some(of("x"))), variant("Y", Some(yz))];
    let untagged = outer(union(Tagging::Untagged, &untagged, UnknownKeys::Ignored));
    agrees::<Outer<Untagged>>(untagged, &texts, &[]);
    table(untagged, &[("{\"a\": 1, \"y\": 1}", "z is required")]);
}

#[test]
fn sensitive_values_are_never_shown() {
    use tests::private::FieldInit;
    let secret = |shape| FieldInit { sensitive: true, ..crate::check::field("secret", shape) };
    let choice = union(Tagging::External, &[variant("hunter2", None)], UnknownKeys::Ignored);
    let inner =
        object(&[crate::check::field("pin", u8_shape()), crate::check::field("word", choice)], UnknownKeys::Rejected);
    let outer = object(&[secret(inner)], UnknownKeys::Rejected);
    let found = issues(outer, "{\"secret\": {\"pin\": 987654, \"word\": \"hunter1\", \"extra\": 1}}");
    let text = format!("{found:?} {}", found.iter().map(tool_runtime::Issue::message).collect::<String>());
    assert_eq!(found.len(), 3);
    assert!(found.iter().all(|issue| &*issue.got.preview == "<redacted>" && issue.suggestion.is_none()));
    assert!(["987654", "hunter1", "extra"].iter().all(|part| !text.contains(part)), "{text}");
}

#[test]
fn lists_of_names_are_shared_between_issues() {
    use tool_schema::issue::Constraint;
    let found = issues(closed(UnknownKeys::Rejected), "{\"a\": 1, \"y\": 1, \"z\": 1}");
    let lists: Vec<_> = found
        .iter()
        .filter_map(|issue| match &issue.constraint {
            Constraint::UnknownField { allowed: SharedSlice::Shared(allowed) } => Some(allowed.as_ptr()),
            _ => None,
        })
        .collect();
    assert!(lists.len() == 2 && lists[0] == lists[1]);
}

#[derive(Deserialize)]
#[allow(dead_code)]
#[serde(deny_unknown_fields)]
struct ClosedAround {
    a: u8,
    #[serde(flatten)]
    inner: Internal,
}

#[test]
fn a_closed_object_rejects_the_keys_of_a_flattened_enum() {
    let of_x = object(&[crate::check::field("x", u8_shape())], UnknownKeys::Ignored);
    let variants = [variant("X", Some(of_x)), variant("U", None)];
    let inner = union(Tagging::Internal { tag: Text::from_static("t") }, &variants, UnknownKeys::Ignored);
    let shape = object(&[crate::check::field("a", u8_shape()), flattened(inner)], UnknownKeys::Rejected);
    agrees::<ClosedAround>(
        shape,
        &["{\"a\": 1}", "{\"a\": 1, \"t\": \"U\"}", "{\"a\": 1, \"t\": \"X\", \"x\": 1}"],
        &[],
    );
}
