//! A parser for recorded calls in JSON Lines. Its errors name the file and the line.

use std::ffi::OsString;
use std::io::Read;
use std::time::Duration;

use serde::Deserialize;
use tool_runtime::tool_schema::json::Json;

/// The transcript that is replayed by default, which fits on two screens.
const START: &str = include_str!("../../../transcripts/start.jsonl");
/// The transcript with every kind of call.
const TOUR: &str = include_str!("../../../transcripts/tour.jsonl");

/// The transcript to replay.
pub(crate) enum Source {
    Start,
    Tour,
    /// A file, or standard input if the path is `-`.
    File(OsString),
}

/// The default time between two calls of a model.
pub(crate) const USUAL: Duration = Duration::from_secs(3);

/// A recorded call.
pub(crate) struct Call {
    pub(crate) id: String,
    pub(crate) tool: String,
    /// The arguments as the model sent them.
    pub(crate) arguments: String,
    /// The time since the previous call.
    pub(crate) after: Duration,
}

#[derive(Deserialize)]
struct Line<'a> {
    id: Option<String>,
    #[serde(alias = "name")]
    tool: String,
    #[serde(borrow)]
    arguments: Option<&'a serde_json::value::RawValue>,
    after_ms: Option<u64>,
}

/// An error in a transcript.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TranscriptError {
    #[error("{file} cannot be read: {error}")]
    Unreadable { file: String, error: std::io::Error },
    #[error("{file}, line {line}: {reason}")]
    NoCall { file: String, line: usize, reason: String },
}

/// Reads a transcript.
pub(crate) fn read(source: &Source) -> Result<Vec<Call>, TranscriptError> {
    let name = match source {
        Source::Start | Source::Tour => "the included transcript".to_owned(),
        Source::File(path) if path == "-" => "standard input".to_owned(),
        Source::File(path) => path.to_string_lossy().into_owned(),
    };
    let bytes = match source {
        Source::Start => Ok(START.into()),
        Source::Tour => Ok(TOUR.into()),
        Source::File(path) if path == "-" => {
            let mut bytes = Vec::new();
            std::io::stdin().read_to_end(&mut bytes).map(|_| bytes)
        }
        Source::File(path) => std::fs::read(path),
    };
    let bytes = bytes.map_err(|error| TranscriptError::Unreadable { file: name.clone(), error })?;
    // Some editors add a byte order mark.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    let lines = bytes.split(|byte| *byte == b'\n').enumerate().filter(|(_, line)| !line.trim_ascii().is_empty());
    lines
        .map(|(index, line)| {
            let line_number = index + 1;
            let text = std::str::from_utf8(line)
                .map_err(|error| format!("not a recorded call: not valid UTF-8 at byte {}", error.valid_up_to()));
            text.and_then(|text| call(line_number, text)).map_err(|reason| TranscriptError::NoCall {
                file: name.clone(),
                line: line_number,
                reason,
            })
        })
        .collect()
}

fn call(number: usize, line: &str) -> Result<Call, String> {
    let line: Line<'_> = serde_json::from_str(line).map_err(|error| {
        // serde_json only sees this line, so it always reports line 1, which is removed.
        format!("not a recorded call: {}", error.to_string().replacen("at line 1 column", "at column", 1))
    })?;
    let raw = line.arguments.map_or("", |arguments| arguments.get());
    let sent = Json::parse(raw).ok().and_then(|json| json.as_str().map(str::to_owned));
    Ok(Call {
        id: line.id.unwrap_or_else(|| format!("call_{number}")),
        tool: line.tool,
        arguments: sent.unwrap_or_else(|| raw.to_owned()),
        after: line.after_ms.map_or(USUAL, Duration::from_millis),
    })
}
