//! Parses the throttle settings: `throttle(…)`, `polling`, `unlimited`, `volatile(…)`.
//!
//! Invariant: each number is whole and within its allowed range.

use proc_macro2::{Ident, Span};
use syn::parse::ParseStream;
use syn::{LitBool, LitInt, LitStr, Token};

use super::entry::{Entry, Member, once};
use super::keyword::unknown;
use crate::errors::Errors;
use crate::model::{Count, ThrottleRule};

/// The raw throttle settings.
#[derive(Default)]
pub(crate) struct RawThrottle {
    pub(crate) throttle: Option<(Span, Vec<RawSetting>)>,
    pub(crate) polling: Option<Span>,
    pub(crate) unlimited: Option<Span>,
    pub(crate) volatile: Option<(Span, Vec<LitStr>)>,
}

/// One rule of `throttle(…)`.
pub(crate) struct RawSetting {
    pub(crate) key: Ident,
    pub(crate) rule: ThrottleRule,
    /// The numbers of the rule; `None` if it is switched off with `= false`.
    pub(crate) numbers: Option<RawNumbers>,
}

/// The numbers of a rule.
#[derive(Default)]
pub(crate) struct RawNumbers {
    pub(crate) warn: Option<Count>,
    pub(crate) limit: Option<Count>,
    pub(crate) first: Option<Count>,
    pub(crate) factor: Option<Count>,
    pub(crate) cap: Option<Count>,
    pub(crate) calls: Option<Count>,
    pub(crate) seconds: Option<Count>,
}

impl RawNumbers {
    fn is_empty(&self) -> bool {
        let Self { warn, limit, first, factor, cap, calls, seconds } = self;
        [warn, limit, first, factor, cap, calls, seconds].into_iter().all(Option::is_none)
    }
}

/// The maximum pause and window, in seconds: one day.
const LONGEST: u32 = 24 * 60 * 60;
/// The maximum number of calls that a window counts.
const MOST_CALLS: u32 = 1_024;

/// Parses `throttle(same_error = false, …)`.
pub(super) fn throttle_rules(entry: &Entry<'_, '_>, errors: &mut Errors) -> syn::Result<Vec<RawSetting>> {
    let mut settings: Vec<RawSetting> = Vec::new();
    let clean = entry.list(errors, |entry, errors| {
        let name = entry.key.to_string();
        let Some(&(_, rule)) = ThrottleRule::NAMES.iter().find(|(known, _)| *known == name) else {
            return Err(syn::Error::new(entry.key.span(), of_no_tool(&name)));
        };
        if settings.iter().any(|setting| setting.rule == rule) {
            return Err(syn::Error::new(
                entry.key.span(),
                format!("`{name}` was already given: remove one of the two"),
            ));
        }
        let numbers = if entry.input.peek(Token![=]) {
            off(entry)?;
            None
        } else {
            Some(numbers(entry, rule, errors)?)
        };
        settings.push(RawSetting { key: entry.key.clone(), rule, numbers });
        Ok(())
    })?;
    if clean && settings.is_empty() {
        let message = "`throttle()` is empty: name a rule, such as `throttle(same_error = false)`";
        return Err(syn::Error::new(entry.key.span(), message));
    }
    Ok(settings)
}

fn of_no_tool(name: &str) -> String {
    match name {
        "overall_rate" | "unknown_tools" | "run_budget" | "history" => {
            format!("`{name}` applies to the whole session: set it with `Toolbox::builder().throttle(…)`")
        }
        _ => unknown(name, &ThrottleRule::NAMES.iter().map(|(known, _)| *known).collect::<Vec<_>>()),
    }
}

/// Parses `rule = false`.
fn off(entry: &Entry<'_, '_>) -> syn::Result<()> {
    let key = entry.key;
    let instead = |span| syn::Error::new(span, format!("write `{key} = false` to turn the rule off, or `{key}(…)`"));
    let value: LitBool = entry.value().map_err(|error| instead(error.span()))?;
    if value.value { Err(instead(value.span())) } else { Ok(()) }
}

fn numbers(entry: &Entry<'_, '_>, rule: ThrottleRule, errors: &mut Errors) -> syn::Result<RawNumbers> {
    let RawNumbers { mut warn, mut limit, mut first, mut factor, mut cap, mut calls, mut seconds } =
        RawNumbers::default();
    let is_rate = rule == ThrottleRule::SameToolRate;
    let mut of_rate: [Member<'_>; 2] = [
        ("calls", &mut |entry| once(&mut calls, entry.key, count(entry, 1, MOST_CALLS)?)),
        ("seconds", &mut |entry| once(&mut seconds, entry.key, count(entry, 1, LONGEST)?)),
    ];
    let mut of_streak: [Member<'_>; 5] = [
        ("warn", &mut |entry| once(&mut warn, entry.key, count(entry, 0, u32::MAX)?)),
        ("limit", &mut |entry| once(&mut limit, entry.key, count(entry, 1, u32::MAX)?)),
        ("first", &mut |entry| once(&mut first, entry.key, count(entry, 1, LONGEST)?)),
        ("factor", &mut |entry| once(&mut factor, entry.key, count(entry, 1, u32::MAX)?)),
        ("cap", &mut |entry| once(&mut cap, entry.key, count(entry, 1, LONGEST)?)),
    ];
    let clean = entry.members(errors, if is_rate { &mut of_rate } else { &mut of_streak })?;
    let numbers = RawNumbers { warn, limit, first, factor, cap, calls, seconds };
    let is_empty = numbers.is_empty();
    if clean && is_empty {
        let example = if is_rate { "calls = 30, seconds = 10" } else { "limit = 5" };
        let key = entry.key;
        return Err(syn::Error::new(key.span(), format!("`{key}()` is empty: write `{key}({example})`")));
    }
    Ok(numbers)
}

fn count(entry: &Entry<'_, '_>, least: u32, most: u32) -> syn::Result<Count> {
    entry.value_with(|input: ParseStream<'_>| {
        let wanted = if most == u32::MAX { format!("of at least {least}") } else { format!("from {least} to {most}") };
        let fail = |span| syn::Error::new(span, format!("write a whole number {wanted}"));
        let literal: LitInt = input.parse().map_err(|error| fail(error.span()))?;
        let value = literal.base10_parse::<u32>().map_err(|_| fail(literal.span()))?;
        if (least..=most).contains(&value) && literal.suffix().is_empty() {
            Ok(Count { value, span: literal.span() })
        } else {
            Err(fail(literal.span()))
        }
    })
}

/// Parses `volatile("timestamp", "request_id")`.
pub(super) fn volatile_members(entry: &Entry<'_, '_>) -> syn::Result<Vec<LitStr>> {
    entry.texts("`volatile` names members of the result: write `volatile(\"timestamp\")`")
}
