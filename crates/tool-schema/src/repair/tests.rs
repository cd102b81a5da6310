//! Tests that the work is linear in the length of the text. The counters for this are only visible inside of the crate.

use std::borrow::Cow;

use super::lenient::{Input, LOOKED_AT, Machine};
use super::{Progress, Stream, repair_text};
use crate::input::ToolInput;
use crate::shape::Ref;

/// Returns broken texts of a given length whose parts tempt a parser to inspect them repeatedly.
fn long(length: usize) -> Vec<(&'static str, String)> {
    let many = |part: &str| part.repeat(length / part.len());
    vec![
        ("commas", format!("[{}]", many(","))),
        ("commas apart", format!("[{}]", many(", "))),
        ("comments before a bracket", format!("[1,{}]", many("/**/"))),
        ("trailing commas", format!("[{}]", many("[1,/**/],"))),
        ("apostrophes", format!("['{}']", many("it's "))),
        ("open strings", many("{'a': '")),
        ("stray brackets", format!("{{}}{}", many("}"))),
        ("wrong brackets", many("[}")),
        ("forgotten brackets", format!("[{}]", many("{\"a\": [1}, "))),
        ("digits", format!("[{}", many("1"))),
        ("letters", format!("{{{}", many("a"))),
        ("dots", format!("[{}", many("."))),
        ("slashes", many("/")),
        ("open comment", format!("{{}} /{}", many("*"))),
        ("backticks", many("`")),
        ("prose with ticks", many("a `b` ")),
        ("prose behind", format!("{{}} {}", many("so it is "))),
        ("escapes", format!("[\"{}\"]", many("\\d\\'\n"))),
        ("half pairs", format!("[\"{}\"]", many("\\ud800"))),
        ("bare words", format!("[{}]", many("so it is "))),
        ("typographic", format!("[{}]", many("“a” "))),
        ("nested", many("[")),
    ]
}

/// Returns the number of bytes inspected if the text arrives in pieces of this size.
fn looked_at(text: &str, piece: usize) -> usize {
    LOOKED_AT.set(0);
    let mut machine = Machine::new();
    let keep = |stretch: &str| Cow::Owned(stretch.to_owned());
    let mut at = 0;
    while at < text.len() {
        at = (at + piece).min(text.len());
        while !text.is_char_boundary(at) {
            at += 1;
        }
        machine.run(&Input { text: &text[..at], last: false, keep });
    }
    machine.run(&Input { text, last: true, keep });
    machine.looked_at + LOOKED_AT.get()
}

#[test]
fn the_work_is_linear_in_the_text() {
    for length in [1_000, 2_000, 4_000, 8_000] {
        for (what, text) in long(length) {
            // The text arrives at once, or in small pieces like those of a model.
            for piece in [usize::MAX / 2, 3, 1] {
                let looked_at = looked_at(&text, piece);
                assert!(looked_at <= 8 * text.len() + 64, "{what}: {looked_at} looks at {} bytes", text.len());
            }
        }
    }
}

/// Tries every significant character and pair, alone and around a value, in the smallest pieces: no state inspects its text again for every
/// piece.
#[test]
fn no_run_of_characters_is_inspected_twice() {
    let marks: Vec<char> = "`~ \t\n\"'\\/*<[]{}(),:;.-+#_$0a9é…“‘\u{feff}\u{200b}中".chars().collect();
    let mut parts: Vec<String> = marks.iter().map(char::to_string).collect();
    parts.extend(marks.iter().flat_map(|first| marks.iter().map(move |second| format!("{first}{second}"))));
    for part in parts {
        for around in ["", "{}", "{} a", "[1, ", "{\"a\": \"", "['"] {
            let text = around.to_owned() + &part.repeat(2_000 / part.len());
            let looked_at = looked_at(&text, 1);
            assert!(looked_at <= 8 * text.len() + 64, "{around:?} and {part:?}: {looked_at} of {} bytes", text.len());
        }
    }
}

#[test]
fn a_text_with_too_many_changes_is_rejected() {
    let quoted = |items: usize| format!("[{}]", vec!["''"; items].join(","));
    assert_eq!(repair_text(&quoted(1_000)).status(), "repaired");
    let text = quoted(100_000);
    let reading = repair_text(&text);
    assert_eq!(reading.status(), "rejected");
    assert!(reading.repairs().len() < 50_000);
    // A long file needs an edit for each raw line break, and still stays below the limit.
    let lines = format!("{{\"text\": \"{}\"}}", "a line of code\n".repeat(20_000));
    assert_eq!(repair_text(&lines).status(), "repaired");
}

#[test]
fn long_broken_texts_are_parsed() {
    for (what, text) in long(200_000) {
        let reading = repair_text(&text);
        assert!(reading.errors().len() <= 17, "{what}");
    }
}

#[test]
fn a_stream_limits_checks_without_a_result() {
    // Only the first value of a repeated key is checked, so the checker finds nothing wrong with the others.
    let mut stream = Stream::for_shape(Ref::Static(<std::collections::BTreeMap<String, Vec<Option<u8>>>>::SHAPE));
    let text = format!("{{\"a\": [{}], ", "null, ".repeat(1_000));
    assert_eq!(stream.push(&text), Progress::Open);
}
