//! The text for the system prompt while containers are expanded.
//!
//! In: the expanded containers and the state. Out: one block for each container with a system prompt, in the order of
//! expansion. Invariants: a collapsed container adds nothing; a computed prompt is computed on each request.

use std::borrow::Cow;

use super::Session;
use super::view::SessionView;
use crate::shape::Text;
use crate::tool::FromState;

impl Session {
    /// Returns the text for the system prompt: a block for each expanded container that has a
    /// [`system_prompt`](crate::Container::system_prompt). Containers that never collapse come first. If there is no such container, the
    /// text is empty. Call this method before each request to the model.
    ///
    /// ```
    /// use tool_runtime::{Container, Toolbox};
    ///
    /// let files = Container::new("Files", "Reading of files.").system_prompt("Never read secrets.");
    /// let session = Toolbox::builder().container(files).build()?.session();
    /// pollster::block_on(session.call("call_1", "Files", ""));
    /// assert_eq!(session.instructions(), "## Files\n\nNever read secrets.");
    /// session.release("Files");
    /// assert_eq!(session.instructions(), "");
    /// # Ok::<(), tool_runtime::BuildError>(())
    /// ```
    pub fn instructions(&self) -> String {
        let current = self.current();
        let containers = &current.catalog().containers;
        let open = (0..containers.len()).filter(|&index| containers[index].open);
        let mut blocks = Vec::new();
        for index in open.chain(current.visible.expanded()) {
            let spec = &containers[index].spec;
            if let Some(text) = current.said(spec.system_prompt_from.as_ref(), spec.system_prompt.as_ref()) {
                blocks.push(format!("## {}\n\n{}", spec.name, text.trim()));
            }
        }
        blocks.join("\n\n")
    }
}

impl SessionView {
    /// Returns the computed system prompt of a container, or else its fixed one.
    pub(super) fn said<'t>(
        &self,
        computed: Option<&FromState<String>>,
        fixed: Option<&'t Text>,
    ) -> Option<Cow<'t, str>> {
        let computed = computed.and_then(|text| text.ask(&self.scope)).map(Cow::Owned);
        computed.or_else(|| fixed.map(|text| Cow::Borrowed(text.as_str())))
    }
}
