//! The URL of a server, as errors and `Debug` show it.

use reqwest::Url;

/// Removes the parts of a URL that may contain secrets: its user, its query and its fragment.
pub(super) fn remove_url_secrets(url: &mut Url) {
    // The first two fail for a URL that has no host, and therefore no user.
    let _ = url.set_username("");
    let _ = url.set_password(None);
    url.set_query(None);
    url.set_fragment(None);
}

/// Returns a URL as it may be shown. A text that is not a valid URL is not shown.
pub fn redacted_url(url: &str) -> String {
    let Ok(mut url) = Url::parse(url) else { return "(not a valid URL)".to_owned() };
    remove_url_secrets(&mut url);
    url.into()
}
