use tool_runtime::tool;

#[tool(nme = "x")]
//~ nme ~ did you mean `name`?
unsafe fn wait(
    //~ unsafe ~ a model cannot uphold the safety contract of an `unsafe` function: remove `unsafe`, and check the contract in the function
    //~ wait ~ write `/// …` above it, `#[tool(description = "…")]`
    seconds: &u8,
    //~ seconds ~ write `/// …` above it, or `#[tool(undocumented)]`
    //~ &u8 ~ write `u8` instead of `&u8`
) {
    let _ = seconds;
}

fn main() {}
