//! Tables of a text, its class, and the parsed value. The classes are `y` (clean), `r` (repaired), `i` (incomplete) and `n` (rejected).
//!
//! The strict part uses the naming of known test suites for JSON parsers (`y_`, `n_`, `i_`); the cases are our own.

use tests::replay::replay;
use tool_schema::json::{DEPTH_LIMIT, Json};
use tool_schema::repair::{RepairedText, Stream, repair_text};

fn check(table: &[(&str, &str, &str)]) {
    let mut wrong = Vec::new();
    for &(text, class, expected) in table {
        let reading = repair_text(text);
        let status = match class {
            "y" => "clean",
            "r" => "repaired",
            "i" => "incomplete",
            _ => "rejected",
        };
        let value = reading.partial().map(Json::to_text).unwrap_or_default();
        if reading.status() != status || value != expected {
            wrong.push(format!(
                "{text:?}: {} {value}, not {status} {expected}; {:?}",
                reading.status(),
                reading.errors()
            ));
        }
        wrong.extend(
            (1..=7)
                .map(|size| streamed(text, size))
                .filter(|streamed| !is_same(streamed, &reading))
                .map(|streamed| format!("{text:?}: {} in pieces, and {} at once", streamed.status(), reading.status())),
        );
        if class == "r" {
            let replayed = replay(text, reading.repairs()).unwrap_or_default();
            if Json::parse(&replayed).as_ref().ok() != reading.value() {
                wrong.push(format!("{text:?}: the ledger gives {replayed}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Reads a text that arrives in pieces of at least as many bytes.
fn streamed(text: &str, size: usize) -> RepairedText<'static> {
    let mut stream = Stream::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = (size..=rest.len()).find(|end| rest.is_char_boundary(*end)).unwrap_or(rest.len());
        stream.push(&rest[..end]);
        rest = &rest[end..];
    }
    stream.finish()
}

/// A rejected text may have other issues in pieces, because parsing stops at the first one.
fn is_same(one: &RepairedText<'_>, other: &RepairedText<'_>) -> bool {
    one.status() == other.status() && (one.status() == "rejected" || one == other)
}

#[test]
fn valid_json_needs_no_repair() {
    check(&[
        ("{}", "y", "{}"),
        ("[]", "y", "[]"),
        (" [ ] ", "y", "[]"),
        ("null", "y", "null"),
        ("true", "y", "true"),
        ("false", "y", "false"),
        ("0", "y", "0"),
        ("-0", "y", "-0"),
        ("-1", "y", "-1"),
        ("1.50", "y", "1.50"),
        ("1e5", "y", "1e5"),
        ("1E-5", "y", "1E-5"),
        ("123456789012345678901234567890", "y", "123456789012345678901234567890"),
        ("1e400", "y", "1e400"),
        ("\"\"", "y", "\"\""),
        ("\"\\u0041\"", "y", "\"A\""),
        ("\"\\ud83d\\ude00\"", "y", "\"😀\""),
        ("\"\\/\"", "y", "\"/\""),
        ("\"\u{7f}\u{2028}\"", "y", "\"\u{7f}\u{2028}\""),
        ("[[[[]]]]", "y", "[[[[]]]]"),
        ("{\"a\":1,\"a\":2}", "y", "{\"a\":1,\"a\":2}"),
        ("{\"\":0}", "y", "{\"\":0}"),
        ("{\"a\":\"// no comment\"}", "y", "{\"a\":\"// no comment\"}"),
        ("{\"a\":\"```json\"}", "y", "{\"a\":\"```json\"}"),
        ("\t\r\n 1 \t\r\n", "y", "1"),
    ]);
}

#[test]
fn text_around_the_value_is_left_out() {
    check(&[
        ("**The plan**\n\n{\"a\":1}", "r", "{\"a\":1}"),
        ("**The plan**: five\n{\"a\":1}", "n", "{\"a\":1}"),
        ("{\"a\":1}\n**Paris**", "n", "{\"a\":1}"),
        ("\u{feff}{}", "r", "{}"),
        ("```json\n{\"a\":1}\n```", "r", "{\"a\":1}"),
        ("```JSON\n{\"a\":1}\n```", "r", "{\"a\":1}"),
        ("```\n[1]\n```", "r", "[1]"),
        ("```json5 [1]```", "r", "[1]"),
        ("```json\n[1]", "r", "[1]"),
        ("````json\n[1]\n````", "r", "[1]"),
        ("~~~json\n[1]\n~~~", "r", "[1]"),
        ("`[1]`", "r", "[1]"),
        ("[1]```", "r", "[1]"),
        ("```json\n5\n```", "r", "5"),
        ("Here it is:\n```json\n{\"a\":1}\n```\nAnything else?", "r", "{\"a\":1}"),
        ("Call it with {\"a\":1}.", "r", "{\"a\":1}"),
        ("{\"a\":1} is what I send.", "r", "{\"a\":1}"),
        ("- {\"a\":1}", "r", "{\"a\":1}"),
        ("call({\"a\":1});", "r", "{\"a\":1}"),
        ("{\"a\":1},", "r", "{\"a\":1}"),
        ("{\"a\":1}<|im_end|>", "r", "{\"a\":1}"),
        ("5 // five", "r", "5"),
        ("4,", "r", "4"),
        ("/* a */ [1] // b", "r", "[1]"),
        ("# a\n[1]", "r", "[1]"),
        ("[1, // one\n2 # two\n, /* three */ 3]", "r", "[1,2,3]"),
        ("{\"a\":\u{a0}1}", "r", "{\"a\":1}"),
    ]);
}

#[test]
fn commas_and_brackets_are_repaired() {
    check(&[
        ("[1,]", "r", "[1]"),
        ("[1 /* c */ , ]", "r", "[1]"),
        ("{\"a\":1,}", "r", "{\"a\":1}"),
        ("[,1]", "r", "[1]"),
        ("[1,,2]", "r", "[1,2]"),
        ("[,]", "r", "[]"),
        ("[1 2]", "r", "[1,2]"),
        ("[\"a\" \"b\"]", "r", "[\"a\",\"b\"]"),
        ("[{}{}]", "r", "[{},{}]"),
        ("[[1][2]]", "r", "[[1],[2]]"),
        ("{\"a\":1 \"b\":2}", "r", "{\"a\":1,\"b\":2}"),
        ("{\"a\":1\nb:2}", "r", "{\"a\":1,\"b\":2}"),
        ("{\"a\":1]", "r", "{\"a\":1}"),
        ("[1}", "r", "[1]"),
        ("{\"a\":[1,2}", "r", "{\"a\":[1,2]}"),
        ("[{\"a\":1]", "r", "[{\"a\":1}]"),
        ("{\"a\":1}}", "r", "{\"a\":1}"),
        ("{\"a\":1} } ] ", "r", "{\"a\":1}"),
    ]);
}

#[test]
fn quotes_keys_words_and_numbers_are_repaired() {
    check(&[
        ("{'a':'b'}", "r", "{\"a\":\"b\"}"),
        ("['it's']", "r", "[\"it's\"]"),
        ("['it\\'s']", "r", "[\"it's\"]"),
        ("['say \"hi\"']", "r", "[\"say \\\"hi\\\"\"]"),
        ("{“a”:“b”}", "r", "{\"a\":\"b\"}"),
        ("{‘a’:‘it’s’}", "r", "{\"a\":\"it’s\"}"),
        ("[„a“]", "r", "[\"a\"]"),
        ("[`a \"b\"`]", "r", "[\"a \\\"b\\\"\"]"),
        ("{a:1,$b:2,c_d-e:3,ключ:4}", "r", "{\"a\":1,\"$b\":2,\"c_d-e\":3,\"ключ\":4}"),
        ("{5:1,true:2}", "r", "{\"5\":1,\"true\":2}"),
        ("[True,False,None]", "r", "[true,false,null]"),
        ("[TRUE,Null,undefined]", "r", "[true,null,null]"),
        ("[.5,-.5,+1,1.,1.e3]", "r", "[0.5,-0.5,1,1.0,1.0e3]"),
        ("[1_000,0x1F,-0xff]", "r", "[1000,31,-255]"),
        ("'a'", "r", "\"a\""),
        ("[\"a\nb\tc\u{1}\"]", "r", "[\"a\\nb\\tc\\u0001\"]"),
        ("[\"\\d+\\.\\w\"]", "r", "[\"\\\\d+\\\\.\\\\w\"]"),
        ("[\"\\'\\n\"]", "r", "[\"'\\n\"]"),
        ("[\"C:\\Windows\\System\"]", "r", "[\"C:\\\\Windows\\\\System\"]"),
    ]);
}

#[test]
fn text_with_open_brackets_at_the_end_is_incomplete() {
    check(&[
        ("", "i", ""),
        (" \n", "i", ""),
        ("{", "i", "{}"),
        ("[", "i", "[]"),
        ("[1", "i", "[1]"),
        ("[1,", "i", "[1]"),
        ("{\"", "i", "{}"),
        ("{\"a", "i", "{}"),
        ("{\"a\"", "i", "{}"),
        ("{\"a\":", "i", "{}"),
        ("{\"a\":\"b", "i", "{\"a\":\"b\"}"),
        ("{\"a\":\"b\\", "i", "{\"a\":\"b\"}"),
        ("{\"a\":\"b\\u00", "i", "{\"a\":\"b\"}"),
        ("{\"a\":\"b\"", "i", "{\"a\":\"b\"}"),
        ("{\"a\":{\"b\":[1,{\"c\":2", "i", "{\"a\":{\"b\":[1,{\"c\":2}]}}"),
        ("{'a': 'b", "i", "{\"a\":\"b\"}"),
        ("tru", "i", "true"),
        ("n", "i", "null"),
        ("[fal", "i", "[false]"),
        ("[Tru", "i", "[]"),
        ("-", "i", ""),
        ("1.", "i", "1.0"),
        ("1e", "i", "1"),
        ("[1e-", "i", "[1]"),
        ("\"a", "i", "\"a\""),
        ("{} /* a", "i", "{}"),
        ("```json\n", "i", ""),
        ("```json\n{\"a\":", "i", "{}"),
        ("Here: {\"a\":1", "i", "{\"a\":1}"),
        ("[1, 2, ...]", "i", "[1,2]"),
        ("{\"a\":1, ...}", "i", "{\"a\":1}"),
        ("{\"a\":...}", "i", "{}"),
    ]);
}

#[test]
fn a_second_value_that_adds_nothing_is_left_out() {
    check(&[
        ("{}\"\"", "r", "{}"),
        ("{} {}", "r", "{}"),
        ("{}null", "r", "{}"),
        ("{\"a\":1}\"\"", "r", "{\"a\":1}"),
        ("{\"a\":1}\n{}", "r", "{\"a\":1}"),
        ("{\"a\":1}[]", "r", "{\"a\":1}"),
        ("{\"a\":1}{\"a\":1}", "r", "{\"a\":1}"),
        ("{\"a\":1}\n{\"a\":1}\n{\"a\":1}", "r", "{\"a\":1}"),
        ("```json\n{\"a\":1}\n```{\"a\":1}", "r", "{\"a\":1}"),
        ("{}{\"a\":1}", "n", "{}"),
        ("{\"a\":1}{\"a\":2}", "n", "{\"a\":1}"),
        ("{\"a\":1}{\"a\":1", "n", "{\"a\":1}"),
        ("{\"a\":1}{ \"a\":1}", "n", "{\"a\":1}"),
        ("{\"a\":1}\" \"", "n", "{\"a\":1}"),
        ("{\"a\":1}\"", "n", "{\"a\":1}"),
        ("{\"a\":1}0", "n", "{\"a\":1}"),
        ("{\"a\":1}nullify", "n", "{\"a\":1}"),
        ("[1][1]", "n", "[1]"),
        ("1{}", "n", "1"),
    ]);
}

#[test]
fn reasoning_before_the_value_is_left_out() {
    check(&[
        ("<think>{\"a\":2} is wrong, \"a\": 1</think>{\"a\":1}", "r", "{\"a\":1}"),
        ("\n<thinking>\n</thinking>\n\n```json\n{\"a\":1}\n```", "r", "{\"a\":1}"),
        ("<reasoning>a</reasoning><thought>b</thought>[1]", "r", "[1]"),
        ("<think>{\"a\":2}", "i", "{\"a\":2}"),
        ("<think>{\"a\":2}</thinking>{\"a\":1}", "n", "{\"a\":2}"),
        ("<think>never</think>", "i", ""),
        ("<think>[#\nYtth\0\0\0\0", "n", "[]"),
        ("{\"a\":1}<think>{\"a\":2}</think>", "n", "{\"a\":1}"),
        ("{\"a\":\"<think>x</think>\"}", "y", "{\"a\":\"<think>x</think>\"}"),
        // The value may be a part of the reasoning, whose tags do not stand right beside it.
        ("Well. <think>{\"a\":1}", "i", "{\"a\":1}"),
        ("Well. <think>No.</think>{\"a\":1}", "r", "{\"a\":1}"),
        ("It may be {\"a\":1}</think>", "n", "{\"a\":1}"),
        ("{\"a\":1} is wrong.\n</think>", "n", "{\"a\":1}"),
        ("{\"a\":1}<think>Good.</think>", "r", "{\"a\":1}"),
        ("It may be {\"a\":1}</Thinking>", "n", "{\"a\":1}"),
        ("{\"a\":1}<|end|>", "r", "{\"a\":1}"),
        ("<|channel|>analysis<|message|>It may be {\"a\":1}<|end|>", "i", "{\"a\":1}"),
        ("<|channel|>analysis<|message|>Well.<|end|>{\"a\":1}", "r", "{\"a\":1}"),
    ]);
}

#[test]
fn white_space_and_objects_that_were_escaped_once_too_often_are_read() {
    check(&[
        (r#"{\n  "a": [\n1,\r\n2],\t"b":\n3}\n"#, "r", r#"{"a":[1,2],"b":3}"#),
        (r#"{"a": "x\ny"}"#, "y", r#"{"a":"x\ny"}"#),
        (r#"{\q"a": 1}"#, "n", "{}"),
        (r#"{"a": 1\2}"#, "n", "{}"),
        (r#"{\"a\": \"x\", \"b\": [1]}"#, "r", r#"{"a":"x","b":[1]}"#),
        (r#"{\n  \"a\": \"say \\\"hi\\\" \\u00e9\\n\"\n}"#, "r", "{\"a\":\"say \\\"hi\\\" é\\n\"}"),
        (r#"Here: {\"a\": 1}"#, "r", r#"{"a":1}"#),
        (r#"{\"a\": "x"}"#, "n", ""),
        (r#"{\"a\": \"x\"} {}"#, "n", ""),
        (r#"{\"a\": \"x\""#, "n", ""),
        (r#"{"a": \"x\"}"#, "n", "{}"),
        (r#"{\\"a\\": 1}"#, "n", "{}"),
    ]);
}

#[test]
fn a_quote_token_of_a_model_is_a_quote() {
    check(&[
        (r#"{city:<|"|>Paris<|"|>,days:3}"#, "r", r#"{"city":"Paris","days":3}"#),
        (r#"{<|"|>a<|"|>: [<|"|>say "hi", it's <b><|"|>]}"#, "r", r#"{"a":["say \"hi\", it's <b>"]}"#),
        ("{a:<|\"|>two\nlines<|\"|>}", "r", "{\"a\":\"two\\nlines\"}"),
        (r#"{"a": <|"|><|"|>}"#, "r", r#"{"a":""}"#),
        (r#"{"a": <|"|>C:\new<|"|>}"#, "n", r#"{"a":"C:\\new"}"#),
        (r#"{"a": <|"|>x"}"#, "i", r#"{"a":"x\"}"}"#),
        (r#"{"a": <|"|x}"#, "n", "{}"),
        (r#"{"a": "<|\"|>x<|\"|>"}"#, "y", r#"{"a":"<|\"|>x<|\"|>"}"#),
    ]);
}

#[test]
fn ambiguous_text_is_rejected() {
    check(&[
        ("[]{}", "n", "[]"),
        ("1 2", "n", "1"),
        ("{\"a\":1} \"b\"", "n", "{\"a\":1}"),
        ("{\"a\":1} or [2]", "n", "{\"a\":1}"),
        ("{\"a\":1}, \"b\":2}", "n", "{\"a\":1}"),
        ("{\"a\":1}, b:2", "n", "{\"a\":1}"),
        ("{\"a\":1}foo", "n", "{\"a\":1}"),
        ("{\"a\":1} true", "n", "{\"a\":1}"),
        ("1/6", "n", ""),
        ("10-20", "n", ""),
        ("1+1", "n", ""),
        ("{\"a\":1/6}", "n", "{}"),
        ("{\"a\":10-20}", "n", "{}"),
        ("{\"a\":2*3}", "n", "{}"),
        ("{\"a\":2024-10-18}", "n", "{}"),
        ("Paris", "n", ""),
        ("True", "n", ""),
        ("None", "n", ""),
        ("The answer is true.", "n", ""),
        ("[Paris, Lyon]", "n", "[]"),
        ("{\"city\": Paris}", "n", "{}"),
        ("{city: Paris, days: 3}", "n", "{\"days\":3}"),
        ("[007]", "n", "[]"),
        ("[NaN]", "n", "[]"),
        ("[-Infinity]", "n", "[]"),
        ("[1 000, 0xZZ, 1__0]", "n", "[1]"),
        ("{\"a\" 1}", "n", "{}"),
        ("{\"a\"}", "n", "{}"),
        ("{\"a\":}", "n", "{}"),
        ("{\"a\",\"b\"}", "n", "{}"),
        ("[\"a\":1]", "n", "[]"),
        ("\"a\": 1", "n", ""),
        ("(1, 2)", "n", ""),
        ("[(1, 2)]", "n", "[]"),
        ("{\"a\":\"say \"hi\" twice\"}", "n", "{}"),
        ("[\"72\"\" wide\"]", "n", "[]"),
        ("\"a\" + \"b\"", "n", ""),
        ("[\"\\u26\"]", "n", "[\"\\\\u26\"]"),
        ("[\"\\x41\"]", "n", "[\"\\\\x41\"]"),
        ("[\"\\ud800\"]", "n", "[\"\\\\ud800\"]"),
        ("[\"C:\\Users\\new\"]", "n", "[\"C:\\\\Users\\new\"]"),
        ("[\"a\\\nb\"]", "n", "[\"a\\\\\\nb\"]"),
        ("[`a ${b}`]", "n", "[\"a ${b}\"]"),
        ("{{\"a\":1}}", "n", "{}"),
        ("a{b}c", "n", "{}"),
        ("]", "n", ""),
        (",", "n", ""),
        ("\0", "n", ""),
        ("💥", "n", ""),
    ]);
}

#[test]
fn nesting_is_limited_as_in_the_strict_parser() {
    let nested = |levels: usize| format!("{}1,{}", "[".repeat(levels), "]".repeat(levels));
    assert_eq!(repair_text(&nested(DEPTH_LIMIT)).status(), "repaired");
    assert_eq!(repair_text(&nested(DEPTH_LIMIT + 1)).status(), "rejected");
    assert_eq!(repair_text(&"{a:".repeat(100_000)).status(), "rejected");
    assert_eq!(repair_text(&"[".repeat(DEPTH_LIMIT)).status(), "incomplete");
}

#[test]
fn every_fault_is_reported_with_its_position() {
    let reading = repair_text(r#"{"a": Paris, "b": 1/6, "c": NaN, "d": 4}"#);
    let told: Vec<_> = reading.errors().iter().map(|error| (error.offset, &*error.message)).collect();
    assert_eq!(
        told,
        [
            (6, "a bare word; text stands in double quotes"),
            (19, "expected `,` or `}`"),
            (28, "a number that JSON does not have"),
        ]
    );
    assert_eq!(&*reading.errors()[0].context, r#"{"a": Paris, "b": 1/6, "c": NaN"#.get(..30).unwrap_or_default());
    assert_eq!(reading.partial().map(Json::to_text).as_deref(), Some(r#"{"d":4}"#));
}

#[test]
fn faults_are_bounded() {
    let text = "[x, ".repeat(10_000);
    let reading = repair_text(&text);
    assert!((2..=17).contains(&reading.errors().len()), "{}", reading.errors().len());
    assert!(reading.errors().iter().all(|error| error.context.len() <= 48));
}
