//! Methods as tools, in a container that hides them until the model expands it.

use tool_runtime::{ToolError, plugin_container, tool};

/// A container. Any type can be one, with or without state.
pub struct Math;

/// Arithmetic on numbers.
#[plugin_container]
impl Math {
    /// Add two numbers.
    #[tool]
    fn add(
        &self,
        /// First summand.
        a: f64,
        /// Second summand.
        b: f64,
    ) -> f64 {
        a + b
    }

    /// Multiply two numbers.
    #[tool]
    fn multiply(
        &self,
        /// First factor.
        a: f64,
        /// Second factor.
        b: f64,
    ) -> f64 {
        a * b
    }

    /// The absolute value of a number.
    #[tool]
    fn abs(
        &self,
        /// The number.
        x: f64,
    ) -> f64 {
        x.abs()
    }

    /// The square of a number.
    #[tool]
    fn square(
        &self,
        /// The number.
        x: f64,
    ) -> f64 {
        x * x
    }

    /// Subtract one number from another.
    #[tool]
    fn subtract(
        &self,
        /// What is subtracted from.
        a: f64,
        /// What is subtracted.
        b: f64,
    ) -> f64 {
        a - b
    }

    /// The least of some numbers.
    #[tool]
    fn min(
        &self,
        /// The numbers.
        #[tool(length(min = 1, max = 100))]
        numbers: Vec<f64>,
    ) -> f64 {
        numbers.into_iter().fold(f64::INFINITY, f64::min)
    }

    /// The real solutions of `ax² + bx + c = 0`.
    #[tool]
    fn solve_quadratic(
        &self,
        /// Coefficient of x²; not zero.
        a: f64,
        /// Coefficient of x.
        b: f64,
        /// The constant.
        c: f64,
    ) -> Result<Vec<f64>, ToolError> {
        if a == 0.0 {
            return Err(ToolError::retry("must not be zero; without x² the equation is linear").field("a"));
        }
        let discriminant = b * b - 4.0 * a * c;
        if discriminant < 0.0 {
            return Ok(Vec::new());
        }
        let root = discriminant.sqrt();
        Ok(vec![(-b - root) / (2.0 * a), (-b + root) / (2.0 * a)])
    }
}
