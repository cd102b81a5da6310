//! Keys of values that must not move to another field.

use proptest::prelude::*;
use serde_json::{Value, json};
use tests::fixer::fix;
use tool_runtime::{RepairPolicy, Session};

use super::{call, ran, session};

fn closed(fields: &[&str]) -> Value {
    let properties: serde_json::Map<_, _> =
        fields.iter().map(|name| ((*name).to_owned(), json!({"type": "string"}))).collect();
    json!({"type": "object", "properties": properties, "required": fields, "additionalProperties": false})
}

/// Returns the arguments with which the tool runs after the hints were followed to the letter.
fn after_hints(session: &Session, tool: &str, arguments: &str) -> Option<Value> {
    let mut text = arguments.to_owned();
    for _ in 0..6 {
        let outcome = call(session, tool, &text);
        if let Some(value) = outcome.value() {
            return Some(value);
        }
        let answer: Value = serde_json::from_str(&outcome.to_text()).expect("a rejection is JSON");
        text = fix(&answer["retry_hint"].to_string(), &text);
    }
    None
}

const DISSIMILAR: [(&str, &str); 38] = [
    ("un_active", "active"),
    ("inActive", "active"),
    ("dry_run", "run"),
    ("soft_delete", "delete"),
    ("deny_access", "access"),
    ("timeout_msecs", "timeout_secs"),
    ("convert_eur_to_usd", "convert_usd_to_eur"),
    ("tax_amount", "amount"),
    ("bcc_email", "email"),
    ("address1", "address2"),
    ("asynchronous", "synchronous"),
    ("contract_id", "contact_id"),
    ("half_price", "price"),
    ("file_name", "name"),
    ("exclude", "path"),
    ("except_path", "path"),
    ("no_path", "path"),
    ("not_content", "content"),
    ("without_content", "content"),
    ("skip_files", "files"),
    ("math", "path"),
    ("zzz", "path"),
    ("contentType", "content"),
    ("content_length", "content"),
    ("content_encoding", "content"),
    ("city_name", "city"),
    ("file_count", "file"),
    ("parent_id", "id"),
    ("old_path", "path"),
    ("max_length", "length"),
    ("timeout_ms", "timeout"),
    ("timeout_ms", "timeout_s"),
    ("inactive", "active"),
    ("unpublished", "published"),
    ("disconnected", "connected"),
    ("is_inactive", "is_active"),
    ("description", "city"),
    ("type", "city"),
];

#[test]
fn a_dissimilar_key_is_not_another_field() {
    for (key, field) in DISSIMILAR {
        for policy in [RepairPolicy::Lossless, RepairPolicy::Assisted] {
            let session = session("act", &closed(&[field, "other"]), policy);
            let sent = json!({key: "keep", "other": "x"}).to_string();
            assert_eq!(ran(&session, "act", &sent), None, "{key} as {field}");
            if let Some(value) = after_hints(&session, "act", &sent) {
                assert_ne!(value[field], "keep", "{key} as {field}");
            }
            let text = call(&session, "act", &sent).to_text().into_owned();
            let is_named = text.contains(&format!("without {key}"))
                || text.contains(&format!("{field} in place of {key} if you mean it"));
            assert!(text.contains(&format!("{field} (string)")) && is_named, "{text}");
        }
    }
}

#[test]
fn a_similar_key_is_suggested_and_renamed_if_the_host_allows_it() {
    for (key, field) in [
        ("filePath", "file_path"),
        ("file_path", "path"),
        ("file-content", "content"),
        ("userId", "user_id"),
        ("Path", "path"),
        ("user_names", "user_name"),
    ] {
        let sent = json!({key: "a", "other": "x"}).to_string();
        let lossless = session("act", &closed(&[field, "other"]), RepairPolicy::Lossless);
        assert_eq!(after_hints(&lossless, "act", &sent), Some(json!({field: "a", "other": "x"})), "{key} as {field}");
        let assisted = session("act", &closed(&[field, "other"]), RepairPolicy::Assisted);
        assert_eq!(ran(&assisted, "act", &sent), Some(json!({field: "a", "other": "x"})), "{key} as {field}");
    }
}

#[test]
fn an_abbreviation_of_one_field_is_only_suggested() {
    for (key, field) in
        [("lim", "limit"), ("qty", "quantity"), ("msg", "message"), ("max_len", "max_length"), ("addr", "address")]
    {
        let session = session("act", &closed(&[field, "other"]), RepairPolicy::Assisted);
        let sent = json!({key: "a", "other": "x"}).to_string();
        assert_eq!(ran(&session, "act", &sent), None, "{key}");
        assert!(
            call(&session, "act", &sent).to_text().contains(&format!("{field} in place of {key} if you mean it")),
            "{key}"
        );
    }
    let session = session("act", &closed(&["limit", "limiter"]), RepairPolicy::Lossless);
    assert!(!call(&session, "act", r#"{"lim": "a"}"#).to_text().contains("in place of"));
}

#[test]
fn the_order_of_keys_decides_nothing() {
    let session = session("delete", &closed(&["path"]), RepairPolicy::Assisted);
    for sent in [r#"{"context": "a", "file_path": "b"}"#, r#"{"file_path": "b", "context": "a"}"#] {
        assert_eq!(ran(&session, "delete", sent), None);
        assert_eq!(after_hints(&session, "delete", sent), Some(json!({"path": "b"})));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: tests::cases(256), ..ProptestConfig::default() })]

    /// The letters of the key do not occur in any field, so the two have no word in common.
    #[test]
    fn a_value_under_a_strange_key_never_ends_up_in_a_field(
        key in "[n-z]{1,8}([_A-Z][n-z]{1,6}){0,2}", fields in prop::collection::btree_set("[a-m]{2,8}(_[a-m]{2,6}){0,1}", 1..4), given in any::<bool>(),
    ) {
        let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
        prop_assume!(!fields.contains(&key.as_str()));
        for schema in [closed(&fields), { let mut open = closed(&fields); open["additionalProperties"] = true.into(); open }] {
            for policy in [RepairPolicy::Lossless, RepairPolicy::Assisted] {
                let session = session("act", &schema, policy);
                let mut sent = json!({&key: "planted value"});
                if given {
                    sent[fields[0]] = "given".into();
                }
                if let Some(ran) = after_hints(&session, "act", &sent.to_string()) {
                    for field in &fields {
                        prop_assert_ne!(&ran[*field], "planted value", "{} as {}", key, field);
                    }
                }
            }
        }
    }
}
