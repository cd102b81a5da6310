use tool_runtime::tool;

#[tool]
const WAIT: u8 = 1;
//~ const WAIT: u8 = 1; ~ put it on each function that a model may call

fn main() {
    let _ = WAIT;
}
