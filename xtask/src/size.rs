//! The lines of code of each crate, compared with its ceiling in `.ci/ceilings`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::lines;
use crate::process::{Done, root};

/// Prints the size of each crate. Fails if a crate is larger than its ceiling, or has none.
pub(crate) fn run(_: &[String]) -> Done {
    let ceilings = fs::read_to_string(root().join(".ci/ceilings"))?;
    let rows = ceilings.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let (mut above, mut sum) = (Vec::new(), [0, 0]);
    let mut named = Vec::new();
    println!("{:24} {:>7} {:>7} {:>7}", "crate", "lines", "ceiling", "files");
    for row in rows {
        let (folder, ceiling) = row.split_once(' ').ok_or(format!("`{row}` is not a folder and a number"))?;
        let ceiling: usize = ceiling.trim().parse()?;
        let files = sources(&root().join(folder).join("src"))?;
        let mut size = 0;
        for file in &files {
            size += lines::code(&fs::read_to_string(file)?);
        }
        for file in &files {
            let text = fs::read_to_string(file)?;
            for module in lines::test_modules(&text) {
                let path = file.with_file_name(format!("{module}.rs"));
                size -= files
                    .contains(&path)
                    .then(|| fs::read_to_string(&path))
                    .transpose()?
                    .map_or(0, |text| lines::code(&text));
            }
        }
        println!("{folder:24} {size:>7} {ceiling:>7} {:>7}", files.len());
        sum = [sum[0] + size, sum[1] + ceiling];
        if size > ceiling {
            above.push(format!("{folder} has {size} lines of code, and its ceiling is {ceiling}"));
        }
        named.push(folder.to_owned());
    }
    println!("{:24} {:>7} {:>7}", "sum", sum[0], sum[1]);
    for entry in fs::read_dir(root().join("crates"))? {
        let folder = format!("crates/{}", entry?.file_name().to_string_lossy());
        if !named.contains(&folder) {
            above.push(format!("{folder} has no ceiling in .ci/ceilings"));
        }
    }
    if above.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{}\nMake it smaller, or raise the ceiling with a decision that says what the lines are for.",
        above.join("\n")
    )
    .into())
}

/// Returns the sources below a folder that are not only tests.
fn sources(folder: &Path) -> Done<Vec<PathBuf>> {
    let (mut found, mut open) = (Vec::new(), vec![folder.to_path_buf()]);
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    found.retain(|path| !path.strip_prefix(folder).is_ok_and(lines::is_test));
    Ok(found)
}
