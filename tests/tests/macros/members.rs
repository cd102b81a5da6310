//! Members that are not `Send` on their own, conditions, and blocks for several types.
use std::rc::Rc;

use tool_runtime::container::PluginContainer;
use tool_runtime::{plugin_container, tool};

struct Math;

/// Arithmetic.
#[plugin_container]
impl Math {
    /// Local values are fine while nothing is awaited.
    #[tool]
    #[allow(clippy::needless_arbitrary_self_type)] // the macro must accept this form
    async fn local(self: &Self) -> u8 {
        let value = Rc::new(7);
        *value
    }

    /// Is not there.
    #[cfg(any())]
    #[tool]
    fn absent(&self) -> Nothing {}

    fn not_a_tool(&mut self) {}
}

struct Grid<const WIDTH: usize>;

/// A grid.
#[plugin_container]
impl<const WIDTH: usize> Grid<WIDTH> {
    /// Its width.
    #[tool]
    fn width(
        &self,
        /// A row.
        row: Vec<u8>,
    ) -> usize {
        row.len().min(WIDTH)
    }
}

#[test]
fn only_the_tools_of_a_block_are_members() {
    Math.not_a_tool();
    assert_eq!(Math::MEMBERS.len(), 1);
    assert!(GridWidthTool::<3>::decode(r#"{"row": [1, 2, 3]}"#).is_ok_and(|arguments| arguments.row.len() == 3));
}
