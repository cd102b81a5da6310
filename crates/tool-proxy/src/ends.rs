//! The answers to requests whose line or answer cannot be used, or whose server has ended, and the handshake with a restarted server.
//!
//! Invariant: every open request of the client is answered before the end of its server counts.

use rmcp::model::RequestId;
use tool_runtime::ToolError;

use super::asked::{Asked, INTERNAL, INVALID_REQUEST, Own, Question, own_id};
use super::fate::{Broken, Sent, Side, Unusable};
use super::frame::Frame;
use super::guard::Guard;
use super::open::{Answered, Refused};
use super::writing::{cancellation, error};
use tool_report::EndKind;

/// Returns `true` if the server has got a request.
const fn is_sent(asked: &Asked) -> bool {
    !matches!(asked, Asked::Waiting | Asked::Approving(_))
}

impl Guard {
    /// Decides about a line that cannot be used. A request gets an error as its answer; an error takes the place of an answer.
    pub(super) fn unusable(&mut self, side: Side, line: Unusable, sent: &mut Sent) {
        let shown = line.shown(&self.settings().redacted);
        let Unusable { broken, reason, .. } = line;
        self.bad_line(&format!("a line of the {} was dropped. {reason}{shown}", side.name()));
        match (side, broken) {
            (Side::Client, Broken::Request(id)) if self.open.asked.refusal(&id) != Some(Refused::Repeated) => {
                sent.to_client.push(error(&id, INVALID_REQUEST, &reason));
            }
            (Side::Server, Broken::Request(id)) if self.open.questions.refusal(&id) != Some(Refused::Repeated) => {
                sent.to_server.push(error(&id, INVALID_REQUEST, &reason));
            }
            (Side::Client, Broken::Answer(id)) => match self.open.questions.answer(&id) {
                Answered::Open(Question::Server) => sent.to_server.push(error(&id, INTERNAL, &reason)),
                Answered::Open(Question::Approval(call)) => {
                    self.calls.decided(call, None, &mut self.open, sent);
                }
                _ => {}
            },
            (Side::Server, Broken::Answer(id)) => self.end_badly(&id, &reason, sent),
            // If the server has only one request to answer, this was the answer.
            (Side::Server, Broken::Unclear) => match self.open.asked.only(is_sent) {
                Some(id) => self.end_badly(&id, &reason, sent),
                None if !self.has_requests() => {}
                None => self.log("the line may be the answer to one of several open requests"),
            },
            (_, Broken::Request(_) | Broken::Unclear | Broken::Other) => {}
        }
    }

    /// Ends a request whose answer cannot be forwarded.
    fn end_badly(&mut self, id: &RequestId, reason: &str, sent: &mut Sent) {
        match self.open.asked.answer(id) {
            Answered::Open(Asked::Call(call)) => {
                let failure = ToolError::new(format!("{reason} The call may have taken effect."));
                sent.to_client.push(self.calls.fail(id, call, EndKind::Lost, failure));
            }
            Answered::Open(Asked::Own(own)) => self.own_answer(own, None, sent),
            Answered::Open(waiting @ (Asked::Waiting | Asked::Approving(_))) => {
                self.open.asked.add(id.clone(), waiting);
            }
            Answered::Open(Asked::List { .. } | Asked::Initialize | Asked::Other) => {
                sent.to_client.push(error(id, INTERNAL, reason));
            }
            Answered::Cancelled | Answered::GivenUp | Answered::Nothing => {}
        }
    }

    /// Answers every open request after the end of the server.
    pub(super) fn end(&mut self, reason: &str, sent: &mut Sent) {
        self.calls.drop_all_waiting();
        for (id, asked) in self.open.asked.end() {
            let answer = match asked {
                Asked::Own(_) => continue,
                Asked::Call(call) => {
                    let text = "The MCP server stopped during the call, which may or may not have taken effect.";
                    self.calls.fail(&id, call, EndKind::Lost, ToolError::unavailable(text))
                }
                waiting @ (Asked::Waiting | Asked::Approving(_)) => {
                    if let Asked::Approving(pending) = waiting {
                        self.calls.drop_pending(pending);
                    }
                    error(&id, INTERNAL, &format!("The server has ended before it got the call: {reason}."))
                }
                Asked::List { .. } | Asked::Initialize | Asked::Other => {
                    error(&id, INTERNAL, &format!("The server has ended: {reason}."))
                }
            };
            sent.to_client.push(answer);
        }
    }

    /// Answers every open request after the end of a server that is started again, and takes back the questions of that server.
    pub(super) fn lose_server(&mut self, reason: &str, sent: &mut Sent) {
        self.end(reason, sent);
        self.calls.forget_list();
        let cancelled = |id| cancellation(&id, "The server has ended.");
        sent.to_client.extend(self.open.questions.give_up_all().into_iter().map(cancelled));
    }

    /// Returns the client's handshake for a restarted server, if it needs one.
    pub(super) fn repeat_handshake(&mut self) -> Option<Frame> {
        let id = own_id(&self.open.asked, &mut self.handshakes);
        let request = self.handshake.repeat(&id)?;
        self.open.asked.add(id, Asked::Own(Own::Initialize));
        Some(request)
    }

    /// Returns `true` if a restarted server has agreed to the revision of the first one, and `None` if it has not answered.
    pub(super) fn repeated_handshake(&self) -> Option<bool> {
        self.handshake.repeated()
    }

    /// Begins to use a restarted server.
    pub(super) fn restarted(&mut self, sent: &mut Sent) {
        self.handshake.begin_use(sent);
    }
}
