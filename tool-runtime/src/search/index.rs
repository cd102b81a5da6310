//! Ranks texts by the words that they share with a query: BM25 with weighted fields.
//!
//! In: the fields of each document, and a query. Out: the documents with a shared word, the best first. Invariants: the same input gives
//! the same order, and ties go to the earlier document. The work is linear in the size of the documents and of the query, apart from at most
//! [`MOST_WORDS`] unknown words, each of which is compared with the words that begin with the same letter.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Bound;

use super::words::{for_each_word, is_filler, stem};
use crate::suggest::nearest;

/// The maximum number of different words of a query. Further words are ignored.
const MOST_WORDS: usize = 64;
/// The minimum number of bytes of a word that may be misspelled.
const MISSPELLED: usize = 4;
/// The usual parameters of BM25: how little a repeated word adds, and how much long documents are held back.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// Documents, numbered in the order in which they were added.
#[derive(Default)]
pub(super) struct Index {
    /// The documents with each stem, with the sum of the weights of its occurrences.
    postings: HashMap<String, Vec<(usize, f64)>>,
    /// The sum of the weights of all words of each document.
    lengths: Vec<f64>,
    /// All words as they are written, for misspelled words of a query.
    vocabulary: BTreeSet<String>,
}

impl Index {
    /// Adds a document that consists of texts, each with the weight of its words.
    pub(super) fn add<'f>(&mut self, fields: impl IntoIterator<Item = (&'f str, f64)>) {
        let (document, mut length) = (self.lengths.len(), 0.0);
        for (text, weight) in fields {
            for_each_word(text, |word| {
                length += weight;
                let postings = self.postings.entry(stem(word)).or_default();
                match postings.last_mut() {
                    Some((last, sum)) if *last == document => *sum += weight,
                    _ => postings.push((document, weight)),
                }
                if !self.vocabulary.contains(word) {
                    self.vocabulary.insert(word.to_owned());
                }
            });
        }
        self.lengths.push(length);
    }

    /// Returns the documents that share a word with a query, the best first, with their scores.
    pub(super) fn rank(&self, query: &str) -> Vec<(usize, f64)> {
        let count = number(self.lengths.len());
        let average = self.lengths.iter().sum::<f64>() / count.max(1.0);
        let mut scores = vec![0.0; self.lengths.len()];
        for term in self.terms(query) {
            let postings = self.postings.get(&term).map_or(&[][..], Vec::as_slice);
            let having = number(postings.len());
            let rarity = (1.0 + (count - having + 0.5) / (having + 0.5)).ln();
            for &(document, weight) in postings {
                let length = B.mul_add(self.lengths[document] / average, 1.0 - B);
                scores[document] += rarity * weight * (K1 + 1.0) / K1.mul_add(length, weight);
            }
        }
        let mut ranked: Vec<_> = scores.into_iter().enumerate().filter(|(_, score)| *score > 0.0).collect();
        ranked.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        ranked
    }

    /// Returns the stems of the words of a query. A word that no document contains is replaced by the word that was probably meant.
    fn terms(&self, query: &str) -> Vec<String> {
        let (mut telling, mut fillers, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
        for_each_word(query, |word| {
            if seen.len() < MOST_WORDS && seen.insert(word.to_owned()) {
                if is_filler(word) { &mut fillers } else { &mut telling }.push(word.to_owned());
            }
        });
        let words = if telling.is_empty() { fillers } else { telling };
        let mut terms = Vec::with_capacity(words.len());
        for word in words {
            let mut term = stem(&word);
            if !self.postings.contains_key(&term)
                && let Some(meant) = self.meant(&word)
            {
                term = stem(meant);
            }
            if !terms.contains(&term) {
                terms.push(term);
            }
        }
        terms
    }

    /// Returns the word of a document that a misspelled word probably means.
    fn meant(&self, word: &str) -> Option<&str> {
        let first = word.chars().next().filter(|_| word.len() >= MISSPELLED)?;
        let from = first.to_string();
        let similar = self.vocabulary.range::<str, _>((Bound::Included(&*from), Bound::Unbounded));
        nearest(word, similar.map(String::as_str).take_while(|other| other.starts_with(first)))
    }
}

/// Returns a count as a number for the formula, which needs no precision above 4 billion.
fn number(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn index(texts: &[&str]) -> Index {
        let mut index = Index::default();
        for text in texts {
            index.add([(*text, 1.0)]);
        }
        index
    }

    fn found(index: &Index, query: &str) -> Vec<usize> {
        index.rank(query).into_iter().map(|(document, _)| document).collect()
    }

    #[test]
    fn rare_words_and_short_documents_come_first() {
        let index = index(&["list issues", "list files of a folder", "list pull requests", "read a folder"]);
        assert_eq!(found(&index, "list the issues"), [0, 2, 1]);
        assert_eq!(found(&index, "folders"), [3, 1]);
        assert!(found(&index, "weather").is_empty());
        assert_eq!(found(&index, "the a an"), [3, 1], "without other words, fillers count");
    }

    #[test]
    fn misspelled_words_are_found_unless_another_word_may_be_meant() {
        let index = index(&["weather forecast", "math and path"]);
        assert_eq!(found(&index, "wether"), [0]);
        assert_eq!(found(&index, "forcast"), [0]);
        assert!(found(&index, "bath").is_empty());
        assert!(found(&index, "weather2").is_empty());
    }

    #[test]
    fn weights_decide_between_fields() {
        let mut index = Index::default();
        index.add([("chart", 0.5), ("draws things", 1.0)]);
        index.add([("chart", 3.0), ("draws things", 1.0)]);
        assert_eq!(found(&index, "chart"), [1, 0]);
        assert_eq!(found(&index, "draws"), [0, 1], "the shorter document is first");
    }

    proptest! {
        #[test]
        fn any_query_gives_distinct_documents_in_order(query in ".{0,300}", texts in prop::collection::vec(".{0,40}", 0..6)) {
            let mut index = Index::default();
            for text in &texts {
                index.add([(text.as_str(), 1.0), ("common", 0.5)]);
            }
            let ranked = index.rank(&query);
            let in_order = |(one, first): &(usize, f64), (other, second): &(usize, f64)| {
                second.total_cmp(first).then(one.cmp(other)).is_lt()
            };
            prop_assert!(ranked.is_sorted_by(in_order));
            prop_assert!(ranked.iter().all(|(document, score)| *document < texts.len() && score.is_finite()));
            prop_assert_eq!(index.rank(&query), ranked);
        }
    }
}
