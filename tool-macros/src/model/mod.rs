//! The checked types, on which `emit` relies.
//!
//! Invariant: patterns compile, ranges are not empty, names do not clash, and every literal is JSON. The model contains no attributes, only
//! the spans at which later compile errors must appear.

mod failure;
mod field;
mod input;
mod literal;
mod policy;
mod rule;
mod settings;
mod throttle;
mod tool;

pub(crate) use failure::Case;
pub(crate) use field::{Description, Doc, Field};
pub(crate) use input::{Body, Input, Payload, Tagging, Union, Variant};
pub(crate) use literal::{Literal, Number, Value};
pub(crate) use policy::Policy;
pub(crate) use rule::{FORMATS, Format, Length, Range, Rule, RuleKind};
pub(crate) use settings::{Constant, Retry, Settings};
pub(crate) use throttle::{Count, Setting, Throttle, ThrottleRule};
pub(crate) use tool::{Absent, Argument, Casing, Container, Owner, Parameter, Presentation, Tool, pascal};
