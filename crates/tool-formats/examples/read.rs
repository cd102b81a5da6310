//! Reads an answer from the standard input, and prints its text and its calls. Arguments: the names of the tools.
//!
//! `echo '[TOOL_CALLS]now[ARGS]{}' | cargo run -p tool-formats --example read now`

use std::io::{Read, stdin};

use tool_formats::{CallFormat, CallReader};
use tool_schema::shape::{Ref, Shape};

fn main() -> std::io::Result<()> {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let mut text = String::new();
    stdin().read_to_string(&mut text)?;
    let tools = move |name: &str| names.iter().any(|known| known == name).then_some(Ref::Static(Shape::ANY));
    let answer = CallReader::new(CallFormat::AUTO, tools).read(&text);
    println!("{}", answer.text.trim());
    for call in answer.calls {
        println!("{} {} ({})", call.name, call.arguments, call.format.name());
    }
    Ok(())
}
