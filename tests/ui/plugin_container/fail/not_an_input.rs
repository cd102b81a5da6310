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
        //~ Unit ~ `Unit` does not describe itself to a model
    ) {
        let _ = unit;
    }
}

fn main() {}
