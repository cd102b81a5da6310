//! `toolbox call`: calls one of the program's own tools, as a model would.

use std::io::Write;

use crate::private::internal;
use tool_runtime::tool_schema::repair::summary_lines;
use tool_runtime::toolbox::Toolbox;

use super::ending::{CheckError, Ending};
use super::input::sent;
use super::options::CallOptions;
use super::style::short_line;

/// Calls a tool, and prints the answer that a model would read. The exit code says whether the call succeeded.
pub(super) fn call(toolbox: &Toolbox, options: &CallOptions, out: &mut dyn Write) -> Result<Ending, CheckError> {
    let arguments = sent(&options.arguments)?;
    let session = toolbox.session();
    // If the tool is a hidden member, its container is expanded first, so that the user need not do that.
    if let Some(name) = internal::container_of(toolbox, &options.tool) {
        let _expanded = pollster::block_on(session.call("expansion", name, "{}"));
    }
    let outcome = pollster::block_on(session.call("call_1", &options.tool, &arguments));
    for line in summary_lines(outcome.repairs()) {
        anstream::eprintln!("{}", short_line(&line));
    }
    writeln!(out, "{}", outcome.to_text())?;
    Ok(if outcome.as_result().is_ok() { Ending::Done } else { Ending::Found })
}
