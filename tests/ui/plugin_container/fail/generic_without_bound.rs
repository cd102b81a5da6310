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
        //~ T ~ `T` does not describe itself to a model
    ) {
        let _ = value;
    }
}

fn main() {}
