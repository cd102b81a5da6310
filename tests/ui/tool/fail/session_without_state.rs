//! A toolbox that declares a session state begins a session without it.

use tool_runtime::{Toolbox, tool};

struct User(&'static str);

/// Greets the user.
#[tool]
fn greet(#[tool(state)] user: &User) -> String {
    format!("Hello, {}!", user.0)
}

fn main() {
    let toolbox = Toolbox::builder().require_session_state::<User>().tool(GreetTool).build().unwrap();
    toolbox.session();
    //~ session ~ no method named `session` found for struct `Toolbox<NeedsSessionState>`
}
