//! A type that derives `ToolFailure`.

use proc_macro2::Ident;
use syn::{LitStr, Member};

/// A case of an error, which is a variant or a whole struct, and the treatment of calls that fail with it.
pub(crate) struct Case {
    /// The variant, or `None` for a struct.
    pub(crate) variant: Option<Ident>,
    /// The kind of failure. A case without a kind is `rejected`.
    pub(crate) kind: Option<Ident>,
    /// `field = "…"`: the argument that caused the error.
    pub(crate) argument: Option<LitStr>,
    /// `retry_after = name`: the field that contains the pause.
    pub(crate) pause: Option<Member>,
}
