//! A function that becomes a tool, and a container whose methods become tools.

use proc_macro2::{Ident, Span, TokenStream};
use syn::{Generics, LitStr, Path, Type, Visibility};

use super::{Doc, Field, Settings, Throttle};

/// A function that becomes a tool.
pub(crate) struct Tool {
    /// The type that represents the tool.
    pub(crate) ident: Ident,
    pub(crate) visibility: Visibility,
    /// The name of the function.
    pub(crate) function: Ident,
    /// The container, if the tool is a method.
    pub(crate) owner: Option<Owner>,
    pub(crate) is_async: bool,
    /// The parameters, in the order of the function.
    pub(crate) parameters: Vec<Parameter>,
    /// The return type; `()` if none is written.
    pub(crate) output: Type,
    /// The name that the model calls.
    pub(crate) name: String,
    /// Aliases that a call may use.
    pub(crate) aliases: Vec<String>,
    /// The span of errors about the name.
    pub(crate) name_span: Span,
    pub(crate) doc: Doc,
    pub(crate) settings: Settings,
    pub(crate) presentation: Presentation,
    pub(crate) throttle: Throttle,
    /// The tokens of each `#[cfg(…)]` on the function.
    pub(crate) conditions: Vec<TokenStream>,
}

impl Tool {
    /// Returns `true` if unknown parameters are rejected.
    pub(crate) fn is_closed(&self) -> bool {
        self.settings.ignore_unknown.is_none()
    }

    /// Returns the parameters that the model fills in, in declaration order.
    pub(crate) fn arguments(&self) -> impl Iterator<Item = &Argument> {
        self.parameters.iter().filter_map(|parameter| match parameter {
            Parameter::Argument(argument) => Some(argument),
            Parameter::State(_) | Parameter::Context(_) => None,
        })
    }

    /// Returns the types of the state that the function borrows.
    pub(crate) fn state(&self) -> impl Iterator<Item = &Type> {
        self.parameters.iter().filter_map(|parameter| match parameter {
            Parameter::State(ty) => Some(ty),
            Parameter::Argument(_) | Parameter::Context(_) => None,
        })
    }
}

/// Data of a tool or a container for people and programs.
#[derive(Default)]
pub(crate) struct Presentation {
    pub(crate) title: Option<String>,
    /// The addresses of icons.
    pub(crate) icons: Vec<String>,
    /// The metadata that programs read (`_meta`), as the JSON text of an object.
    pub(crate) meta: Option<String>,
}

/// One parameter of the function.
#[expect(clippy::large_enum_variant, reason = "a tool has a handful of parameters, and most are arguments")]
pub(crate) enum Parameter {
    /// A parameter that the model fills in.
    Argument(Argument),
    /// `&T` from the toolbox or the session.
    State(Type),
    /// The context of the call, with the type that the user wrote after `&`.
    Context(Type),
}

/// A parameter that the model fills in.
pub(crate) struct Argument {
    pub(crate) ident: Ident,
    pub(crate) field: Field,
    pub(crate) absent: Absent,
    /// A function that computes the allowed names of the parameter from a state.
    pub(crate) enum_from: Option<Path>,
    /// `true` if the fields of the type are the arguments of the tool. Then there is no other argument.
    pub(crate) is_flat: bool,
    /// `true` if the host supplies the value, so that the model does not see the parameter.
    pub(crate) is_host: bool,
    /// A function that decides from a state whether the parameter is shown.
    pub(crate) available_if: Option<Path>,
    /// A function that computes the description of the parameter from a state.
    pub(crate) description_from: Option<Path>,
    /// The name of the HTTP header that repeats the value.
    pub(crate) header: Option<LitStr>,
}

/// The value of a parameter whose key is absent.
pub(crate) enum Absent {
    /// The type's own value for absent keys, if it has one.
    OfType,
    /// `default = …`: the decoded literal of the field.
    Literal,
    /// `default_fn = path`
    Function(Path),
}

/// The container of a method.
#[derive(Clone)]
pub(crate) struct Owner {
    pub(crate) ty: Type,
    pub(crate) generics: Generics,
    /// `true` if the method takes `&self`.
    pub(crate) has_receiver: bool,
}

/// A container: an inherent `impl` block with methods that are tools.
pub(crate) struct Container {
    pub(crate) ty: Type,
    pub(crate) generics: Generics,
    /// The runtime crate, an absolute path.
    pub(crate) runtime: Path,
    pub(crate) name: String,
    pub(crate) doc: Doc,
    pub(crate) instructions: Doc,
    pub(crate) instructions_from: Option<Path>,
    pub(crate) system_prompt: Doc,
    pub(crate) system_prompt_from: Option<Path>,
    pub(crate) presentation: Presentation,
    pub(crate) members: Vec<Tool>,
    /// The path by which `#[tool]` was called. It is emitted again, so that its import does not seem unused.
    pub(crate) marker: Option<Path>,
}

/// The casing of `rename_all`, with serde's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Casing {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

impl Casing {
    /// Every casing with serde's name.
    pub(crate) const NAMES: &'static [(&'static str, Self)] = &[
        ("lowercase", Self::Lower),
        ("UPPERCASE", Self::Upper),
        ("PascalCase", Self::Pascal),
        ("camelCase", Self::Camel),
        ("snake_case", Self::Snake),
        ("SCREAMING_SNAKE_CASE", Self::ScreamingSnake),
        ("kebab-case", Self::Kebab),
        ("SCREAMING-KEBAB-CASE", Self::ScreamingKebab),
    ];

    /// Converts a `snake_case` name to this casing, as serde converts a field name.
    pub(crate) fn apply(self, name: &str) -> String {
        match self {
            Self::Lower | Self::Snake => name.to_owned(),
            Self::Upper | Self::ScreamingSnake => name.to_ascii_uppercase(),
            Self::Pascal => pascal(name),
            Self::Camel => {
                let pascal = pascal(name);
                let mut characters = pascal.chars();
                characters.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(characters).collect()
            }
            Self::Kebab => name.replace('_', "-"),
            Self::ScreamingKebab => name.to_ascii_uppercase().replace('_', "-"),
        }
    }
}

/// Converts `get_weather` to `GetWeather`.
pub(crate) fn pascal(name: &str) -> String {
    let capitalised = |word: &str| {
        let mut characters = word.chars();
        characters.next().into_iter().flat_map(char::to_uppercase).chain(characters).collect::<String>()
    };
    name.split('_').map(capitalised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn casings_agree_with_serde() {
        let expected = [
            "solve_it_2",
            "SOLVE_IT_2",
            "SolveIt2",
            "solveIt2",
            "solve_it_2",
            "SOLVE_IT_2",
            "solve-it-2",
            "SOLVE-IT-2",
        ];
        let written: Vec<String> = Casing::NAMES.iter().map(|(_, casing)| casing.apply("solve_it_2")).collect();
        assert_eq!(written, expected);
    }
}
