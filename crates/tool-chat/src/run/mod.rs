//! The turn loop without input and output: [`Run`] says what to do next, and records say what happened.
//!
//! A driver asks the model and runs the calls. [`Conversation`](crate::conversation::Conversation) is the driver for one process.
//!
//! Invariants: the state of a run is only changed by [`apply`](Run::apply_record), and the new state depends only on the old one and the record.
//! Any sequence of records leaves exactly one answer after every call before the next request. The state can be stored at every point.

mod apply;
mod build;
mod corrections;
mod end;
mod history;
mod limits;
mod load;
mod log_record;
mod next;
mod settings;
mod state;
mod stored;
mod stored_thoughts;
mod turn_state;
mod typed_answer;
mod unexpected_record;

pub use end::{TurnEnd, TurnLimit};
pub use limits::TurnLimits;
pub use log_record::{CallAnswer, Record, RejectedAnswer};
pub use next::{Ask, Next, OpenCall, WaitingCall};
pub use state::{RejectedCall, Run};
pub use typed_answer::{AnswerError, AnswerRequest, AnswerType};
pub use unexpected_record::UnexpectedRecordError;
