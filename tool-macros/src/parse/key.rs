//! The table of keys. It says on which items a key is allowed, and how the key is parsed.
//!
//! The parser and the errors about unknown and misplaced keys (`lookup.rs`) use this table. The rows of the tables in
//! `tool-runtime/docs/attributes.md` and `tool-attributes.md` are in `keys.txt`. A test compares the pages with both.

use syn::parse::{Parse as _, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Index, LitInt, LitStr, Member, Path, Token, Type, WherePredicate};

use super::attributes::Attributes;
use super::doc::described_by;
use super::entry::{Entry, once};
use super::literal::literal;
// Recursion with `lookup`: the rules in `inner(…)` also come from this table.
use super::item_kind::Place::{self, Block, Case, Container, Error, Field, Function, Inner, Parameter, Variant};
use super::keyword::one_of;
use super::lookup::inner;
use super::number::{milliseconds, retry};
use super::rule::{RawRule, RawRuleKind, length, range};
use super::throttle::{throttle_rules, volatile_members};
use crate::errors::Errors;
use crate::model::{Casing, Policy};

/// A key of `#[tool(…)]` or `#[plugin_container(…)]`. A key may be parsed differently on different kinds of items.
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) places: &'static [Place],
    pub(super) read: fn(&mut Attributes, &Entry<'_, '_>, &mut Errors) -> syn::Result<()>,
}

/// Every key.
pub(crate) const KEYS: &[Key] = &[
    // Rules.
    Key {
        name: "length",
        places: &[Field, Parameter, Inner],
        read: |found, entry, errors| rule(length(entry, errors)?, found, entry),
    },
    Key {
        name: "range",
        places: &[Field, Parameter, Inner],
        read: |found, entry, errors| rule(range(entry, errors)?, found, entry),
    },
    Key {
        name: "multiple_of",
        places: &[Field, Parameter, Inner],
        read: |found, entry, _| rule(Some(RawRuleKind::MultipleOf(entry.value()?)), found, entry),
    },
    Key {
        name: "pattern",
        places: &[Field, Parameter, Inner],
        read: |found, entry, _| rule(Some(RawRuleKind::Pattern(entry.value()?)), found, entry),
    },
    Key {
        name: "format",
        places: &[Field, Parameter, Inner],
        read: |found, entry, _| rule(Some(RawRuleKind::Format(entry.value()?)), found, entry),
    },
    Key {
        name: "unique_items",
        places: &[Field, Parameter, Inner],
        read: |found, entry, _| rule(entry.flag().map(|_| Some(RawRuleKind::UniqueItems))?, found, entry),
    },
    Key {
        name: "inner",
        places: &[Field, Parameter, Inner],
        read: |found, entry, errors| rule(inner(entry, found.depth, errors)?, found, entry),
    },
    Key {
        name: "custom",
        places: &[Container, Field, Parameter, Inner],
        read: |found, entry, _| rule(Some(RawRuleKind::Custom(entry.value()?)), found, entry),
    },
    // Values and presentation.
    Key {
        name: "description",
        places: &[Container, Variant, Field, Parameter, Function, Block],
        read: |found, entry, _| described_by(entry, &mut found.description),
    },
    Key {
        name: "undocumented",
        places: &[Container, Field, Parameter, Function, Block],
        read: |found, entry, _| entry.mark(&mut found.undocumented),
    },
    Key {
        name: "ignore_unknown",
        places: &[Container],
        read: |found, entry, _| entry.mark(&mut found.settings.ignore_unknown),
    },
    Key {
        name: "example",
        places: &[Field, Parameter],
        read: |found, entry, _| once(&mut found.example, entry.key, entry.value_with(literal)?),
    },
    Key {
        name: "default",
        places: &[Field, Parameter],
        read: |found, entry, _| entry.spanned(&mut found.default, literal),
    },
    Key {
        name: "default_fn",
        places: &[Parameter],
        read: |found, entry, _| entry.spanned(&mut found.default_fn, Path::parse),
    },
    Key { name: "sensitive", places: &[Field, Parameter], read: |found, entry, _| entry.mark(&mut found.sensitive) },
    Key {
        name: "deprecated",
        places: &[Variant, Field, Parameter],
        read: |found, entry, _| entry.mark(&mut found.deprecated),
    },
    Key { name: "hidden", places: &[Variant, Field, Parameter], read: |found, entry, _| entry.mark(&mut found.hidden) },
    Key {
        name: "repair",
        places: &[Field, Parameter, Function],
        read: |found, entry, _| {
            entry.spanned(&mut found.settings.repair, |input| one_of(&input.parse()?, Policy::NAMES))
        },
    },
    Key { name: "schemars", places: &[Field, Parameter], read: |found, entry, _| entry.mark(&mut found.schemars) },
    Key {
        name: "as",
        places: &[Variant, Field],
        read: |found, entry, _| entry.spanned(&mut found.wire_type, Type::parse),
    },
    // Parameters and functions.
    Key {
        name: "rename",
        places: &[Parameter],
        read: |found, entry, _| once(&mut found.rename, entry.key, entry.value()?),
    },
    Key {
        name: "alias",
        places: &[Parameter],
        read: |found, entry, _| entry.value().map(|alias| found.aliases.push(alias)),
    },
    Key { name: "flatten", places: &[Parameter], read: |found, entry, _| entry.mark(&mut found.flatten) },
    Key { name: "host", places: &[Parameter], read: |found, entry, _| entry.mark(&mut found.host) },
    Key { name: "state", places: &[Parameter], read: |found, entry, _| entry.mark(&mut found.state) },
    Key { name: "context", places: &[Parameter], read: |found, entry, _| entry.mark(&mut found.context) },
    Key {
        name: "name",
        places: &[Function, Block],
        read: |found, entry, _| once(&mut found.name, entry.key, entry.value()?),
    },
    Key {
        name: "type",
        places: &[Function],
        read: |found, entry, _| once(&mut found.type_name, entry.key, entry.value()?),
    },
    Key {
        name: "crate",
        places: &[Container, Function, Block],
        read: |found, entry, _| entry.spanned(&mut found.runtime, absolute_path),
    },
    Key {
        name: "bound",
        places: &[Container],
        read: |found, entry, _| once(&mut found.bound, entry.key, entry.value_with(predicates)?),
    },
    Key {
        name: "aliases",
        places: &[Function],
        read: |found, entry, _| {
            let names = entry
                .texts("`aliases` lists additional names that calls may use: write `aliases(\"cat\", \"open\")`")?;
            once(&mut found.other_names, entry.key, names)
        },
    },
    Key {
        name: "title",
        places: &[Function, Block],
        read: |found, entry, _| once(&mut found.title, entry.key, entry.value()?),
    },
    Key {
        name: "icons",
        places: &[Function, Block],
        read: |found, entry, _| {
            let icons =
                entry.texts("`icons` lists addresses of images: write `icons(\"https://example.com/icon.png\")`")?;
            once(&mut found.icons, entry.key, icons)
        },
    },
    Key {
        name: "meta",
        places: &[Function, Block],
        read: |found, entry, _| once(&mut found.meta, entry.key, entry.value_with(literal)?),
    },
    Key {
        name: "ignore_unknown",
        places: &[Function],
        read: |found, entry, _| entry.mark(&mut found.settings.ignore_unknown),
    },
    Key {
        name: "errors",
        places: &[Function],
        read: |found, entry, _| once(&mut found.settings.show_errors, entry.key, one_of(&entry.value()?, SHOWN)?),
    },
    Key { name: "blocking", places: &[Function], read: |found, entry, _| entry.mark(&mut found.settings.blocking) },
    Key { name: "sequential", places: &[Function], read: |found, entry, _| entry.mark(&mut found.settings.sequential) },
    Key {
        name: "timeout_ms",
        places: &[Function],
        read: |found, entry, _| {
            let limit = (entry.key.span(), milliseconds(entry)?);
            once(&mut found.settings.time_limit, entry.key, limit)
        },
    },
    Key {
        name: "retry",
        places: &[Function],
        read: |found, entry, errors| match retry(entry, errors)? {
            Some(retry) => once(&mut found.settings.retry, entry.key, retry),
            None => Ok(()),
        },
    },
    Key {
        name: "output_schema",
        places: &[Function],
        read: |found, entry, _| entry.mark(&mut found.settings.output_schema),
    },
    Key {
        name: "available_if",
        places: &[Function],
        read: |found, entry, _| once(&mut found.settings.available_if, entry.key, entry.value()?),
    },
    Key {
        name: "available_if",
        places: &[Parameter],
        read: |found, entry, _| entry.spanned(&mut found.shown_if, Path::parse),
    },
    Key {
        name: "description_from",
        places: &[Function],
        read: |found, entry, _| once(&mut found.settings.description_from, entry.key, entry.value()?),
    },
    Key {
        name: "description_from",
        places: &[Parameter],
        read: |found, entry, _| entry.spanned(&mut found.described_from, Path::parse),
    },
    Key {
        name: "enum_from",
        places: &[Parameter],
        read: |found, entry, _| entry.spanned(&mut found.enum_from, Path::parse),
    },
    Key {
        name: "mcp_header",
        places: &[Parameter],
        read: |found, entry, _| once(&mut found.header, entry.key, entry.value()?),
    },
    Key {
        name: "throttle",
        places: &[Function],
        read: |found, entry, errors| {
            let rules = (entry.key.span(), throttle_rules(entry, errors)?);
            once(&mut found.throttle.throttle, entry.key, rules)
        },
    },
    Key { name: "polling", places: &[Function], read: |found, entry, _| entry.mark(&mut found.throttle.polling) },
    Key { name: "unlimited", places: &[Function], read: |found, entry, _| entry.mark(&mut found.throttle.unlimited) },
    Key {
        name: "volatile",
        places: &[Function],
        read: |found, entry, _| {
            let members = (entry.key.span(), volatile_members(entry)?);
            once(&mut found.throttle.volatile, entry.key, members)
        },
    },
    Key {
        name: "read_only",
        places: &[Function],
        read: |found, entry, _| once(&mut found.settings.read_only, entry.key, entry.flag_or_value()?),
    },
    Key {
        name: "destructive",
        places: &[Function],
        read: |found, entry, _| once(&mut found.settings.destructive, entry.key, entry.flag_or_value()?),
    },
    Key {
        name: "idempotent",
        places: &[Function],
        read: |found, entry, _| once(&mut found.settings.idempotent, entry.key, entry.flag_or_value()?),
    },
    Key {
        name: "open_world",
        places: &[Function],
        read: |found, entry, _| once(&mut found.settings.open_world, entry.key, entry.flag_or_value()?),
    },
    // Containers.
    Key {
        name: "instructions",
        places: &[Block],
        read: |found, entry, _| described_by(entry, &mut found.instructions),
    },
    Key {
        name: "instructions_from",
        places: &[Block],
        read: |found, entry, _| entry.spanned(&mut found.instructions_from, Path::parse),
    },
    Key {
        name: "system_prompt",
        places: &[Block],
        read: |found, entry, _| described_by(entry, &mut found.system_prompt),
    },
    Key {
        name: "system_prompt_from",
        places: &[Block],
        read: |found, entry, _| entry.spanned(&mut found.system_prompt_from, Path::parse),
    },
    Key {
        name: "rename_all",
        places: &[Block],
        read: |found, entry, _| once(&mut found.rename_all, entry.key, one_of(&entry.value()?, Casing::NAMES)?),
    },
    // Errors of tools.
    Key { name: "rejected", places: &[Error, Case], read: kind },
    Key { name: "retry", places: &[Error, Case], read: kind },
    Key { name: "unavailable", places: &[Error, Case], read: kind },
    Key { name: "rate_limited", places: &[Error, Case], read: kind },
    Key { name: "timeout", places: &[Error, Case], read: kind },
    Key { name: "internal", places: &[Error, Case], read: kind },
    Key {
        name: "field",
        places: &[Error, Case],
        read: |found, entry, _| once(&mut found.argument, entry.key, (entry.key.clone(), entry.value()?)),
    },
    Key {
        name: "retry_after",
        places: &[Error, Case],
        read: |found, entry, _| once(&mut found.pause, entry.key, (entry.key.clone(), entry.value_with(member)?)),
    },
    Key { name: "crate", places: &[Error], read: |found, entry, _| entry.spanned(&mut found.runtime, absolute_path) },
];

/// The values of `errors = "…"`.
const SHOWN: &[(&str, bool)] = &[("shown", true), ("hidden", false)];

/// Adds a rule. `kind` is `None` if a mistake inside the rule was already noted.
fn rule(kind: Option<RawRuleKind>, found: &mut Attributes, entry: &Entry<'_, '_>) -> syn::Result<()> {
    let Some(kind) = kind else { return Ok(()) };
    let key = entry.key;
    // `custom` may occur several times. Every other rule becomes a JSON Schema keyword, which can occur only once.
    if !matches!(kind, RawRuleKind::Custom(_)) && found.rules.iter().any(|rule| rule.key == *key) {
        return Err(syn::Error::new(key.span(), format!("`{key}` was already given: remove one of the two")));
    }
    found.rules.push(RawRule { key: key.clone(), kind });
    Ok(())
}

/// Stores the kind of failure to which an error is mapped. Returns an error if a kind was already given.
fn kind(found: &mut Attributes, entry: &Entry<'_, '_>, _: &mut Errors) -> syn::Result<()> {
    entry.flag()?;
    if let Some(other) = &found.kind {
        let message = format!("the kind was already given as `{other}`: remove one of the two");
        return Err(syn::Error::new(entry.key.span(), message));
    }
    found.kind = Some(entry.key.clone());
    Ok(())
}

/// Parses the name of a field, or its number in a tuple.
fn member(input: ParseStream<'_>) -> syn::Result<Member> {
    if input.peek(LitInt) { input.parse::<Index>().map(Member::Unnamed) } else { input.parse().map(Member::Named) }
}

/// Parses a path that has the same meaning in every module.
fn absolute_path(input: ParseStream<'_>) -> syn::Result<Path> {
    let path = Path::parse_mod_style(input)?;
    let first = path.segments.first().map(|segment| segment.ident.to_string());
    if path.leading_colon.is_some() || matches!(first.as_deref(), Some("crate" | "$crate")) {
        return Ok(path);
    }
    let shown = path.segments.iter().map(|segment| segment.ident.to_string()).collect::<Vec<_>>().join("::");
    Err(syn::Error::new_spanned(path, format!("generated code needs an absolute path: write `crate = ::{shown}`")))
}

fn predicates(input: ParseStream<'_>) -> syn::Result<Vec<WherePredicate>> {
    let text: LitStr = input.parse()?;
    let parsed = text.parse_with(Punctuated::<WherePredicate, Token![,]>::parse_terminated)?;
    Ok(parsed.into_iter().collect())
}
