//! The answers to requests whose line or answer cannot be used, or whose server has ended, and the handshake with a restarted server.
//!
//! Invariant: every open request of the client is answered before the end of its server counts.

use rmcp::model::RequestId;
use tool_runtime::ToolError;

use super::asked::{Asked, INTERNAL, INVALID_REQUEST, Own, Question, own_id};
use super::call::{cancellation, error};
use super::fate::{Broken, Sent, Side, beginning};
use super::guard::Guard;
use super::open::{Answered, Refused};

/// Returns `true` if the server has got a request.
const fn is_sent(asked: &Asked) -> bool {
    !matches!(asked, Asked::Waiting | Asked::Approving(_))
}

impl Guard {
    /// Decides about a line that is longer than the limit.
    pub(super) fn too_long(&mut self, side: Side, broken: Broken) -> Sent {
        let reason = format!("The message has more than {} bytes.", self.message_limit());
        self.dropped(side, broken, &reason, "")
    }

    /// Decides about a line that is not a message.
    pub(super) fn unreadable(&mut self, side: Side, line: &[u8]) -> Sent {
        let beginning = beginning(line, &self.settings().redacted);
        self.dropped(side, Broken::of(line), "The message is not valid.", &beginning)
    }

    /// Decides about a line that cannot be used. A request gets an error as its answer; an error takes the place of an answer.
    fn dropped(&mut self, side: Side, broken: Broken, reason: &str, beginning: &str) -> Sent {
        let mut sent = Sent::default();
        self.bad_line(&format!("a line of the {} was dropped. {reason}{beginning}", side.name()));
        match (side, broken) {
            (Side::Client, Broken::Request(id)) if self.open.asked.refusal(&id) != Some(Refused::Repeated) => {
                sent.to_client.push(error(&id, INVALID_REQUEST, reason));
            }
            (Side::Server, Broken::Request(id)) if self.open.questions.refusal(&id) != Some(Refused::Repeated) => {
                sent.to_server.push(error(&id, INVALID_REQUEST, reason));
            }
            (Side::Client, Broken::Answer(id)) => match self.open.questions.answer(&id) {
                Answered::Open(Question::Server) => sent.to_server.push(error(&id, INTERNAL, reason)),
                Answered::Open(Question::Approval(call)) => {
                    self.calls.decided(call, None, &mut self.open, &mut sent);
                }
                _ => {}
            },
            (Side::Server, Broken::Answer(id)) => self.end_badly(&id, reason, &mut sent),
            // If the server has only one request to answer, this was the answer.
            (Side::Server, Broken::Unclear) => match self.open.asked.only(is_sent) {
                Some(id) => self.end_badly(&id, reason, &mut sent),
                None if !self.has_requests() => {}
                None => self.log("the line may be the answer to one of several open requests"),
            },
            (_, Broken::Request(_) | Broken::Unclear | Broken::Other) => {}
        }
        sent
    }

    /// Ends a request whose answer cannot be forwarded.
    fn end_badly(&mut self, id: &RequestId, reason: &str, sent: &mut Sent) {
        match self.open.asked.answer(id) {
            Answered::Open(Asked::Call(call)) => {
                let failure = ToolError::new(format!("{reason} The call may have taken effect."));
                sent.to_client.push(self.calls.fail(id, call, failure));
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

    /// Answers every open request after the end of the server. Returns the answers, and `true` if a request was open.
    pub(super) fn end(&mut self, reason: &str) -> (Sent, bool) {
        let mut sent = Sent::default();
        self.calls.drop_all_waiting();
        for (id, asked) in self.open.asked.end() {
            let answer = match asked {
                Asked::Own(_) => continue,
                Asked::Call(call) => {
                    let text = "The MCP server stopped during the call, which may or may not have taken effect.";
                    self.calls.fail(&id, call, ToolError::unavailable(text))
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
        let had_requests = !sent.to_client.is_empty();
        (sent, had_requests)
    }

    /// Answers every open request after the end of a server that is started again, and takes back the questions of that server.
    pub(super) fn lose_server(&mut self, reason: &str) -> Sent {
        let (mut sent, _) = self.end(reason);
        self.calls.forget_list();
        let cancelled = |id| cancellation(&id, "The server has ended.");
        sent.to_client.extend(self.open.questions.give_up_all().into_iter().map(cancelled));
        sent
    }

    /// Returns the client's handshake for a restarted server, if it needs one.
    pub(super) fn repeat_handshake(&mut self) -> Option<String> {
        let id = own_id(&self.open.asked, &mut self.handshakes);
        let line = self.handshake.repeat(&id)?;
        self.open.asked.add(id, Asked::Own(Own::Initialize));
        Some(line)
    }

    /// Returns `true` if a restarted server has agreed to the revision of the first one, and `None` if it has not answered.
    pub(super) fn repeated_handshake(&self) -> Option<bool> {
        self.handshake.repeated()
    }

    /// Returns the lines with which the use of a restarted server begins.
    pub(super) fn restarted(&mut self) -> Sent {
        self.calls.report_mut().restarts += 1;
        self.handshake.begin_use()
    }
}
