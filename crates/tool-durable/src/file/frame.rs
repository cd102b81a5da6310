//! The format of a log: a header, then one frame for each `append`.
//!
//! ```text
//! header   "toollog\0"  version u32  crc32 of these 12 bytes
//! frame    length u32   crc32 of the payload   crc32 of the frame's position, its length and the first crc32   payload
//! payload  for each record: its length u32, its bytes
//! ```
//!
//! All numbers are little-endian. Invariants: memory for a length is allocated only after the length was checked. The first frame is synced
//! before the file gets its name. Only the last of several frames can be one that was not synced, so an invalid frame at the end is ignored.
//! Any other invalid frame is an error.
//!
//! An invalid frame at the end was never synced if bytes are missing, or if a block of it contains only zeros, because a crash leaves such a
//! hole if the length of a file reaches the disk before its contents. Otherwise, the frame may have been synced and damaged later.

use std::io::{self, Read, Seek, SeekFrom};

const MAGIC: &[u8; 8] = b"toollog\0";
/// The version of the format that this crate writes, which is also the newest one that it can read.
pub(super) const VERSION: u32 = 1;
/// The length of the header of a file, in bytes.
const HEADER: usize = 16;
/// The position of the first frame.
pub(super) const BEGIN: u64 = HEADER as u64;
/// The length of the header of a frame, in bytes.
const FRAME: usize = 12;
/// The maximum length of a payload, in bytes.
pub(super) const MOST_BYTES: usize = 64 << 20;

/// The number of bytes that are searched at once for a frame behind a damaged one, or for a hole. It is a multiple of [`BLOCK`].
const WINDOW: usize = 64 << 10;
/// The length of a block, in bytes: disks write at least this much at once.
const BLOCK: usize = 512;
/// The minimum number of zeros in a hole. A single wrong bit in a frame never causes so many.
const HOLE: usize = 8;

/// Returns the header of a file.
pub(super) fn header() -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    let sum = crc32fast::hash(&header[..12]);
    header[12..].copy_from_slice(&sum.to_le_bytes());
    header
}

/// Returns the frame for these records at a position of a file. If the payload is too large, returns its length as the error.
pub(super) fn frame(position: u64, records: &[Vec<u8>]) -> Result<Vec<u8>, usize> {
    let length = records.iter().fold(0_usize, |sum, record| sum.saturating_add(4).saturating_add(record.len()));
    let size = u32::try_from(length).ok().filter(|_| length <= MOST_BYTES).ok_or(length)?;
    let mut frame = vec![0; FRAME];
    frame.reserve_exact(length);
    for record in records {
        // Not greater than `size`, so it fits.
        let length = u32::try_from(record.len()).unwrap_or(size);
        frame.extend_from_slice(&length.to_le_bytes());
        frame.extend_from_slice(record);
    }
    let sum = crc32fast::hash(&frame[FRAME..]);
    frame[..4].copy_from_slice(&size.to_le_bytes());
    frame[4..8].copy_from_slice(&sum.to_le_bytes());
    let sum = sum_of_header(position, &frame[..8]);
    frame[8..FRAME].copy_from_slice(&sum.to_le_bytes());
    Ok(frame)
}

fn sum_of_header(position: u64, start: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&position.to_le_bytes());
    sum.update(start);
    sum.finalize()
}

fn number(bytes: &[u8]) -> u32 {
    bytes.first_chunk().map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

/// Returns the length and the checksum of the payload, if the header is valid at this position.
fn parse(position: u64, header: &[u8; FRAME]) -> Option<(usize, u32)> {
    let is_valid = number(&header[8..]) == sum_of_header(position, &header[..8]);
    let length = usize::try_from(number(header)).ok()?;
    (is_valid && length <= MOST_BYTES).then(|| (length, number(&header[4..])))
}

/// The records of a file.
#[derive(Debug, Default)]
pub(super) struct Contents {
    pub(super) records: Vec<Vec<u8>>,
    /// The position after the last valid frame.
    pub(super) end: u64,
    /// The number of bytes after `end`.
    pub(super) torn: u64,
    /// `true` if the bytes after `end` may be a frame that was synced and damaged later.
    pub(super) is_damaged: bool,
}

/// The reason why the records of a file cannot be used.
#[derive(Debug)]
pub(super) enum Unreadable {
    Io(io::Error),
    Damaged(u64),
    Newer(u32),
}

impl From<io::Error> for Unreadable {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Reads a file from its beginning.
pub(super) fn read(file: &mut (impl Read + Seek), length: u64) -> Result<Contents, Unreadable> {
    file.seek(SeekFrom::Start(0))?;
    let mut start = [0; HEADER];
    if length < BEGIN {
        return Err(Unreadable::Damaged(0));
    }
    file.read_exact(&mut start)?;
    if &start[..8] != MAGIC || number(&start[12..]) != crc32fast::hash(&start[..12]) {
        return Err(Unreadable::Damaged(0));
    }
    match number(&start[8..]) {
        VERSION => {}
        newer if newer > VERSION => return Err(Unreadable::Newer(newer)),
        _ => return Err(Unreadable::Damaged(0)),
    }
    let mut found = Contents { end: BEGIN, ..Contents::default() };
    if length == BEGIN {
        return Err(Unreadable::Damaged(BEGIN));
    }
    while found.end < length {
        let (at, rest) = (found.end, length - found.end);
        let torn = |mut found: Contents| {
            found.torn = rest;
            if at == BEGIN { Err(Unreadable::Damaged(at)) } else { Ok(found) }
        };
        if rest < FRAME as u64 {
            return torn(found);
        }
        let mut head = [0; FRAME];
        file.read_exact(&mut head)?;
        let Some((size, sum)) = parse(at, &head) else {
            if has_frame(file, at + 1, length)? {
                return Err(Unreadable::Damaged(at));
            }
            found.is_damaged = !has_hole(file, at, length)?;
            return torn(found);
        };
        let end = at + (FRAME + size) as u64;
        if end > length {
            return torn(found);
        }
        let mut payload = vec![0; size];
        file.read_exact(&mut payload)?;
        if crc32fast::hash(&payload) != sum {
            if end < length {
                return Err(Unreadable::Damaged(at));
            }
            found.is_damaged = !has_hole(file, at, length)?;
            return torn(found);
        }
        split(&payload, &mut found.records).ok_or(Unreadable::Damaged(at))?;
        found.end = end;
    }
    Ok(found)
}

/// Adds the records of a payload.
fn split(mut payload: &[u8], records: &mut Vec<Vec<u8>>) -> Option<()> {
    while !payload.is_empty() {
        let (length, rest) = payload.split_first_chunk::<4>()?;
        let (record, rest) = rest.split_at_checked(usize::try_from(u32::from_le_bytes(*length)).ok()?)?;
        records.push(record.to_vec());
        payload = rest;
    }
    Some(())
}

/// Returns `true` if a block of the file contains only zeros between `from` and the end of the file.
fn has_hole(file: &mut (impl Read + Seek), from: u64, length: u64) -> io::Result<bool> {
    let mut at = from - from % BLOCK as u64;
    file.seek(SeekFrom::Start(at))?;
    let mut window = Vec::with_capacity(WINDOW);
    while at < length {
        window.clear();
        if file.by_ref().take(WINDOW as u64).read_to_end(&mut window)? == 0 {
            return Ok(false);
        }
        for (begin, block) in (at..).step_by(BLOCK).zip(window.chunks(BLOCK)) {
            let before = usize::try_from(from.saturating_sub(begin)).unwrap_or(usize::MAX);
            let block = block.get(before..).unwrap_or_default();
            if block.len() >= HOLE && block.iter().all(|byte| *byte == 0) {
                return Ok(true);
            }
        }
        at += window.len() as u64;
    }
    Ok(false)
}

/// Returns `true` if a valid header of a frame starts anywhere between `from` and the end of the file.
fn has_frame(file: &mut (impl Read + Seek), from: u64, length: u64) -> io::Result<bool> {
    file.seek(SeekFrom::Start(from))?;
    let (mut window, mut at) = (Vec::with_capacity(WINDOW), from);
    loop {
        let wanted = (WINDOW - window.len()) as u64;
        if file.by_ref().take(wanted).read_to_end(&mut window)? == 0 {
            return Ok(false);
        }
        for (at, header) in (at..).zip(window.windows(FRAME)) {
            let header: Option<&[u8; FRAME]> = header.first_chunk();
            let frame = header.and_then(|header| parse(at, header));
            if frame.is_some_and(|(size, _)| at + (FRAME + size) as u64 <= length) {
                return Ok(true);
            }
        }
        let searched = window.len().saturating_sub(FRAME - 1);
        window.drain(..searched);
        at += searched as u64;
    }
}
