//! What can only be seen from inside: that the work is linear in the text.

use std::borrow::Cow;

use super::lenient::{Input, LOOKED_AT, Machine};
use super::{Progress, Stream, read};
use crate::input::ToolInput;

/// Broken texts whose parts invite looking twice: each of any length.
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

/// How many bytes are looked at when the text comes in pieces of a size.
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
            // At once, and in the small pieces that a model sends.
            for piece in [usize::MAX / 2, 3, 1] {
                let looked_at = looked_at(&text, piece);
                assert!(looked_at <= 8 * text.len() + 64, "{what}: {looked_at} looks at {} bytes", text.len());
            }
        }
    }
}

/// Every character and every pair that means something, alone and around a value, in the smallest pieces: no state is looked through anew
/// with every piece.
#[test]
fn no_row_of_characters_is_looked_at_twice() {
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
fn a_text_with_too_many_changes_is_refused() {
    let quoted = |items: usize| format!("[{}]", vec!["''"; items].join(","));
    assert_eq!(read(&quoted(1_000)).status(), "repaired");
    let text = quoted(100_000);
    let reading = read(&text);
    assert_eq!(reading.status(), "refused");
    assert!(reading.repairs().len() < 50_000);
    // A long file with line breaks as they are is no such text.
    let lines = format!("{{\"text\": \"{}\"}}", "a line of code\n".repeat(20_000));
    assert_eq!(read(&lines).status(), "repaired");
}

#[test]
fn long_broken_texts_come_to_an_end() {
    for (what, text) in long(200_000) {
        let reading = read(&text);
        assert!(reading.errors().len() <= 17, "{what}");
    }
}

#[test]
fn a_shape_is_asked_in_vain_only_so_often() {
    // Of a repeated key only the first value is checked, so the checker finds nothing wrong with the others.
    let mut stream = Stream::with_shape(<std::collections::BTreeMap<String, Vec<Option<u8>>>>::SHAPE);
    let text = format!("{{\"a\": [{}], ", "null, ".repeat(1_000));
    assert_eq!(stream.push(&text), Progress::Open);
}
