use tool_runtime::{plugin_container, tool};

struct Math;

async fn pause() {}

/// Arithmetic.
#[plugin_container]
impl Math {
    /// Waits.
    #[tool]
    async fn wait(&self) {
        //~ wait ~ future cannot be sent between threads safely
        let local = std::rc::Rc::new(1);
        pause().await;
        drop(local);
    }
}

fn main() {}
