//! Whether a tool's schema is what it was: [`check_snapshot`], and the macro [`assert_schema_snapshot!`](crate::assert_schema_snapshot).
//!
//! In: a tool, and the folder of the test. Out: nothing, or the lines that changed. What always holds: a file is written only where
//! `BLESS_SCHEMAS` is set to `1`; the text in it is the schema, indented, with its keys in their order.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use tool_runtime::tool::Tool;
use tool_runtime::tool_schema::json::Json;

use super::contract::schema;

/// Asserts that the schema of a tool's arguments is the one in `snapshots/<tool>.schema.json` beside the test. With the environment variable
/// `BLESS_SCHEMAS=1` the file is written instead.
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

/// Looks whether the schema of a tool's arguments is the one in `<tool>.schema.json` of a folder; writes it where `BLESS_SCHEMAS` is `1`.
///
/// ```
/// use tool_runtime::tool;
/// use tool_testkit::check_snapshot;
///
/// /// Answers at once.
/// #[tool]
/// fn ping() {}
///
/// let fault = check_snapshot(&PingTool, "no/such/folder".as_ref());
/// assert!(fault.is_err_and(|fault| fault.contains("BLESS_SCHEMAS=1")));
/// ```
///
/// # Errors
///
/// The lines that changed, or that there is no such file yet.
pub fn check_snapshot(tool: &dyn Tool, folder: &Path) -> Result<(), String> {
    compare(tool, folder, env::var_os("BLESS_SCHEMAS").is_some_and(|value| value == "1"))
}

fn compare(tool: &dyn Tool, folder: &Path, blesses: bool) -> Result<(), String> {
    let text = schema(tool);
    let pretty =
        Json::parse(&text).map_err(|error| format!("the schema is not valid JSON: {error}"))?.to_pretty() + "\n";
    let file = folder.join(format!("{}.schema.json", tool.spec().name));
    let shown = file.display();
    if blesses {
        return fs::create_dir_all(folder)
            .and_then(|()| fs::write(&file, pretty))
            .map_err(|error| format!("{shown} cannot be written: {error}"));
    }
    let known = fs::read_to_string(&file)
        .map_err(|error| format!("{shown} cannot be read: {error}\nRun the test with BLESS_SCHEMAS=1 to write it."))?;
    // A checkout may have turned the ends of lines.
    let known = known.replace("\r\n", "\n");
    if known == pretty {
        return Ok(());
    }
    Err(format!(
        "The schema is not that of {shown}.\n{}Run the test with BLESS_SCHEMAS=1 if it is meant.",
        changed(&known, &pretty)
    ))
}

/// The lines that are not the same at both ends, those before with `-`, those now with `+`.
fn changed(before: &str, now: &str) -> String {
    let (before, now): (Vec<&str>, Vec<&str>) = (before.lines().collect(), now.lines().collect());
    let front = before.iter().zip(&now).take_while(|(before, now)| before == now).count();
    let (before, now) = (&before[front..], &now[front..]);
    let back = before.iter().rev().zip(now.iter().rev()).take_while(|(before, now)| before == now).count();
    let lines = |sign: char, lines: &[&str]| {
        let lines = lines[..lines.len() - back].iter();
        lines.fold(String::new(), |told, line| told + &format!("{sign} {line}\n"))
    };
    lines('-', before) + &lines('+', now)
}

/// The folder `snapshots` beside a source file. The path of a source file begins at the package or at a folder around it.
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
    use tool_runtime::tool::{Invocation, Payload, ToolSpec};
    use tool_runtime::tool_schema::shape::{Kind, Ref, Shape};

    struct Of(ToolSpec);

    impl Tool for Of {
        fn spec(&self) -> &ToolSpec {
            &self.0
        }

        fn call<'a>(&'a self, _: tool_runtime::Arguments<'a>, _: &'a CallContext) -> Invocation<'a> {
            Invocation::Ready(Ok(Payload::Done))
        }
    }

    fn tool(kind: Kind) -> Of {
        Of(ToolSpec::new("flag", "A flag.", Ref::Shared(Shape::of(kind).into())))
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
    fn only_what_changed_is_shown() {
        assert_eq!(changed("a\nb\nc\n", "a\nc\n"), "- b\n");
        assert_eq!(changed("a\nc\n", "a\nb\nc\n"), "+ b\n");
        assert_eq!(changed("a\na\n", "a\na\na\n"), "+ a\n");
    }

    #[test]
    fn the_folder_lies_beside_the_source() {
        let beside = folder(env!("CARGO_MANIFEST_DIR"), file!());
        assert!(beside.ends_with("tool-testkit/src/snapshots"));
        assert_eq!(folder("/no/package", "no/source.rs"), Path::new("/no/package/snapshots"));
    }
}
