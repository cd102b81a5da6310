//! Parameters that the state hides or describes: the definition, the check and the tool use the same evaluation of the state.

mod handwritten;
mod hidden;
mod shown;

use std::sync::{Arc, Mutex};

use serde_json::Value;
use tool_runtime::toolbox::ToolboxBuilder;
use tool_runtime::{Dialect, Session, Toolbox, tool};

/// State that the tools of these tests depend on.
#[derive(Clone, Debug, Default, PartialEq)]
struct Disk {
    is_admin: bool,
    has_bins: bool,
    bins: Vec<&'static str>,
    files: usize,
}

type Shared = Arc<Mutex<Disk>>;

fn now(disk: &Shared) -> Disk {
    disk.lock().expect("the lock is not poisoned").clone()
}

fn set(disk: &Shared, to: Disk) {
    *disk.lock().expect("the lock is not poisoned") = to;
}

fn is_admin(disk: &Shared) -> bool {
    now(disk).is_admin
}

fn has_bins(disk: &Shared) -> bool {
    now(disk).has_bins
}

fn bins(disk: &Shared) -> Vec<&'static str> {
    now(disk).bins
}

fn summary(disk: &Shared) -> String {
    format!("Deletes one of {} files.", now(disk).files)
}

fn choice(disk: &Shared) -> String {
    format!("One of {} files.", now(disk).files)
}

/// Deletes a file.
#[tool(description_from = summary)]
fn delete(
    /// Which file.
    #[tool(length(min = 1), description_from = choice)]
    path: String,
    /// Deletes protected files too.
    #[tool(available_if = is_admin, alias = "unprotect", example = true)]
    overpower: Option<bool>,
    /// The target of the file.
    #[tool(available_if = has_bins, enum_from = bins, default = "nowhere")]
    shredder: String,
    /// Copies to keep.
    #[tool(default_fn = one)]
    copies: u8,
) -> String {
    format!("{path} {overpower:?} {shredder} {copies}")
}

const fn one() -> u8 {
    1
}

fn disk(is_admin: bool, has_bins: bool) -> Shared {
    Arc::new(Mutex::new(Disk { is_admin, has_bins, bins: vec!["red", "blue"], files: 7 }))
}

fn built(builder: ToolboxBuilder) -> Session {
    builder.build().expect("the registration is valid").session()
}

fn session(disk: &Shared) -> Session {
    built(Toolbox::builder().no_throttle().tool(DeleteTool).state(Arc::clone(disk)))
}

fn definition(session: &Session) -> Value {
    session.definitions_in(Dialect::ANTHROPIC).to_value()[0].clone()
}

fn parameters(session: &Session) -> Vec<String> {
    let definition = definition(session);
    let properties = definition["input_schema"]["properties"].as_object().cloned().unwrap_or_default();
    let mut names: Vec<_> = properties.into_iter().map(|(name, _)| name).collect();
    names.sort();
    names
}
