use tool_runtime::{plugin_container, tool};

struct Math;

struct Unit;

/// Arithmetic.
#[plugin_container]
impl Math {
    /// Converts.
    #[tool]
    fn convert(
        &self,
        /// To what.
        unit: Unit,
        //~ Unit ~ add `#[derive(ToolInput)]` beside `#[derive(Deserialize)]` on `Unit`
    ) {
        let _ = unit;
    }
}

fn main() {}
