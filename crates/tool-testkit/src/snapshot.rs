//! Snapshots of the schema of a tool: [`check_snapshot`], and the macro [`assert_schema_snapshot!`](crate::assert_schema_snapshot).
//!
//! Invariant: a file is written only if `BLESS_SCHEMAS` is set to `1`. The file contains the indented schema, with the order of its keys.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use tool_runtime::tool::Tool;
use tool_runtime::tool_schema::json::Json;

use super::schema_agreement::schema;
use crate::private::json::laid_out;

/// Asserts that the schema of a tool's arguments equals `snapshots/<tool>.schema.json` in the folder of the test. With the environment
/// variable `BLESS_SCHEMAS=1`, the file is written instead.
///
/// ```no_run
/// use tool_runtime::tool;
/// use tool_testkit::assert_schema_snapshot;
///
/// /// Answers at once.
/// #[tool]
/// fn ping() {}
///
/// assert_schema_snapshot!(PingTool);
/// ```
#[macro_export]
macro_rules! assert_schema_snapshot {
    ($tool:expr $(,)?) => {
        let folder = $crate::__private_0_1_0::folder(::core::env!("CARGO_MANIFEST_DIR"), ::core::file!());
        if let ::core::result::Result::Err(fault) = $crate::check_snapshot(&$tool, &folder) {
            ::core::panic!("{fault}");
        }
    };
}

/// Compares the schema of a tool's arguments with `<tool>.schema.json` in a folder. Writes the file instead if `BLESS_SCHEMAS` is `1`.
///
/// ```
/// use tool_runtime::tool;
/// use tool_testkit::check_snapshot;
///
/// /// Answers at once.
/// #[tool]
/// fn ping() {}
///
/// let issue = check_snapshot(&PingTool, "no/such/folder".as_ref());
/// assert!(issue.is_err_and(|issue| issue.contains("BLESS_SCHEMAS=1")));
/// ```
///
/// # Errors
///
/// Fails if the schema differs from the file, with the lines that changed. Also fails if the file does not exist yet.
pub fn check_snapshot(tool: &dyn Tool, folder: &Path) -> Result<(), String> {
    compare(tool, folder, env::var_os("BLESS_SCHEMAS").is_some_and(|value| value == "1"))
}

fn compare(tool: &dyn Tool, folder: &Path, blesses: bool) -> Result<(), String> {
    let text = schema(tool);
    let json = Json::parse(&text).map_err(|error| format!("the schema is not valid JSON: {error}"))?;
    let pretty = laid_out(&json, 0) + "\n";
    let file = folder.join(format!("{}.schema.json", tool.spec().name));
    let shown = file.display();
    if blesses {
        return fs::create_dir_all(folder)
            .and_then(|()| fs::write(&file, pretty))
            .map_err(|error| format!("{shown} cannot be written: {error}"));
    }
    let known = fs::read_to_string(&file)
        .map_err(|error| format!("{shown} cannot be read: {error}\nRun the test with BLESS_SCHEMAS=1 to write it."))?;
    // Git may have changed the line endings.
    let known = known.replace("\r\n", "\n");
    if known == pretty {
        return Ok(());
    }
    Err(format!(
        "The schema differs from {shown}.\n{}Run the test with BLESS_SCHEMAS=1 if the change is intended.",
        changed(&known, &pretty)
    ))
}

/// Returns the lines between the common beginning and the common end of both texts: old lines with `-`, and new lines with `+`.
fn changed(before: &str, now: &str) -> String {
    let (before, now): (Vec<&str>, Vec<&str>) = (before.lines().collect(), now.lines().collect());
    let front = before.iter().zip(&now).take_while(|(before, now)| before == now).count();
    let (before, now) = (&before[front..], &now[front..]);
    let back = before.iter().rev().zip(now.iter().rev()).take_while(|(before, now)| before == now).count();
    let lines = |sign: char, lines: &[&str]| {
        let lines = lines[..lines.len() - back].iter();
        lines.fold(String::new(), |text, line| text + &format!("{sign} {line}\n"))
    };
    lines('-', before) + &lines('+', now)
}

/// Returns the folder `snapshots` next to a source file. The path of the source file is relative to the package, or to a parent folder of
/// the package.
pub fn folder(package: &str, source: &str) -> PathBuf {
    let package = Path::new(package);
    let found = package.ancestors().map(|folder| folder.join(source)).find(|file| file.is_file());
    let beside = found.as_deref().and_then(Path::parent).unwrap_or(package);
    beside.join("snapshots")
}

#[cfg(test)]
mod tests {
    use super::*;
    use tool_runtime::CallContext;
    use tool_runtime::tool::{AnswerOrFuture, Payload, ToolSpec};
    use tool_runtime::tool_schema::shape::{Kind, Ref, Shape};

    struct Of(ToolSpec);

    impl Tool for Of {
        fn spec(&self) -> &ToolSpec {
            &self.0
        }

        fn call<'a>(&'a self, _: tool_runtime::Arguments<'a>, _: &'a CallContext) -> AnswerOrFuture<'a> {
            AnswerOrFuture::Ready(Ok(Payload::Done))
        }
    }

    fn tool(kind: Kind) -> Of {
        Of(ToolSpec::new("flag", "A flag.", Ref::Shared(Shape::new(kind).into())))
    }

    #[test]
    fn a_snapshot_is_written_kept_and_compared() -> Result<(), Box<dyn std::error::Error>> {
        let folder = env::temp_dir().join(format!("tool-testkit-snapshots-{}", std::process::id()));
        assert!(compare(&tool(Kind::Boolean), &folder, false).is_err_and(|fault| fault.contains("cannot be read")));
        compare(&tool(Kind::Boolean), &folder, true)?;
        assert_eq!(fs::read_to_string(folder.join("flag.schema.json"))?, "{\n  \"type\": \"boolean\"\n}\n");
        assert_eq!(compare(&tool(Kind::Boolean), &folder, false), Ok(()));
        let fault = compare(&tool(Kind::String), &folder, false).err().unwrap_or_default();
        assert!(fault.contains("\n-   \"type\": \"boolean\"\n+   \"type\": \"string\"\nRun"), "{fault}");
        fs::remove_dir_all(&folder)?;
        Ok(())
    }

    #[test]
    fn only_changed_lines_are_shown() {
        assert_eq!(changed("a\nb\nc\n", "a\nc\n"), "- b\n");
        assert_eq!(changed("a\nc\n", "a\nb\nc\n"), "+ b\n");
        assert_eq!(changed("a\na\n", "a\na\na\n"), "+ a\n");
    }

    #[test]
    fn the_snapshot_folder_is_beside_the_source_file() {
        let beside = folder(env!("CARGO_MANIFEST_DIR"), file!());
        assert_eq!(beside, Path::new(env!("CARGO_MANIFEST_DIR")).join("src/snapshots"));
        assert_eq!(folder("/no/package", "no/source.rs"), Path::new("/no/package/snapshots"));
    }
}
