//! What kind of failure an error of the user's own is: [`ToolFailure`], [`Treatment`].
//!
//! In: an error that a tool returned, whose type says of each of its cases what it means for a call. Out: the failure with that kind. What
//! always holds: the model reads of such an error what it reads of any other, in one bounded line or not at all; an error whose type says
//! nothing is a refusal by the tool.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use sealed::Sealed;

use super::intent::Intent;

/// An error that says what it means for a call. `#[derive(ToolFailure)]` writes it.
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
///     #[error("the service asks for {} s of rest", pause.as_secs())]
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
    /// What the error means for the call.
    fn treatment(&self) -> Treatment;
}

/// What an error means for a call: its kind, the field at fault, the pause to make.
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
///             _ => Treatment::rejected(),
///         }
///     }
/// }
/// assert_ne!(Status(503).treatment(), Status(404).treatment());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Treatment {
    pub(super) intent: Intent,
    pub(super) field: Option<&'static str>,
    pub(super) retry_after: Option<Duration>,
}

impl Treatment {
    const fn of(intent: Intent) -> Self {
        Self { intent, field: None, retry_after: None }
    }

    /// The tool refuses (`tool_error`, `replan`): what an error means that says nothing.
    ///
    /// ```
    /// # use tool_runtime::failure::Treatment;
    /// assert_ne!(Treatment::rejected(), Treatment::retry());
    /// ```
    pub const fn rejected() -> Self {
        Self::of(Intent::Refuse)
    }

    /// Other arguments would work (`tool_error`, `correct_call`).
    ///
    /// ```
    /// # use tool_runtime::failure::Treatment;
    /// assert_ne!(Treatment::retry(), Treatment::retry().field("city"));
    /// ```
    pub const fn retry() -> Self {
        Self::of(Intent::Retry)
    }

    /// What the tool needs cannot be reached (`unavailable`).
    ///
    /// ```
    /// # use tool_runtime::failure::Treatment;
    /// assert_ne!(Treatment::unavailable(), Treatment::timeout());
    /// ```
    pub const fn unavailable() -> Self {
        Self::of(Intent::Unavailable)
    }

    /// Whoever serves the tool asks for a pause (`rate_limited`).
    ///
    /// ```
    /// # use tool_runtime::failure::Treatment;
    /// assert_ne!(Treatment::rate_limited(), Treatment::unavailable());
    /// ```
    pub const fn rate_limited() -> Self {
        Self::of(Intent::RateLimited)
    }

    /// It took too long (`timeout`).
    ///
    /// ```
    /// # use tool_runtime::failure::Treatment;
    /// assert_ne!(Treatment::timeout(), Treatment::internal());
    /// ```
    pub const fn timeout() -> Self {
        Self::of(Intent::Timeout)
    }

    /// Nobody should have to know (`internal_error`): the model is told that it failed, the observer why.
    ///
    /// ```
    /// # use tool_runtime::failure::Treatment;
    /// assert_ne!(Treatment::internal(), Treatment::rejected());
    /// ```
    pub const fn internal() -> Self {
        Self::of(Intent::Internal)
    }

    /// Names the field at fault, as a path. It shows with [`rejected`](Self::rejected) and [`retry`](Self::retry).
    ///
    /// ```
    /// # use tool_runtime::failure::Treatment;
    /// assert_ne!(Treatment::retry().field("day"), Treatment::retry().field("city"));
    /// ```
    #[must_use]
    pub const fn field(mut self, path: &'static str) -> Self {
        self.field = Some(path);
        self
    }

    /// Says when it makes sense to call again, where that is known. It shows with the three that pass; a pause of more than 365 days is
    /// shown as 365 days.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use tool_runtime::failure::Treatment;
    /// assert_eq!(Treatment::timeout().retry_after(None), Treatment::timeout());
    /// assert_ne!(Treatment::timeout().retry_after(Duration::from_secs(1)), Treatment::timeout());
    /// ```
    #[must_use]
    pub fn retry_after(mut self, pause: impl Pause) -> Self {
        self.retry_after = pause.pause();
        self
    }
}

/// A pause to make before the next call: a [`Duration`], or one that is not always known. Sealed.
///
/// ```
/// use std::time::Duration;
/// use tool_runtime::failure::Pause;
///
/// assert_eq!(Duration::from_secs(1).pause(), Some(Duration::from_secs(1)));
/// assert_eq!(None.pause(), None);
/// ```
#[diagnostic::on_unimplemented(message = "`{Self}` is not a duration: use `std::time::Duration`, or an `Option` of it")]
pub trait Pause: Sealed {
    /// How long it is, where that is known.
    fn pause(self) -> Option<Duration>;
}

impl Pause for Duration {
    fn pause(self) -> Option<Duration> {
        Some(self)
    }
}

impl Pause for Option<Duration> {
    fn pause(self) -> Option<Duration> {
        self
    }
}

impl Sealed for Duration {}
impl Sealed for Option<Duration> {}

mod sealed {
    pub trait Sealed {}
}

/// An error together with what it means, on its way to the session.
#[derive(Debug)]
pub(crate) struct Mapped {
    pub(super) error: Box<dyn Error + Send + Sync>,
    pub(super) treatment: Treatment,
}

impl Mapped {
    pub(crate) fn new(error: impl ToolFailure) -> Self {
        Self { treatment: error.treatment(), error: error.into() }
    }

    /// The pause that was asked for, where the failure passes by itself.
    pub(super) fn passing(&self) -> Option<Duration> {
        let Treatment { intent, retry_after, .. } = self.treatment;
        intent.passes().then(|| retry_after.unwrap_or_default())
    }
}

impl fmt::Display for Mapped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl Error for Mapped {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.error.source()
    }
}
