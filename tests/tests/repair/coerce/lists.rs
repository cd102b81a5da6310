//! Texts in place of arrays: a complete list is parsed in its usual spellings, and a text that may contain several items is never wrapped
//! as one item.

use std::collections::BTreeMap;

use tool_runtime::ToolInput;

use crate::repair::coerce::certain::{ListOrCount, Order, Topic, text};
use crate::repair::coerce::{left, read};

/// Texts that may contain several items, or none.
pub(super) const LISTS: [&str; 86] = [
    "[\"Paris\", \"Ro",
    "[\"Paris\"",
    "[\"Paris\", \"Rome\"",
    "\"Paris\", \"Rome\"]",
    "Paris\"]",
    "['Paris', 'Ro",
    "[Paris, Rome]",
    "[Paris]",
    "['Paris' 'Rome']",
    "['Paris',, 'Rome']",
    "[,'Paris']",
    "['Paris', ...]",
    "['Paris', # and so on\n]",
    "['Paris', 'Rome'] and others",
    "The cities: ['Paris', 'Rome']",
    "```json\n[\"Paris\", \"Ro\n```",
    "```\nParis\nRome\n```",
    "`Paris`",
    "{\"city\": \"Paris\"}",
    "{'city': 'Paris'}",
    "{\"city\": \"Par",
    "{'Paris', 'Rome'}",
    "('Paris', 'Rome')",
    "(Paris)",
    "<li>Paris</li>",
    "\"Paris\"",
    "'Paris'",
    "“Paris”",
    "\"Paris\" \"Rome\"",
    "Paris, Rome",
    "Paris,Rome",
    "Paris, France",
    "Paris，Rome",
    "巴黎、罗马",
    "Paris; Rome",
    "Paris|Rome",
    "Paris | Rome",
    "Paris\nRome",
    "Paris\r\nRome",
    "Paris\tRome",
    "Paris\u{2028}Rome",
    "- Paris\n- Rome",
    "- Paris",
    "* Paris",
    "• Paris",
    "1. Paris",
    "1) Paris",
    "a) Paris",
    "Paris and Rome",
    "New York and San Francisco",
    "rust and go",
    "Paris & Rome",
    "Paris -> Rome",
    "city: Paris",
    "Paris...",
    "Paris …",
    "null",
    "None",
    " ",
    "Paris etc.",
    "\u{feff}[\"a\"]",
    "\u{200b}[Paris]\u{200b}",
    "\\[\"Paris\"\\]",
    "Paris､Rome",
    "Paris﹐Rome",
    "Paris¦Rome",
    "Paris\0Rome",
    "Paris\u{1f}Rome",
    "array(Paris)",
    "Array [ 'Paris' ]",
    "new Set(['Paris'])",
    "set()",
    "(Paris",
    "Paris)",
    "Paris')",
    "‹Paris›",
    "『Paris』",
    "1 2 3",
    "#rust #go",
    "-v -x",
    "Paris e Roma",
    "Paris och Rom",
    "巴黎 和 罗马",
    "...",
    "…",
    "N/A",
];

/// Texts that can only be one item.
const SINGLE: [&str; 23] = [
    "Paris",
    "New York",
    "src/main.rs",
    "https://example.com/a?b=c",
    "a-b_c.d",
    "Saint-Étienne",
    "KEY=value",
    "5",
    "true",
    "*",
    "./...",
    "It's",
    "ls -la",
    "An overview of new products and their prices",
    "巴黎",
    "Portland OR",
    "Generation Y",
    "Great :)",
    "Paris (France)",
    "1 Main Street",
    "C:\\temp\\a.txt",
    "#rust",
    "-v",
];

#[test]
fn a_text_that_may_be_a_list_is_not_an_item() {
    for sent in LISTS {
        left(<Vec<String>>::SHAPE, &text(sent));
        left(<Vec<Option<String>>>::SHAPE, &text(sent));
        left(ListOrCount::SHAPE, &text(sent));
        left(<BTreeMap<String, Vec<String>>>::SHAPE, &format!("{{\"a\": {}}}", text(sent)));
    }
    for sent in SINGLE {
        read(<Vec<String>>::SHAPE, &text(sent), &format!("[{}]", text(sent)), &[("$", "single_item")]);
    }
}

#[test]
fn a_complete_list_is_parsed_in_its_usual_spellings() {
    let cities = r#"["Paris","Rome"]"#;
    for sent in [
        "[\"Paris\", \"Rome\"]",
        "['Paris', 'Rome']",
        "[\"Paris\", \"Rome\",]",
        "['Paris', 'Rome', ]",
        "[“Paris”, “Rome”]",
        "\n ['Paris',\n 'Rome']\n",
        "```json\n[\"Paris\", \"Rome\"]\n```",
        "```python\n['Paris', 'Rome']\n```",
        "~~~\n['Paris', 'Rome']\n~~~",
        "```JSON [\"Paris\", \"Rome\"]```",
        "```json[\"Paris\", \"Rome\"]",
        "```my-language \n['Paris', 'Rome']\n```",
        "```['Paris', 'Rome']```",
    ] {
        read(<Vec<String>>::SHAPE, &text(sent), cities, &[("$", "stringified")]);
        read(ListOrCount::SHAPE, &text(sent), cities, &[("$", "stringified")]);
        let in_map = format!("{{\"a\": {}}}", text(sent));
        read(<BTreeMap<String, Vec<String>>>::SHAPE, &in_map, &format!("{{\"a\":{cities}}}"), &[("a", "stringified")]);
    }
    read(<Vec<String>>::SHAPE, r#""[\"a\",]""#, r#"["a"]"#, &[("$", "stringified")]);
    read(<Vec<bool>>::SHAPE, r#""[True, False]""#, "[true,false]", &[("$", "stringified")]);
    read(<Vec<Option<u8>>>::SHAPE, r#""[1, None,]""#, "[1,null]", &[("$", "stringified")]);
    read(<Vec<u8>>::SHAPE, r#""[1, '2']""#, "[1,2]", &[("$", "stringified"), ("[1]", "text")]);
    read(Order::SHAPE, r#""{'id': 1}""#, r#"{"id":1}"#, &[("$", "stringified")]);
    read(<Vec<Order>>::SHAPE, r#""[{id: 1}]""#, r#"[{"id":1}]"#, &[("$", "stringified")]);
    read(
        <Vec<Topic>>::SHAPE,
        r#""['rust', 'Date']""#,
        r#"["rust","date"]"#,
        &[("$", "stringified"), ("[1]", "enum_spelling")],
    );
}

#[test]
fn a_word_before_a_list_is_only_left_out_if_it_is_the_language_of_a_fence() {
    for sent in ["```cities['Paris']", "```cities ['Paris']```", "```Berlin['Paris', 'Rome']"] {
        left(<Vec<String>>::SHAPE, &text(sent));
        left(ListOrCount::SHAPE, &text(sent));
    }
    read(<Vec<f64>>::SHAPE, &text("[5., .5]"), "[5.0,0.5]", &[("$", "stringified")]);
}

#[test]
fn a_text_with_a_truncated_or_malformed_list_is_not_read_as_an_array() {
    for sent in ["[1, 2", "1, 2", "1\n2", "- 1\n- 2", "1; 2", "[1 2]", "[1, 2, ...]", "[1, 2 // 3\n]"] {
        left(<Vec<u8>>::SHAPE, &text(sent));
        left(<Vec<f64>>::SHAPE, &text(sent));
        left(<Vec<serde_json::Value>>::SHAPE, &text(sent));
    }
    for sent in ["rust, date", "rust\ndate", "['rust', 'da", "- rust", "rust and date"] {
        left(<Vec<Topic>>::SHAPE, &text(sent));
    }
    for sent in ["{'id': 1", "{'id': 1} {'id': 2}", "id: 1", "{'id': 1, ...}"] {
        left(<Vec<Order>>::SHAPE, &text(sent));
        left(Order::SHAPE, &text(sent));
    }
    // A member of a closed set may contain any characters.
    read(<Vec<Topic>>::SHAPE, r#""R&B""#, r#"["R&B"]"#, &[("$", "single_item")]);
    read(<Vec<Topic>>::SHAPE, r#""rock, pop & roll""#, r#"["rock, pop & roll"]"#, &[("$", "single_item")]);
    // An array is never unwrapped to its only item.
    left(u8::SHAPE, "[5]");
    left(Topic::SHAPE, r#"["rust"]"#);
    left(Order::SHAPE, r#"[{"id": 1}]"#);
}
