//! Placeholder until the feedback room lands.
#![allow(missing_docs)]
pub fn expansion_text(container: &str, functions: &[&str], _instructions: Option<&str>) -> String {
    format!(r#"{{"expanded":"{container}","functions":{functions:?}}}"#)
}
pub fn container_description(description: &str, functions: &[&str]) -> String {
    format!("{description} Contains {} functions: {}", functions.len(), functions.join(", "))
}
