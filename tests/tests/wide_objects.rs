//! Objects with more required fields than a hint lists.
//!
//! A program that reads only the hint still needs only two rounds, because the example contains all fields. If the names alone are too long
//! for a hint, there is no example: then the hint lists five fields, and three in each further round.
//!
//! The tests make calls in which such an object is absent, mistyped or empty, and count the rounds.

#![allow(dead_code)] // The decoded values are never read.

use serde::Deserialize;
use tests::fixer::fix;
use tool_runtime::Arguments;
use tool_runtime::RetryHint;
use tool_runtime::ToolInput;
use tool_schema::decode::decode;

macro_rules! wide {
    ($name:ident: $($field:ident)+) => {
        #[derive(Deserialize, ToolInput)]
        #[tool(ignore_unknown, undocumented)]
        struct $name {
            $($field: String,)+
        }
    };
}

wide! { Twelve: first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth }
wide! { Wordy:
    name_of_the_first_contact_person_at_the_customer name_of_the_second_contact_person_at_the_customer
    telephone_number_of_the_first_contact_person telephone_number_of_the_second_contact_person
    street_and_number_of_the_place_of_delivery postal_code_of_the_place_of_delivery town_of_the_place_of_delivery
    street_and_number_of_the_place_of_invoicing postal_code_of_the_place_of_invoicing town_of_the_place_of_invoicing
    number_of_the_order_in_the_books_of_the_customer number_of_the_order_in_our_own_books_of_orders
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown, undocumented)]
struct Call<T> {
    order: T,
}

#[derive(Deserialize, ToolInput)]
#[tool(ignore_unknown, undocumented)]
struct Calls<T> {
    orders: Vec<T>,
}

/// Returns the number of rounds until the call is valid, at most nine.
fn rounds<T: ToolInput>(text: &str) -> usize {
    let mut text = text.to_owned();
    for round in 0..9 {
        let Err(error) = decode::<T>(&Arguments::from(&*text)) else { return round };
        let hint = RetryHint::from_issues("order", error.issues()).to_json();
        text = fix(&hint, &text);
    }
    9
}

#[test]
fn an_absent_or_mistyped_object_takes_two_rounds() {
    for text in ["{}", r#"{"order": 5}"#, r#"{"order": []}"#, r#"{"order": null}"#] {
        assert!(rounds::<Call<Twelve>>(text) <= 2, "{text}");
    }
    for text in [r#"{"orders": [5]}"#, r#"{"orders": ["a"]}"#] {
        assert!(rounds::<Calls<Twelve>>(text) <= 2, "{text}");
    }
}

#[test]
fn names_too_long_for_a_hint_take_one_round_per_three_fields() {
    let most = 1 + (12_usize - 5).div_ceil(3);
    for text in ["{}", r#"{"order": 5}"#, r#"{"order": []}"#, r#"{"order": null}"#] {
        assert!(rounds::<Call<Wordy>>(text) <= most, "{text}");
    }
    assert!(rounds::<Calls<Wordy>>(r#"{"orders": [5]}"#) <= most);
}
