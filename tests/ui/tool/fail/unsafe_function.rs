use tool_runtime::tool;

/// Risks.
#[tool]
unsafe fn risk() {}
//~ unsafe ~ a model cannot uphold the safety contract of an `unsafe` function: remove `unsafe`, and check the contract in the function

fn main() {}
