use tool_runtime::{plugin_container, tool};

struct Clock;

/// What a clock can do.
#[plugin_container(polling)]
//~ polling ~ `polling` has no meaning on a container's `impl` block: it belongs on a function
impl Clock {
    /// The hour of the day.
    #[tool(unlimited, throttle(same_error = false))]
    //~ throttle ~ `throttle` has no effect together with `unlimited`, which turns every rule off: remove one of the two
    fn hour(&self) -> u8 {
        12
    }
}

fn main() {}
