//! Reports: a summary of findings, and files in one directory.
//!
//! Invariant: no file is written outside of the directory, because a name contains no separator, and links are not followed.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

use serde::Deserialize;
use tool_runtime::{ToolError, ToolInput, plugin_container, tool};

/// Writes reports below one directory.
#[derive(Debug)]
pub struct Reports {
    directory: PathBuf,
}

/// What was found in one file.
#[derive(Clone, Debug, Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
pub struct Finding {
    /// Path of the file.
    pub path: String,
    /// How many lines of it are errors.
    pub errors: u32,
    /// The first of them, as it stands there.
    #[serde(default)]
    pub first: Option<String>,
}

impl Reports {
    /// Creates the container for a directory, which is created when the first report is written.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into() }
    }
}

/// Sum up findings and write reports.
#[plugin_container(instructions = "Sum up before you write. A report is written once; its name ends in .md.")]
impl Reports {
    /// Sum up what was found in files, worst first.
    #[tool(read_only)]
    fn sum_up(
        &self,
        /// What was found, one entry for each file.
        #[tool(length(min = 1, max = 50))]
        mut findings: Vec<Finding>,
    ) -> String {
        findings.sort_by(|one, other| other.errors.cmp(&one.errors).then_with(|| one.path.cmp(&other.path)));
        let total: u64 = findings.iter().map(|finding| u64::from(finding.errors)).sum();
        let lines = findings.iter().map(|Finding { path, errors, first }| match first {
            Some(first) => format!("- {path}: {errors}, first: {first}"),
            None => format!("- {path}: {errors}"),
        });
        std::iter::once(format!("{total} errors in {} files", findings.len()))
            .chain(lines)
            .collect::<Vec<_>>()
            .join("\n")
    }

    /// Write a report. One of the same name is replaced.
    #[tool(destructive, sequential)]
    fn write_report(
        &self,
        /// Name of the report.
        #[tool(pattern = "^[a-z0-9-]{1,40}\\.md$", example = "friday.md")]
        name: String,
        /// What it says.
        #[tool(length(min = 1, max = 20000))]
        text: String,
    ) -> Result<String, ToolError> {
        let failed = |error: io::Error| ToolError::new("The report could not be written.").caused_by(error);
        fs::create_dir_all(&self.directory).map_err(failed)?;
        let place = self.directory.join(&name);
        // The file is removed and created again, because writing through a link would change a file elsewhere.
        match fs::remove_file(&place) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
        fs::File::create_new(&place).and_then(|mut file| file.write_all(text.as_bytes())).map_err(failed)?;
        Ok(format!("{name} is written, {} bytes", text.len()))
    }

    /// Delete a report.
    #[tool(destructive, sequential)]
    fn delete_report(
        &self,
        /// Name of the report.
        #[tool(pattern = "^[a-z0-9-]{1,40}\\.md$", example = "friday.md")]
        name: String,
    ) -> Result<(), ToolError> {
        fs::remove_file(self.directory.join(&name)).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => ToolError::retry(format!("there is no report {name}")).field("name"),
            _ => ToolError::new("The report could not be deleted.").caused_by(error),
        })
    }
}
