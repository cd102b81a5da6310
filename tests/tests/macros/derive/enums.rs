//! Enums: the four representations of serde, with every attribute of variants.

use serde::Deserialize;
use tool_runtime::ToolInput;
use tool_schema::shape::Kind;

use crate::macros::derive::{expect, expect_sure};

#[test]
fn unit_variants_are_strings() {
    #[derive(Deserialize, ToolInput)]
    #[serde(rename_all = "snake_case")]
    enum Unit {
        Celsius,
        #[serde(alias = "f", alias = "F")]
        #[tool(deprecated)]
        DegreesFahrenheit,
        #[tool(hidden)]
        Kelvin,
        #[serde(skip)]
        #[allow(dead_code)]
        Newton,
    }
    expect::<Unit>(
        "Unit <external: celsius | deprecated degrees_fahrenheit|F|f | hidden kelvin>",
        &[r#""celsius""#, r#""f""#, r#""kelvin""#],
        &[r#""Celsius""#, r#""newton""#, "1"],
    );
    const { assert!(!Unit::GUARDED) };
}

#[test]
fn an_enum_of_units_is_the_key_of_a_map() {
    #[derive(Deserialize, ToolInput, PartialEq, Eq, PartialOrd, Ord)]
    #[serde(rename_all = "lowercase")]
    enum Unit {
        Celsius,
        Fahrenheit,
    }
    expect::<std::collections::BTreeMap<Unit, u8>>(
        "{*: integer}",
        &["{}", r#"{"celsius": 1, "fahrenheit": 2}"#],
        &[r#"{"kelvin": 1}"#, r#"{"celsius": 256}"#, r#"["celsius"]"#],
    );
}

macro_rules! representation {
    ($(#[$attribute:meta])* $name:ident) => {
        #[derive(Deserialize, ToolInput)]
        $(#[$attribute])*
        #[serde(rename_all = "kebab-case", rename_all_fields = "camelCase")]
        #[tool(undocumented)]
        #[allow(dead_code)]
        enum $name {
            /// Nothing at all.
            NoPayload,
            WithFields {
                some_number: u8,
                #[serde(default)]
                other_text: String,
            },
            WithValue(Inner),
        }
    };
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown, undocumented)]
#[allow(dead_code)]
struct Inner {
    value: u8,
}

const VARIANTS: &str =
    "no-payload | with-fields {someNumber: integer, otherText?: string} | with-value Inner {value: integer}";

#[test]
fn externally_tagged_enums_are_derived_like_in_serde() {
    representation!(
        #[tool(ignore_unknown)]
        External
    );
    expect::<External>(
        &format!("External <external: {VARIANTS}>"),
        &[r#""no-payload""#, r#"{"with-fields":{"someNumber":1}}"#, r#"{"with-value":{"value":1}}"#],
        &[r#""with-fields""#, r#"{"with-fields":{"some_number":1}}"#, r#"{"with-value":1}"#, "{}"],
    );
}

#[test]
fn internally_tagged_enums_are_derived_like_in_serde() {
    representation!(
        #[serde(tag = "kind")]
        #[tool(ignore_unknown)]
        Internal
    );
    expect::<Internal>(
        &format!("Internal <by kind: {VARIANTS}>"),
        &[r#"{"kind":"no-payload"}"#, r#"{"kind":"with-fields","someNumber":1}"#, r#"{"value":1,"kind":"with-value"}"#],
        &[r#"{"kind":"with-fields"}"#, r#"{"kind":"unknown"}"#, r#"{"value":1}"#],
    );
}

#[test]
fn adjacently_tagged_enums_are_derived_like_in_serde() {
    representation!(
        #[serde(tag = "kind", content = "of", deny_unknown_fields)]
        Adjacent
    );
    let variants = VARIANTS.replace("string}", "string!}");
    expect::<Adjacent>(
        &format!("Adjacent <by kind, of: {variants}!>"),
        &[
            r#"{"kind":"no-payload"}"#,
            r#"{"of":{"someNumber":1},"kind":"with-fields"}"#,
            r#"{"kind":"with-value","of":{"value":1}}"#,
        ],
        &[
            r#"{"kind":"with-value"}"#,
            r#"{"kind":"no-payload","x":1}"#,
            r#"{"kind":"with-fields","of":{"someNumber":1,"x":1}}"#,
        ],
    );
}

#[test]
fn untagged_enums_are_derived_like_in_serde() {
    representation!(
        #[serde(untagged)]
        #[tool(ignore_unknown)]
        Untagged
    );
    expect::<Untagged>(
        &format!("Untagged <untagged: {VARIANTS}>"),
        &["null", r#"{"someNumber":1}"#, r#"{"value":1}"#],
        &["1", "{}", r#"{"value":"1"}"#],
    );
}

#[test]
fn a_catch_all_variant_accepts_all_other_values() {
    #[derive(Deserialize, ToolInput)]
    #[serde(tag = "kind")]
    enum Internal {
        Known,
        #[serde(other)]
        Anything,
    }
    expect::<Internal>(
        "Internal <by kind: Known | other Anything>",
        &[r#"{"kind":"Known"}"#, r#"{"kind":"x"}"#],
        &["{}"],
    );

    #[derive(Deserialize, ToolInput)]
    enum Mixed {
        Known,
        #[serde(untagged)]
        Number(u8),
    }
    expect::<Mixed>("Mixed <external: Known | untagged Number integer>", &[r#""Known""#, "7"], &[r#""x""#, "300"]);
    expect_sure::<Mixed>(&[r#""Known""#, "7"]);
}

#[test]
fn the_type_in_tool_as_describes_a_field_with_a_custom_decoder() {
    fn text<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<usize, D::Error> {
        String::deserialize(deserializer).map(|text| text.len())
    }
    #[derive(Deserialize, ToolInput)]
    enum Counted {
        #[serde(deserialize_with = "text")]
        #[tool(as = String)]
        Text(usize),
    }
    expect::<Counted>("Counted <external: Text string>", &[r#"{"Text":"abc"}"#], &[r#"{"Text":3}"#]);
    assert!(matches!(serde_json::from_str(r#"{"Text":"abc"}"#), Ok(Counted::Text(3))));
}

#[test]
fn variants_have_descriptions() {
    /// Ways to travel.
    #[derive(Deserialize, ToolInput)]
    enum Travel {
        /// On rails.
        Train,
        #[tool(description = "On foot.")]
        Walk,
        Fly,
    }
    assert_eq!(Travel::SHAPE.doc, "Ways to travel.");
    let Kind::Union(union) = &Travel::SHAPE.kind else { panic!("an enum is a union") };
    let docs: Vec<&str> = union.variants.iter().map(|variant| variant.doc.as_str()).collect();
    assert_eq!(docs, ["On rails.", "On foot.", ""]);
}
