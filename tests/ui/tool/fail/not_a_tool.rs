use tool_runtime::{Toolbox, plugin_container, tool};

/// Adds two numbers.
#[tool]
fn add(
    /// One number.
    a: i64,
    /// Another number.
    b: i64,
) -> i64 {
    a + b
}

struct Math;

/// More arithmetic.
#[plugin_container]
impl Math {
    /// Multiplies.
    #[tool]
    fn multiply(
        &self,
        /// One number.
        a: i64,
        /// Another number.
        b: i64,
    ) -> i64 {
        a * b
    }
}

fn main() {
    let _ = Toolbox::builder().tool(add);
    //~ add ~ write `GetWeatherTool`
    let _ = Toolbox::builder().tool(Math);
    //~ Math ~ is registered with `.tools(…)`, or with `.container(…)`
}
