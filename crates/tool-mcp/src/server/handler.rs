//! The handler of one connection: [`Handler`].

use std::fmt;
use std::pin::{Pin, pin};
use std::sync::{Arc, OnceLock};

use rmcp::model::{CallToolResponse, ErrorData, PaginatedRequestParams};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use tool_runtime::{Arguments, Session};

use super::approve::{Brought, Next, approve};
use super::call::{self, has_connection};
use super::conversation::Conversation;
use super::others::ToolsOnly;
use super::output_schemas::Revision;
use super::settings::Principal;
use super::shared::Shared;

/// The maximum number of pages of the other handler's list that are read to find a tool.
const MOST_PAGES: usize = 100;

/// Answers the requests of one connection with the tools of a toolbox, as an implementation of [`ServerHandler`]. See
/// [`Server::handler`](super::Server::handler).
///
/// Revisions of the protocol until 2025-11-25 have one session for each connection, and the list of tools grows when a container is
/// expanded. In protocol version 2026-07-28, the list is fixed: the result of an expansion contains the definitions of the members, and the model
/// calls a member by its name or through `call_tool`.
pub struct Handler<H = ToolsOnly> {
    pub(super) shared: Arc<Shared>,
    /// The handler for everything that is not about our tools.
    pub(super) others: Arc<H>,
    connection: OnceLock<Arc<Conversation>>,
    fixed: OnceLock<Arc<Conversation>>,
}

impl<H: ServerHandler> Handler<H> {
    pub(super) fn new(shared: Arc<Shared>, others: Arc<H>) -> Self {
        Self { shared, others, connection: OnceLock::new(), fixed: OnceLock::new() }
    }

    /// Returns the conversation that a request belongs to.
    pub(super) fn conversation(&self, context: &RequestContext<RoleServer>) -> Arc<Conversation> {
        let (settings, user) = (&self.shared.settings, user(context));
        match (has_connection(context), user) {
            (true, user) => {
                Arc::clone(self.connection.get_or_init(|| Arc::new(Conversation::of_connection(settings, user))))
            }
            (false, Some(user)) => self.shared.conversation_of(user),
            (false, None) => {
                Arc::clone(self.fixed.get_or_init(|| Arc::new(Conversation::without_connection(settings, None))))
            }
        }
    }

    /// Returns the names of the other handler's tools, unless a tool of this name is ours. If `get_tool` returns the tool, its name is enough.
    pub(super) async fn their_tools(&self, tool: &str, context: &RequestContext<RoleServer>) -> Vec<String> {
        let (mut names, mut cursor) = (Vec::new(), None);
        if self.shared.has_tool(tool) {
            return names;
        }
        if self.others.get_tool(tool).is_some() {
            return vec![tool.to_owned()];
        }
        if self.others.get_info().capabilities.tools.is_none() {
            return names;
        }
        for _ in 0..MOST_PAGES {
            let request = PaginatedRequestParams::default().with_cursor(cursor);
            let Ok(list) = self.others.list_tools(Some(request), context.clone()).await else { break };
            names.extend(list.tools.into_iter().map(|tool| tool.name.into_owned()));
            cursor = list.next_cursor;
            if cursor.is_none() {
                break;
            }
        }
        names
    }

    /// Runs a call of our toolbox and returns the answer to it, which also suggests the tools of the other handler.
    pub(super) fn answer<'a>(
        &'a self,
        (name, arguments, brought): (&'a str, Arguments<'a>, Brought),
        theirs: &'a [String],
        context: &'a RequestContext<RoleServer>,
    ) -> Pin<Box<impl Future<Output = Result<CallToolResponse, ErrorData>> + Send>> {
        // Boxed, because rmcp moves the future of every request about ten times.
        Box::pin(async move {
            let conversation = self.conversation(context);
            let (session, call_id) = (&conversation.session, self.shared.next_call_id());
            let call = pin!(session.call(&call_id, name, arguments));
            let mut outcome = call::run(session, &call_id, call, context).await;
            if outcome.is_deferred() {
                // Once this guard is dropped, the call no longer waits, even if this future is dropped in between.
                let _waiting = Waiting(session, &call_id);
                let approval = approve(&self.shared, session, (outcome, brought, user(context)), context);
                // Boxed, because otherwise the futures of all calls would be as large as this one.
                match Box::pin(approval).await? {
                    Next::Ended(ended) => outcome = ended,
                    Next::Ask(question) => return Ok(question.into()),
                }
            }
            let has_connection = has_connection(context);
            if has_connection && conversation.has_news() {
                // Sent before the answer, so that the client knows about the new list when its model reads the answer.
                let _ = context.peer.notify_tool_list_changed().await;
            }
            let revision = if has_connection { Revision::WithConnections } else { Revision::WithoutConnections };
            self.shared.answer(&outcome, theirs, revision).map(CallToolResponse::from)
        })
    }
}

/// A guard that cancels its call when it is dropped, if the call still waits for the host.
struct Waiting<'s>(&'s Session, &'s str);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.cancel(self.1);
    }
}

/// Returns the user who sent an HTTP request.
#[cfg(feature = "http")]
fn user(context: &RequestContext<RoleServer>) -> Option<&Principal> {
    context.extensions.get::<hyper::http::request::Parts>()?.extensions.get()
}

/// Returns `None`, because without HTTP there is only one client.
#[cfg(not(feature = "http"))]
fn user(_: &RequestContext<RoleServer>) -> Option<&Principal> {
    None
}

impl<H> fmt::Debug for Handler<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handler").field("toolbox", &self.shared.settings.toolbox).finish_non_exhaustive()
    }
}
