//! The keys of `#[tool(…)]` and where each of them belongs.
//!
//! In comes a key that somebody did not know at a place; out goes the error: where it belongs, the nearest key, or the list.

use std::fmt;

use proc_macro2::Ident;
use syn::LitStr;

/// Where a `#[tool(…)]` stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// On a struct or enum that derives `ToolInput`.
    Container,
    /// On a variant of such an enum.
    Variant,
    /// On a field of such a type.
    Field,
    /// On a parameter of a tool.
    Parameter,
    /// On a function.
    Function,
    /// On the `impl` block of a container.
    Block,
    /// Between the parentheses of `inner(…)`.
    Inner,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Container => "a struct or enum",
            Self::Variant => "a variant",
            Self::Field => "a field",
            Self::Parameter => "a parameter",
            Self::Function => "a function",
            Self::Block => "a container's `impl` block",
            Self::Inner => "the items, in `inner(…)`",
        })
    }
}

use Place::{Block, Container, Field, Function, Inner, Parameter, Variant};

/// Every key, with the places where it may stand.
const KEYS: &[(&str, &[Place])] = &[
    ("length", &[Field, Parameter, Inner]),
    ("range", &[Field, Parameter, Inner]),
    ("multiple_of", &[Field, Parameter, Inner]),
    ("pattern", &[Field, Parameter, Inner]),
    ("format", &[Field, Parameter, Inner]),
    ("unique_items", &[Field, Parameter, Inner]),
    ("inner", &[Field, Parameter, Inner]),
    ("custom", &[Field, Parameter, Inner, Container]),
    ("description", &[Field, Parameter, Container, Variant, Function, Block]),
    ("example", &[Field, Parameter]),
    ("default", &[Field, Parameter]),
    ("default_fn", &[Parameter]),
    ("sensitive", &[Field, Parameter]),
    ("deprecated", &[Field, Parameter, Variant]),
    ("hidden", &[Field, Parameter, Variant]),
    ("undocumented", &[Field, Parameter, Container, Function, Block]),
    ("schemars", &[Field, Parameter]),
    ("as", &[Field, Variant]),
    ("bound", &[Container]),
    ("crate", &[Container, Function, Block]),
    ("rename", &[Parameter]),
    ("alias", &[Parameter]),
    ("state", &[Parameter]),
    ("context", &[Parameter]),
    ("name", &[Function, Block]),
    ("type", &[Function]),
    ("errors", &[Function]),
    ("repair", &[Field, Parameter, Function]),
    ("blocking", &[Function]),
    ("sequential", &[Function]),
    ("timeout_ms", &[Function]),
    ("retry", &[Function]),
    ("output_schema", &[Function]),
    ("allow_unknown", &[Function]),
    ("read_only", &[Function]),
    ("destructive", &[Function]),
    ("idempotent", &[Function]),
    ("open_world", &[Function]),
    ("throttle", &[Function]),
    ("polling", &[Function]),
    ("unlimited", &[Function]),
    ("volatile", &[Function]),
    ("available_if", &[Function]),
    ("enum_from", &[Parameter]),
    ("instructions", &[Block]),
    ("instructions_from", &[Block]),
    ("system_prompt", &[Block]),
    ("system_prompt_from", &[Block]),
    ("rename_all", &[Block]),
];

/// Keys that serde has, and what to write for them on a type that derives.
const OF_SERDE: &[(&str, &str)] = &[
    ("rename", "#[serde(rename = \"…\")]"),
    ("rename_all", "#[serde(rename_all = \"…\")]"),
    ("alias", "#[serde(alias = \"…\")]"),
    ("default_fn", "#[serde(default = \"path\")]"),
    ("skip", "#[serde(skip)]"),
    ("flatten", "#[serde(flatten)]"),
    ("deny_unknown_fields", "#[serde(deny_unknown_fields)]"),
    ("transparent", "#[serde(transparent)]"),
    ("tag", "#[serde(tag = \"…\")]"),
    ("untagged", "#[serde(untagged)]"),
];

/// The error for a key that has no meaning at a place.
pub(crate) fn refuse_unknown(key: &Ident, place: Place) -> syn::Error {
    let name = key.to_string();
    let known: Vec<&str> = KEYS.iter().filter(|(_, places)| places.contains(&place)).map(|(key, _)| *key).collect();
    let of_serde = OF_SERDE.iter().find(|(key, _)| *key == name);
    let elsewhere = KEYS.iter().find(|(key, _)| *key == name);
    let message = if let (Container | Variant | Field, Some((_, instead))) = (place, of_serde) {
        format!("`{name}` is for serde to say: write `{instead}`")
    } else if let Some((_, places)) = elsewhere {
        let places: Vec<String> = places.iter().map(Place::to_string).collect();
        format!("`{name}` has no meaning on {place}: it belongs on {}", places.join(" or "))
    } else {
        unknown(&name, &known)
    };
    syn::Error::new(key.span(), message)
}

/// What one of several words stands for.
pub(super) fn one_of<T: Copy>(word: &LitStr, known: &[(&str, T)]) -> syn::Result<T> {
    let name = word.value();
    let found = known.iter().find(|(known, _)| *known == name).map(|(_, meant)| *meant);
    let names = || known.iter().map(|(known, _)| *known).collect::<Vec<_>>();
    found.ok_or_else(|| syn::Error::new(word.span(), unknown(&name, &names())))
}

/// The error text for a name that is none of those known: the nearest one, else all of them.
pub(crate) fn unknown(name: &str, known: &[&str]) -> String {
    match nearest(name, known) {
        Some(nearest) => format!("unknown `{name}`: did you mean `{nearest}`?"),
        None => format!("unknown `{name}`: write one of `{}`", known.join("`, `")),
    }
}

/// The known name at most a third of its letters away, or one that spells the same words (`min_length`, `minLength`).
fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    let fold = |text: &str| text.replace(['_', '-'], "").to_lowercase();
    let name = fold(name);
    known
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(&name, &fold(candidate)), *candidate))
        .filter(|(distance, candidate)| distance * 3 <= candidate.len().max(name.len()))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}
