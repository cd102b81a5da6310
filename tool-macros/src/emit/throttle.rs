//! What a tool has otherwise than the throttle of its session, as `const` data.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use crate::model::{Setting, Throttle, ThrottleRule};

/// The fields of `ToolInit`; nothing where nothing was said.
pub(super) fn throttle(throttle: &Throttle) -> Option<TokenStream> {
    if throttle.is_empty() {
        return None;
    }
    let rules = throttle.rules.iter().map(|(rule, setting)| self::setting(*rule, setting));
    let polling = throttle.polling.then(|| quote!(.polling()));
    let unlimited = throttle.unlimited.then(|| quote!(.unlimited()));
    let volatile = &throttle.volatile;
    Some(quote! {
        throttle: const { &__tool::Overrides::NONE #(#rules)* #polling #unlimited },
        volatile: const { &[#(__tool::Text::Static(#volatile)),*] },
    })
}

fn setting(rule: ThrottleRule, setting: &Setting) -> TokenStream {
    let (method, variant) = names(rule);
    match setting {
        Setting::Off => quote!(.without(__tool::ThrottleRule::#variant)),
        Setting::Rate { calls, seconds } => {
            let window = seconds_of(*seconds);
            quote!(.#method(__tool::Rate { calls: #calls, window: #window }))
        }
        Setting::Streak { warn, refuse, first, factor, cap } => {
            let fields = [("warn", warn), ("refuse", refuse)].into_iter().filter_map(|(name, value)| {
                let (name, value) = (format_ident!("{name}"), (*value)?);
                Some(quote!(#name: #value,))
            });
            let factor = factor.map(|factor| quote!(factor: #factor,));
            let pauses = [("first", first), ("cap", cap)].into_iter().filter_map(|(name, value)| {
                let (name, value) = (format_ident!("{name}"), seconds_of((*value)?));
                Some(quote!(#name: #value,))
            });
            let default =
                format_ident!("{}", if rule == ThrottleRule::ConsecutiveFailures { "FAILURES" } else { "DEFAULT" });
            quote! {
                .#method(__tool::Streak {
                    #(#fields)*
                    pause: __tool::Backoff { #(#pauses)* #factor ..__tool::Backoff::DEFAULT },
                    ..__tool::Streak::#default
                })
            }
        }
    }
}

fn seconds_of(seconds: u32) -> TokenStream {
    let seconds = u64::from(seconds);
    quote!(::core::time::Duration::from_secs(#seconds))
}

/// The method of `Overrides`, and the variant of `ThrottleRule`.
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
