//! The list of tools of a connection: the tools that the checker learns from it, the pages that the client or the proxy requests, and the lists
//! that the proxy answers itself.
//!
//! The proxy answers the client's requests itself if the host has set containers, because the list then depends on the session and has one
//! page. Invariant: a list that was requested before the server reported a change does not answer a request that came after the change.

use std::time::Duration;

use rmcp::model::RequestId;
use tokio::time::Instant;
use tool_runtime::toolbox::States;
use tool_runtime::{Dialect, Session};

use crate::action::Action;
use crate::call::{Call, protocol_of};
use crate::calls::MOST_BYTES;
use crate::checker::{Checker, builder};
use crate::frame::{Answer, Frame};
use crate::guard::Guard;
use crate::list_cache::{ListStep, Listed, NotAList, Visible, visible};
use crate::members::{has, member};
use crate::own_messages::{INTERNAL, INVALID_PARAMS, error, failure, list_answer, list_request};
use crate::pending_request::PendingRequest;
use crate::private::internal;
use crate::server_tools::ServerTools;
use crate::settings::unmatched;
use crate::sync::locked;

/// The largest number of requests of the client that wait for the list, because each gets a copy of it.
const MOST_LISTINGS: usize = 16;
/// The time that several servers get in addition for a list. When their limit has passed, they list their tools without the late server.
const GROUPING: Duration = Duration::from_secs(1);

const NOT_VALID: &str = "The server's list of tools is not valid.";

impl Checker {
    /// Uses this list of tools from now on.
    pub(super) fn learn(&mut self, listed: Listed) {
        if self.server_tools.is_of(&listed) {
            return;
        }
        let log = &self.settings.log;
        if let Some(recorder) = &self.settings.recorder {
            locked(recorder).write_tools(listed.definitions.iter().map(|definition| &**definition));
        }
        self.server_tools =
            ServerTools::new(listed, std::mem::take(&mut self.server_tools), &self.settings, self.spill.clone());
        let used = match self.server_tools.build(builder(&self.settings)) {
            Ok(toolbox) => self.session.replace_toolbox(&toolbox).map(drop).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        if let Err(reason) = used {
            log(&format!("no call is checked: {reason}"));
            self.server_tools = ServerTools::default();
        }
        self.compare_names();
        // The client learns of this change from the list itself, or from the server.
        self.announced = self.session.revision();
    }

    /// Reports names in the settings that no tool of the first whole list has.
    fn compare_names(&mut self) {
        let Some(names) = self.server_tools.names().filter(|_| !std::mem::replace(&mut self.has_compared, true)) else {
            return;
        };
        let unmatched = unmatched(&self.settings, &names);
        for remark in &unmatched {
            (self.settings.log)(remark);
        }
        if self.settings.strict_names && !unmatched.is_empty() {
            self.misnamed = Some(format!("The settings of the proxy do not fit the server. {}", unmatched.join("; ")));
        }
    }

    /// Lets calls of tools that are not known pass, because the server did not list its tools.
    pub(super) fn learn_nothing(&mut self) {
        (self.settings.log)("calls of tools that the server has not listed are not checked");
        self.server_tools.forget_completeness();
    }

    /// Notes the kind of protocol revision of a request. Without connections, the list of tools is fixed from the first request on.
    pub(super) fn note_revision(&mut self, has_connection: bool) {
        if self.settings.containers.is_empty() || std::mem::replace(&mut self.has_revision, true) || has_connection {
            return;
        }
        if let Ok(toolbox) = self.server_tools.build(builder(&self.settings)) {
            self.session = internal::open_session(&toolbox, States::new());
            self.seal();
            self.server_tools.fix();
        }
    }

    /// Prepares for clients that do not know each other: none of them can guess the handles of results that the others got.
    #[cfg(feature = "http")]
    pub(super) fn share(&mut self) {
        self.is_shared = true;
        self.seal();
    }

    fn seal(&self) {
        if self.is_shared {
            internal::seal_results(&self.session);
        }
    }

    /// Returns `true` if the list of tools has changed since this method was last called, because a container was expanded.
    pub(super) fn has_news(&mut self) -> bool {
        let revision = self.session.revision();
        std::mem::replace(&mut self.announced, revision) != revision
    }

    /// Returns the session in which long results are kept; `None` if they are not kept.
    pub(super) fn store(&self) -> Option<&Session> {
        self.server_tools.keeps_results().then_some(&self.session)
    }

    /// Returns the definitions of the proxy's own tools that are visible, as JSON texts.
    pub(super) fn own_definitions(&self) -> Vec<String> {
        if !self.server_tools.keeps_results() {
            return Vec::new();
        }
        let definitions = self.session.definitions_in(Dialect::MCP);
        let tools = self.session.tools();
        let own = tools.iter().zip(definitions.iter()).filter(|(tool, _)| self.server_tools.is_own(tool.name()));
        own.map(|(_, definition)| definition.to_string()).collect()
    }

    /// Returns the definitions of all tools that the client sees now, as JSON texts: those of the server as it has written them.
    pub(super) fn list(&self) -> Vec<String> {
        let definitions = self.session.definitions_in(Dialect::MCP);
        let tools = self.session.tools();
        let checked = tools.iter().zip(definitions.iter()).map(|(tool, definition)| {
            let own = || self.server_tools.in_own_names(&definition.to_string());
            self.server_tools.definition(tool.name()).map_or_else(own, str::to_owned)
        });
        self.server_tools.unchecked().map(str::to_owned).chain(checked).collect()
    }
}

impl Guard {
    /// Returns `true` if the proxy answers the requests of the client for the list.
    pub(super) fn answers_lists(&self) -> bool {
        !self.settings.dry_run && !self.settings.containers.is_empty()
    }

    /// Waits longer for a list than several servers do among themselves.
    pub(super) fn wait_for_group(&mut self) {
        self.list_patience = self.settings.list_time_limit + GROUPING;
    }

    /// Lets a request of the client for the list wait for the server's list.
    pub(super) fn list(&mut self, id: RequestId, frame: &Frame, params: &str) -> Action {
        let bytes = frame.line().len();
        if has(params, "cursor") {
            // The list has one page, so the proxy has not issued the cursor.
            return self.reply(error(&id, INVALID_PARAMS, "The cursor is not valid."));
        }
        if self.waiting_lists.len() == MOST_LISTINGS || self.requests.bytes() + bytes > MOST_BYTES {
            let text = "Too many requests for the list of tools are not answered yet.";
            return self.reply(error(&id, INTERNAL, text));
        }
        let protocol = protocol_of(member(params, "_meta"));
        self.checker.note_revision(protocol.is_none());
        self.waiting_lists.push(id.clone());
        let waiting = PendingRequest::Waiting { frame: frame.clone(), changes: self.list.changes };
        self.requests.add_until(id, waiting, bytes, Some(Instant::now() + self.list_patience));
        self.begin_list(protocol);
        Action::Drop
    }

    /// Returns `true` if calls need not wait for the list, because it is in use or takes too long.
    pub(super) fn has_list(&self) -> bool {
        self.list.is_valid(&*self.settings.clock) || self.list.is_late()
    }

    /// Requests the list with these members of `_meta`, unless it is requested already.
    pub(super) fn begin_list(&mut self, protocol: Option<String>) {
        if self.list.begin(protocol, Instant::now() + self.list_patience) {
            self.request_page(None);
        }
    }

    fn request_page(&mut self, cursor: Option<&str>) {
        let id = self.requests.own_id(&mut self.own_requests);
        self.out.to_server.push(list_request(&id, cursor, self.list.protocol()));
        self.requests.add(id, PendingRequest::OwnList);
    }

    /// Marks the definitions of a page that are withheld, unless the router has done that. `None` if the page does not change.
    pub(super) fn pinned(&mut self, frame: &Frame, answer: Answer<'_>) -> Option<Frame> {
        let (Answer::Result(result), Some(server)) = (answer, &self.pin_name) else { return None };
        Some(frame.with_part(result, &self.settings.withhold(server, result)?))
    }

    /// Notices that the user has approved changes of definitions: the list is requested again before the next call.
    pub(super) fn note_decisions(&mut self) {
        let Some((pins, _)) = &self.settings.pins else { return };
        let decisions = pins.decisions();
        if std::mem::replace(&mut self.pin_decisions, decisions) != decisions {
            self.list.changes += 1;
            self.out.to_client.extend(self.handshake.announcement());
        }
    }

    /// Uses a page of the list that the client has requested, removes the tools that the client may not see, and adds those of the proxy.
    pub(super) fn page(
        &mut self,
        id: &RequestId,
        (cursor, changes): (Option<&str>, u64),
        frame: &Frame,
        answer: Answer<'_>,
    ) -> Action {
        if let Some(listed) = self.list.see(cursor, changes, answer) {
            self.learn(listed);
        }
        if let Some(text) = self.misnamed() {
            return Action::Replace(error(id, INTERNAL, text));
        }
        match visible(&self.settings, &self.checker.own_definitions(), frame, answer) {
            Ok(Some(Visible(page, hidden))) if self.does(|| format!("would hide {}", hidden.join(", "))) => {
                Action::Replace(page)
            }
            Err(NotAList) if self.does(|| "would reject the list of tools".to_owned()) => {
                Action::Replace(error(id, INTERNAL, NOT_VALID))
            }
            _ => Action::Forward,
        }
    }

    /// Uses a page of the list that the proxy has requested, or the error in its place.
    pub(super) fn own_page(&mut self, answer: Answer<'_>) {
        match self.list.continue_with(answer) {
            ListStep::Next(cursor) => self.request_page(Some(&cursor)),
            ListStep::End(Some(listed)) => {
                let begun = (listed.changes, listed.ttl);
                self.learn(listed);
                self.release_calls();
                self.answer_lists(begun);
            }
            ListStep::End(None) => {
                self.checker.learn_nothing();
                self.release_calls();
                for id in std::mem::take(&mut self.waiting_lists) {
                    let _ = self.requests.answer(&id);
                    self.out.to_client.push(match answer {
                        Answer::Error(reason) => failure(&id, reason),
                        Answer::Result(_) => error(&id, INTERNAL, NOT_VALID),
                    });
                }
            }
        }
    }

    /// Decides about the calls that wait for the list, even if the list has changed again.
    pub(super) fn release_calls(&mut self) {
        for id in std::mem::take(&mut self.waiting_calls) {
            if let Some(PendingRequest::Waiting { frame, .. }) = self.requests.take(&id)
                && let Some(call) = Call::of(frame.params())
            {
                let action = self.decide(id, &frame, &call);
                self.out.to_server.extend(action.apply(frame));
            }
        }
    }

    /// Answers the requests for the list. Those that came after a later change wait for the next list.
    fn answer_lists(&mut self, (changes, ttl): (u64, Option<Duration>)) {
        let mut tools = None;
        for id in std::mem::take(&mut self.waiting_lists) {
            match self.requests.get(&id) {
                Some(PendingRequest::Waiting { changes: later, .. }) if *later > changes => self.waiting_lists.push(id),
                Some(PendingRequest::Waiting { frame, .. }) => {
                    let has_result_type = protocol_of(member(frame.params(), "_meta")).is_some();
                    let tools = tools.get_or_insert_with(|| self.checker.list());
                    self.out.to_client.push(match self.misnamed() {
                        Some(text) => error(&id, INTERNAL, text),
                        None => list_answer(&id, tools, ttl.unwrap_or_default(), has_result_type),
                    });
                    let _ = self.requests.answer(&id);
                }
                _ => {}
            }
        }
        let first = self.waiting_lists.first().and_then(|id| self.requests.get(id));
        if let Some(PendingRequest::Waiting { frame, .. }) = first {
            self.begin_list(protocol_of(member(frame.params(), "_meta")));
        }
    }

    /// Answers a request for the list that has waited too long with an error.
    pub(super) fn fail_list(&mut self, id: &RequestId) {
        self.forget_waiting(id);
        let text = format!("The server has not listed its tools within {:?}.", self.settings.list_time_limit);
        self.out.to_client.push(error(id, INTERNAL, &text));
    }

    /// Forgets a call, or a request for the list, that waits for the list.
    pub(super) fn forget_waiting(&mut self, id: &RequestId) {
        self.waiting_calls.retain(|waiting| waiting != id);
        self.waiting_lists.retain(|waiting| waiting != id);
    }

    /// Uses a list of tools from now on.
    fn learn(&mut self, listed: Listed) {
        self.list.learn(&listed, self.settings.clock.now());
        self.checker.learn(listed);
    }
}
