//! Parses paths from text: `trip.legs[2].city`, `labels["x y"]`.
//!
//! Invariant: every printed path is parsed back to the same path. Brackets that contain neither an index nor a quoted key stay part of the
//! key before them, so every text is a path. The work is linear.

use super::Path;
use crate::json::end_of_string;

impl From<&str> for Path {
    /// Parses the printed form of a path.
    ///
    /// ```
    /// use tool_schema::issue::Path;
    ///
    /// assert_eq!(Path::from("trip.legs[2].city"), Path::root().key("trip").key("legs").index(2).key("city"));
    /// ```
    fn from(text: &str) -> Self {
        parsed(text)
    }
}

fn parsed(text: &str) -> Path {
    let mut path = Path::root();
    let mut rest = if text == "$" { "" } else { text };
    loop {
        rest = rest.trim_start_matches('.');
        if rest.is_empty() {
            return path;
        }
        if let Some((step, after)) = bracketed(rest) {
            path = match step {
                Step::Key(key) => path.key(key.into_boxed_str()),
                Step::Index(index) => path.index(index),
            };
            rest = after;
            continue;
        }
        let ends = |(at, letter): &(usize, char)| *letter == '.' || *letter == '[' && bracketed(&rest[*at..]).is_some();
        let end = rest.char_indices().skip(1).find(ends).map_or(rest.len(), |(at, _)| at);
        let (key, after) = rest.split_at(end);
        path = path.key(key.to_owned().into_boxed_str());
        rest = after;
    }
}

enum Step {
    Key(String),
    Index(usize),
}

/// Parses a segment in brackets. Returns the segment, and the text after the brackets.
fn bracketed(text: &str) -> Option<(Step, &str)> {
    let inside = text.strip_prefix('[')?;
    if let Some(quoted) = inside.strip_prefix('"') {
        let end = end_of_string(quoted)?;
        let key = serde_json::from_str(inside.get(..end + 2)?).ok()?;
        return Some((Step::Key(key), quoted.get(end + 1..)?.strip_prefix(']')?));
    }
    let end = inside.bytes().position(|byte| !byte.is_ascii_digit())?;
    let (digits, after) = inside.split_at(end);
    Some((Step::Index(digits.parse().ok()?), after.strip_prefix(']')?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::issue::Segment;

    #[test]
    fn invalid_brackets_stay_part_of_the_key() {
        let keys = |text: &str| {
            let path = parsed(text);
            let name = |step: &Segment| match step {
                Segment::Key(key) => key.to_string(),
                Segment::Index(index) => format!("#{index}"),
            };
            path.segments().iter().map(name).collect::<Vec<_>>()
        };
        assert_eq!(keys("odd[key"), ["odd[key"]);
        assert_eq!(keys("odd[x].y"), ["odd[x]", "y"]);
        assert_eq!(keys("a..b."), ["a", "b"]);
        assert_eq!(keys("[2]"), ["#2"]);
        assert_eq!(keys("labels[\"x.y\"].z"), ["labels", "x.y", "z"]);
        assert_eq!(keys("[\"open"), ["[\"open"]);
        assert!(keys("$").is_empty() && keys("").is_empty());
        assert_eq!(keys(&Path::root().key("$").to_string()), ["$"]);
    }

    proptest! {
        #[test]
        fn a_printed_path_is_parsed_back(steps in proptest::collection::vec(prop_oneof![
            "[a-z_]{1,6}".prop_map(Ok), "\\PC{0,6}|[\\[\\]\"\\\\.$ \n]{0,6}".prop_map(Ok), (0_usize..99).prop_map(Err),
        ], 0..6)) {
            let path = steps.into_iter().fold(Path::root(), |path, step| match step {
                Ok(key) => path.key(String::into_boxed_str(key)),
                Err(index) => path.index(index),
            });
            let read = parsed(&path.to_string());
            prop_assert_eq!(read.segments(), path.segments(), "{}", path);
        }

        #[test]
        fn every_text_is_a_path(text in "[\\[\\]\"\\\\.$a1]{0,40}|\\PC{0,30}") {
            prop_assert!(parsed(&text).segments().len() <= text.len());
        }
    }
}
