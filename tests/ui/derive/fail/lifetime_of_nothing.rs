use std::marker::PhantomData;

use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown)]
struct Room<'a> {
    //~ 'a ~ arguments are decoded into owned values: remove `'a` and every field that uses it
    #[serde(skip)]
    marker: PhantomData<&'a ()>,
}

fn main() {}
