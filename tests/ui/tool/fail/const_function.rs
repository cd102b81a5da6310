use tool_runtime::tool;

/// Knows.
#[tool]
const fn know() -> u8 {
    //~ const ~ remove `const`
    7
}

fn main() {}
