//! The names that generated code and our other crates use. Nothing here is stable.
//!
//! - descriptions and decoders of inputs: see [`tool_schema::__private`]
//! - properties computed from a state: `state_of`, `ask`, `of_parameter`, `names`, `takes_names`, `may_be_absent`
//! - tools: `ToolInit` with `ToolSettings`, `ContainerInit`, `Returned` (a function's return value of any type), `pending`
//! - throttle settings: `StreakInit`, `warns_in_time`, `pause_fits`
//! - for our other crates, views of a toolbox and texts for the model: [`internal`], `description_with_members`, `expansion_text`, `told`, `cut_text`
//! - parameters: `Parameter`, and `ForeignParameter` for types that `schemars` describes; `Parameters` decodes all of them
//! - errors of tools: `ToolFailure`, `Treatment`; `ways`: the conversions of results and errors

#![allow(missing_docs)]
#![allow(clippy::missing_panics_doc)] // A panic in a `const` is how generated code reports a mistake.

mod call;
mod decoder;
mod finish;
mod init;
pub mod internal;
mod parameter;
mod streak;

pub use crate::private::*;

pub use self::call::{CallMember, CareCell, invoke, pending, ready};
pub use self::decoder::{
    Defaulted, ForeignDefaulted, ForeignRequired, NoParameters, Parameters, Required, Tree, decode_parameters,
};
pub use self::finish::{AnyOutput, AnyResult, AnyReturn, MeaningfulError, Output, PlainError, Returned};
pub use self::init::{
    ContainerInit, Shown, ToolInit, ask, icon, may_be_absent, names, of_parameter, state_of, takes_names,
};
pub use self::parameter::{
    ForeignParameter, Parameter, accept, accept_foreign, accepts, foreign_parameter, header, is_struct, or_default,
    or_foreign_default, parameter, parameters, verify_parameter,
};
pub use self::streak::{StreakInit, pause_fits, warns_in_time};
pub use crate::container::plugin_method::{MethodFn, PluginMethod as Member};
pub use crate::container::{ContainerSpec, PluginContainer};
pub use crate::context::{CallContext, DecodedArguments};
pub use crate::failure::{ThrottleRule, ToolFailure, Treatment};
pub use crate::feedback::{description_with_members, expansion_text, render_rejection as render_failure};
pub use crate::result_guard::cut_text;
pub use crate::throttle::{LimitOverrides, RateLimit, StreakLimits};
pub use crate::tool::computed_properties::StateView;
pub use crate::tool::external::no_handler_error;
pub use crate::tool::{
    Annotations, Answer, AnswerOrFuture, CallError, Payload, RequiredState, Retry, Tool, ToolSettings, ToolSpec,
    TypedTool,
};

/// The traits that select how results and errors are converted. The expansion of every tool imports them.
pub mod ways {
    pub use super::finish::{AnyOutput as _, AnyResult as _, AnyReturn as _, MeaningfulError as _, PlainError as _};
}
