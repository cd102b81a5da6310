//! Tests with random operations, failures and crashes: the records that are found must be among those that a reader may find.

use std::io::{Seek as _, SeekFrom, Write as _};
use std::sync::Arc;

use proptest::prelude::*;

use super::flaky::{Counter, FlakyFolder};
use super::simulated::SimulatedDisk;
use crate::file::disk::{Disk as _, DiskFile as _, Folder};
use crate::file::log::{DiskLog, NotKept};

type Records = Vec<Vec<u8>>;

#[derive(Clone, Debug)]
enum Step {
    Append(Records),
    Replace(Records),
    /// Lets an operation of the disk fail, counted from here.
    Fail(usize),
    /// Kills the process before an operation of the disk, counted from here.
    Die(usize),
    Reopen,
    /// Stops the machine.
    Crash(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let record = || prop::collection::vec(any::<u8>(), 0..60);
    let records = move || prop::collection::vec(record(), 0..4);
    let step = prop_oneof![
        8 => records().prop_map(Step::Append),
        2 => records().prop_map(Step::Replace),
        2 => (1_usize..8).prop_map(Step::Fail),
        1 => (1_usize..8).prop_map(Step::Die),
        1 => Just(Step::Reopen),
        2 => any::<u64>().prop_map(Step::Crash),
    ];
    prop::collection::vec(step, 1..40)
}

/// Returns pseudo-random numbers.
fn numbers(mut seed: u64) -> impl FnMut() -> u32 {
    move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(seed >> 33).expect("31 bits remain")
    }
}

struct Model {
    /// The records of the open log.
    open: Records,
    /// The records that may be found when it is opened again.
    found: Vec<Records>,
}

fn run(steps: Vec<Step>) -> Result<(), TestCaseError> {
    let disk = SimulatedDisk::default();
    let open = || DiskLog::open(disk.clone(), "log".to_owned());
    let (mut log, _) = open().expect("an empty disk can be read");
    let mut model = Model { open: Vec::new(), found: vec![Vec::new()] };
    for step in steps {
        match step {
            Step::Append(records) => {
                let longer = [&model.open[..], &records].concat();
                if log.append(&records).is_ok() {
                    (model.open, model.found) = (longer.clone(), vec![longer]);
                } else {
                    model.found.push(longer);
                }
            }
            Step::Replace(records) => {
                if log.replace(&records).is_ok() {
                    (model.open, model.found) = (records.clone(), vec![records]);
                } else {
                    model.found.push(records);
                }
            }
            Step::Fail(operations) => disk.fail_in(operations),
            Step::Die(operations) => disk.die_in(operations),
            Step::Reopen | Step::Crash(_) => {
                if let Step::Crash(seed) = step {
                    disk.crash(numbers(seed));
                }
                disk.revive();
                let contents;
                (log, contents) = open().map_err(|error| TestCaseError::fail(format!("{error:?}")))?;
                prop_assert!(model.found.contains(&contents.records), "{:?} is none of {:?}", contents, model.found);
                (model.open, model.found) = (contents.records.clone(), vec![contents.records]);
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 3_000 } else { 100_000 }))]

    /// After every failure and crash, the records that were reported as kept are found, and no others.
    #[test]
    fn acknowledged_records_survive(steps in steps()) {
        run(steps)?;
    }
}

/// Wherever the process or the machine stops while the first record after a damaged one is written, the next process finds the damage or
/// the new record.
#[test]
fn damage_is_found_until_another_record_replaces_it() {
    let mut kept = 0;
    for operations in 1..20 {
        let disk = SimulatedDisk::default();
        let open = || DiskLog::open(disk.clone(), "log".to_owned());
        let (mut log, _) = open().expect("an empty disk can be read");
        log.append(&[b"first".to_vec()]).expect("nothing fails");
        log.append(&[b"second".to_vec()]).expect("nothing fails");
        let mut file = disk.open("log").expect("the disk works").expect("the file exists");
        let last = file.length().expect("the disk works") - 1;
        file.seek(SeekFrom::Start(last)).expect("it is in the file");
        file.write_all(b"D").expect("nothing fails");
        file.sync().expect("nothing fails");

        let (mut log, contents) = open().expect("the end is left out");
        assert!(contents.is_damaged && contents.records == [b"first"]);
        disk.die_in(operations);
        let is_kept = log.append(&[b"third".to_vec()]).is_ok();
        if operations % 2 == 0 {
            disk.crash(numbers(operations as u64));
        }
        disk.revive();
        let (_, contents) = open().expect("the end is left out");
        let has_third = contents.records == [b"first".to_vec(), b"third".to_vec()];
        assert!(has_third || !is_kept && contents.is_damaged, "{operations}: {contents:?}");
        kept += usize::from(is_kept);
    }
    assert!((1..19).contains(&kept), "{kept}");
}

/// A log on a disk whose every nth operation fails keeps all records that it reported as kept.
#[test]
fn a_log_keeps_its_records_on_a_disk_that_fails_repeatedly() {
    for nth in 2..30 {
        let disk = SimulatedDisk::default();
        let (mut log, _) = DiskLog::open(disk.clone(), "log".to_owned()).expect("an empty disk can be read");
        let mut kept: Records = Vec::new();
        for number in 0..200_u8 {
            if number % 3 == 0 {
                disk.fail_in(nth);
            }
            let record = vec![number; usize::from(number)];
            match log.append(std::slice::from_ref(&record)) {
                Ok(()) => kept.push(record),
                Err(NotKept::Lost) => {
                    let contents;
                    (log, contents) = DiskLog::open(disk.clone(), "log".to_owned()).expect("no failure is due");
                    assert!(contents.records.starts_with(&kept));
                    kept = contents.records;
                }
                Err(_) => {}
            }
        }
        assert!(kept.len() >= 50, "only {} records were kept", kept.len());
        disk.crash(|| 0);
        let (_, contents) = DiskLog::open(disk, "log".to_owned()).expect("the log can be read");
        let lengths = |records: &Records| records.iter().map(Vec::len).collect::<Vec<_>>();
        assert_eq!(lengths(&contents.records), lengths(&kept), "{nth}");
    }
}

/// A log in a folder of the operating system in which every nth operation fails keeps all records that it reported as kept.
#[test]
fn a_log_keeps_its_records_in_a_folder_that_fails_repeatedly() {
    let path = std::env::temp_dir().join(format!("tool-durable-flaky-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("the folder can be created");
    let mut errors = 0;
    for nth in 3..20 {
        let name = format!("log-{nth}");
        let disk = FlakyFolder(Folder(path.clone()), Counter { nth, count: Arc::default() });
        // Opening a log syncs twice, so it fails at most once in a row.
        let open = || {
            let opened =
                DiskLog::open(disk.clone(), name.clone()).or_else(|_| DiskLog::open(disk.clone(), name.clone()));
            opened.expect("the second attempt does not fail")
        };
        let (mut log, _) = open();
        let mut kept: Records = Vec::new();
        for number in 0..60_u8 {
            let record = vec![number; usize::from(number)];
            let is_new = number % 20 == 19;
            let change = if is_new { DiskLog::replace } else { DiskLog::append };
            let longer =
                if is_new { vec![record.clone()] } else { [&kept[..], std::slice::from_ref(&record)].concat() };
            match change(&mut log, &[record]) {
                Ok(()) => kept = longer,
                Err(error) => {
                    errors += 1;
                    if is_new || number % 2 == 0 || matches!(error, NotKept::Lost) {
                        let contents;
                        (log, contents) = open();
                        assert!(contents.records == kept || contents.records == longer, "{nth}: {number}");
                        kept = contents.records;
                    }
                }
            }
        }
        drop(log);
        let (_, contents) = DiskLog::open(Folder(path.clone()), name).expect("the folder does not fail any more");
        assert_eq!(contents.records, kept, "{nth}");
    }
    assert!(errors > 100, "only {errors} errors");
    std::fs::remove_dir_all(&path).expect("the folder exists");
}
