//! The tool `get_weather`, written for each crate as its documentation shows, with the rules that an author would write.

pub mod bare;
pub mod by_hand;
pub mod llm_tool;
pub mod ours;
pub mod rig;
pub mod rmcp;
pub mod typia;

/// A crate, or code without a crate, that answers calls of `get_weather`.
pub trait Side {
    /// The name and the version, for tables.
    fn name(&self) -> &'static str;

    /// Answers a call: the result, or the text that the model reads.
    ///
    /// # Errors
    ///
    /// Fails with the text that the model reads if the tool did not run.
    fn call(&self, name: &str, arguments: &str) -> Result<String, String>;
}

/// The functions that create each side, with a new conversation. Costs are compared with the first side.
pub const ALL: [fn() -> Box<dyn Side>; 8] = [
    || Box::new(bare::Bare),
    || Box::new(ours::Ours::without_throttle()),
    || Box::new(ours::Ours::with_throttle()),
    || Box::new(by_hand::ByHand),
    || Box::new(rig::Rig::new()),
    || Box::new(llm_tool::LlmTool::new()),
    || Box::new(typia::Typia),
    || Box::new(rmcp::Rmcp::new()),
];

/// The functions that create the sides whose answers to bad calls are compared, ours first.
pub const ANSWERING: [fn() -> Box<dyn Side>; 6] = [ALL[2], ALL[3], ALL[4], ALL[5], ALL[6], ALL[7]];
