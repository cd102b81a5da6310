//! Emits the throttle settings of a tool as `const` data. They override the settings of the session.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};

use crate::model::{Count, Setting, Throttle, ThrottleRule};

/// Emits the fields of `ToolInit`, or nothing if there are no settings.
pub(super) fn throttle(throttle: &Throttle) -> Option<TokenStream> {
    if throttle.is_empty() {
        return None;
    }
    let rules = throttle.rules.iter().map(|(rule, setting)| self::setting(*rule, setting));
    let polling = throttle.polling.then(|| quote!(.polling()));
    let unlimited = throttle.unlimited.then(|| quote!(.unlimited()));
    let volatile = &throttle.volatile;
    Some(quote! {
        throttle: const { &__tool::LimitOverrides::NONE #(#rules)* #polling #unlimited },
        volatile: const { &[#(__tool::Text::Static(#volatile)),*] },
    })
}

fn setting(rule: ThrottleRule, setting: &Setting) -> TokenStream {
    let (method, variant) = names(rule);
    match setting {
        Setting::Off => quote!(.disable_rule(__tool::ThrottleRule::#variant)),
        Setting::Rate { calls, seconds } => {
            let window = seconds_of(*seconds);
            quote!(.#method(__tool::RateLimit { calls: #calls, window: #window }))
        }
        Setting::Streak { .. } => {
            let name = constant(rule);
            quote!(.#method(#name))
        }
    }
}

/// Emits one `const` for each rule with numbers, and one for each pair of numbers that may contradict each other, so that the compiler
/// reports all errors.
pub(super) fn streaks(throttle: &Throttle) -> TokenStream {
    throttle.rules.iter().filter_map(|(rule, setting)| streak(*rule, setting)).collect()
}

fn streak(rule: ThrottleRule, setting: &Setting) -> Option<TokenStream> {
    let Setting::Streak { warn, limit, first, factor, cap } = setting else { return None };
    let default = if rule == ThrottleRule::ConsecutiveFailures { quote!(FAILURES) } else { quote!(DEFAULT) };
    let numbers = [("limit", limit), ("warn", warn), ("factor", factor), ("first", first), ("cap", cap)];
    let calls = numbers.into_iter().filter_map(|(name, count)| {
        let (name, value) = (format_ident!("{name}"), (*count)?.value);
        Some(quote!(.#name(#value)))
    });
    let name = constant(rule);
    // Only the runtime can compare the numbers, because it has the defaults for numbers that are not given.
    let warns = warn.map(|Count { span, .. }| {
        quote_spanned!(Span::call_site().located_at(span)=> const _: () = __tool::warns_in_time(&#name);)
    });
    let fits = cap.or(*first).map(|Count { span, .. }| {
        let advice = if cap.is_some() { " or more" } else { " beside it" };
        quote_spanned!(Span::call_site().located_at(span)=> const _: () = __tool::pause_fits(&#name, #advice);)
    });
    Some(quote! {
        const #name: __tool::StreakLimits = __tool::StreakInit(__tool::StreakLimits::#default)#(#calls)*.0;
        #warns
        #fits
    })
}

/// Returns the name of the constant with the numbers of a rule.
fn constant(rule: ThrottleRule) -> Ident {
    format_ident!("__{}", names(rule).0.to_string().to_uppercase())
}

fn seconds_of(seconds: u32) -> TokenStream {
    let seconds = u64::from(seconds);
    quote!(::core::time::Duration::from_secs(#seconds))
}

/// Returns the name of the `LimitOverrides` method and the name of the `ThrottleRule` variant for a rule.
fn names(rule: ThrottleRule) -> (Ident, Ident) {
    let (method, variant) = match rule {
        ThrottleRule::ConsecutiveFailures => ("consecutive_failures", "ConsecutiveFailures"),
        ThrottleRule::SameError => ("same_error", "SameError"),
        ThrottleRule::IdenticalCall => ("identical_call", "IdenticalCall"),
        ThrottleRule::AlternatingCalls => ("alternating_calls", "AlternatingCalls"),
        ThrottleRule::SameToolRate => ("same_tool_rate", "SameToolRate"),
    };
    (format_ident!("{method}"), format_ident!("{variant}"))
}
