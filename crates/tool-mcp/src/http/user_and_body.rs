//! The parts of a request that every server reads in the same way: the user and the body.

use std::time::Duration;

use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::StatusCode;
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, HeaderMap, HeaderValue, WWW_AUTHENTICATE};

use super::{HttpAnswer, reject};

/// The maximum time in which the body of a request has to arrive.
const PATIENCE: Duration = Duration::from_secs(30);

/// Returns the user whose token it is; `None` if the token is not valid.
pub(super) type Identify<P> = dyn Fn(&str) -> Option<P> + Send + Sync;

/// Returns the user whose bearer token a request has, or the rejection of a request without a valid token. `None` if no tokens are checked. The
/// token is removed, because nothing after this check needs it.
pub(super) fn user_of<P>(
    headers: &mut HeaderMap,
    identify: Option<&Identify<P>>,
) -> Result<Option<P>, Box<HttpAnswer>> {
    let Some(identify) = identify else { return Ok(None) };
    let user = headers.get(AUTHORIZATION).and_then(bearer_token).and_then(identify);
    headers.remove(AUTHORIZATION);
    if user.is_some() {
        return Ok(user);
    }
    let mut answer = reject(StatusCode::UNAUTHORIZED, "A valid bearer token is required.");
    answer.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    Err(Box::new(answer))
}

fn bearer_token(value: &HeaderValue) -> Option<&str> {
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

/// Reads the body of a request, or returns the rejection of a request that is too long, too slow or incomplete.
pub async fn body_of(body: Incoming, most_bytes: usize) -> Result<Bytes, Box<HttpAnswer>> {
    let rejected = |status, text| Err(Box::new(reject(status, text)));
    match tokio::time::timeout(PATIENCE, Limited::new(body, most_bytes).collect()).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => {
            rejected(StatusCode::PAYLOAD_TOO_LARGE, "The request is too long.")
        }
        Ok(Err(_)) => rejected(StatusCode::BAD_REQUEST, "The request is incomplete."),
        Err(_) => rejected(StatusCode::REQUEST_TIMEOUT, "The request took too long."),
    }
}
