//! Secrets in the place of another value.

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

use super::{SECRET, rejected, session};

/// Returns arguments of `look_up` with the secret at one of the `PLACES`.
fn looked_up(place: usize) -> Value {
    let login = |secret: bool| json!({"user": "ada", "password": if secret { SECRET } else { "open sesame" }});
    json!({
        "api_key": if place == 0 { SECRET } else { "4711-0815" },
        "filters": ["old"],
        "options": {"limit": 3, "words": ["a"]},
        "login": login(place == 1),
        "others": [login(false), login(place == 2)],
    })
}

/// Location of the secret, by the number that `looked_up` takes.
const PLACES: [(&str, &str); 3] = [("", "api_key"), ("/login", "password"), ("/others/1", "password")];

/// A number must belong to the field itself, and so must a text that breaks another rule. Any other value of the wrong type may be a
/// misplaced secret.
#[test]
fn a_value_of_the_wrong_type_is_not_shown() {
    let with = |pointer: &str, value: Value| {
        let mut arguments = looked_up(0);
        *arguments.pointer_mut(pointer).unwrap() = value;
        rejected("look_up", &arguments.to_string())
    };
    for pointer in ["/filters", "/options", "/options/words", "/options/limit", "/filters/0"] {
        for hidden in [json!([["new"]]), json!({"any": "new"}), json!([{"ApiKey": "new"}]), json!({"new": 1})] {
            let answer = with(pointer, hidden.clone());
            assert!(!answer.contains("new"), "{hidden} at {pointer}: {answer}");
        }
    }
    assert!(!with("/options/limit", json!("new")).contains("new"));
    assert!(with("/options/limit", json!(300)).contains("300"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// A secret that was sent one level too high or under another key is in no answer.
    #[test]
    fn a_misplaced_secret_is_in_no_answer(
        place in 0..PLACES.len(),
        way in 0..8,
        typo in "[a-z_]{0,3}",
        at in any::<Index>(),
        stays in any::<bool>(),
        other_fault in any::<bool>(),
    ) {
        let (parent, key) = PLACES[place];
        let mut arguments = looked_up(place);
        if other_fault {
            arguments["options"]["limit"] = json!("many");
        }
        // Inserts text into a key, takes a neighbouring key, or moves the secret to the enclosing object.
        let cut = at.index(key.len());
        let misspelt = format!("{}{typo}{}", &key[..cut], &key[(cut + 1).min(key.len())..]);
        let members = arguments.pointer_mut(parent).and_then(Value::as_object_mut).unwrap();
        let siblings: Vec<String> = members.keys().filter(|other| *other != key).cloned().collect();
        let sibling = (!siblings.is_empty()).then(|| siblings[at.index(siblings.len())].clone());
        if !stays {
            members.remove(key);
        }
        let sibling = sibling.unwrap_or_else(|| "other".to_owned());
        match way {
            0 => drop(members.insert(misspelt, json!(SECRET))),
            1 => drop(members.insert(key.to_owned(), json!([SECRET]))),
            2 => drop(members.insert(key.to_owned(), json!({"value": SECRET}))),
            3 => drop(members.insert(misspelt, json!({key: SECRET}))),
            4 => drop(members.insert(sibling, json!([[SECRET]]))),
            5 => drop(members.insert(sibling, json!({misspelt: {"x": SECRET}}))),
            6 => drop(arguments.pointer_mut(parent).map(|around| *around = json!(SECRET))),
            _ => drop(arguments.as_object_mut().unwrap().insert(misspelt, json!(SECRET))),
        }
        let text = arguments.to_string();
        let outcome = pollster::block_on(session().call("call_1", "look_up", text.as_str()));
        prop_assert!(!outcome.to_text().contains(SECRET), "{text}: {}", outcome.to_text());
    }
}
