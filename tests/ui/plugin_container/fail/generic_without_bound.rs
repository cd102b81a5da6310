use tool_runtime::{plugin_container, tool};

struct Store<T>(T);

/// Values.
#[plugin_container]
impl<T: Send + Sync + 'static> Store<T> {
    /// Puts.
    #[tool]
    fn put(
        &self,
        /// What.
        value: T,
        //~ T ~ consider further restricting type parameter `T` with trait `ToolInput`
    ) {
        let _ = value;
    }
}

fn main() {}
