use std::cell::Cell;

use tool_runtime::Toolbox;

fn main() {
    let _ = Toolbox::builder().state(Cell::new(1_u8));
    //~ Cell::new(1_u8) ~ cannot be shared between threads safely
}
