//! The connection of a session to the health of tools that other conversations share: [`SharedHealth`].

use std::future::Future;
use std::pin::Pin;

use super::health::{HealthEnd, HealthPermit};
use super::messages::ThrottledCall;

/// The health of tools that a session shares with other sessions, in this process or in others.
///
/// The session asks before each call that its own throttle has admitted, and reports how the call ended. Calls that the host has approved
/// ([`Session::resume`](crate::Session::resume)) do not ask, but their ends are reported.
///
/// ```
/// use std::sync::Mutex;
/// use std::time::SystemTime;
/// use tool_runtime::session::SessionSetup;
/// use tool_runtime::throttle::{HealthEnd, HealthFuture, HealthPermit, HealthRules, SharedHealth, ToolHealth};
/// use tool_runtime::{ToolError, Toolbox, tool};
///
/// /// One health for the sessions of this process, and for a single tool.
/// #[derive(Default)]
/// struct OneTool(Mutex<ToolHealth>);
///
/// fn now() -> std::time::Duration {
///     SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default()
/// }
///
/// impl SharedHealth for OneTool {
///     fn admit<'a>(&'a self, tool: &'a str) -> HealthFuture<'a> {
///         let decided = match self.0.lock() {
///             Ok(mut health) => health.admit(&HealthRules::default(), tool, now()),
///             Err(_) => Ok(HealthPermit::default()),
///         };
///         Box::pin(async move { Ok(decided?) })
///     }
///
///     fn report(&self, _tool: &str, permit: HealthPermit, end: HealthEnd) {
///         if let Ok(mut health) = self.0.lock() {
///             health.report_end(&HealthRules::default(), permit, &end, now());
///         }
///     }
/// }
///
/// /// Returns the weather.
/// #[tool]
/// fn forecast() -> Result<String, ToolError> {
///     Err(ToolError::unavailable("The service does not answer."))
/// }
///
/// let toolbox = Toolbox::builder().tool(ForecastTool).build()?;
/// let health = std::sync::Arc::new(OneTool::default());
/// for number in 0..4 {
///     let session = toolbox.begin_session(SessionSetup::new().shared_health(health.clone()))?;
///     let answer = pollster::block_on(session.call("call_1", "forecast", "{}"));
///     assert_eq!(answer.failure().map(|failure| failure.error_type()), Some(if number < 3 { "unavailable" } else { "throttled" }));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait SharedHealth: Send + Sync + 'static {
    /// Decides whether a call of a tool, given by its advertised name, may run. The call waits for the answer, so the future must complete
    /// within a short time.
    fn admit<'a>(&'a self, tool: &'a str) -> HealthFuture<'a>;

    /// Receives the end of an admitted call. This method must return at once.
    fn report(&self, tool: &str, permit: HealthPermit, end: HealthEnd);
}

/// A future with the decision of a [`SharedHealth`].
pub type HealthFuture<'a> = Pin<Box<dyn Future<Output = Result<HealthPermit, NotAdmitted>> + Send + 'a>>;

/// The reason why a [`SharedHealth`] gives no permit.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotAdmitted {
    /// The call is throttled. The model reads the throttled call.
    #[error(transparent)]
    Throttled(#[from] ThrottledCall),
    /// The health of the tool is not known, for this reason. The call runs, and an observer receives the reason.
    #[error("{0}")]
    Unknown(String),
}

impl<H: SharedHealth + ?Sized> SharedHealth for std::sync::Arc<H> {
    fn admit<'a>(&'a self, tool: &'a str) -> HealthFuture<'a> {
        (**self).admit(tool)
    }

    fn report(&self, tool: &str, permit: HealthPermit, end: HealthEnd) {
        (**self).report(tool, permit, end);
    }
}
