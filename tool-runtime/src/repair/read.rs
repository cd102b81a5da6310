//! JSON text to a [`Reading`].
//!
//! In comes text; out goes the tree. Until the lenient reader is here, only strict JSON is read.

use super::Repair;
use crate::json::{Json, SyntaxError};
use crate::shape::Text;

/// What a text was read as.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Reading<'a> {
    /// It is strict JSON.
    Clean(Json<'a>),
    /// It is JSON but for its spelling.
    Repaired {
        /// The value.
        value: Json<'a>,
        /// What was read otherwise than it was written.
        repairs: Vec<Repair>,
    },
    /// It ends before the value does.
    Incomplete {
        /// The part that is there.
        partial: Option<Json<'a>>,
        /// What was read otherwise than it was written.
        repairs: Vec<Repair>,
        /// What is wrong.
        errors: Vec<ReadError>,
    },
    /// It is no JSON, and nobody can say what was meant.
    Refused {
        /// The part that could be read.
        partial: Option<Json<'a>>,
        /// What was read otherwise than it was written.
        repairs: Vec<Repair>,
        /// What is wrong.
        errors: Vec<ReadError>,
    },
}

/// A place where a text is no JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadError {
    /// Where, in bytes.
    pub offset: usize,
    /// What is wrong there.
    pub message: Text,
    /// The text around it.
    pub context: Text,
}

/// Reads a text.
pub fn read(text: &str) -> Reading<'_> {
    let (partial, repairs) = (None, Vec::new());
    match Json::parse(text) {
        Ok(json) => Reading::Clean(json),
        Err(error) => {
            let message = error.to_string().into();
            let errors = vec![ReadError { offset: error.offset(), message, context: Text::EMPTY }];
            match error {
                SyntaxError::Incomplete { .. } => Reading::Incomplete { partial, repairs, errors },
                _ => Reading::Refused { partial, repairs, errors },
            }
        }
    }
}
