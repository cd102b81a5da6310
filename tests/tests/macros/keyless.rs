//! Types without keys in locations where serde needs keys: flattened, or beside an internal tag. The compiler rejects most of them, and
//! `build()` the rest.

use serde::Deserialize;
use tool_runtime::{ToolInput, Toolbox, tool};

#[derive(Deserialize, ToolInput)]
struct Around<T> {
    #[serde(flatten)]
    inner: T,
}

#[derive(Deserialize, ToolInput)]
#[serde(tag = "kind")]
enum Tagged<T> {
    Of(T),
}

/// Is never called with success.
#[tool]
fn never(
    /// A list has no keys.
    around: Around<Vec<u8>>,
    /// A number has none either.
    tagged: Tagged<u8>,
) -> u8 {
    let Tagged::Of(number) = tagged;
    around.inner.first().copied().unwrap_or(number)
}

#[test]
fn types_without_keys_are_rejected_as_generic_arguments() {
    let error = Toolbox::builder().tool(NeverTool).build().map(drop).expect_err("nothing can be decoded").to_string();
    for field in ["around.inner", "tagged.Of"] {
        let expected = format!(
            "serde reads the keys of `{field}` from the enclosing object, but `{field}` has no keys: give it a key of its own"
        );
        assert!(error.contains(&expected), "{error}");
    }
}

/// Keys of a map, of a struct and of an enum by names are keys.
#[tool]
fn always(
    /// A map.
    around: Around<std::collections::BTreeMap<String, u8>>,
    /// An enum whose names are keys.
    tagged: Tagged<Size>,
) -> String {
    let Tagged::Of(size) = tagged;
    let entries: Vec<_> = around.inner.iter().map(|(key, value)| format!("{key}: {value}, ")).collect();
    format!("{}{size:?}", entries.concat())
}

#[derive(Debug, Deserialize, ToolInput)]
enum Size {
    Small,
    Large,
}

#[test]
fn maps_and_enums_are_decoded_as_generic_arguments() {
    let session = Toolbox::builder().tool(AlwaysTool).build().expect("all keys are known").session();
    for size in ["Small", "Large"] {
        let arguments = format!(r#"{{"around": {{"a": 1}}, "tagged": {{"kind": "Of", "{size}": null}}}}"#);
        let outcome = pollster::block_on(session.call("call_1", "always", arguments.as_str()));
        assert_eq!(outcome.to_text(), format!("a: 1, {size}"));
    }
}
