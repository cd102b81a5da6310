use tool_runtime::{plugin_container, tool};

struct Math;

/// Arithmetic.
#[plugin_container(nme = "x")]
//~ nme ~ did you mean `name`?
impl Math {
    /// Adds one.
    #[tool]
    fn one() -> u8 {
        1
    }
}

fn main() {
    let _ = tool_runtime::Toolbox::builder().container(Math).build();
}
