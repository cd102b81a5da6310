use tool_runtime::{plugin_container, tool};

struct Cell(std::cell::Cell<u8>);

/// Values.
#[plugin_container]
impl Cell {
    //~ Cell ~ use `std::sync::RwLock` or `std::sync::atomic::AtomicU8` instead
    /// Shows.
    #[tool]
    fn show(&self) -> u8 {
        self.0.get()
    }
}

fn main() {}
