//! The tools that a [`Checker`] knows: those of the server's latest list, and those of the proxy.

use std::sync::PoisonError;

use tool_runtime::toolbox::States;
use tool_runtime::{Dialect, Session};

use super::checker::{Checker, builder};
use super::listed::Listed;
use super::offer::Offer;
use super::setting_names::unmatched;
use crate::private::siblings;

impl Checker {
    /// Uses this list of tools from now on.
    pub(super) fn learn(&mut self, listed: Listed) {
        if self.offer.is_of(&listed) {
            return;
        }
        let log = &self.settings.log;
        if let Some(recorder) = &self.settings.recorder {
            let mut recorder = recorder.lock().unwrap_or_else(PoisonError::into_inner);
            recorder.tools(listed.definitions.iter().map(|definition| &**definition));
        }
        self.offer = Offer::new(listed, std::mem::take(&mut self.offer), &self.settings, self.spill.clone());
        let used = match self.offer.build(builder(&self.settings)) {
            Ok(toolbox) => self.session.replace_toolbox(&toolbox).map(drop).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        if let Err(reason) = used {
            log(&format!("no call is checked: {reason}"));
            self.offer = Offer::default();
        }
        self.compare_names();
        // The client learns of this change from the list itself, or from the server.
        self.announced = self.session.revision();
    }

    /// Reports names in the settings that no tool of the first whole list has.
    fn compare_names(&mut self) {
        let Some(names) = self.offer.names().filter(|_| !std::mem::replace(&mut self.has_compared, true)) else {
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
        self.offer.forget_completeness();
    }

    /// Notes the kind of protocol revision of a request. Without connections, the list of tools is fixed from the first request on.
    pub(super) fn note_revision(&mut self, has_connection: bool) {
        if self.settings.containers.is_empty() || std::mem::replace(&mut self.has_revision, true) || has_connection {
            return;
        }
        if let Ok(toolbox) = self.offer.build(builder(&self.settings)) {
            self.session = siblings::open_session(&toolbox, States::new());
            self.seal();
            self.offer.fix();
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
            siblings::seal_results(&self.session);
        }
    }

    /// Returns `true` if the list of tools has changed since this method was last called, because a container was expanded.
    pub(super) fn has_news(&mut self) -> bool {
        let revision = self.session.revision();
        std::mem::replace(&mut self.announced, revision) != revision
    }

    /// Returns the session in which long results are kept; `None` if they are not kept.
    pub(super) fn store(&self) -> Option<&Session> {
        self.offer.keeps_results().then_some(&self.session)
    }

    /// Returns the definitions of the proxy's own tools that are visible, as JSON texts.
    pub(super) fn own_definitions(&self) -> Vec<String> {
        if !self.offer.keeps_results() {
            return Vec::new();
        }
        let definitions = self.session.definitions_in(Dialect::MCP);
        let tools = self.session.tools();
        let own = tools.iter().zip(definitions.iter()).filter(|(tool, _)| self.offer.is_own(tool.name()));
        own.map(|(_, definition)| definition.to_string()).collect()
    }

    /// Returns the definitions of all tools that the client sees now, as JSON texts: those of the server as it has written them.
    pub(super) fn list(&self) -> Vec<String> {
        let definitions = self.session.definitions_in(Dialect::MCP);
        let tools = self.session.tools();
        let checked = tools.iter().zip(definitions.iter()).map(|(tool, definition)| {
            let own = || self.offer.in_own_names(&definition.to_string());
            self.offer.definition(tool.name()).map_or_else(own, str::to_owned)
        });
        self.offer.unchecked().map(str::to_owned).chain(checked).collect()
    }
}
