//! Writes the page of a conversation to a file. In: the path of the file.

use tool_chat::conversation::Conversation;
use tool_chat::model::{Redaction, ScriptedModel};
use tool_runtime::{Container, Toolbox, tool};

/// Current weather for a city.
#[tool]
fn get_weather(
    /// City and country.
    location: String,
    /// Number of days.
    #[tool(range(min = 1, max = 14))]
    days: Option<u8>,
) -> String {
    format!("{location}: sun for {} days", days.unwrap_or(1))
}

/// Books a room.
#[tool]
fn book_room(
    /// The city.
    city: String,
    /// Number of nights.
    #[tool(range(min = 1))]
    nights: u8,
    /// The number of the credit card.
    #[tool(sensitive)]
    card: String,
) -> String {
    format!("{nights} nights in {city}, paid with a number of {} digits", card.len())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("give the path of the page")?;
    let hotels = Container::new("Hotels", "Books rooms.").tool(BookRoomTool);
    let toolbox = Toolbox::builder().tool(GetWeatherTool).container(hotels).build()?;
    let cities = [
        ("get_weather", r#"{"location": "Oslo, Norway", "days": "3"}"#),
        ("get_weather", r#"{"location": "Rome, Italy", "days": 30}"#),
    ];
    let model = ScriptedModel::new()
        .calls(cities)
        .call("get_weather", r#"{"location": "Rome, Italy", "days": 3}"#)
        .text("Both are sunny for three days. Rome is warmer. Shall I book?")
        .call("Hotels", "{}")
        .call("book_room", r#"{"city": "Rome", "card": "4000 1234 5678 9010"}"#)
        .call("book_room", r#"{"city": "Rome", "nights": 3, "card": "4000 1234 5678 9010"}"#)
        .text("The room is booked.");
    let mut conversation = Conversation::new(toolbox.session(), model);
    pollster::block_on(conversation.ask("Where should I go for three days, Oslo or Rome?"));
    pollster::block_on(conversation.ask("Book a room in Rome with my card."));
    let redaction = Redaction::new().add_toolbox(&toolbox);
    std::fs::write(path, conversation.transcript().to_html("A conversation", &redaction))?;
    Ok(())
}
