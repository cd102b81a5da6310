//! The subscriptions of a client of protocol version 2026-07-28 with a server of an earlier protocol version: [`Listeners`].
//!
//! In: `subscriptions/listen` of the client, and notifications of the server. Out: requests for the resources of the subscriptions, and each
//! notification once for every subscription that asked for it.
//!
//! Invariant: the number of subscriptions and of resources is bounded.

use rmcp::model::RequestId;

use crate::frame::json_id;
use crate::members::{CHANGING_LISTS, SUBSCRIPTION, acknowledgement, announced_lists, member, parsed, wanted_lists};
use crate::own_messages::{json_object, notification};
use crate::translate::output::{Translated, members};

/// The maximum number of subscriptions.
const MOST: usize = 100;
/// The maximum number of resources of all subscriptions.
const MOST_RESOURCES: usize = 1_000;
/// The maximum number of bytes of the parameters of a notification that are forwarded.
const LONGEST: usize = 16 * 1_024;

/// The notification about a changed resource.
const UPDATED: &str = "notifications/resources/updated";

/// The open subscriptions.
#[derive(Default)]
pub(super) struct Listeners(Vec<Listener>);

struct Listener {
    id: RequestId,
    /// The lists whose changes are reported.
    lists: Vec<&'static str>,
    resources: Vec<String>,
}

impl Listeners {
    /// Opens a subscription, as far as a server with these capabilities can send the notifications. Returns the resources to subscribe to.
    /// Fails if there are too many subscriptions.
    pub(super) fn open(
        &mut self,
        id: &RequestId,
        params: &str,
        capabilities: &str,
        out: &mut Translated,
    ) -> Result<Vec<String>, &'static str> {
        let filter = member(params, "notifications").unwrap_or_default();
        let wanted: Vec<_> = wanted_lists(filter).collect();
        let lists: Vec<_> = announced_lists(capabilities).filter(|list| wanted.contains(list)).collect();
        let can_subscribe = member(capabilities, "resources").and_then(|own| member(own, "subscribe")) == Some("true");
        let resources: Option<Vec<String>> = parsed(filter, "resourceSubscriptions");
        let resources = resources.filter(|_| can_subscribe).unwrap_or_default();
        let before: usize = self.0.iter().map(|listener| listener.resources.len()).sum();
        if self.0.len() == MOST || before + resources.len() > MOST_RESOURCES {
            return Err("Too many subscriptions are open.");
        }
        let accepted = json_object(|filter| {
            for list in &lists {
                filter.bool(&format!("{list}ListChanged"), true);
            }
            if !resources.is_empty() {
                filter.array("resourceSubscriptions", &resources, |writer, uri| writer.string(uri));
            }
        });
        out.to_client.push(acknowledgement(&json_id(id), &accepted));
        let new: Vec<String> = resources.iter().filter(|uri| !self.is_subscribed(uri)).cloned().collect();
        self.0.push(Listener { id: id.clone(), lists, resources });
        Ok(new)
    }

    /// Closes a subscription. Returns the resources that no subscription needs any more; `None` if there is no such subscription.
    pub(super) fn close(&mut self, id: &RequestId) -> Option<Vec<String>> {
        let position = self.0.iter().position(|listener| listener.id == *id)?;
        let Listener { resources, .. } = self.0.remove(position);
        Some(resources.into_iter().filter(|uri| !self.is_subscribed(uri)).collect())
    }

    /// Sends a notification of the server to the subscriptions that asked for it. Returns `false` if it is of another kind.
    pub(super) fn notify(&self, method: &str, params: &str, out: &mut Translated) -> bool {
        let list = method.strip_prefix("notifications/").and_then(|method| method.strip_suffix("/list_changed"));
        let list = list.filter(|list| CHANGING_LISTS.contains(list));
        if list.is_none() && method != UPDATED {
            return false;
        }
        // A longer notification would be copied for every subscription. Its content is only a hint.
        let params = if params.len() <= LONGEST { params } else { "" };
        let uri: String = parsed(params, "uri").unwrap_or_default();
        for listener in &self.0 {
            let is_wanted = match list {
                Some(list) => listener.lists.contains(&list),
                // The server may report a part of the resource.
                None => listener.resources.iter().any(|own| uri.starts_with(&**own)),
            };
            if is_wanted {
                let mut params = members(params);
                let mut meta = params.get("_meta").map(members).unwrap_or_default();
                meta.set(SUBSCRIPTION, json_id(&listener.id));
                let meta = meta.to_text();
                params.set("_meta", meta);
                out.to_client.push(notification(method, &params.to_text()));
            }
        }
        true
    }

    fn is_subscribed(&self, uri: &str) -> bool {
        self.0.iter().any(|listener| listener.resources.iter().any(|own| own == uri))
    }
}
