//! The case of letters in units and other symbols.

use proptest::prelude::*;
use serde_json::{Value, json};
use tool_runtime::RepairPolicy;

use super::{call, ran, session};

fn enumeration(values: &[&str]) -> Value {
    json!({"type": "object", "properties": {"unit": {"enum": values}}, "required": ["unit"]})
}

fn sent(unit: &str) -> String {
    json!({"unit": unit}).to_string()
}

#[test]
fn symbols_are_not_read_as_other_symbols() {
    let cases: [(&[&str], &[&str]); 14] = [
        (&["mbar", "hpa"], &["Mbar"]),
        (&["mrad", "1 mbar"], &["Mrad", "1 Mbar", "1Mbar"]),
        (&["kg/mmol", "rate_mbit"], &["kg/Mmol", "rateMbit"]),
        (&["mmol", "umol"], &["Mmol"]),
        (&["s", "ms", "m"], &["m/s", "S"]),
        (&["W", "kW", "MW"], &["mW", "KW", "w", "kw"]),
        (&["Mb/s", "Gb/s"], &["MB/s", "GB/s", "mb/s"]),
        (&["m", "h", "d"], &["M", "H"]),
        (&["1m", "5m", "1H", "1D"], &["1M", "5M", "1h"]),
        (&["µm", "mm"], &["µM", "Mm"]),
        (&["K", "°C"], &["k", "°c"]),
        (&["kWh", "MWh"], &["mWh", "KWH", "kwh"]),
        (&["bar", "mbar"], &["Mbar", "MBAR"]),
        (&["rate_mb", "rate_gb"], &["rateMb", "Rate_Mb"]),
    ];
    for (allowed, spellings) in cases {
        let session = session("set", &enumeration(allowed), RepairPolicy::Assisted);
        for spelling in spellings {
            let outcome = call(&session, "set", &sent(spelling));
            assert_eq!(outcome.value(), None, "{spelling} of {allowed:?}");
            let text = outcome.to_text();
            assert!(!text.contains("did_you_mean"), "{spelling} of {allowed:?}: {text}");
            assert!(text.contains(allowed[0]), "{text}");
        }
    }
}

#[test]
fn a_word_in_capitals_that_may_be_a_symbol_is_only_a_question() {
    for (allowed, spelling, meant) in [
        (["mbar", "hpa"], "MBAR", "mbar"),
        (["mqtt", "http"], "MQTT", "mqtt"),
        (["in_progress", "done"], "IN_PROGRESS", "in_progress"),
        (["in_progress", "done"], "In Progress", "in_progress"),
        (["resign", "sign"], "re-sign", "resign"),
    ] {
        let session = session("set", &enumeration(&allowed), RepairPolicy::Assisted);
        let outcome = call(&session, "set", &sent(spelling));
        assert_eq!(outcome.value(), None, "{spelling}");
        let question = format!(r#"unit \"{meant}\" if you mean it"#);
        assert!(outcome.to_text().contains(&question), "{spelling}: {}", outcome.to_text());
    }
    let session = session("set", &enumeration(&["pdf", "markdown", "png"]), RepairPolicy::Lossless);
    for (spelling, meant) in [("PDF", "pdf"), ("Pdf", "pdf"), ("Markdown", "markdown"), ("PNG", "png")] {
        assert_eq!(ran(&session, "set", &sent(spelling)), Some(json!({"unit": meant})), "{spelling}");
    }
}

#[test]
fn words_are_read_in_every_usual_case() {
    for (name, spellings) in [
        ("prod", &["PROD", "Prod", " prod "][..]),
        ("Success", &["success", "SUCCESS"]),
        ("read_only", &["readOnly", "ReadOnly", "READ_ONLY", "read-only", "Read Only"]),
        ("thisServer", &["this_server", "this-server"]),
        ("text/html", &["TEXT/HTML", "Text/Html"]),
        ("v2", &["v-2"]),
    ] {
        let session = session("set", &enumeration(&[name, "other"]), RepairPolicy::Lossless);
        for spelling in spellings {
            assert_eq!(ran(&session, "set", &sent(spelling)), Some(json!({"unit": name})), "{spelling}");
        }
    }
}

/// Swaps the case of the letters whose bits are set.
fn swapped(text: &str, which: u32) -> String {
    let swap = |(index, letter): (usize, char)| match letter {
        letter if which & (1 << index) == 0 => letter,
        letter if letter.is_ascii_lowercase() => letter.to_ascii_uppercase(),
        letter => letter.to_ascii_lowercase(),
    };
    text.chars().enumerate().map(swap).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: tests::cases(256), ..ProptestConfig::default() })]

    #[test]
    fn a_symbol_of_short_words_is_never_read_in_another_case(
        symbol in "[0-9]{0,2}[a-zA-Zµ]{1,2}([/ ·^-][a-zA-Z]{1,2}){0,2}", which in 1u32..4_096,
    ) {
        let spelling = swapped(&symbol, which);
        prop_assume!(spelling != symbol);
        let session = session("set", &enumeration(&[&symbol]), RepairPolicy::Assisted);
        prop_assert_eq!(ran(&session, "set", &sent(&spelling)), None, "{} for {}", spelling, symbol);
    }
}
