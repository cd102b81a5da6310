use tool_runtime::{plugin_container, tool};

struct Clock;

/// Time.
#[plugin_container]
impl Clock {
    /// Waits.
    #[cfg_attr(all(), tool)]
    //~ #[cfg_attr(all(), tool)] ~ write `#[cfg(…)]` and `#[tool]` on the method
    fn wait(&self) {}

    /// Tells the time.
    #[tool]
    #[cfg_attr(all(), deprecated)]
    //~ #[cfg_attr(all(), deprecated)] ~ write the attributes without it, or two functions, each with a `#[cfg(…)]`
    fn now(&self) {}
}

fn main() {
    let _ = ClockNowTool;
}
