//! Tests the templates for `cargo generate`: each becomes a project, with the crates of this clone in place of the repository. Examples that
//! are copied out of the tree are tested in the same way.

use std::fs;
use std::path::Path;

use crate::copy::copy;
use crate::process::{Done, cargo, finish, root};

/// The dependency on a crate of the repository, as the templates name it.
const REPOSITORY: &str = "git = \"https://github.com/tool-runtime/tool-runtime\"";

/// The examples whose copies are tested.
const EXAMPLES: [&str; 2] = ["agents", "extract"];

/// Makes a project of each template and example, or of those that an argument names, and runs its tests.
pub(crate) fn run(arguments: &[String]) -> Done {
    let mut count = 0;
    for entry in fs::read_dir(root().join("templates"))? {
        let template = entry?.path();
        let name = template.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_owned();
        if !template.is_dir() || !arguments.is_empty() && !arguments.contains(&name) {
            continue;
        }
        let project = root().join("target/templates").join(&name);
        fs::create_dir_all(project.join("src"))?;
        let manifest = fs::read_to_string(template.join("Cargo.toml"))?.replace("{{project-name}}", "generated");
        let lines = manifest.lines().map(with_path).collect::<Done<Vec<_>>>()?;
        fs::write(project.join("Cargo.toml"), lines.join("\n") + "\n\n[workspace]\n")?;
        fs::copy(template.join("src/main.rs"), project.join("src/main.rs"))?;
        fs::copy(root().join("Cargo.lock"), project.join("Cargo.lock"))?;
        test(&project)?;
        count += 1;
    }
    for example in EXAMPLES.iter().filter(|name| arguments.is_empty() || arguments.iter().any(|wanted| wanted == *name))
    {
        let project = root().join("target/templates").join(example);
        copy(example, &project)?;
        test(&project)?;
        count += 1;
    }
    if count == 0 { Err("there is no such template".into()) } else { Ok(()) }
}

fn test(project: &Path) -> Done {
    let manifest = project.join("Cargo.toml").display().to_string();
    finish(cargo(&["test", "--quiet", "--target-dir", "target", "--manifest-path", &manifest]))
}

/// Replaces the repository in a line of a manifest by the folder of the crate.
fn with_path(line: &str) -> Done<String> {
    if !line.contains(REPOSITORY) {
        return Ok(line.to_owned());
    }
    let name = line.split(' ').next().unwrap_or_default();
    let folders = [root().join(name), root().join("crates").join(name)];
    let folder = folders.iter().find(|folder| folder.join("Cargo.toml").is_file());
    let folder: &Path = folder.ok_or_else(|| format!("a template needs {name}, which is not a crate of this clone"))?;
    Ok(line.replace(REPOSITORY, &format!("path = {:?}", folder.display().to_string())))
}
