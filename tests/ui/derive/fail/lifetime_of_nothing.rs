use std::marker::PhantomData;

use serde::Deserialize;
use tool_runtime::ToolInput;

#[derive(Deserialize, ToolInput)]
struct Room<'a> {
    //~ 'a ~ remove `'a` and what borrows with it
    #[serde(skip)]
    marker: PhantomData<&'a ()>,
}

fn main() {}
