//! The call of a tool as a message: [`Call`].

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::frame::{Frame, Splice, object, replaced};
use super::parts::Params;
use super::writing::json_string;

/// The beginning of the members of `_meta` that every request of revision 2026-07-28 has.
const PROTOCOL: &str = "io.modelcontextprotocol/";
/// The member that only these requests have.
const VERSION: &str = "io.modelcontextprotocol/protocolVersion";

/// The parameters of a call, as slices of its line.
pub(super) struct Call<'l> {
    pub(super) name: String,
    /// The arguments as JSON text; empty if there are none.
    pub(super) arguments: &'l str,
    meta: Option<&'l RawValue>,
    has_result_type: bool,
    params: &'l str,
    name_part: &'l str,
}

impl<'l> Call<'l> {
    /// Parses the parameters of `tools/call`.
    pub(super) fn of(params: &'l str) -> Option<Self> {
        let members = Params::of(params);
        let has_result_type = members.meta().version.is_some();
        let Params { name: Some(name), arguments, meta, .. } = members else { return None };
        Some(Self {
            name: serde_json::from_str(name.get()).ok()?,
            arguments: arguments.map_or("", RawValue::get),
            meta,
            has_result_type,
            params,
            name_part: name.get(),
        })
    }

    /// Returns `true` if a result of the call has a type.
    pub(super) fn has_result_type(&self) -> bool {
        self.has_result_type
    }

    /// Returns the members of `_meta` that a request of the proxy needs too.
    pub(super) fn protocol(&self) -> Vec<(String, String)> {
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
        (!splices.is_empty()).then(|| replaced(frame.line(), splices))
    }
}

/// Returns the members of `_meta` that every request of revision 2026-07-28 has, given the `_meta` of one; none in earlier revisions.
pub(super) fn protocol_of(meta: Option<&RawValue>) -> Vec<(String, String)> {
    let members: BTreeMap<Cow<'_, str>, &RawValue> = meta.and_then(|meta| object(meta.get())).unwrap_or_default();
    if !members.contains_key(VERSION) {
        return Vec::new();
    }
    let protocol = members.into_iter().filter(|(key, _)| key.starts_with(PROTOCOL));
    protocol.map(|(key, value)| (key.into_owned(), value.get().to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_of_an_earlier_revision_with_a_related_task_has_no_protocol() {
        let protocol = |meta: &str| protocol_of(Some(&RawValue::from_string(meta.to_owned()).unwrap()));
        let task = r#""io.modelcontextprotocol/related-task":{"taskId":"a"}"#;
        assert_eq!(protocol(&format!("{{{task}}}")), []);
        assert_eq!(protocol(&format!(r#"{{{task},"a":1,"{VERSION}":"2026-07-28"}}"#)).len(), 2);
        let call = format!(r#"{{"name":"a","_meta":{{{task}}}}}"#);
        assert!(!Call::of(&call).unwrap().has_result_type());
    }
}
