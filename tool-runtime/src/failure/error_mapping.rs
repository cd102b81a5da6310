//! User-defined errors that are mapped to kinds of failures: [`ToolFailure`], [`Treatment`].
//!
//! Invariant: the text of such an error is shown like the text of any other error, as one bounded line or not at all. An error without a
//! mapping is treated as a rejection by the tool.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use sealed::Sealed;

use super::treatment_kind::TreatmentKind;

/// An error type that maps each of its variants to a kind of failure. `#[derive(ToolFailure)]` implements it.
///
/// ```
/// use std::time::Duration;
/// use tool_runtime::failure::FailureKind;
/// use tool_runtime::{ToolFailure, Toolbox, tool};
///
/// #[derive(Debug, thiserror::Error, ToolFailure)]
/// enum WeatherError {
///     #[error("no such city")]
///     #[tool(retry, field = "city")]
///     UnknownCity,
///     #[error("the service is busy; try again in {} s", pause.as_secs())]
///     #[tool(rate_limited, retry_after = pause)]
///     Busy { pause: Duration },
///     #[error("the account is closed")]
///     Closed,
/// }
///
/// /// Current weather for a city.
/// #[tool]
/// fn get_weather(
///     /// The city.
///     city: String,
/// ) -> Result<String, WeatherError> {
///     match &*city {
///         "Paris" => Err(WeatherError::Busy { pause: Duration::from_secs(3) }),
///         "Rome" => Err(WeatherError::Closed),
///         _ => Err(WeatherError::UnknownCity),
///     }
/// }
///
/// let session = Toolbox::builder().tool(GetWeatherTool).build()?.session();
/// let failure = |city: &str| {
///     let outcome = pollster::block_on(session.call("call_1", "get_weather", format!(r#"{{"city": "{city}"}}"#)));
///     outcome.failure().map(|failure| (failure.kind(), failure.recovery().as_str(), failure.retry_after()))
/// };
/// assert_eq!(failure("Paris"), Some((FailureKind::RateLimited, "replan", Some(Duration::from_secs(3)))));
/// assert_eq!(failure("Rome"), Some((FailureKind::DomainRejection, "replan", None)));
/// assert_eq!(failure("Atlantis"), Some((FailureKind::DomainRejection, "correct_call", None)));
/// # Ok::<(), tool_runtime::BuildError>(())
/// ```
pub trait ToolFailure: Error + Send + Sync + 'static {
    /// Returns the treatment of the call that failed with this error.
    fn treatment(&self) -> Treatment;
}

/// The treatment of a failed call: the kind of failure, the field that caused the failure, and the pause before the next call.
///
/// ```
/// use std::time::Duration;
/// use tool_runtime::failure::{ToolFailure, Treatment};
///
/// #[derive(Debug, thiserror::Error)]
/// #[error("HTTP status {0}")]
/// struct Status(u16);
///
/// impl ToolFailure for Status {
///     fn treatment(&self) -> Treatment {
///         match self.0 {
///             429 => Treatment::rate_limited().retry_after(Duration::from_secs(1)),
///             500.. => Treatment::unavailable(),
///             _ => Treatment::replan(),
///         }
///     }
/// }
/// assert_eq!(Status(503).treatment(), Treatment::unavailable());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Treatment {
    pub(super) kind: TreatmentKind,
    pub(super) field: Option<&'static str>,
    pub(super) retry_after: Option<Duration>,
}

impl Treatment {
    const fn from_intent(kind: TreatmentKind) -> Self {
        Self { kind, field: None, retry_after: None }
    }

    /// Classifies the error as a rejection by the tool (`tool_error`, `replan`). This is the default.
    pub const fn replan() -> Self {
        Self::from_intent(TreatmentKind::Replan)
    }

    /// Classifies the error as a rejection that the model can avoid with other arguments (`tool_error`, `correct_call`).
    pub const fn correct_call() -> Self {
        Self::from_intent(TreatmentKind::CorrectCall)
    }

    /// Classifies the error as `unavailable`: a resource cannot be reached.
    pub const fn unavailable() -> Self {
        Self::from_intent(TreatmentKind::Unavailable)
    }

    /// Classifies the error as `rate_limited`: a service asks for a pause.
    pub const fn rate_limited() -> Self {
        Self::from_intent(TreatmentKind::RateLimited)
    }

    /// Classifies the error as `timeout`: the tool did not finish in time.
    pub const fn timeout() -> Self {
        Self::from_intent(TreatmentKind::Timeout)
    }

    /// Classifies the error as `internal_error`: the model only learns that the tool failed, and the observer gets the error.
    pub const fn internal() -> Self {
        Self::from_intent(TreatmentKind::Internal)
    }

    /// Sets the path of the field that caused the error. The model sees the path only if the error is classified as
    /// [`replan`](Self::replan) or [`correct_call`](Self::correct_call).
    #[must_use]
    pub const fn field(mut self, path: &'static str) -> Self {
        self.field = Some(path);
        self
    }

    /// Sets the pause before the next call, if it is known. The pause is shown for the three temporary kinds: unavailable, rate limited,
    /// and timeout. A pause of more than 365 days is shown as 365 days.
    #[must_use]
    pub fn retry_after(mut self, pause: impl IntoPause) -> Self {
        self.retry_after = pause.pause();
        self
    }
}

/// A pause before the next call: a [`Duration`] or an `Option<Duration>`. This trait is sealed.
#[diagnostic::on_unimplemented(message = "`{Self}` is not a duration: use `std::time::Duration`, or an `Option` of it")]
pub trait IntoPause: Sealed {
    /// Returns the pause, if it is known.
    fn pause(self) -> Option<Duration>;
}

impl IntoPause for Duration {
    fn pause(self) -> Option<Duration> {
        Some(self)
    }
}

impl IntoPause for Option<Duration> {
    fn pause(self) -> Option<Duration> {
        self
    }
}

impl Sealed for Duration {}
impl Sealed for Option<Duration> {}

mod sealed {
    pub trait Sealed {}
}

/// An error with its treatment.
#[derive(Debug)]
pub(crate) struct MappedError {
    pub(super) error: Box<dyn Error + Send + Sync>,
    pub(super) treatment: Treatment,
}

impl MappedError {
    pub(crate) fn new(error: impl ToolFailure) -> Self {
        Self { treatment: error.treatment(), error: error.into() }
    }

    /// Returns the pause of a temporary failure, and `None` for every other failure.
    pub(super) fn retry_pause(&self) -> Option<Duration> {
        let Treatment { kind, retry_after, .. } = self.treatment;
        kind.passes().then(|| retry_after.unwrap_or_default())
    }
}

impl fmt::Display for MappedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl Error for MappedError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.error.source()
    }
}
