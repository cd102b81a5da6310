//! Data of a tool or a container for people (a title, icons) and for programs: [`DisplayMetadata`].
//!
//! Invariant: the model does not see this data; only definitions for the Model Context Protocol contain it.

use serde::Serialize;
use serde_json::{Map, Value};
use tool_schema::dialect::{Definition, Dialect};

use crate::json::Json;
use crate::private::dialect::extended_for_mcp;
use crate::schema::sorted;
use crate::shape::{SharedSlice, Text};

/// The title and icons of a tool or a container, shown to people, and metadata for programs: the `title`, `icons` and `_meta` of the Model
/// Context Protocol.
///
/// ```
/// use tool_runtime::{Dialect, TypedTool, tool};
///
/// /// Current weather.
/// #[tool(title = "Weather", icons("https://example.com/sun.png"), meta = {"com.example/tier": 2})]
/// fn weather() {}
///
/// assert_eq!(WeatherTool::SPEC.display_metadata.title.as_deref(), Some("Weather"));
/// let definition = WeatherTool::SPEC.definition(Dialect::MCP).to_string();
/// assert!(definition.ends_with(
///     r#""title":"Weather","icons":[{"src":"https://example.com/sun.png"}],"_meta":{"com.example/tier":2}}"#
/// ));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct DisplayMetadata {
    /// The name for people.
    pub title: Option<Text>,
    /// Icons, in any order.
    pub icons: SharedSlice<Icon>,
    /// The metadata for programs (`_meta`), as the JSON text of an object.
    pub(crate) meta: Option<Text>,
    /// The parameters that clients repeat in an HTTP header, each with the name of its header.
    pub(crate) headers: SharedSlice<(Text, Text)>,
}

/// An icon of a tool or a container.
///
/// ```
/// use tool_runtime::Dialect;
/// use tool_runtime::tool::{DisplayMetadata, Icon, ToolSpec};
/// use tool_runtime::tool_schema::shape::{Ref, Shape};
///
/// let mut icon = Icon::new("https://example.com/sun.png");
/// icon.mime_type = Some("image/png".into());
/// let mut spec = ToolSpec::new("weather", "Current weather.", Ref::Static(Shape::ANY));
/// spec.display_metadata = DisplayMetadata::with_title("Weather").icon(icon);
/// let definition = spec.definition(Dialect::MCP).to_string();
/// assert!(definition.ends_with(r#""title":"Weather","icons":[{"src":"https://example.com/sun.png","mimeType":"image/png"}]}"#));
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Icon {
    /// The address: `https:` or `data:`.
    pub src: Text,
    /// The MIME type.
    pub mime_type: Option<Text>,
    /// The sizes, such as `48x48`, or `any` for an icon that can be scaled to every size.
    pub sizes: SharedSlice<Text>,
    /// The background that the icon is made for: `light` or `dark`.
    pub theme: Option<Text>,
}

impl Icon {
    /// Creates an icon from its address.
    pub fn new(src: impl Into<Text>) -> Self {
        Self::from_src(src.into())
    }

    pub(crate) const fn from_src(src: Text) -> Self {
        Self { src, mime_type: None, sizes: SharedSlice::EMPTY, theme: None }
    }
}

impl DisplayMetadata {
    /// Metadata with nothing set.
    pub const NONE: Self = Self { title: None, icons: SharedSlice::EMPTY, meta: None, headers: SharedSlice::EMPTY };

    /// Creates metadata with a title.
    pub fn with_title(title: impl Into<Text>) -> Self {
        Self { title: Some(title.into()), ..Self::NONE }
    }

    /// Adds an icon.
    #[must_use]
    pub fn icon(mut self, icon: Icon) -> Self {
        self.icons = self.icons.iter().cloned().chain([icon]).collect::<Vec<_>>().into();
        self
    }

    /// Sets the metadata for programs (`_meta`). Each key should have a prefix such as `com.example/`.
    #[must_use]
    pub fn with_meta(mut self, meta: &Map<String, Value>) -> Self {
        // The keys are sorted, because their order in a map depends on a feature of `serde_json`.
        self.meta = sorted(&Value::Object(meta.clone())).map(|json| json.to_text().into());
        self
    }

    /// Returns the metadata for programs.
    pub fn meta(&self) -> Option<Map<String, Value>> {
        serde_json::from_str(self.meta.as_deref()?).ok()
    }

    /// Adds the metadata to a definition, if its dialect has members for it.
    pub(crate) fn shown_in(&self, definition: Definition, dialect: Dialect) -> Definition {
        if *self == Self::NONE || dialect != Dialect::MCP {
            return definition;
        }
        extended_for_mcp(definition, self.members(), self.headers())
    }

    /// Returns the parameters that clients repeat in a header, each with the name of its header.
    fn headers(&self) -> impl Iterator<Item = (&str, &str)> {
        self.headers.iter().map(|(parameter, header)| (parameter.as_str(), header.as_str()))
    }

    /// Returns `title`, `icons` and `_meta` as members of a definition for the Model Context Protocol.
    fn members(&self) -> impl Iterator<Item = (&'static str, Json<'static>)> {
        let icons: Vec<_> = self.icons.iter().map(IconText::from_icon).collect();
        let json = |text: String| Json::parse(&text).ok().map(Json::into_owned);
        let title = self.title.as_ref().and_then(|title| json(Value::from(title.as_str()).to_string()));
        let icons = (!icons.is_empty()).then(|| serde_json::to_string(&icons).ok()).flatten().and_then(json);
        let meta = self.meta.as_ref().and_then(|meta| json(meta.to_string()));
        [("title", title), ("icons", icons), ("_meta", meta)].into_iter().filter_map(|(key, value)| Some((key, value?)))
    }
}

/// An icon in the form of the Model Context Protocol, with its members in a fixed order.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct IconText<'i> {
    src: &'i str,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<&'i str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sizes: Vec<&'i str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    theme: Option<&'i str>,
}

impl<'i> IconText<'i> {
    fn from_icon(icon: &'i Icon) -> Self {
        Self {
            src: &icon.src,
            mime_type: icon.mime_type.as_deref(),
            sizes: icon.sizes.iter().map(Text::as_str).collect(),
            theme: icon.theme.as_deref(),
        }
    }
}
