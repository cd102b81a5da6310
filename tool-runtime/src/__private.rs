//! The only names that generated code uses. Nothing here is stable.

#![allow(missing_docs)]
#![doc(hidden)]

mod init;

pub use init::{AnnotationsInit, ContainerInit, FieldInit, ShapeInit, ToolInit, VariantInit, object, union};
