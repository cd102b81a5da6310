use tool_runtime::{plugin_container, tool};

struct Math;

async fn pause() {}

/// Arithmetic.
#[plugin_container]
impl Math {
    /// Waits.
    #[tool]
    async fn wait(&self) {
        //~ wait ~ future returned by `run` is not `Send`
        let local = std::rc::Rc::new(1);
        pause().await;
        drop(local);
    }
}

fn main() {}
