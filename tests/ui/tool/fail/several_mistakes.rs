use tool_runtime::tool;

#[tool(nme = "x")]
//~ nme ~ did you mean `name`?
unsafe fn wait(
    //~ unsafe ~ remove `unsafe`
    //~ wait ~ `wait` has no description
    seconds: &u8,
    //~ seconds ~ `seconds` has no documentation
    //~ &u8 ~ write `u8` instead of `&u8`
) {
    let _ = seconds;
}

fn main() {}
