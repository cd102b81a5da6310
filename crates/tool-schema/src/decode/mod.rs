//! Decodes arguments. serde first decodes them directly into the type (the typed path); the complete check only runs if that fails.
//!
//! A good call costs as much as `serde_json`, plus the rules on the typed value. Invariant: a rejection has at least one issue; serde's own
//! message is only in `source()`, never in an issue; a type for which serde would try exponentially many alternatives is checked before it
//! is decoded.

mod exponential_types;
pub(crate) mod find_error;
pub(crate) mod rejected;
pub(crate) mod rename_aliases;
mod serde_attempts;
pub(crate) mod serde_precautions;
#[cfg(test)]
mod tests;

pub use rejected::Rejected;
pub(crate) use rejected::check_if_needed;
pub(crate) use serde_precautions::{Care, needs_no_care};

use std::sync::OnceLock;

use crate::check::{check, is_rule};
use crate::input::{Arguments, ToolInput};
use crate::issue::{Issue, Issues, Segment, ValidationError};
use crate::json::{DecodeError, Json, Node, Step};
use crate::shape::{Ref, Shape};

/// Decodes arguments. The work is bounded for every type.
///
/// ```
/// use std::collections::BTreeMap;
/// use tool_schema::decode::decode;
///
/// let stock: BTreeMap<String, u8> = decode(&"{\"apples\": 3}".into())?;
/// assert_eq!(stock["apples"], 3);
/// assert!(decode::<BTreeMap<String, u8>>(&"{\"apples\": 300}".into()).is_err());
/// # Ok::<(), tool_schema::issue::ValidationError>(())
/// ```
///
/// # Errors
///
/// Returns every issue of the arguments, in declaration order.
pub fn decode<T: ToolInput>(arguments: &Arguments<'_>) -> Result<T, ValidationError> {
    decode_or_reject(arguments).map_err(|rejected| rejected.into_error())
}

/// Decodes arguments; a rejection contains the tree in which its issues were found.
///
/// # Errors
///
/// Returns every issue of the arguments, in declaration order.
pub(crate) fn decode_or_reject<'a, T: ToolInput>(arguments: &Arguments<'a>) -> Result<T, Box<Rejected<'a>>> {
    if const { needs_no_care(T::SHAPE) } || !exponential_types::is_explosive::<T>() {
        typed_first(arguments, || T::SHAPE.has_secrets())
    } else {
        checked_first(arguments)
    }
}

/// Decodes the arguments of a tool, which caches the precautions for its type.
#[inline]
pub(crate) fn decode_with_care<'a, T: ToolInput>(
    care: &'static OnceLock<Care>,
    arguments: &Arguments<'a>,
) -> Result<T, Box<Rejected<'a>>> {
    let care =
        if const { needs_no_care(T::SHAPE) } { Care::NONE } else { *care.get_or_init(|| Care::from_shape(T::SHAPE)) };
    if care.is_explosive { checked_first(arguments) } else { typed_first(arguments, || care.has_secrets) }
}

#[inline]
fn typed_first<'a, T: ToolInput>(
    arguments: &Arguments<'a>,
    has_secrets: impl FnOnce() -> bool,
) -> Result<T, Box<Rejected<'a>>> {
    // serde decodes directly into the type. The `Result` of serde is passed on as it is until the guard has checked the value, because
    // converting it earlier would copy the value.
    let decoded = match arguments {
        Arguments::Value(value) if value.is_object() => T::deserialize(&**value),
        Arguments::Map(map) => T::deserialize(&**map),
        // The text is decoded in one place for all kinds of arguments, so that this code exists once for each type and can be inlined.
        _ => match text_of_object(arguments) {
            Some(text) => from_text(text),
            None => return reread(arguments, None),
        },
    };
    match decoded {
        Ok(value) if value.guard() => {
            // serde also decodes structs and enums from arrays, which is not allowed for types with a secret.
            if const { needs_no_care(T::SHAPE) } || !arguments.may_have_array() || !has_secrets() {
                return Ok(value);
            }
            misread_in(T::SHAPE, arguments).map_or(Ok(value), Err)
        }
        // If a type is converted from another type (`#[serde(from = "…")]`), the rules apply to that other type. The guard cannot check
        // them and returns `false`, so the checker runs.
        Ok(value) => guard_issues(T::SHAPE, arguments).map_or(Ok(value), Err),
        Err(error) => reread(arguments, Some(error)),
    }
}

/// Does the same as `serde_json::from_str`, but creates the reader in place, because passing the reader through memory takes several
/// nanoseconds.
#[expect(
    clippy::inline_always,
    reason = "a value that is returned in parts, and then moved as a whole, takes several nanoseconds too"
)]
#[inline(always)]
fn from_text<T: ToolInput>(text: &str) -> serde_json::Result<T> {
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = T::deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Decodes arguments of a type for which serde would try exponentially many alternatives. The checker runs first, and serde only decodes
/// values for which the number of attempts is bounded.
fn checked_first<'a, T: ToolInput>(arguments: &Arguments<'a>) -> Result<T, Box<Rejected<'a>>> {
    let json = arguments.tree().map_err(Rejected::syntax)?;
    let rejected = ValidationError::about(T::SHAPE, &json, faults(&Ref::Static(T::SHAPE), &json));
    if let Some(error) = rejected {
        return Err(Rejected::with_tree(error, json).into());
    }
    match serde_attempts::excess(T::SHAPE, &json) {
        Some(issue) => Err(Rejected::accepted(issue.into(), json).into()),
        None => typed_first(arguments, || T::SHAPE.has_secrets()),
    }
}

/// Returns the text of arguments that begin like an object; `{}` for empty arguments.
#[inline]
fn text_of_object<'a>(arguments: &'a Arguments<'_>) -> Option<&'a str> {
    match arguments {
        Arguments::Text(text) if begins_object(text.as_bytes()) => Some(text),
        Arguments::Bytes(bytes) if begins_object(bytes) => std::str::from_utf8(bytes).ok(),
        nothing if nothing.is_empty() => Some("{}"),
        _ => None,
    }
}

#[inline]
fn begins_object(text: &[u8]) -> bool {
    text.first() == Some(&b'{') || text.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\n' | b'\r')) == Some(&b'{')
}

/// Returns the checker's issues for arguments that serde accepts but the guard rejects.
#[cold]
fn guard_issues<'a>(shape: &'static Shape, arguments: &Arguments<'a>) -> Option<Box<Rejected<'a>>> {
    match arguments.tree() {
        Err(error) => Some(Rejected::syntax(error).into()),
        Ok(json) => {
            let error = ValidationError::about(shape, &json, faults(&Ref::Static(shape), &json))?;
            Some(Rejected::with_tree(error, json).into())
        }
    }
}

#[cold]
fn misread_in<'a>(shape: &Shape, arguments: &Arguments<'a>) -> Option<Box<Rejected<'a>>> {
    match arguments.tree() {
        Err(error) => Some(Rejected::syntax(error).into()),
        Ok(json) => misread(shape, &json).map(|error| Rejected::with_tree(error, json).into()),
    }
}

/// Returns the checker's issues if the structure of arguments is wrong although serde accepts it: an array instead of an object. Broken
/// rules alone do not count, because the guard has checked the rules on the typed value.
#[cold]
pub(crate) fn misread(shape: &Shape, json: &Json<'_>) -> Option<ValidationError> {
    let issues = check(shape, json);
    let is_structural = issues.iter().any(|issue| !is_rule(&issue.constraint));
    ValidationError::new(issues).filter(|_| is_structural)
}

/// Finds every issue of arguments that could not be decoded. If the checker finds no issue, the arguments are decoded again from our own
/// tree, which shows where a user's `Deserialize` rejects them. If this succeeds, only `serde_json` rejected them (see
/// `json/deserialize.rs`).
#[cold]
fn reread<'a, T: ToolInput>(
    arguments: &Arguments<'a>,
    error: Option<serde_json::Error>,
) -> Result<T, Box<Rejected<'a>>> {
    let mut rejected = match arguments.tree() {
        Err(error) => Rejected::syntax(error),
        Ok(json) => match ValidationError::about(T::SHAPE, &json, faults(&Ref::Static(T::SHAPE), &json)) {
            Some(faults) => Rejected::with_tree(faults, json),
            None => match from_tree(&json) {
                Ok(value) => return Ok(value),
                Err(rejected) => Rejected::accepted(rejected, json),
            },
        },
    };
    if let Some(error) = error {
        rejected.error = rejected.error.with_source(error);
    }
    Err(rejected.into())
}

/// Decodes a tree in which the checker found no issue.
fn from_tree<T: ToolInput>(json: &Json<'_>) -> Result<T, ValidationError> {
    T::deserialize(json).map_err(|error| rejection(T::SHAPE, json, &error))
}

/// Returns the issue for a value that a user's `Deserialize` rejects.
#[cold]
fn rejection(shape: &'static Shape, json: &Json<'_>, error: &DecodeError) -> ValidationError {
    let step = |step: &Step| match step {
        Step::Key(key) => Segment::Key(key.clone().into()),
        Step::Index(index) => Segment::Index(*index),
    };
    find_error::blame(shape, json, &error.steps().map(step).collect::<Vec<_>>()).into()
}

/// Decodes a value of any JSON type. An answer may be an array, for example, while the arguments of a call must be an object.
pub(crate) fn decode_value<T: ToolInput>(text: &str) -> Result<T, ValidationError> {
    if begins_object(text.as_bytes()) {
        return decode(&text.into());
    }
    let json = Json::parse(text).map_err(|error| Issue::syntax(&error))?;
    let rejected = ValidationError::about(T::SHAPE, &json, check(T::SHAPE, &json));
    match rejected.or_else(|| serde_attempts::excess(T::SHAPE, &json).map(ValidationError::from)) {
        Some(error) => Err(error),
        None => from_tree(&json),
    }
}

/// Checks the arguments of a tool that has no rules other than its shape.
pub(crate) fn check_arguments(input: &Ref, arguments: &Arguments<'_>) -> Result<(), ValidationError> {
    let json = arguments.to_json().map_err(|error| Issue::syntax(&error))?;
    ValidationError::about(&input.shape(), &json, faults(input, &json)).map_or(Ok(()), Err)
}

/// Returns the checker's issues. Arguments that are not an object always have an issue, even if the type accepts them.
fn faults(input: &Ref, json: &Json<'_>) -> Issues {
    let mut issues = check(&input.shape(), json);
    if issues.is_empty() && !matches!(json.node, Node::Object(_)) {
        issues.push(Issue::no_object(input, json));
    }
    issues
}
