//! The only names that generated code uses. Nothing here is stable.

#![allow(missing_docs)]
#![doc(hidden)]

mod init;

pub use init::{FieldInit, ShapeInit, VariantInit, object, union};
