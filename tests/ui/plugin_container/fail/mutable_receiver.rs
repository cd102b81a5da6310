use tool_runtime::{plugin_container, tool};

struct Math;

/// Arithmetic.
#[plugin_container]
impl Math {
    /// Adds one.
    #[tool]
    fn add(&mut self) {}
    //~ &mut self ~ tools run concurrently, so a tool cannot borrow its container mutably: write `&self`, and keep mutable data in a `Mutex` or an atomic
}

fn main() {}
