//! The scripted model of the weather agent: it reads the question, makes calls, corrects them, and answers.
//!
//! It makes two typical mistakes of models: it sends a number as a string, which is repaired, and a misspelt unit, which it corrects with
//! the help of the hint.

use serde_json::{Value, json};
use tool_chat::model::{Response, ScriptedModel};

use crate::reading::{Answered, Seen};

/// Returns a model that asks for the weather of each place in a question. In the call for the second place, it makes two mistakes.
pub fn forecaster() -> ScriptedModel {
    ScriptedModel::from_fn(|request| Ok(answer(&Seen::of(request.messages))))
}

fn answer(seen: &Seen<'_>) -> Response {
    let corrections = seen.corrections();
    if !corrections.is_empty() {
        return seen.call(corrections);
    }
    let places = places(seen.prompt);
    if !seen.has_called("get_weather") && !places.is_empty() {
        let calls = places.into_iter().enumerate();
        return seen.call(calls.map(|(at, place)| ("get_weather".to_owned(), arguments(at, &place))));
    }
    let sentences: Vec<String> = seen.of_name("get_weather").filter_map(sentence).collect();
    Response::from_text(if sentences.is_empty() { "Which place do you mean?".to_owned() } else { sentences.join(" ") })
}

fn arguments(at: usize, place: &str) -> Value {
    match at {
        0 => json!({"location": place}),
        1 => json!({"location": place, "unit": "celcius", "days": "1"}),
        _ => json!({"location": place, "days": 1}),
    }
}

/// Returns a sentence about an answer, or `None` if the call was rejected and corrected.
fn sentence(answered: Answered<'_>) -> Option<String> {
    let value = answered.value();
    if let Some(high) = value["highs"][0].as_f64() {
        return Some(format!("{}: {high} °C.", value["location"].as_str()?));
    }
    if answered.correction().is_some() {
        return None;
    }
    Some(value["error_message"].as_str().map_or_else(|| answered.text.to_owned(), |message| format!("{message}.")))
}

/// Returns the names of places in a question: all capitalised words except the first word. Adjacent capitalised words form one name.
fn places(question: &str) -> Vec<String> {
    let mut places: Vec<String> = Vec::new();
    let mut is_open = false;
    for word in question.split_whitespace().skip(1) {
        let name = word.trim_matches(|character: char| !character.is_alphanumeric());
        let is_name = name.starts_with(char::is_uppercase);
        match places.last_mut().filter(|_| is_open && is_name) {
            Some(place) => *place = format!("{place} {name}"),
            None if is_name => places.push(name.to_owned()),
            None => {}
        }
        is_open = is_name && word.ends_with(name);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::places;

    #[test]
    fn places_are_found_in_a_question() {
        assert_eq!(places("What is the weather in Paris and London?"), ["Paris", "London"]);
        assert_eq!(places("How warm is it in New York, Tokyo and Rome?"), ["New York", "Tokyo", "Rome"]);
        assert!(places("Hello").is_empty());
    }
}
