//! The error for a value that serde cannot decode, with the location of that value.

use std::fmt;

use serde::de;

/// An error for a [`Json`](super::Json) that serde cannot decode, with the location of the value that was rejected.
///
/// ```
/// use serde::Deserialize;
/// use tool_schema::json::Json;
///
/// let json = Json::parse(r#"{"sizes": [3, "large"]}"#)?;
/// let error = std::collections::BTreeMap::<String, Vec<u8>>::deserialize(&json).unwrap_err();
/// assert_eq!(error.to_string(), r#"invalid type: string "large", expected u8 at /sizes/1"#);
/// # Ok::<(), tool_schema::json::SyntaxError>(())
/// ```
#[derive(Debug)]
pub struct DecodeError(Box<Rejected>);

#[derive(Debug)]
struct Rejected {
    message: String,
    /// The steps from the rejected value to the root.
    steps: Vec<Step>,
}

/// A step from a value into one of its members or items.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// The key of a member, or the name of a variant.
    Key(String),
    /// The index of an item.
    Index(usize),
}

impl DecodeError {
    /// Adds the step that leads to the value in which the error occurred.
    #[cold]
    pub(super) fn inside(mut self, step: Step) -> Self {
        self.0.steps.push(step);
        self
    }

    /// Returns the steps from the root to the value that was rejected.
    pub(crate) fn steps(&self) -> impl Iterator<Item = &Step> {
        self.0.steps.iter().rev()
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)?;
        for (number, step) in self.steps().enumerate() {
            f.write_str(if number == 0 { " at /" } else { "/" })?;
            match step {
                Step::Key(key) => f.write_str(&key.replace('~', "~0").replace('/', "~1"))?,
                Step::Index(index) => write!(f, "{index}")?,
            }
        }
        Ok(())
    }
}

impl std::error::Error for DecodeError {}

impl de::Error for DecodeError {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(Box::new(Rejected { message: message.to_string(), steps: Vec::new() }))
    }
}
