//! Tests that only prose is left out: no value, member or item is lost, and omissions by the model are noticed.

use tool_schema::json::Json;
use tool_schema::repair::repair_text;

/// Returns the status of a text and the parsed value.
fn status(text: &str) -> (&'static str, String) {
    let reading = repair_text(text);
    (reading.status(), reading.partial().map(Json::to_text).unwrap_or_default())
}

fn never_runs(texts: &[&str]) {
    let wrong: Vec<_> =
        texts.iter().filter(|text| repair_text(text).value().is_some()).map(|text| (text, status(text))).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn reads_as(table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(status(text), ("repaired", (*expected).to_owned()), "{text:?}");
    }
}

#[test]
fn a_comment_that_marks_an_omission_makes_the_text_incomplete() {
    never_runs(&[
        "[1, 2, 3, // ... and 97 more\n]",
        "[1, 2, 3 // ... and 97 more\n]",
        "[1, 2, 3, # ...\n]",
        "[1, 2, 3 /* rest omitted */]",
        "[1, 2, 3, /* rest omitted */]",
        "[/* rest omitted */ 1, 2, 3]",
        "[1, /* … */ 3]",
        "[\n  1,\n  2,\n  // etc.\n]",
        "[\n  1,\n  2,\n  // and so on\n]",
        "[\n  1,\n  2\n  # the others\n]",
        "{\"ids\": [1, 2, /* usw. */]}",
        "{\"ids\": [1, 2] /* weitere folgen */}",
        "{\"ids\": [1, 2, 3] // 以下省略\n}",
        "{\"ids\": [1, 2, 3] // und 97 weitere\n}",
        "{\"ids\": [1, 2, 3] /* y 97 */}",
        "{\"ids\": [1, 2, 3], // y 97\n \"a\": 1}",
        "{\"a\": 1, /* other fields unchanged */ \"b\": 2}",
        "{\"a\": 1, // remaining members\n}",
        "{\"a\": [ /* all of them */ ]}",
        "{ // nothing\n}",
        "{\"a\": /* truncated */ \"b\"}",
        "// ... existing code\n{\"a\": 1}",
        "{\"a\": [1]} // and so on",
        "{\"a\": [1]} ... and so on",
        "[1, 2, 3] …",
        "[1, 2, 3] and more",
        "{\"a\": [1]} i tak dalej",
        "{\"a\": [1]} dan sebagainya",
        "{\"a\": [1]} vân vân",
        // In a language that is not listed: only the position of the comment counts.
        "[1, 2, 3, /* dan lain-lain */]",
        "[1, 2, 3, // dan lain-lain\n]",
        "[\n  1,\n  // dan lain-lain\n]",
    ]);
}

#[test]
fn a_comment_that_may_contain_a_value_is_not_left_out() {
    never_runs(&[
        "[7 // 2, 5\n]",
        "7 // 2",
        "{\"n\": 7 // 2\n}",
        "{\"n\": 7 // 2, m: 3\n}",
        "{\"n\": /* 7 */ 8}",
        "[1, // 2, 3\n 4]",
        "[1, /* 2 */ 3]",
        "[#1, #2\n]",
        "[#rust, #go\n]",
        "[\"a\", #rust\n \"b\"]",
        "[\"a\", //host/path\n \"b\"]",
        "{\"a\": 1, // \"b\": 2\n \"c\": 3}",
        "{\"a\": 1, /* \"b\": two, */ \"c\": 3}",
        "{\"a\": 1, /* b: two */ \"c\": 3}",
        "{\"a\": 1, # b = two\n \"c\": 3}",
        "[true, // false\n true]",
        "[1, /* [two], */ 3]",
        "[1, /* 'two' */ 3]",
        "[1 // two], [3\n]",
        "// {\"a\": 1}\n{\"a\": 2}",
        "{\"a\": 2} // {\"a\": 1}",
        "{\"a\": 2} /* u: six */",
        "[7 // n, m\n]",
        "[\n  7 # n, m\n]",
        "['a' // b, c\n]",
        "{\"n\": 1 /* 000 */}",
        "{\"n\": 5 # 2\n}",
        "{\"n\": 5 #2\n}",
        "{\"url\": \"http:\" //host/path\n}",
    ]);
}

#[test]
fn an_explanatory_comment_is_left_out() {
    reads_as(&[
        (
            "{\n  // the capital\n  city: 'Paris', // of France\n  days: 3, // how long\n}",
            r#"{"city":"Paris","days":3}"#,
        ),
        ("[\n  'Paris', // the capital\n  'Rome', # eternal\n]", r#"["Paris","Rome"]"#),
        ("[1, // one\n2 # two\n, /* three */ 3]", "[1,2,3]"),
        ("{\"a\": {\"b\": 1 // it's a remark\n}, \"c\": 2 /* another one */ }", r#"{"a":{"b":1},"c":2}"#),
        ("{\"a\": /* why not */ 1}", r#"{"a":1}"#),
        ("/* arguments: */ {\"a\": 1} // that is all", r#"{"a":1}"#),
        ("{\"days\": 3, // 1 to 14\n\"city\": 'Paris' /* 2 words at most */}", r#"{"days":3,"city":"Paris"}"#),
        ("[[1], // first row\n [2] // second row\n]", "[[1],[2]]"),
    ]);
}

#[test]
fn members_around_the_object_are_not_prose() {
    never_runs(&[
        "{\"n\": 5}\nu: 6",
        "{\"n\": 5} u = 6",
        "n: 5, {\"u\": 6}",
        "n: 5\n{\"u\": 6}",
        "n = 5; {\"u\": 6}",
        "n 5 {\"u\": 6}",
        "n -> five {\"u\": 6}",
        "city: Paris, {\"u\": 6}",
        "Use \"Paris\" and {\"u\": 6}",
        "call(Paris, {\"u\": 6})",
        "call({\"u\": 6}, Paris)",
        "- Paris\n- {\"u\": 6}",
        "{\"n\": 5} u: six",
        "{\"n\": 5}\nu → six",
        "{\"n\": 5}\n- u: six",
        "{\"n\": 5}\n- Rome",
        "{\"n\": 5} and u is 6",
        "{\"n\": 5} and \"u\"",
        "{\"n\": 5} with `u`",
        "{\"n\": 5} verbose true",
        "{\"n\": 5}}\nu: 6",
        "{\"n\": 5};\nu: 6",
        "{\"n\": 5}\n```\nu: 6",
        "u: 6\n```json\n{\"n\": 5}\n```",
        "{\"n\": 5}, u",
        "[1, 2] + three = all",
    ]);
}

#[test]
fn prose_around_the_value_is_left_out() {
    reads_as(&[
        ("The output is: {\"a\": 1}", r#"{"a":1}"#),
        ("arguments = {\"a\": 1}", r#"{"a":1}"#),
        ("callback_123({\"a\": 1});", r#"{"a":1}"#),
        ("{\"a\": 1} is the output.", r#"{"a":1}"#),
        ("{\"a\": 1},\n\nAnything else I can help with?", r#"{"a":1}"#),
        ("Here is what I'd send:\n```json\n{\"a\": 1}\n```\nIt's what you asked for.", r#"{"a":1}"#),
        ("- {\"a\": 1}", r#"{"a":1}"#),
        ("Step 2: {\"a\": 1}", r#"{"a":1}"#),
    ]);
}

#[test]
fn a_hexadecimal_number_is_not_an_escaped_character() {
    never_runs(&[
        r#"{"path": "C:\x64\Release"}"#,
        r#"{"path": "C:\x64"}"#,
        r#"{"path": "\x64\nRelease"}"#,
        r#"{"name": "caf\xe9"}"#,
        r"{'name': '\x41'}",
        r#"{"\x41": 1}"#,
    ]);
    reads_as(&[(r#"{"path": "C:\xenon\Release"}"#, r#"{"path":"C:\\xenon\\Release"}"#)]);
}

#[test]
fn an_ambiguous_backslash_is_rejected() {
    never_runs(&[
        r#"{"text": "\U0001F600"}"#,
        r#"{"text": "\033[1m"}"#,
        r#"{"path": "\\server\share"}"#,
        r#"["\\server\share\data"]"#,
    ]);
    reads_as(&[
        (r#"{"path": "C:\Users\Data"}"#, r#"{"path":"C:\\Users\\Data"}"#),
        (r#"{"path": "D:\2024\data"}"#, r#"{"path":"D:\\2024\\data"}"#),
        (r#"{"path": "\\\\server\\share\data"}"#, r#"{"path":"\\\\server\\share\\data"}"#),
        (r#"["(\d+)\1", "\0"]"#, r#"["(\\d+)\\1","\\0"]"#),
    ]);
}

#[test]
fn a_subtraction_is_not_read_as_two_numbers() {
    never_runs(&["[1 -5]", "{\"a\": [10 -2, 3]}", "[1 - 5]", "[1 +5]"]);
    reads_as(&[("[1\n-5]", "[1,-5]"), ("[\"a\" -5]", r#"["a",-5]"#)]);
}
