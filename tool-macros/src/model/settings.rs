//! The settings of a tool, which are emitted as one constant of the runtime.
//!
//! A new setting needs a row in `parse/key.rs`, a field here, and a field of `ToolSettings` in the runtime.

use proc_macro2::Span;
use syn::Path;

use super::Policy;

/// The settings of a tool. A setting that a later check may reject contains the span of its key.
#[derive(Default)]
pub(crate) struct Settings {
    pub(crate) read_only: Option<bool>,
    pub(crate) destructive: Option<bool>,
    pub(crate) idempotent: Option<bool>,
    pub(crate) open_world: Option<bool>,
    pub(crate) show_errors: Option<bool>,
    pub(crate) repair: Option<(Span, Policy)>,
    pub(crate) blocking: Option<Span>,
    pub(crate) sequential: Option<Span>,
    /// The time limit in milliseconds.
    pub(crate) time_limit: Option<(Span, u64)>,
    pub(crate) retry: Option<(Span, Retry)>,
    /// `ignore_unknown`: unknown parameters are ignored. This setting is part of the shape of the arguments.
    pub(crate) ignore_unknown: Option<Span>,
    /// `output_schema`: the definition contains the schema of the result type. The function that returns this schema is emitted with the
    /// tool.
    pub(crate) output_schema: Option<Span>,
    /// A function that decides from a state whether the tool is available.
    pub(crate) available_if: Option<Path>,
    /// A function that computes the description of the tool from a state.
    pub(crate) description_from: Option<Path>,
}

impl Settings {
    /// Returns the settings that are plain data, each with the name of its field in `ToolSettings`.
    pub(crate) fn constants(&self) -> impl Iterator<Item = (&'static str, Constant)> {
        let Self {
            read_only,
            destructive,
            idempotent,
            open_world,
            show_errors,
            repair,
            blocking,
            sequential,
            time_limit,
            retry,
            ignore_unknown: _,
            output_schema: _,
            available_if: _,
            description_from: _,
        } = self;
        let annotations = [
            ("read_only", *read_only),
            ("destructive", *destructive),
            ("idempotent", *idempotent),
            ("open_world", *open_world),
        ];
        let annotations: Vec<_> = annotations.into_iter().filter_map(|(name, hint)| Some((name, hint?))).collect();
        [
            ("annotations", (!annotations.is_empty()).then_some(Constant::Annotations(annotations))),
            ("show_errors", show_errors.map(Constant::Optional)),
            ("repair", repair.map(|(_, policy)| Constant::Policy(policy))),
            ("blocking", blocking.map(|_| Constant::Flag)),
            ("sequential", sequential.map(|_| Constant::Flag)),
            ("time_limit", time_limit.map(|(_, limit)| Constant::Milliseconds(limit))),
            ("retry", retry.map(|(_, retry)| Constant::Retry(retry))),
        ]
        .into_iter()
        .filter_map(|(name, constant)| Some((name, constant?)))
    }
}

/// The value of a setting for the runtime.
pub(crate) enum Constant {
    /// A `bool` that is true.
    Flag,
    /// An `Option<bool>`.
    Optional(bool),
    Policy(Policy),
    Milliseconds(u64),
    Retry(Retry),
    /// The annotations that are set.
    Annotations(Vec<(&'static str, bool)>),
}

/// The maximum number of attempts, and the pauses between them. `None` means the default of the runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Retry {
    pub(crate) attempts: u32,
    pub(crate) first_ms: Option<u64>,
    pub(crate) factor: Option<u32>,
    pub(crate) cap_ms: Option<u64>,
}
