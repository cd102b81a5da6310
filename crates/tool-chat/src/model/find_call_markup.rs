//! Finds the markup of calls in the text of an answer: [`call_markup`].
//!
//! Models write calls in the format of their family, and servers that do not recognize it pass it on as text. Nothing is parsed here: the
//! marks only show that the text is not an answer.

/// The beginnings of calls: Hermes and Qwen, Qwen3-Coder, Claude, `DeepSeek`, Kimi and Gemma, Mistral, Llama, GLM, gpt-oss, Cohere, Nemotron,
/// `MiniMax`, and names that gateways use.
const MARKS: [&str; 21] = [
    "<tool_call>",
    "<tool_calls>",
    "<function=",
    "<function_call>",
    "<function_calls>",
    "<invoke name=",
    ":invoke name=",
    ":function_calls>",
    "<｜tool▁call",
    "<｜DSML｜",
    "<|tool_call",
    "[TOOL_CALLS]",
    "<|python_tag|>",
    "<arg_key>",
    "<|channel|>commentary to=",
    "<|START_ACTION|>",
    "<TOOLCALL>",
    ":tool_call>",
    "<|plugin|>",
    "<|tool▁call",
    "<tool_use>",
];

/// The end of a block in which a model thinks. Marks before it are not a part of the answer.
const THOUGHT: &str = "</think>";

/// Returns the first mark of a call in a text. Marks in code and in quotation marks only show what a call looks like, and do not count.
pub(crate) fn call_markup(text: &str) -> Option<&'static str> {
    let text = text.rsplit_once(THOUGHT).map_or(text, |(_, answer)| answer);
    let last = text.matches("```").count();
    // Every second part is in a fence, unless its end is missing.
    let parts = text.split("```").enumerate().filter(|(index, _)| index % 2 == 0 || *index == last);
    parts.flat_map(|(_, part)| part.lines()).find_map(|line| {
        // Every second part of a line is inline code.
        let spans = line.split('`').step_by(2);
        spans.flat_map(|span| MARKS.iter().map(move |mark| (span, *mark))).find_map(|(span, mark)| {
            let is_quoted = |at: usize| span[..at].ends_with(['"', '\'', '“', '‘', '«', '(']);
            span.match_indices(mark).any(|(at, _)| !is_quoted(at)).then_some(mark)
        })
    })
}
