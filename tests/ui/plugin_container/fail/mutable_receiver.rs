use tool_runtime::{plugin_container, tool};

struct Math;

/// Arithmetic.
#[plugin_container]
impl Math {
    /// Adds one.
    #[tool]
    fn add(&mut self) {}
    //~ &mut self ~ write `&self`, and keep what changes in a `Mutex` or an atomic
}

fn main() {}
