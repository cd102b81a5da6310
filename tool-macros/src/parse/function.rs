//! The attributes of a function that becomes a tool, and of the `impl` block around methods that do.
//!
//! In comes `#[tool(…)]` or `#[plugin_container(…)]` with the documentation below it; out goes every setting once, with its span where
//! a later check may refuse it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;
use syn::ext::IdentExt;
use syn::{Attribute, LitBool, LitStr, Meta, Path, parse_quote};

use super::container::absolute_path;
use super::doc::{described_by, effective};
use super::entry::{Entry, entries, once};
use super::key::{Place, one_of, refuse_unknown, unknown};
use super::running::{milliseconds, retry};
use super::throttle::RawThrottle;
use crate::errors::Errors;
use crate::model::{Annotations, Casing, Doc, Policy, Retry};

/// What was written on a function.
#[derive(Default)]
pub(crate) struct FunctionAttributes {
    pub(crate) name: Option<LitStr>,
    /// `description`, else the `///` lines.
    pub(crate) doc: Doc,
    pub(crate) undocumented: Option<Span>,
    pub(crate) runtime: Option<(Span, Path)>,
    pub(crate) type_name: Option<Ident>,
    pub(crate) annotations: Annotations,
    pub(crate) show_errors: Option<bool>,
    pub(crate) repair: Option<Policy>,
    pub(crate) blocking: Option<Span>,
    pub(crate) sequential: Option<Span>,
    pub(crate) timeout_ms: Option<(Span, u64)>,
    pub(crate) retry: Option<(Span, Retry)>,
    pub(crate) output_schema: Option<Span>,
    pub(crate) allow_unknown: Option<Span>,
    pub(crate) available_if: Option<Path>,
    pub(crate) throttle: RawThrottle,
}

impl FunctionAttributes {
    /// Returns the path of the runtime, before anything else is known; mistakes are left to [`parse`](Self::parse).
    pub(crate) fn runtime(settings: &[Attribute]) -> Option<Path> {
        let mut errors = Errors::default();
        let found = Self::parse(settings, &[], &mut errors);
        let _ = errors.finish();
        found.runtime.map(|(_, path)| path)
    }

    /// Reads the settings of every `#[tool(…)]` on one function, and its documentation.
    pub(crate) fn parse(settings: &[Attribute], attributes: &[Attribute], errors: &mut Errors) -> Self {
        let mut found = Self::default();
        let mut described = None;
        entries(settings, errors, |entry, errors| {
            let key = entry.key;
            match key.to_string().as_str() {
                "name" => once(&mut found.name, key, entry.value()?),
                "description" => described_by(entry, &mut described),
                "undocumented" => once(&mut found.undocumented, key, entry.flag()?),
                "crate" => once(&mut found.runtime, key, (key.span(), entry.value_with(absolute_path)?)),
                "type" => once(&mut found.type_name, key, entry.value()?),
                "errors" => once(&mut found.show_errors, key, shown(entry.value()?)?),
                "repair" => once(&mut found.repair, key, policy(&entry.value()?)?),
                "blocking" => once(&mut found.blocking, key, entry.flag()?),
                "sequential" => once(&mut found.sequential, key, entry.flag()?),
                "timeout_ms" => once(&mut found.timeout_ms, key, (key.span(), milliseconds(entry)?)),
                "retry" => match retry(entry, errors)? {
                    Some(retry) => once(&mut found.retry, key, retry),
                    None => Ok(()),
                },
                "output_schema" => once(&mut found.output_schema, key, entry.flag()?),
                "allow_unknown" => once(&mut found.allow_unknown, key, entry.flag()?),
                "available_if" => once(&mut found.available_if, key, entry.value()?),
                "read_only" => once(&mut found.annotations.read_only, key, flag_or_value(entry)?),
                "destructive" => once(&mut found.annotations.destructive, key, flag_or_value(entry)?),
                "idempotent" => once(&mut found.annotations.idempotent, key, flag_or_value(entry)?),
                "open_world" => once(&mut found.annotations.open_world, key, flag_or_value(entry)?),
                _ if found.throttle.read(entry, errors)? => Ok(()),
                _ => Err(refuse_unknown(key, Place::Function)),
            }
        });
        found.doc = effective(described, attributes, errors);
        found
    }
}

/// What was written on the `impl` block of a container.
#[derive(Default)]
pub(crate) struct BlockAttributes {
    pub(crate) name: Option<LitStr>,
    /// `description`, else the `///` lines.
    pub(crate) doc: Doc,
    pub(crate) instructions: Doc,
    pub(crate) instructions_from: Option<(Span, Path)>,
    pub(crate) system_prompt: Doc,
    pub(crate) system_prompt_from: Option<(Span, Path)>,
    pub(crate) undocumented: Option<Span>,
    pub(crate) runtime: Option<Path>,
    pub(crate) rename_all: Option<Casing>,
}

impl BlockAttributes {
    /// Reads the settings of a `#[plugin_container(…)]`, and the documentation of its block.
    pub(crate) fn parse(settings: &[Attribute], attributes: &[Attribute], errors: &mut Errors) -> Self {
        let mut found = Self::default();
        let (mut described, mut instructions, mut system_prompt) = (None, None, None);
        entries(settings, errors, |entry, _| {
            let key = entry.key;
            match key.to_string().as_str() {
                "name" => once(&mut found.name, key, entry.value()?),
                "description" => described_by(entry, &mut described),
                "instructions" => described_by(entry, &mut instructions),
                "instructions_from" => once(&mut found.instructions_from, key, (key.span(), entry.value()?)),
                "system_prompt" => described_by(entry, &mut system_prompt),
                "system_prompt_from" => once(&mut found.system_prompt_from, key, (key.span(), entry.value()?)),
                "undocumented" => once(&mut found.undocumented, key, entry.flag()?),
                "crate" => once(&mut found.runtime, key, entry.value_with(absolute_path)?),
                "rename_all" => once(&mut found.rename_all, key, casing(&entry.value()?)?),
                _ => Err(refuse_unknown(key, Place::Block)),
            }
        });
        found.doc = effective(described, attributes, errors);
        found.instructions = instructions.unwrap_or_default();
        found.system_prompt = system_prompt.unwrap_or_default();
        found
    }
}

/// The tokens between the parentheses of an attribute macro, as the attribute that [`entries`] reads.
pub(crate) fn settings(tokens: &TokenStream) -> Attribute {
    parse_quote!(#[tool(#tokens)])
}

/// What was taken from a function: the settings of each `#[tool]`, and the path that the first one was called by.
pub(crate) struct Taken {
    pub(crate) settings: Vec<Attribute>,
    pub(crate) path: Path,
}

/// Returns whether a path names our attribute: `tool`, the `tool` of one of our crates, or that of the runtime's own path. Another crate's
/// `path::tool` is left where it is.
pub(super) fn is_ours(path: &Path, runtime: Option<&Path>) -> bool {
    if path.is_ident("tool") {
        return true;
    }
    let names = |path: &Path| path.segments.iter().map(|segment| segment.ident.to_string()).collect::<Vec<_>>();
    let mut found = names(path);
    if found.pop().is_none_or(|last| last != "tool") {
        return false;
    }
    found == ["tool_runtime"] || found == ["tool_macros"] || runtime.is_some_and(|runtime| found == names(runtime))
}

/// Takes each `#[tool]` of ours from the attributes; nothing at all where there is none.
pub(crate) fn take_settings(attributes: &mut Vec<Attribute>, runtime: Option<&Path>) -> Option<Taken> {
    let is_ours = |attribute: &Attribute| is_ours(attribute.path(), runtime);
    let ours: Vec<Attribute> = attributes.extract_if(.., |attribute| is_ours(attribute)).collect();
    let list = |attribute: &Attribute| match &attribute.meta {
        Meta::Path(_) => settings(&quote!()),
        Meta::List(list) => settings(&list.tokens),
        Meta::NameValue(_) => attribute.clone(),
    };
    let path = ours.first()?.path().clone();
    Some(Taken { settings: ours.iter().map(list).collect(), path })
}

/// `key`, `key = true` or `key = false`.
fn flag_or_value(entry: &Entry<'_, '_>) -> syn::Result<bool> {
    if entry.input.peek(syn::Token![=]) {
        let value: LitBool = entry.value().map_err(|error| {
            syn::Error::new(error.span(), format!("write `{0}`, or `{0} = false`", entry.key.unraw()))
        })?;
        Ok(value.value)
    } else {
        entry.flag().map(|_| true)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "it is read and dropped where it is parsed")]
fn shown(value: LitStr) -> syn::Result<bool> {
    match value.value().as_str() {
        "shown" => Ok(true),
        "hidden" => Ok(false),
        other => Err(syn::Error::new(value.span(), unknown(other, &["shown", "hidden"]))),
    }
}

fn casing(value: &LitStr) -> syn::Result<Casing> {
    one_of(value, Casing::NAMES)
}

/// One of the policies for what is refused.
pub(super) fn policy(value: &LitStr) -> syn::Result<Policy> {
    one_of(value, Policy::NAMES)
}
