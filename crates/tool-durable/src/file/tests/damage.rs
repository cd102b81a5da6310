//! Tests with files that were cut off, changed or invented.

use proptest::prelude::*;

use super::read;
use crate::file::frame::{self, BEGIN, Unreadable, VERSION, frame, header};

/// Returns a file, and the position after each of its frames.
fn file(frames: &[&[&[u8]]]) -> (Vec<u8>, Vec<usize>) {
    let mut bytes = header().to_vec();
    let mut ends = Vec::new();
    for records in frames {
        let records: Vec<Vec<u8>> = records.iter().map(|record| record.to_vec()).collect();
        bytes.extend(frame(bytes.len() as u64, &records).expect("the records are short"));
        ends.push(bytes.len());
    }
    (bytes, ends)
}

const FRAMES: &[&[&[u8]]] = &[&[b"first"], &[b"second", b""], &[], &[b"the fourth and last one", b"!"]];

fn records(frames: usize) -> Vec<&'static [u8]> {
    FRAMES[..frames].concat()
}

#[test]
fn a_file_cut_off_anywhere_has_the_records_before_the_cut() {
    let (bytes, ends) = file(FRAMES);
    for length in 0..=bytes.len() {
        let read = read(&bytes[..length]);
        if length < ends[0] {
            // The first frame is synced before the file gets its name.
            let offset = if length < 16 { 0 } else { BEGIN };
            assert!(matches!(read, Err(Unreadable::Damaged(at)) if at == offset), "{length}");
            continue;
        }
        let whole = ends.iter().filter(|end| **end <= length).count();
        let contents = read.expect("a torn end is not an error");
        assert_eq!(contents.records, records(whole), "{length}");
        let end = whole.checked_sub(1).map_or(16, |last| ends[last]);
        assert_eq!((contents.end, contents.torn), (end as u64, (length - end) as u64), "{length}");
        assert!(!contents.is_damaged, "{length}");
    }
}

#[test]
fn a_changed_bit_is_an_error_or_costs_only_the_last_frame() {
    let (bytes, ends) = file(FRAMES);
    let before_last = ends[FRAMES.len() - 2];
    for bit in 0..bytes.len() * 8 {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        match read(&changed) {
            Ok(contents) => {
                assert!(bit / 8 >= before_last, "bit {bit}: {contents:?}");
                assert_eq!(contents.records, records(FRAMES.len() - 1), "bit {bit}");
                assert!(contents.is_damaged, "bit {bit}");
            }
            Err(Unreadable::Damaged(offset)) => {
                let begins = std::iter::once(16).chain(ends.iter().copied());
                let frame = if bit / 8 < 16 { 0 } else { begins.filter(|begin| *begin <= bit / 8).max().unwrap_or(0) };
                assert_eq!(offset, frame as u64, "bit {bit}");
            }
            Err(error) => panic!("bit {bit}: {error:?}"),
        }
    }
}

/// A last frame of which only some parts reached the disk is recognized as a torn end, even if the header of the frame is missing.
#[test]
fn a_torn_last_frame_is_not_damage() {
    let (bytes, ends) = file(FRAMES);
    let begin = ends[FRAMES.len() - 2];
    let sectors: Vec<_> = (begin..bytes.len()).step_by(8).collect();
    for lost in 1..1_u32 << sectors.len() {
        let mut torn = bytes.clone();
        for (number, sector) in sectors.iter().enumerate().filter(|(number, _)| lost & 1 << number != 0) {
            let end = sectors.get(number + 1).copied().unwrap_or(bytes.len());
            torn[*sector..end].fill(0);
        }
        let contents = read(&torn).expect("a torn end is not an error");
        assert_eq!(contents.records, records(FRAMES.len() - 1));
    }
}

/// A last frame of which some blocks never reached the disk is an incomplete write, and any other invalid last frame may have been kept.
#[test]
fn only_a_hole_shows_that_a_last_frame_was_not_synced() {
    for first in [0, 100, 440, 470, 490, 2_000] {
        for last in [0, 40, 500, 3_000] {
            let (first, last) = (vec![b'x'; first], vec![b'y'; last]);
            let (bytes, ends) = file(&[&[&first], &[&last]]);
            let (begin, end) = (ends[0], bytes.len());
            let blocks: Vec<_> = (begin / 512..end.div_ceil(512))
                .map(|block| (block * 512).max(begin)..((block + 1) * 512).min(end))
                .collect();
            for block in &blocks {
                let mut hole = bytes.clone();
                hole[block.clone()].fill(0);
                let contents = read(&hole).expect("the end is left out");
                assert_eq!((contents.records.len(), contents.end), (1, begin as u64));
                assert_eq!(contents.is_damaged, block.len() < 8, "{block:?}");
            }
            for bit in begin * 8..end * 8 {
                let mut changed = bytes.clone();
                changed[bit / 8] ^= 1 << (bit % 8);
                assert!(read(&changed).expect("the end is left out").is_damaged, "bit {bit}");
            }
        }
    }
}

#[test]
fn a_newer_format_is_rejected() {
    let (mut bytes, _) = file(FRAMES);
    bytes[8..12].copy_from_slice(&(VERSION + 1).to_le_bytes());
    let sum = crc32fast::hash(&bytes[..12]);
    bytes[12..16].copy_from_slice(&sum.to_le_bytes());
    assert!(matches!(read(&bytes), Err(Unreadable::Newer(version)) if version == VERSION + 1));
}

/// A header that claims the maximum length does not make the reader allocate that much if the file is short.
#[test]
fn a_length_is_checked_before_it_is_allocated() {
    let largest = frame(BEGIN, &[vec![0; frame::MOST_BYTES - 4]]).expect("the largest record fits");
    let short = [&header(), &largest[..100]].concat();
    assert!(matches!(read(&short), Err(Unreadable::Damaged(BEGIN))));
    assert_eq!(frame(BEGIN, &[vec![0; frame::MOST_BYTES - 3]]).err(), Some(frame::MOST_BYTES + 1));
}

proptest! {
    /// Reading arbitrary bytes neither panics nor returns records that nobody wrote.
    #[test]
    fn arbitrary_bytes_give_no_records(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let with_header = [&header()[..], &bytes].concat();
        for bytes in [&bytes, &with_header] {
            if let Ok(contents) = read(bytes) {
                prop_assert!(contents.records.is_empty());
            }
        }
    }

    /// Reading a file with several changes gives an error, or the first records of the file.
    #[test]
    fn a_changed_file_gives_an_error_or_its_first_records(
        frames in prop::collection::vec(prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..3), 0..6),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
        cut in any::<prop::sample::Index>(),
    ) {
        let frames: Vec<Vec<&[u8]>> = frames.iter().map(|records| records.iter().map(Vec::as_slice).collect()).collect();
        let frames: Vec<&[&[u8]]> = frames.iter().map(Vec::as_slice).collect();
        let (mut bytes, _) = file(&frames);
        for (place, byte) in changes {
            *place.get_mut(&mut bytes) = byte;
        }
        bytes.truncate(cut.index(bytes.len() + 1));
        if let Ok(contents) = read(&bytes) {
            let written = frames.concat();
            prop_assert!(contents.records.len() <= written.len());
            prop_assert!(contents.records.iter().zip(&written).all(|(read, written)| read == written));
        }
    }
}
