//! What a host asks of a tool: required keys, meanings, values and formats at a place, and the key that was meant.

use std::collections::BTreeMap;

use serde::Deserialize;
use tool_runtime::ToolInput;
use tool_runtime::issue::Path;
use tool_runtime::schema::{Place, place};
use tool_runtime::shape::{Format, Kind, Ref, Shape, Text};

/// An order.
#[derive(Deserialize, ToolInput)]
#[tool(undocumented)]
#[allow(dead_code)]
struct Order {
    /// Who pays.
    customer: Customer,
    items: Vec<Item>,
    #[serde(flatten)]
    options: Options,
    notes: Option<BTreeMap<String, Note>>,
    corners: (u8, Unit),
    payment: Payment,
    #[serde(rename = "ship to/from")]
    shipping: Option<String>,
}

/// Somebody.
#[derive(Deserialize, ToolInput)]
#[tool(undocumented)]
#[allow(dead_code)]
struct Customer {
    #[serde(alias = "mail")]
    #[tool(format = "email")]
    email: Option<String>,
    name: String,
}

#[derive(Deserialize, ToolInput)]
#[tool(undocumented)]
#[allow(dead_code)]
struct Item {
    unit: Option<Unit>,
    quantity: u8,
}

/// What is counted.
#[derive(Deserialize, ToolInput)]
#[serde(rename_all = "lowercase")]
#[allow(dead_code)]
enum Unit {
    Piece,
    Kilogram,
    #[tool(hidden)]
    Stone,
}

#[derive(Deserialize, ToolInput)]
#[tool(undocumented)]
#[allow(dead_code)]
struct Options {
    express: bool,
    gift: Option<bool>,
}

#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
#[tool(undocumented)]
#[allow(dead_code)]
enum Note {
    Text(String),
    Long { title: String, body: String },
}

#[derive(Deserialize, ToolInput)]
#[serde(tag = "method", rename_all = "lowercase")]
#[tool(undocumented)]
#[allow(dead_code)]
enum Payment {
    Card {
        amount: u8,
        /// The 16 digits.
        number: String,
    },
    Cash {
        amount: u8,
    },
}

#[track_caller]
fn at(path: &str) -> Place {
    place(&Ref::Static(Order::SHAPE), path).unwrap_or_else(|| panic!("there is no {path}"))
}

fn words(texts: &[Text]) -> Vec<&str> {
    texts.iter().map(Text::as_str).collect()
}

#[test]
fn required_keys() {
    assert_eq!(words(&at("").required()), ["customer", "items", "express", "corners", "payment"]);
    assert_eq!(words(&at("items[]").required()), ["quantity"]);
    assert_eq!(words(&at("payment").required()), ["method", "amount"], "what every variant asks for");
    assert!(at("customer.name").required().is_empty());
}

#[test]
fn descriptions() {
    assert_eq!(at("").description(), "An order.");
    assert_eq!(at("customer").description(), "Who pays.", "the field speaks before its type");
    assert_eq!(at("items[].unit").description(), "What is counted.");
    assert_eq!(at("payment.number").description(), "The 16 digits.");
    assert_eq!(at("customer.name").description(), "");
}

#[test]
fn allowed_values() {
    assert_eq!(words(&at("items[2].unit").allowed_values()), ["piece", "kilogram"]);
    assert_eq!(words(&at("corners[1]").allowed_values()), ["piece", "kilogram"]);
    assert_eq!(words(&at("payment.method").allowed_values()), ["card", "cash"]);
    assert!(at("customer").allowed_values().is_empty());
}

#[test]
fn formats() {
    assert_eq!(at("customer.email").format(), Some(Format::Email));
    assert_eq!(at("customer.name").format(), None);
}

#[test]
fn the_key_that_was_meant() {
    let meant = |path, key| at(path).canonical_key(key);
    assert_eq!(meant("customer", "mail").as_deref(), Some("email"), "an alias");
    assert_eq!(meant("customer", "e-mail").as_deref(), Some("email"), "another spelling");
    assert_eq!(meant("", "expres").as_deref(), Some("express"), "a flattened one");
    assert_eq!(meant("payment", "numbr").as_deref(), Some("number"), "one of a variant");
    assert_eq!(meant("payment", "methods").as_deref(), Some("method"), "the tag");
    assert_eq!(meant("", "colour"), None);
}

#[test]
fn paths_in_every_spelling() {
    let path = Path::root().key("items").index(2).key("unit");
    let odd = Path::root().key("ship to/from");
    for spelling in [path.to_string(), path.pointer(), "items[].unit".to_owned(), "/items/-/unit".to_owned()] {
        assert_eq!(at(&spelling).description(), "What is counted.", "{spelling}");
    }
    assert!(at(&odd.to_string()).field.is_some_and(|field| field.name == "ship to/from"));
    assert!(at(&odd.pointer()).field.is_some_and(|field| field.name == "ship to/from"));
    assert_eq!(at("$").description(), at("").description());
    assert_eq!(at("notes.monday.title").description(), "", "through an option, a map and a variant");
}

#[test]
fn a_variant_by_its_alias() {
    #[derive(Deserialize, ToolInput)]
    #[allow(dead_code)]
    enum Figure {
        #[serde(alias = "round")]
        Circle {
            /// From the middle to the edge.
            radius: f64,
        },
        Nothing,
    }
    let figure = Ref::Static(Figure::SHAPE);
    let described = |path| place(&figure, path).map(|place| place.description().to_string());
    assert_eq!(described("Circle.radius").as_deref(), Some("From the middle to the edge."));
    assert_eq!(described("round.radius"), described("Circle.radius"));
    assert_eq!(described("Nothing"), None, "a variant without content is a word, not a key");
    assert_eq!(place(&figure, "").and_then(|place| place.canonical_key("rounds")).as_deref(), None);
    assert_eq!(place(&figure, "").and_then(|place| place.canonical_key("round")).as_deref(), Some("Circle"));
}

#[test]
fn places_that_are_not_there() {
    let nowhere =
        ["x", "customer.x", "items.x", "items[x]", "corners[2]", "items[", "items[\"", "a..b", ".items", "items]"];
    for path in nowhere {
        assert!(place(&Ref::Static(Order::SHAPE), path).is_none(), "{path}");
    }
}

#[test]
fn a_shape_without_end_is_given_up() {
    fn endless() -> &'static Shape {
        static ENDLESS: Shape = Shape::of(Kind::Nullable(Ref::Lazy(endless)));
        &ENDLESS
    }
    let endless = Ref::Lazy(endless);
    assert!(place(&endless, "x").is_none());
    let root = place(&endless, "").expect("the root is there");
    assert!(root.required().is_empty() && root.allowed_values().is_empty() && root.format().is_none());
    assert_eq!(root.description(), "");
}
