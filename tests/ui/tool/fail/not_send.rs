use tool_runtime::tool;

async fn pause() {}

/// Waits.
#[tool]
async fn wait() {
    //~ wait ~ future returned by `run` is not `Send`
    let local = std::rc::Rc::new(1);
    pause().await;
    drop(local);
}

fn main() {}
