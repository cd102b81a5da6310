use tool_runtime::{plugin_container, tool};

struct Math;

/// Arithmetic.
#[plugin_container]
impl Math {
    /// Shows.
    #[tool]
    fn show<T>(&self) -> u8 {
        //~ T ~ write a concrete type instead of the parameter `T`
        1
    }
}

fn main() {}
