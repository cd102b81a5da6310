use tool_runtime::tool;

trait Waiting {
    /// Waits.
    #[tool]
    fn wait(seconds: u8);
    //~ wait ~ a tool needs a body: put `#[tool]` on the function itself, or on a method of an `impl` block with `#[plugin_container]`
}

struct Clock;

impl Waiting for Clock {
    fn wait(_: u8) {}
}

fn main() {
    Clock::wait(1);
}
