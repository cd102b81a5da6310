//! Parts of a kept result as a model reads them: a page, or the matches of a search (`docs/wire.md`, §8).
//!
//! Invariants: an answer contains at most the requested number of bytes of the result, without split characters; the next part begins where
//! this part ends; the work is linear in the length of the result.

use std::fmt::Write as _;

use crate::bounded;

/// The maximum number of bytes of a result in one answer.
pub(crate) const MOST_BYTES: usize = 16 * 1_024;
const MOST_MATCHES: usize = 20;
/// Number of bytes that are shown on each side of a match.
const AROUND: usize = 80;

/// Returns the last boundary between two characters at or before this byte.
pub(crate) fn begin_at(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (at.saturating_sub(3)..=at).rfind(|&at| text.is_char_boundary(at)).unwrap_or_default()
}

/// Returns the first boundary between two characters at or after this byte.
fn end_at(text: &str, at: usize) -> usize {
    (at..text.len().min(at.saturating_add(4))).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len())
}

/// Returns the part of a result that begins at an offset.
pub(crate) fn page(handle: &str, text: &str, offset: usize, limit: usize) -> String {
    let (begin, bytes) = (begin_at(text, offset), text.len());
    let end = begin_at(text, begin.saturating_add(limit.max(4)));
    let next = if end < bytes {
        format!("To read on, call read_result with {{\"handle\":\"{handle}\",\"offset\":{end}}}.")
    } else {
        "This is its end.".to_owned()
    };
    format!("{}\n[… Bytes {begin} to {end} of the {bytes} bytes of {handle}. {next} …]", &text[begin..end])
}

/// Returns the matches of a searched text from an offset on, ignoring the case of ASCII letters.
pub(crate) fn search(handle: &str, text: &str, wanted: &str, offset: usize, limit: usize) -> String {
    let (begin, bytes) = (begin_at(text, offset), text.len());
    // Converting ASCII letters to lower case does not move any byte.
    let (folded, needle) = (text.to_ascii_lowercase(), wanted.to_ascii_lowercase());
    let quoted = bounded::sentence(wanted, 200);
    let mut found = String::new();
    let mut at = begin;
    let mut matches = 0;
    while let Some(place) = folded.get(at..).and_then(|rest| rest.find(&needle)).map(|place| at + place) {
        if matches == MOST_MATCHES || found.len() >= limit {
            let _ = write!(
                found,
                "\n[… There are more. To go on, call read_result with the same search and \"offset\":{place}. …]"
            );
            break;
        }
        matches += 1;
        let (line, end) = line_around(text, place, place + needle.len());
        let _ = write!(found, "\nbyte {place}: {line}");
        at = end;
    }
    match matches {
        0 => format!("\"{quoted}\" does not occur in {handle} from byte {begin} on; {handle} has {bytes} bytes."),
        _ => format!(
            "\"{quoted}\" occurs in {handle}, which has {bytes} bytes, at these places from byte {begin} on:{found}"
        ),
    }
}

/// Returns the line around a match, cut on both sides, and its end, where the search for the next match begins.
fn line_around(text: &str, begin: usize, end: usize) -> (String, usize) {
    let (from, to) = (end_at(text, begin.saturating_sub(AROUND)), begin_at(text, end.saturating_add(AROUND)).max(end));
    let from = from.min(begin);
    let before = text[from..begin].rfind('\n').map_or(from, |at| from + at + 1);
    let behind = text[end..to].find('\n').map_or(to, |at| end + at);
    let is_cut =
        |at: usize| at != 0 && at != text.len() && !text[..at].ends_with('\n') && !text[at..].starts_with('\n');
    let mark = |at| if is_cut(at) { "…" } else { "" };
    (format!("{}{}{}", mark(before), &text[before..behind], mark(behind)), behind.max(end))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn the_pages_together_are_the_whole_text(text in "[a-zé€🦀\n]{0,300}", limit in 1_usize..40) {
            let (mut read, mut offset) = (String::new(), 0);
            loop {
                let page = page("result_1", &text, offset, limit);
                let (part, notice) = page.rsplit_once("\n[… Bytes ").expect("a page says where it is");
                prop_assert!(part.len() <= limit.max(4));
                read.push_str(part);
                let Some((_, next)) = notice.split_once("\"offset\":") else { break };
                let next = next.split_once('}').and_then(|(next, _)| next.parse().ok()).expect("an offset");
                prop_assert!(next > offset, "a page leads forward");
                offset = next;
            }
            prop_assert_eq!(read, text);
        }

        #[test]
        fn every_line_with_the_text_is_found(lines in prop::collection::vec("[aBé ]{0,60}", 0..60)) {
            let text = lines.join("\n");
            let (mut found, mut offset) = (Vec::new(), 0);
            loop {
                let answer = search("result_1", &text, "Ab", offset, 500);
                prop_assert!(answer.len() < 1_000, "{}", answer.len());
                found.extend(answer.lines().filter_map(|line| line.strip_prefix("byte ")?.split_once(": ")?.0.parse::<usize>().ok()));
                let Some((_, next)) = answer.split_once("\"offset\":") else { break };
                offset = next.split_once('.').and_then(|(next, _)| next.parse().ok()).expect("an offset");
            }
            let mut begin = 0;
            for line in &lines {
                let range = begin..=begin + line.len();
                let has_text = line.to_ascii_lowercase().contains("ab");
                prop_assert_eq!(has_text, found.iter().any(|at| range.contains(at)), "{:?} in {:?}", line, text);
                begin += line.len() + 1;
            }
        }
    }
}
