//! Recordings of sessions, their counts, and the differences between two recordings. The pages in a browser are tested by `scripts/judges-report`.

mod compared;
mod counts;
mod pages;
mod sessions;

use std::sync::{Arc, Mutex};

use serde_json::Value;
use tool_report::{CallRecorder, CallReport, RecordedLine};

/// The lines of a recording, which a test can read.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<String>>>);

impl Lines {
    fn recorder(&self) -> CallRecorder {
        let lines = Arc::clone(&self.0);
        CallRecorder::new(move |line| lines.lock().expect("not poisoned").push(line.to_owned()))
    }

    fn texts(&self) -> Vec<String> {
        self.0.lock().expect("not poisoned").clone()
    }

    /// Returns the lines of calls and messages without times, sizes and the ids of sessions.
    fn calls(&self) -> Vec<Value> {
        let parse = |line: &String| {
            assert!(!line.contains('\n'), "{line}");
            let mut line: Value = serde_json::from_str(line).expect("a line is JSON");
            for key in ["at_ms", "ms", "bytes", "session"] {
                line.as_object_mut().and_then(|members| members.remove(key));
            }
            line
        };
        self.texts().iter().map(parse).filter(|line| line["tools"].is_null()).collect()
    }

    fn report(&self) -> CallReport {
        report(&self.texts())
    }
}

fn report(lines: &[String]) -> CallReport {
    let mut report = CallReport::new();
    for line in lines {
        report.add_line(line.parse::<RecordedLine>().expect("it is a line of a recording"));
    }
    report
}
