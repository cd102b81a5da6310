//! Methods as tools, in a container that the model expands before it calls them.

use examples::layout::laid_out;
use examples::math::Math;
use tool_runtime::Toolbox;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let session = Toolbox::builder().container(Math).build()?.session();
    println!("{}\n", session.tools()[0].description());

    let calls = [("Math", r#"{"function": "add", "a": 5, "b": 10}"#), ("Math", ""), ("add", r#"{"a": 5, "b": 10}"#)];
    for (name, arguments) in calls {
        let outcome = pollster::block_on(session.call("call_1", name, arguments));
        println!("{name} {arguments}\n{}\n", laid_out(&outcome.to_text()));
    }
    Ok(())
}
