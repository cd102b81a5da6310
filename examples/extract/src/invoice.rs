//! The type that both programs ask for.

use serde::Deserialize;
use tool_schema::ToolInput;

/// An invoice.
#[derive(Debug, Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
pub(crate) struct Invoice {
    /// The person or company that is billed.
    pub(crate) customer: String,
    /// The articles.
    #[tool(length(min = 1))]
    pub(crate) items: Vec<Item>,
}

#[derive(Debug, Deserialize, ToolInput)]
#[serde(deny_unknown_fields)]
pub(crate) struct Item {
    /// Name of the article.
    pub(crate) name: String,
    /// Price in cents.
    #[tool(range(min = 1))]
    pub(crate) cents: u32,
}

impl Invoice {
    /// Returns the sum of the prices, in cents.
    pub(crate) fn sum(&self) -> u32 {
        self.items.iter().map(|item| item.cents).sum()
    }
}
