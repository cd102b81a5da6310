use serde::Deserialize;
use tool_runtime::ToolInput;

use std::marker::PhantomData;

#[derive(Deserialize, ToolInput)]
struct Room<'a> {
    //~ 'a ~ remove `'a` and what borrows with it
    #[serde(skip)]
    marker: PhantomData<&'a ()>,
}

fn main() {}
