//! Converts the return value of a function, of any type, into an [`Answer`](crate::tool::Answer), and provides the output schema of its
//! type.
//!
//! In: the value itself, so that type aliases make no difference. Out: a payload or an error. `Result<T, E>` is distinguished from `T`, and
//! `()` and texts from other values, because an inherent method takes precedence over a trait method; blanket impls would overlap (E0119).
//! Invariant: `()` becomes `Done`, a text stays a text, parts stay parts, and everything else becomes JSON.

use std::borrow::Cow;
use std::error::Error;
use std::marker::PhantomData;
use std::sync::Arc;

use schemars::transform::{RecursiveTransform, Transform};
use serde::Serialize;
use serde_json::Value;

use crate::failure::{MappedError, ToolFailure};
use crate::tool::{Answer, CallError, Content, ContentParts, Payload};

/// A result that a model can read.
#[diagnostic::on_unimplemented(
    message = "a tool cannot return `{Self}`: it cannot be encoded as JSON",
    label = "`serde::Serialize` is not implemented for `{Self}`",
    note = "add `#[derive(serde::Serialize)]` to it, or return `String`, `()` or a `Result` of either"
)]
pub trait Encode {
    fn encode(&self) -> Answer;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize> Encode for T {
    fn encode(&self) -> Answer {
        Payload::json(self)
    }
}

/// An error that a tool can return.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of a tool: it does not implement `std::error::Error`",
    label = "`Into<Box<dyn Error + Send + Sync>>` is not implemented for `{Self}`",
    note = "implement `std::error::Error` for it (`#[derive(thiserror::Error)]`), or fail with `tool_runtime::ToolError`, `anyhow::Error` or `String`"
)]
pub trait Fail {
    fn fail(self) -> Box<dyn Error + Send + Sync>;
}

#[diagnostic::do_not_recommend]
impl<E: Into<Box<dyn Error + Send + Sync>>> Fail for E {
    fn fail(self) -> Box<dyn Error + Send + Sync> {
        self.into()
    }
}

/// The value that the function returned.
pub struct Returned<T>(pub T);

impl<T, E> Returned<Result<T, E>> {
    #[inline]
    pub fn result(self) -> Result<Returned<T>, CallError>
    where
        E: Fail,
    {
        self.0.map(Returned).map_err(|error| CallError::Failed(error.fail()))
    }
}

/// Selects the conversion for errors that implement `ToolFailure`. It takes precedence over [`PlainError`], which is implemented for a
/// reference and is therefore found later by method lookup.
pub trait MeaningfulError {
    fn way(&self) -> Meant {
        Meant
    }
}

impl<T, E: ToolFailure> MeaningfulError for Returned<Result<T, E>> {}

/// Selects the conversion for errors that do not implement `ToolFailure`.
pub trait PlainError {
    fn way(&self) -> Plain {
        Plain
    }
}

impl<T> PlainError for &Returned<T> {}

pub struct Meant;

impl Meant {
    #[inline]
    #[expect(clippy::unused_self, reason = "which way it is says the type of `self`")]
    pub fn convert<T, E: ToolFailure>(self, returned: Returned<Result<T, E>>) -> Returned<Result<T, impl Fail>> {
        Returned(returned.0.map_err(MappedError::new))
    }
}

pub struct Plain;

impl Plain {
    #[inline]
    #[expect(clippy::unused_self, reason = "which way it is says the type of `self`")]
    pub fn convert<T>(self, returned: T) -> T {
        returned
    }
}

/// Converts the value that a tool returns, if it is not a `Result`.
pub trait AnyResult: Sized {
    #[inline]
    fn result(self) -> Result<Self, CallError> {
        Ok(self)
    }
}

impl<T> AnyResult for Returned<T> {}

macro_rules! texts {
    ($($text:ty),+) => {$(
        impl Returned<$text> {
            #[inline]
            pub fn answer(self) -> Answer {
                Ok(Payload::Text(self.0.into()))
            }
        }
    )+};
}

texts! { String, &String, &str, Box<str>, Cow<'_, str> }

impl Returned<Arc<str>> {
    #[inline]
    pub fn answer(self) -> Answer {
        Ok(Payload::Text(self.0.as_ref().to_owned()))
    }
}

macro_rules! payloads {
    ($($payload:ty),+) => {$(
        impl Returned<$payload> {
            #[inline]
            pub fn answer(self) -> Answer {
                Ok(Payload::Parts(self.0.into()))
            }
        }
    )+};
}

payloads! { Content, Vec<Content>, ContentParts }

impl Returned<Payload> {
    #[inline]
    pub fn answer(self) -> Answer {
        Ok(self.0)
    }
}

impl Returned<()> {
    #[inline]
    pub fn answer(self) -> Answer {
        Ok(Payload::Done)
    }
}

/// Encodes a returned value as JSON. `()`, texts, content and payloads have conversions of their own, which take precedence.
pub trait AnyReturn {
    type Value;

    fn answer(self) -> Answer
    where
        Self::Value: Encode;
}

impl<T> AnyReturn for Returned<T> {
    type Value = T;

    #[inline]
    fn answer(self) -> Answer
    where
        T: Encode,
    {
        self.0.encode()
    }
}

/// A type that implements `JsonSchema` of schemars.
#[diagnostic::on_unimplemented(
    message = "`output_schema` needs a schema of `{Self}`",
    label = "`schemars::JsonSchema` is not implemented for `{Self}`",
    note = "add `#[derive(schemars::JsonSchema)]` to it, or remove `output_schema`"
)]
pub trait Describe {
    fn describe() -> schemars::Schema;
}

#[diagnostic::do_not_recommend]
impl<T: schemars::JsonSchema> Describe for T {
    fn describe() -> schemars::Schema {
        let mut schema = super::foreign::<T>();
        RecursiveTransform(without_numeric_format).transform(&mut schema);
        schema
    }
}

/// Removes the `format` of a number, such as `uint8`. JSON Schema defines formats for strings only, and validators in MCP clients warn
/// about other formats.
fn without_numeric_format(schema: &mut schemars::Schema) {
    let is_numeric = |kind: &Value| kind == "integer" || kind == "number";
    let is_number = match schema.get("type") {
        Some(Value::Array(kinds)) => kinds.iter().any(is_numeric),
        Some(kind) => is_numeric(kind),
        None => false,
    };
    if is_number {
        schema.remove("format");
    }
}

/// The type that the function returns.
pub struct Output<T>(pub PhantomData<fn() -> T>);

impl<T, E> Output<Result<T, E>> {
    pub fn schema(&self) -> schemars::Schema
    where
        T: Describe,
    {
        T::describe()
    }
}

/// Provides the output schema of a function that does not return a `Result`.
pub trait AnyOutput {
    type Value;

    fn schema(&self) -> schemars::Schema
    where
        Self::Value: Describe;
}

impl<T> AnyOutput for Output<T> {
    type Value = T;

    fn schema(&self) -> schemars::Schema
    where
        T: Describe,
    {
        T::describe()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    type Alias = Result<Vec<u8>, std::fmt::Error>;

    #[test]
    fn a_text_stays_a_text_and_unit_becomes_done() -> Result<(), CallError> {
        assert_eq!(Returned(String::from("a")).result()?.answer()?, Payload::Text("a".to_owned()));
        assert_eq!(Returned(Ok::<_, String>("a")).result()?.answer()?, Payload::Text("a".to_owned()));
        assert_eq!(Returned(()).result()?.answer()?, Payload::Done);
        Ok(())
    }

    #[test]
    fn a_type_alias_of_result_is_recognised() -> Result<(), CallError> {
        let alias: Alias = Ok(vec![1, 2]);
        assert_eq!(Returned(alias).result()?.answer()?, Payload::json(&[1, 2])?);
        let failed: Alias = Err(std::fmt::Error);
        assert!(matches!(Returned(failed).result(), Err(CallError::Failed(_))));
        Ok(())
    }

    #[test]
    fn an_output_schema_has_no_formats_of_numbers() {
        let schema = Output::<(u8, Option<u64>, BTreeMap<String, Vec<f32>>, std::net::Ipv4Addr)>(PhantomData).schema();
        let numbers = serde_json::json!({"type": "integer", "minimum": 0, "maximum": 255});
        assert_eq!(schema.as_value()["prefixItems"][0], numbers);
        let text = schema.to_value().to_string();
        assert_eq!(text.matches("format").count(), 1, "{text}");
        assert!(text.contains(r#""format":"ipv4""#), "{text}");
    }

    #[test]
    fn values_that_json_cannot_represent_are_malformed() {
        let answer = Returned(BTreeMap::from([((1, 2), 3)])).answer();
        assert!(matches!(answer, Err(CallError::Malformed(_))));
    }

    #[test]
    fn the_schema_is_that_of_the_success() {
        let of_result = Output::<Result<bool, std::fmt::Error>>(PhantomData).schema();
        let of_value = Output::<bool>(PhantomData).schema();
        assert_eq!(of_result, of_value);
        assert_eq!(of_value.get("type"), Some(&serde_json::json!("boolean")));
    }
}
