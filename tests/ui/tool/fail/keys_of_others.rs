use tool_runtime::tool;

/// Books a table.
#[tool(rename = "book_table", annotations(title = "Book", read_only_hint = false, idempotent_hint = true))]
//~ rename = "book_table" ~ write `name = "book_table"`
//~ annotations(title = "Book", read_only_hint = false, idempotent_hint = true) ~ write `title = "Book", read_only = false, idempotent = true`
fn book(
    #[tool(desc = "Number of people", minimum = 1, maximum = 8)] seats: u8,
    //~ desc = "Number of people" ~ write `description = "Number of people"`
    //~ minimum = 1, maximum = 8 ~ write `range(min = 1, max = 8)`
    #[tool("The guest", minLength = 1, max_length = 80)] name: String,
    //~ "The guest" ~ write `description = "The guest"`
    //~ minLength = 1, max_length = 80 ~ write `length(min = 1, max = 80)`
    /// Reference of the booking.
    #[tool(name = "ref", regex = "^[A-Z]{3}$", secret)]
    //~ name = "ref" ~ write `rename = "ref"`
    //~ regex = "^[A-Z]{3}$" ~ write `pattern = "^[A-Z]{3}$"`
    //~ secret ~ write `sensitive`
    reference: String,
    /// Price of the menu.
    #[tool(ge = 0, lt = 100.5)]
    //~ ge = 0, lt = 100.5 ~ write `range(min = 0, exclusive_max = 100.5)`
    price: f64,
    /// Hour.
    #[tool(range(11..=22))]
    //~ range(11..=22) ~ write `range(min = 11, max = 22)`
    hour: u8,
    /// Degrees outside.
    #[tool(range(-40..60))]
    //~ range(-40..60) ~ write `range(min = -40, exclusive_max = 60)`
    degrees: i8,
    /// Wishes.
    #[tool(min = 1, max = 3)]
    //~ min = 1, max = 3 ~ or `length(min = 1, max = 3)` for a text, a list or a map
    wishes: u8,
    /// Tags.
    #[tool(length(1..4))]
    //~ length(1..4) ~ write `length(min = 1, max = 3)`
    tags: Vec<String>,
) -> String {
    let numbers = [price, f64::from(seats), f64::from(hour), f64::from(degrees), f64::from(wishes)];
    format!("{name} {reference} {numbers:?} {tags:?}")
}

fn main() {}
