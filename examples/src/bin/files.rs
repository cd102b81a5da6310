//! Tools with state: they read, list and search a directory, and never leave it.

use examples::files::Files;
use examples::layout::laid_out;
use tool_runtime::Toolbox;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let library = concat!(env!("CARGO_MANIFEST_DIR"), "/library");
    let session = Toolbox::builder().container(Files::open(library)?).build()?.session();

    let calls = [
        ("Files", ""),
        ("list", "{}"),
        ("grep", r#"{"text": "weather", "path": "notes/todo.txt"}"#),
        ("read", r#"{"path": "../Cargo.toml"}"#),
    ];
    for (name, arguments) in calls {
        let outcome = pollster::block_on(session.call("call_1", name, arguments));
        println!("{name} {arguments}\n{}\n", laid_out(&outcome.to_text()));
    }
    Ok(())
}
