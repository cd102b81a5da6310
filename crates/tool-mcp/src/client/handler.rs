//! The answers to requests of a server: [`Handler`].
//!
//! A server may ask for elicitation, if the host has a hook for it. Sampling and roots are rejected.

use std::sync::Arc;

use rmcp::model::{
    ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult, ElicitationCapability, ErrorData,
    FormElicitationCapability, Implementation, JsonObject, ProtocolVersion, TASKS_EXTENSION_ID,
    UrlElicitationCapability,
};
use rmcp::service::RequestContext;
use rmcp::{ClientHandler, RoleClient};

use super::elicitation::{Hook, ask};
use super::shared_connection_state::ConnectionState;

/// The handler of one connection.
pub(super) struct Handler {
    pub(super) server: String,
    pub(super) hook: Option<Hook>,
    pub(super) events: Arc<ConnectionState>,
}

impl ClientHandler for Handler {
    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        tokio::select! {
            biased;
            result = ask(self.hook.as_ref(), &self.server, &self.events, request) => Ok(result),
            // Nobody reads this error: the server no longer waits for the answer, or is no longer connected.
            () = context.ct.cancelled() => Err(ErrorData::internal_error("the question was cancelled", None)),
            _ = self.events.ended() => Err(ErrorData::internal_error("the connection has ended", None)),
        }
    }

    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        if self.hook.is_some() {
            let elicitation = ElicitationCapability::new()
                .with_form(FormElicitationCapability::default())
                .with_url(UrlElicitationCapability::default());
            capabilities.elicitation = Some(elicitation);
        }
        let extensions = capabilities.extensions.get_or_insert_default();
        extensions.insert(TASKS_EXTENSION_ID.to_owned(), JsonObject::new());
        let client = Implementation::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        ClientConfig::new(capabilities, client).with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }
}
