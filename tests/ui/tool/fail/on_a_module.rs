use tool_runtime::tool;

#[tool]
mod tools {}
//~ tools ~ put it on each function of the module that a model may call

fn main() {}
