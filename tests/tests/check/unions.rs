//! Unions in the four representations of serde, compared with enums that serde decodes.

use serde::Deserialize;
use tests::deep::Stage;
use tests::private::VariantInit;
use tool_runtime::ToolInput;
use tool_schema::issue::Constraint;
use tool_schema::shape::{Kind, Ref, Shape, Tagging, Text, UnknownKeys};

use crate::check::{STRING, agrees, field, issues, nullable, object, shape, table, u8_shape, union, variant};

const TEXTS: &[&str] = &[
    "\"U\"",
    "\"V\"",
    "\"N\"",
    "\"Z\"",
    "{}",
    "null",
    "1",
    "[]",
    "{\"N\": 1}",
    "{\"N\": \"x\"}",
    "{\"S\": {\"a\": 1}}",
    "{\"S\": {}}",
    "{\"S\": {\"a\": 1, \"b\": 2}}",
    "{\"Z\": 1}",
    "{\"N\": 1, \"S\": {\"a\": 1}}",
    "{\"O\": null}",
    "{\"O\": {\"a\": 1}}",
    "{\"U\": 1}",
    "{\"t\": \"U\"}",
    "{\"t\": \"V\"}",
    "{\"t\": \"S\", \"a\": 1}",
    "{\"a\": 1, \"t\": \"S\"}",
    "{\"t\": \"S\"}",
    "{\"t\": \"S\", \"a\": 1, \"b\": 2}",
    "{\"t\": \"Z\"}",
    "{\"a\": 1}",
    "{\"t\": 1}",
    "{\"t\": \"S\", \"t\": \"S\", \"a\": 1}",
    "{\"t\": \"N\", \"a\": 1}",
    "{\"t\": \"U\", \"b\": 1}",
    "{\"t\": \"S\", \"c\": {\"a\": 1}}",
    "{\"c\": {\"a\": 1}, \"t\": \"S\"}",
    "{\"t\": \"U\", \"c\": null}",
    "{\"t\": \"U\", \"c\": 1}",
    "{\"t\": \"N\", \"c\": 1}",
    "{\"t\": \"N\"}",
    "{\"t\": \"O\"}",
    "{\"t\": \"O\", \"c\": null}",
    "{\"c\": 1}",
    "{\"t\": \"N\", \"c\": 1, \"d\": 2}",
    "{\"t\": \"N\", \"c\": 1, \"c\": 1}",
    "\"x\"",
    "true",
    "300",
    "{\"a\": \"x\"}",
    "{\"b\": 1}",
    "{\"a\": 1, \"b\": 1}",
];

#[derive(Deserialize)]
#[allow(dead_code)]
struct Inner {
    a: u8,
}

fn inner() -> &'static Shape {
    object(&[field("a", u8_shape())], UnknownKeys::Ignored)
}

fn u(aliases: &'static [Text]) -> VariantInit {
    VariantInit { aliases, ..variant("U", None) }
}

const V: &[Text] = &[Text::from_static("V")];
const OTHER: VariantInit = VariantInit { name: "Other", other: true, ..VariantInit::DEFAULT };

fn variants() -> [VariantInit; 4] {
    [u(V), variant("N", Some(u8_shape())), variant("S", Some(inner())), variant("O", Some(nullable(inner())))]
}

fn tagged(tagging: Tagging) -> &'static Shape {
    union(tagging, &variants(), UnknownKeys::Ignored)
}

fn internal() -> Tagging {
    Tagging::Internal { tag: Text::from_static("t") }
}

fn adjacent() -> Tagging {
    Tagging::Adjacent { tag: Text::from_static("t"), content: Text::from_static("c") }
}

#[test]
fn externally_tagged_enums_are_checked_like_in_serde() {
    #[derive(Deserialize)]
    #[allow(dead_code)]
    enum External {
        #[serde(alias = "V")]
        U,
        N(u8),
        S {
            a: u8,
        },
        O(Option<Inner>),
    }
    let shape = tagged(Tagging::External);
    agrees::<External>(shape, TEXTS, &["{\"S\": [1]}"]);
    agrees::<External>(shape, &["{\"U\": null}"], &[]);
    table(
        shape,
        &[
            ("\"n\"", "the arguments must be one of \"U\", \"N\", \"S\", \"O\""),
            ("\"N\"", "the arguments must be an object"),
            ("{\"n\": 1}", "n must be named one of \"U\", \"N\", \"S\", \"O\""),
            ("{\"S\": {}, \"x\": 1}", "S.a is required; x is not a known field (known: S)"),
            ("{\"S\": {}, \"N\": 1}", "the arguments must have at most 1 property"),
            ("{}", "the arguments must be one of: U; N; S; O"),
            ("3", "the arguments must be a string or an object"),
        ],
    );
    assert_eq!(issues(shape, "{\"n\": 1}")[0].suggestion.as_deref(), Some("N"));
}

#[test]
fn enums_of_unit_variants_are_checked_like_in_serde() {
    #[derive(Deserialize)]
    enum Unit {
        A,
        B,
    }
    let shape = union(Tagging::External, &[variant("A", None), variant("B", None)], UnknownKeys::Ignored);
    agrees::<Unit>(shape, &["\"A\"", "\"B\"", "\"a\"", "{\"A\": null}", "{\"A\": 1}", "{}", "1"], &[]);
    let string = "the arguments must be a string";
    table(shape, &[("{\"A\": 1}", string), ("{\"x\": 1}", string), ("{}", string), ("1", string)]);
}

#[test]
fn internally_tagged_enums_are_checked_like_in_serde() {
    #[derive(Deserialize)]
    #[allow(dead_code)]
    #[serde(tag = "t")]
    enum Internal {
        #[serde(alias = "V")]
        U,
        S {
            a: u8,
        },
        O(Option<Inner>),
    }
    let variants = [u(V), variant("S", Some(inner())), variant("O", Some(nullable(inner())))];
    let shape = union(internal(), &variants, UnknownKeys::Ignored);
    agrees::<Internal>(shape, TEXTS, &["[\"S\", 1]"]);
    table(
        shape,
        &[
            ("{\"a\": 1}", "t is required"),
            ("{\"t\": \"s\", \"a\": \"x\"}", "t must be one of \"U\", \"S\", \"O\""),
            ("{\"t\": \"S\", \"a\": \"x\"}", "a must be an integer"),
            ("{\"t\": 5}", "t must be a string"),
            ("{\"t\": \"S\", \"t\": \"U\"}", "t must be given only once; a is required"),
        ],
    );
    let issue = issues(shape, "{\"t\": \"s\"}").remove(0);
    assert_eq!((issue.suggestion.as_deref(), issue.constraint.keyword()), (None, "discriminator"));
    assert_eq!(issue.expected.to_string(), "one of \"U\", \"S\", \"O\"");
}

#[test]
fn adjacently_tagged_enums_are_checked_like_in_serde() {
    #[derive(Deserialize)]
    #[allow(dead_code)]
    #[serde(tag = "t", content = "c")]
    enum Adjacent {
        #[serde(alias = "V")]
        U,
        N(u8),
        S {
            a: u8,
        },
        O(Option<Inner>),
    }
    let shape = tagged(adjacent());
    agrees::<Adjacent>(shape, TEXTS, &["[\"N\", 1]", "{\"t\": {\"U\": null}}"]);
    table(
        shape,
        &[
            ("{\"t\": \"S\"}", "c is required"),
            ("{\"t\": \"S\", \"c\": {}}", "c.a is required"),
            ("{\"t\": \"U\", \"c\": 1}", "c must be null"),
        ],
    );
    let closed = union(adjacent(), &variants(), UnknownKeys::Rejected);
    table(closed, &[("{\"t\": \"U\", \"d\": 1}", "d is not a known field (known: t, c)")]);
}

#[test]
fn untagged_enums_are_checked_like_in_serde() {
    #[derive(Deserialize)]
    #[allow(dead_code)]
    struct Second {
        a: String,
        b: u8,
    }
    #[derive(Deserialize)]
    #[allow(dead_code)]
    #[serde(untagged)]
    enum Untagged {
        U,
        N(u8),
        S { a: u8 },
        T(Second),
        L(Vec<bool>),
    }
    let second = object(&[field("a", STRING), field("b", u8_shape())], UnknownKeys::Rejected);
    let list = shape(Kind::Array(Ref::Static(crate::check::BOOLEAN)));
    let variants = [
        variant("U", None),
        variant("N", Some(u8_shape())),
        variant("S", Some(inner())),
        variant("T", Some(second)),
        variant("L", Some(list)),
    ];
    let shape = union(Tagging::Untagged, &variants, UnknownKeys::Ignored);
    agrees::<Untagged>(shape, TEXTS, &["[\"x\", 1]"]);
    table(
        shape,
        &[
            ("300", "the arguments must be at most 255"),
            ("\"x\"", "the arguments must be an integer, an object, an array or null"),
            ("[true, 1, 2]", "[1] must be a boolean; [2] must be a boolean"),
            (
                "{\"a\": true, \"b\": 300, \"c\": 1}",
                "a must be a string; b must be at most 255; c is not a known field (known: a, b)",
            ),
            ("{\"a\": true}", "a must be an integer"),
        ],
    );
    let forms = "null; integer from 0 to 255; object with a; object with a, b; array of booleans";
    table(shape, &[("{\"z\": true}", &format!("the arguments must be one of: {forms}"))]);
}

#[test]
fn a_catch_all_variant_is_checked_like_in_serde() {
    #[derive(Deserialize)]
    enum Open {
        A,
        #[serde(other)]
        Other,
    }
    let shape = union(Tagging::External, &[variant("A", None), OTHER], UnknownKeys::Ignored);
    agrees::<Open>(shape, &["\"A\"", "\"zz\"", "{\"zz\": null}", "{\"zz\": 1}", "1"], &[]);
}

#[test]
fn a_catch_all_variant_with_a_tag_is_checked_like_in_serde() {
    #[derive(Deserialize)]
    #[allow(dead_code)]
    #[serde(tag = "t")]
    enum Open {
        A {
            a: u8,
        },
        #[serde(other)]
        Other,
    }
    let shape = union(internal(), &[variant("A", Some(inner())), OTHER], UnknownKeys::Ignored);
    agrees::<Open>(shape, &["{\"t\": \"A\"}", "{\"t\": \"zz\", \"x\": 1}", "{\"x\": 1}", "{\"t\": 1}"], &[]);
}

#[test]
fn an_untagged_variant_of_a_tagged_enum_is_checked_like_in_serde() {
    #[derive(Deserialize)]
    #[allow(dead_code)]
    enum Mixed {
        A,
        B(u8),
        #[serde(untagged)]
        Number(u8),
    }
    let number = VariantInit { untagged: true, ..variant("Number", Some(u8_shape())) };
    let mixed = [variant("A", None), variant("B", Some(u8_shape())), number];
    let shape = union(Tagging::External, &mixed, UnknownKeys::Ignored);
    agrees::<Mixed>(shape, &["\"A\"", "\"Number\"", "7", "300", "{\"B\": 1}", "{\"B\": \"x\"}", "true"], &[]);
    table(
        shape,
        &[("300", "the arguments must be at most 255"), ("\"a\"", "the arguments must be one of \"A\", \"B\"")],
    );
}

#[test]
fn a_hidden_variant_is_accepted_but_never_mentioned() {
    let hidden = VariantInit { hidden: true, ..variant("legacy", None) };
    let shape = union(Tagging::External, &[variant("current", None), hidden], UnknownKeys::Ignored);
    table(shape, &[("\"legacy\"", ""), ("\"legacyy\"", "the arguments must be \"current\"")]);
    assert!(matches!(&issues(shape, "\"legacyy\"")[0].constraint, Constraint::Enum(allowed) if allowed.len() == 1));
}

#[test]
fn the_payload_identifies_the_variant_if_the_tag_does_not() {
    let stage = |rest: &str| format!("{{\"name\":\"ab\",\"days\":1,\"unit\":\"celsius\",\"later\":[],{rest}}}");
    let suggestion = |rest: &str| issues(Stage::SHAPE, &stage(rest))[0].suggestion.clone();
    assert_eq!(suggestion(r#""event": {"kind": "zz", "from": 1}"#).as_deref(), Some("moved"));
    assert_eq!(suggestion(r#""event": {"kind": "zz", "other": 1}"#), None);
    assert_eq!(suggestion(r#""answer": {"zz": {"index": 1}}"#).as_deref(), Some("choice"));
    assert_eq!(suggestion(r#""answer": {"zz": "words"}"#).as_deref(), Some("text"));
}
