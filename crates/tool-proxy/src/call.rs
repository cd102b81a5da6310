//! The call of a tool as a message: [`Call`].

use crate::frame::{Frame, Splice, replaced};
use crate::members::{Members, VERSION, member, pick};
use crate::own_messages::json_string;

/// The beginning of the members of `_meta` that every request of protocol version 2026-07-28 has.
const PROTOCOL: &str = "io.modelcontextprotocol/";

/// The parameters of a call, as slices of its line.
pub(super) struct Call<'l> {
    pub(super) name: String,
    /// The arguments as JSON text; empty if there are none.
    pub(super) arguments: &'l str,
    meta: Option<&'l str>,
    has_result_type: bool,
    params: &'l str,
    name_part: &'l str,
}

impl<'l> Call<'l> {
    /// Parses the parameters of `tools/call`.
    pub(super) fn of(params: &'l str) -> Option<Self> {
        let [name, arguments, meta] = pick(params, ["name", "arguments", "_meta"]);
        let name_part = name?;
        Some(Self {
            name: serde_json::from_str(name_part).ok()?,
            arguments: arguments.unwrap_or_default(),
            meta,
            has_result_type: meta.is_some_and(|meta| member(meta, VERSION).is_some()),
            params,
            name_part,
        })
    }

    /// Returns `true` if a result of the call has a type.
    pub(super) fn has_result_type(&self) -> bool {
        self.has_result_type
    }

    /// Returns the `_meta` that a request of the proxy needs too.
    pub(super) fn protocol(&self) -> Option<String> {
        protocol_of(self.meta)
    }

    /// Returns the line with another name, or with other arguments as JSON text. The rest of the line does not change.
    pub(super) fn with(&self, frame: &'l Frame, name: Option<&str>, arguments: Option<&'l str>) -> Option<String> {
        let mut splices = Vec::new();
        if let Some(name) = name {
            splices.push(Splice { part: self.name_part, text: json_string(name).into() });
        }
        if let Some(arguments) = arguments {
            splices.push(if self.arguments.is_empty() {
                // The parameters have a name, so a comma follows.
                Splice { part: &self.params[..1], text: format!(r#"{{"arguments":{arguments},"#).into() }
            } else {
                Splice { part: self.arguments, text: arguments.into() }
            });
        }
        (!splices.is_empty()).then(|| replaced(frame.line(), &splices))
    }
}

/// Returns the members of `_meta` that every request of protocol version 2026-07-28 has, given the `_meta` of one; `None` in earlier protocol versions.
pub(super) fn protocol_of(meta: Option<&str>) -> Option<String> {
    let mut members = Members::of(meta?)?;
    members.get(VERSION)?;
    members.retain(|name| name.starts_with(PROTOCOL));
    Some(members.to_text())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_of_an_earlier_revision_with_a_related_task_has_no_protocol() {
        let protocol = |meta: &str| protocol_of(Some(meta));
        let task = r#""io.modelcontextprotocol/related-task":{"taskId":"a"}"#;
        assert_eq!(protocol(&format!("{{{task}}}")), None);
        let version = format!(r#""{VERSION}":"2026-07-28""#);
        assert_eq!(protocol(&format!(r#"{{{task},"a":1,{version}}}"#)), Some(format!("{{{task},{version}}}")));
        let call = format!(r#"{{"name":"a","_meta":{{{task}}}}}"#);
        assert!(!Call::of(&call).unwrap().has_result_type());
    }
}
