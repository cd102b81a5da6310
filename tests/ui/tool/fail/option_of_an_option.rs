use tool_runtime::tool;

/// Changes a task.
#[tool]
fn change(
    /// New date; null removes it.
    due: Option<Option<u8>>,
    /// New marks.
    marks: Vec<Option<Option<u8>>>,
    //~ Option<Option<u8>> ~ write `Option<u8>`
    /// New owner.
    owner: Option<Option<Option<u8>>>,
    //~ Option<Option<u8>> ~ `Some(None)` never occurs
) -> Result<Option<Option<u8>>, String> {
    //~ Option<Option<u8>> ~ or an enum that names both cases
    let _ = (due, marks, owner);
    Ok(None)
}

fn main() {}
