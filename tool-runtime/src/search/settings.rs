//! The settings of a search: [`FindTools`].

use std::fmt;
use std::future::Future;
use std::pin::Pin;

use crate::shape::Text;

/// The maximum number of tools in an answer.
pub(super) const MOST: usize = 20;
/// The number of tools in an answer if the host sets no other number.
const USUAL: usize = 5;

/// A function of the host that ranks tools.
pub(super) type Ranking =
    dyn Fn(RankingRequest) -> Pin<Box<dyn Future<Output = Option<Vec<String>>> + Send>> + Send + Sync;

/// The settings of the tool with which a model searches the members of containers, for
/// [`ToolboxBuilder::find_tools`](crate::toolbox::ToolboxBuilder::find_tools). The guide
/// [Hundreds of tools](crate::_guides::hundreds_of_tools) explains its use.
///
/// ```
/// use tool_runtime::toolbox::FindTools;
/// use tool_runtime::{Container, Toolbox, tool};
///
/// /// Tells the hour of the day.
/// #[tool]
/// fn hour() -> u8 {
///     12
/// }
///
/// let clock = Container::new("Clock", "Tells the time.").tool(HourTool);
/// let session = Toolbox::builder().container(clock).find_tools(FindTools::new().max_results(3)).build()?.session();
/// let outcome = pollster::block_on(session.call("call_1", "find_tools", r#"{"query": "what time is it?"}"#));
/// assert_eq!(outcome.to_text(), r#"{"found":["hour"],"message":"Found 1 tool: hour. Call it directly."}"#);
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
#[must_use = "pass it to `Toolbox::builder().find_tools(…)`"]
pub struct FindTools {
    pub(crate) name: Text,
    pub(super) description: Text,
    pub(super) most: usize,
    pub(super) ranking: Option<Box<Ranking>>,
}

/// A search that a function of the host ranks; see [`FindTools::rank_with`].
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RankingRequest {
    /// The query of the model, at most 1,000 characters.
    pub query: String,
    /// All tools that may be found, in the order of their scores.
    pub candidates: Vec<ToolCandidate>,
}

/// A tool that a search may find.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ToolCandidate {
    /// The advertised name of the tool.
    pub name: String,
    /// The description that the model would read.
    pub description: String,
    /// The score of the comparison of words; 0 if the tool shares no word with the query.
    pub score: f64,
}

impl FindTools {
    /// Creates a search with the name `find_tools` that finds at most five tools.
    pub fn new() -> Self {
        let description =
            "Finds tools that are not listed. Describe what the tool should do; then call one of the found tools.";
        Self { name: "find_tools".into(), description: description.into(), most: USUAL, ranking: None }
    }

    /// Sets the name that the model calls. It must not be the name of a tool or container.
    pub fn name(mut self, name: impl Into<Text>) -> Self {
        self.name = name.into();
        self
    }

    /// Sets the description that the model reads.
    pub fn description(mut self, description: impl Into<Text>) -> Self {
        self.description = description.into();
        self
    }

    /// Sets the maximum number of tools in an answer, from 1 to 20.
    pub fn max_results(mut self, tools: usize) -> Self {
        self.most = tools.clamp(1, MOST);
        self
    }

    /// Sets a function that ranks the tools, for example by embeddings. It returns the names of the found tools, the best first. `None`
    /// keeps the order of the scores, for example because the embeddings are not available at the moment. Unknown names are ignored.
    pub fn rank_with<R>(mut self, rank: impl Fn(RankingRequest) -> R + Send + Sync + 'static) -> Self
    where
        R: Future<Output = Option<Vec<String>>> + Send + 'static,
    {
        self.ranking = Some(Box::new(move |search| Box::pin(rank(search))));
        self
    }
}

impl Default for FindTools {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for FindTools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FindTools").field("name", &self.name).field("most", &self.most).finish_non_exhaustive()
    }
}
