//! The settings about the throttle against each other: none may be without effect.
//!
//! In: what was written. Out: the checked settings; contradictions are noted in `Errors`.

use proc_macro2::Span;

use crate::errors::Errors;
use crate::model::{Setting, Throttle, ThrottleRule};
use crate::parse::{RawNumbers, RawSetting, RawThrottle};

/// The first pause and the longest, in seconds, unless a tool says otherwise.
const FIRST: u32 = 30;
const CAP: u32 = 300;

/// The counts that warn and pause, unless a tool says otherwise.
const fn counts(rule: ThrottleRule) -> (u32, u32) {
    if matches!(rule, ThrottleRule::ConsecutiveFailures) { (4, 6) } else { (2, 3) }
}

/// Checks what a tool says of the throttle.
pub(super) fn throttle(raw: RawThrottle, errors: &mut Errors) -> Throttle {
    let RawThrottle { throttle, polling, unlimited, volatile } = raw;
    let spans = [("throttle", throttle.as_ref().map(|(span, _)| *span)), ("polling", polling)];
    let volatile_span = volatile.as_ref().map(|(span, _)| *span);
    if unlimited.is_some() {
        for (key, span) in spans.into_iter().chain([("volatile", volatile_span)]) {
            let effect = "has no effect beside `unlimited`, which turns every rule off: remove one of the two";
            refuse(span, &format!("`{key}` {effect}"), errors);
        }
    } else if polling.is_some() {
        let effect = "has no effect beside `polling`, by which the same call with the same result is right";
        refuse(volatile_span, &format!("`volatile` {effect}: remove one of the two"), errors);
    }
    let settings = throttle.map(|(_, settings)| settings).unwrap_or_default();
    let of_polling = |rule| matches!(rule, ThrottleRule::IdenticalCall | ThrottleRule::AlternatingCalls);
    for RawSetting { key, rule, .. } in &settings {
        if polling.is_some() && unlimited.is_none() && of_polling(*rule) {
            errors.at(key.span(), format!("`polling` turns `{key}` off: remove one of the two"));
        }
    }
    let rules = settings.into_iter().filter_map(|setting| Some((setting.rule, self::setting(setting, errors)?)));
    let mut names: Vec<String> = Vec::new();
    let rules = rules.collect();
    for name in volatile.into_iter().flat_map(|(_, names)| names) {
        if names.contains(&name.value()) {
            errors.at(name.span(), format!("`{}` was already given: remove one of the two", name.value()));
        } else {
            names.push(name.value());
        }
    }
    Throttle { rules, polling: polling.is_some(), unlimited: unlimited.is_some(), volatile: names }
}

fn refuse(span: Option<Span>, message: &str, errors: &mut Errors) {
    if let Some(span) = span {
        errors.at(span, message);
    }
}

fn setting(raw: RawSetting, errors: &mut Errors) -> Option<Setting> {
    let RawSetting { key, rule, numbers } = raw;
    let Some(RawNumbers { warn, refuse, first, factor, cap, calls, seconds }) = numbers else {
        return Some(Setting::Off);
    };
    if rule == ThrottleRule::SameToolRate {
        let (Some(calls), Some(seconds)) = (calls, seconds) else {
            // Where one of them was refused, something was noted already.
            if calls.is_some() || seconds.is_some() {
                errors.at(key.span(), format!("a rate needs both: write `{key}(calls = 30, seconds = 10)`"));
            }
            return None;
        };
        return Some(Setting::Rate { calls: calls.value, seconds: seconds.value });
    }
    let (usual_warning, usual_count) = counts(rule);
    let count = refuse.map_or(usual_count, |refuse| refuse.value);
    if let Some(warn) = warn.filter(|warn| warn.value >= count) {
        errors.at(
            warn.span,
            format!("the pause comes after {count}, so this warning never does: write less, or `warn = 0`"),
        );
    }
    let (begin, longest) = (first.map_or(FIRST, |first| first.value), cap.map_or(CAP, |cap| cap.value));
    if begin > longest {
        let (span, instead) = match (cap, first) {
            (Some(cap), _) => (cap.span, format!("write `cap = {begin}` or more")),
            (None, Some(first)) => (first.span, format!("write `cap = {begin}` beside it")),
            (None, None) => return None,
        };
        errors.at(span, format!("the first pause of {begin} s is longer than the longest of {longest} s: {instead}"));
    }
    // A warning that nobody asked for still comes before the pause.
    let warn = warn.map(|warn| warn.value).or_else(|| refuse.map(|_| (count - 1).min(usual_warning)));
    let value = |count: Option<crate::parse::Count>| count.map(|count| count.value);
    Some(Setting::Streak { warn, refuse: value(refuse), first: value(first), factor: value(factor), cap: value(cap) })
}
