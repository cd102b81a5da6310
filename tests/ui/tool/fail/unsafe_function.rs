use tool_runtime::tool;

/// Risks.
#[tool]
unsafe fn risk() {}
//~ unsafe ~ remove `unsafe`

fn main() {}
