use tool_runtime::tool;

/// Books a room.
#[tool]
fn book(
    /// For how many.
    #[tool(range(max = 0))]
    //~ range ~ write a `max` of at least 1
    _guests: std::num::NonZeroU8,
    /// The corners.
    #[tool(length(equal = 3))]
    //~ length ~ evaluation panicked: no value of the type is that short: write a `max` of at least 4
    _corners: [f64; 4],
) {
}

fn main() {}
