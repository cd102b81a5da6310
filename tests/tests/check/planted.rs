//! Completeness: arguments with k independent defects give k issues, each at its own path, in declaration order.

use proptest::prelude::*;
use serde_json::{Value, json};
use tool_schema::shape::{Kind, Length, Measure, Ref, Rule, Shape, Tagging, Text, UnknownKeys};

use crate::check::{STRING, field, issues, object, range, ruled, shape, union, variant};

fn order() -> &'static Shape {
    let name = ruled(Kind::String, vec![Rule::Length(Length { measure: Measure::Characters, min: 1, max: Some(9) })]);
    let quantity = ruled(Kind::Integer, vec![range(1, 99)]);
    let colour = union(Tagging::External, &[variant("red", None), variant("blue", None)], UnknownKeys::Ignored);
    let item =
        object(&[field("sku", name), field("quantity", quantity), field("colour", colour)], UnknownKeys::Rejected);
    let card = object(&[field("number", STRING), field("month", quantity)], UnknownKeys::Rejected);
    let payment = [variant("card", Some(card)), variant("cash", None)];
    let customer = object(&[field("name", name), field("age", quantity)], UnknownKeys::Rejected);
    object(
        &[
            field("customer", customer),
            field("items", shape(Kind::Array(Ref::Static(item)))),
            field("payment", union(Tagging::Internal { tag: Text::from_static("by") }, &payment, UnknownKeys::Ignored)),
        ],
        UnknownKeys::Rejected,
    )
}

fn valid() -> Value {
    let item = json!({"sku": "a", "quantity": 1, "colour": "red"});
    json!({
        "customer": {"name": "Ada", "age": 36},
        "items": [item, item, item],
        "payment": {"by": "card", "number": "4", "month": 1},
    })
}

/// Returns the defects: a location, the value to plant there (or `None` to remove the key), and the keyword of the expected issue.
fn defects() -> Vec<(&'static str, Option<Value>, &'static str)> {
    let mut defects = vec![
        ("/customer/name", Some(json!("")), "minLength"),
        ("/customer/age", None, "required"),
        ("/customer/nick", Some(json!(1)), "additionalProperties"),
    ];
    for [sku, quantity, colour] in [
        ["/items/0/sku", "/items/0/quantity", "/items/0/colour"],
        ["/items/1/sku", "/items/1/quantity", "/items/1/colour"],
        ["/items/2/sku", "/items/2/quantity", "/items/2/colour"],
    ] {
        defects.push((sku, Some(json!("far too long")), "maxLength"));
        defects.push((quantity, Some(json!(100)), "maximum"));
        defects.push((colour, Some(json!("rad")), "enum"));
    }
    defects.push(("/payment/number", Some(json!(4)), "type"));
    defects.push(("/payment/month", Some(json!(0)), "minimum"));
    defects.push(("/payment/cvc", Some(json!("1")), "additionalProperties"));
    defects
}

fn plant(into: &mut Value, pointer: &str, value: Option<Value>) {
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer has a slash");
    let parent = into.pointer_mut(parent).and_then(Value::as_object_mut).expect("the place exists");
    match value {
        Some(value) => drop(parent.insert(key.to_owned(), value)),
        None => drop(parent.remove(key)),
    }
}

#[test]
fn valid_arguments_have_no_issue() {
    assert!(issues(order(), &valid().to_string()).is_empty());
}

proptest! {
    #[test]
    fn every_planted_defect_is_reported(chosen in proptest::sample::subsequence(defects(), 1..=15)) {
        let mut payload = valid();
        for (pointer, value, _) in &chosen {
            plant(&mut payload, pointer, value.clone());
        }
        let found = issues(order(), &payload.to_string());
        let told: Vec<_> = found.iter().map(|issue| (issue.path.pointer(), issue.constraint.keyword())).collect();
        let planted: Vec<_> = chosen.iter().map(|(pointer, _, keyword)| ((*pointer).to_owned(), *keyword)).collect();
        prop_assert_eq!(told, planted);
    }
}
