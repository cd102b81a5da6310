//! Pages: one HTML file with everything in it.
//!
//! Invariants: every text of the recording is escaped. A page loads nothing, and runs no script and no style but its own, whose hashes are in its Content
//! Security Policy. Its size is bounded.

mod calls;
mod compare;
mod format_values;
mod overview;

use maud::{DOCTYPE, Markup, PreEscaped, html};

use self::format_values::short_line;
use crate::call_counts::CallReport;
use crate::compare::Comparison;

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");
/// The hashes of style and script, which a test compares.
const POLICY: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; style-src 'sha256-U1nzKTXH3XX/VmKkEeTq+xg+0tg5w/Sdq1s9HrAclZs='; script-src 'sha256-shKuE/ERNCMAjr7GxCwm94ucMiknvcP+wAvB5Rpk2Dg='";

impl CallReport {
    /// Returns a page with the counts, the course over time, and the first 10,000 calls, prompts and texts. It is one HTML file that loads nothing. The
    /// title is shown as it is.
    pub fn to_html(&self, title: &str) -> String {
        document(title, html! { (overview::overview(self)) (calls::calls(self)) })
    }
}

impl Comparison {
    /// Returns a page with the differences between the recordings. It is one HTML file that loads nothing.
    pub fn to_html(&self, title: &str) -> String {
        document(title, compare::differences(self))
    }
}

fn document(title: &str, body: Markup) -> String {
    let markup = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (short_line(title)) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main { h1 { (short_line(title)) } (body) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    markup.into_string()
}

#[cfg(test)]
mod tests {
    use base64::Engine;
    use base64::prelude::BASE64_STANDARD;
    use sha2::{Digest, Sha256};

    use super::*;

    #[test]
    fn the_policy_has_the_hashes_of_style_and_script() {
        for (kind, text) in [("style", STYLE), ("script", SCRIPT)] {
            let hash = BASE64_STANDARD.encode(Sha256::digest(text));
            assert!(POLICY.contains(&format!("{kind}-src 'sha256-{hash}'")), "{kind}: {hash}");
        }
    }
}
