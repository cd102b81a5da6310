//! Checks that no throttle setting of a tool makes another setting useless.

use proc_macro2::Span;

use crate::errors::Errors;
use crate::model::{Setting, Throttle, ThrottleRule};
use crate::parse::{RawNumbers, RawSetting, RawThrottle};

/// Checks the throttle settings of a tool.
pub(super) fn throttle(raw: RawThrottle, errors: &mut Errors) -> Throttle {
    let RawThrottle { throttle, polling, unlimited, volatile } = raw;
    let spans = [("throttle", throttle.as_ref().map(|(span, _)| *span)), ("polling", polling)];
    let volatile_span = volatile.as_ref().map(|(span, _)| *span);
    if unlimited.is_some() {
        for (key, span) in spans.into_iter().chain([("volatile", volatile_span)]) {
            let effect = "has no effect together with `unlimited`, which turns every rule off: remove one of the two";
            limit(span, &format!("`{key}` {effect}"), errors);
        }
    } else if polling.is_some() {
        let effect = "has no effect together with `polling`, which already allows the same call with the same result";
        limit(volatile_span, &format!("`volatile` {effect}: remove one of the two"), errors);
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

fn limit(span: Option<Span>, message: &str, errors: &mut Errors) {
    if let Some(span) = span {
        errors.at(span, message);
    }
}

fn setting(raw: RawSetting, errors: &mut Errors) -> Option<Setting> {
    let RawSetting { key, rule, numbers } = raw;
    let Some(RawNumbers { warn, limit, first, factor, cap, calls, seconds }) = numbers else {
        return Some(Setting::Off);
    };
    if rule == ThrottleRule::SameToolRate {
        let (Some(calls), Some(seconds)) = (calls, seconds) else {
            // If a number is missing because its value was rejected, that error was already noted.
            if calls.is_some() || seconds.is_some() {
                errors.at(
                    key.span(),
                    format!("a rate needs both `calls` and `seconds`: write `{key}(calls = 30, seconds = 10)`"),
                );
            }
            return None;
        };
        return Some(Setting::Rate { calls: calls.value, seconds: seconds.value });
    }
    Some(Setting::Streak { warn, limit, first, factor, cap })
}
