//! The notifications of a server of revision 2026-07-28, for a client of an earlier revision.
//!
//! The client gets changes of lists without asking, and asks for single resources. The server sends only what a subscription asks for.

use std::borrow::Cow;

use rmcp::model::RequestId;

use super::super::asked::INTERNAL;
use super::super::frame::Frame;
use super::super::members::Members;
use super::super::writing::{cancellation, json_string, notification};
use super::flow::{Flow, SUBSCRIPTION, members};
use super::legacy::{LegacyClient, Request};

/// The maximum number of resources that the client has subscribed to.
const MOST_RESOURCES: usize = 1_000;

impl LegacyClient {
    /// Asks the server for the notifications that it announces.
    pub(super) fn initialized(&mut self, flow: &mut Flow) {
        if self.changes.is_empty() {
            return;
        }
        let filter: Vec<String> = self.changes.iter().map(|name| format!(r#""{name}":true"#)).collect();
        let params = self.params(&format!(r#"{{"notifications":{{{}}}}}"#, filter.join(",")), &[]);
        self.send(Request::Own, "subscriptions/listen", &params, flow);
    }

    pub(super) fn subscribe(&mut self, id: RequestId, params: &str, flow: &mut Flow) {
        let uri = members(params).string("uri").unwrap_or_default();
        if self.resources.contains_key(&uri) {
            return flow.answer(&id, "{}");
        }
        if self.resources.len() >= MOST_RESOURCES {
            return flow.refuse(&id, INTERNAL, "Too many resources are subscribed to.");
        }
        let filter = format!(r#"{{"notifications":{{"resourceSubscriptions":[{}]}}}}"#, json_string(&uri));
        let params = self.params(&filter, &[]);
        let at_server = self.send(Request::Resource(Some(id), uri.clone()), "subscriptions/listen", &params, flow);
        self.resources.insert(uri, at_server);
    }

    pub(super) fn unsubscribe(&mut self, id: &RequestId, params: &str, flow: &mut Flow) {
        let uri = members(params).string("uri").unwrap_or_default();
        if let Some(at_server) = self.resources.remove(&uri) {
            flow.to_server.push(cancellation(&at_server, "The client has unsubscribed."));
        }
        flow.answer(id, "{}");
    }

    pub(super) fn notified(&mut self, method: &str, params: &str, frame: &Frame, flow: &mut Flow) {
        let mut params = members(params);
        let mut meta = match params.remove("_meta") {
            Some(Cow::Borrowed(meta)) => members(meta),
            _ => Members::default(),
        };
        let subscription = meta.remove(SUBSCRIPTION);
        if method == "notifications/subscriptions/acknowledged" {
            let id = subscription.and_then(|id| serde_json::from_str::<RequestId>(&id).ok());
            if let Some(Request::Resource(client, _)) = id.and_then(|id| self.requests.get_mut(&id))
                && let Some(client) = client.take()
            {
                flow.answer(&client, "{}");
            }
            return;
        }
        if method.starts_with("notifications/tasks") {
            // The client cannot have a task at such a server.
            return;
        }
        if subscription.is_none() {
            return flow.to_client.push(frame.clone());
        }
        let meta = meta.to_text();
        if meta != "{}" {
            params.set("_meta", meta);
        }
        flow.to_client.push(notification(method, &params.to_text()));
    }
}
