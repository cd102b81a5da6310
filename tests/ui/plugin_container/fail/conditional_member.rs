use tool_runtime::{plugin_container, tool};

struct Clock;

/// Time.
#[plugin_container]
impl Clock {
    /// Waits.
    #[cfg_attr(all(), tool)]
    //~ #[cfg_attr(all(), tool)] ~ `#[plugin_container]` reads its methods before `cfg_attr` is expanded: write `#[cfg(…)]` and `#[tool]` on the method
    fn wait(&self) {}

    /// Tells the time.
    #[tool]
    #[cfg_attr(all(), deprecated)]
    //~ #[cfg_attr(all(), deprecated)] ~ `#[tool]` runs before `cfg_attr` is expanded: write the attributes without `cfg_attr`, or write two functions, each with a `#[cfg(…)]`
    fn now(&self) {}
}

fn main() {
    let _ = ClockNowTool;
}
