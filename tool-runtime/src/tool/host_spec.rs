//! The host parameters of a [`ToolSpec`]: the method that adds them, and the checks of `build()`.

use super::{HostParameters, ToolSpec};
use crate::shape::{Field, Kind, Ref, UnknownKeys};

impl ToolSpec {
    /// Lets the host supply parameters, which are described by an object shape of their own. The tool gets one object with the host's
    /// values and the model's arguments. The model neither sees nor sends the host's values.
    ///
    /// `build()` fails unless both object shapes reject unknown keys and have no key in common.
    ///
    /// ```
    /// use serde::Deserialize;
    /// use tool_runtime::ToolInput;
    /// use tool_runtime::tool::ToolSpec;
    /// use tool_runtime::tool_schema::shape::Ref;
    ///
    /// #[derive(Deserialize, ToolInput)]
    /// #[serde(deny_unknown_fields)]
    /// struct Question {
    ///     /// The question of the user.
    ///     question: String,
    /// }
    ///
    /// #[derive(Deserialize, ToolInput)]
    /// #[serde(deny_unknown_fields)]
    /// struct Picture {
    ///     /// Path of the picture.
    ///     picture: String,
    /// }
    ///
    /// let spec = ToolSpec::new("describe", "Describes a picture.", Ref::Static(Question::SHAPE));
    /// let spec = spec.host_parameters(Ref::Static(Picture::SHAPE));
    /// assert!(spec.host.is_some() && !spec.schema().contains("picture"));
    /// ```
    #[must_use]
    pub fn host_parameters(mut self, parameters: Ref) -> Self {
        self.host = Some(HostParameters::new(parameters, None));
        self
    }

    /// Returns the reason why the tool cannot have these host parameters, or `None` if it can.
    pub(crate) fn host_error(&self) -> Option<&'static str> {
        let host = &self.host.as_ref()?.shape.shape();
        let input = &self.input.shape();
        let (Kind::Object(host), Kind::Object(input)) = (&host.kind, &input.kind) else {
            return Some("its input and its host input must both be objects");
        };
        let is_closed = host.unknown == UnknownKeys::Rejected && input.unknown == UnknownKeys::Rejected;
        if !is_closed || self.declared_schema.is_some() {
            return Some(
                "an input that ignores unknown keys would let the model send these parameters: reject unknown keys in `input` and in `host`",
            );
        }
        let names = |field: &Field| field.aliases.iter().chain([&field.name]).cloned().collect::<Vec<_>>();
        let known: Vec<_> = input.fields.iter().flat_map(names).collect();
        let is_both = host.fields.iter().flat_map(names).any(|name| known.contains(&name));
        is_both.then_some("the model and the host would send the same key: rename one of the two")
    }
}
