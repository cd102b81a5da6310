use tool_runtime::tool;

struct Fault;

/// Reports.
#[tool]
fn report() -> Result<String, Fault> {
    //~ Fault ~ implement `std::error::Error` for it (`#[derive(thiserror::Error)]`)
    Err(Fault)
}

fn main() {}
