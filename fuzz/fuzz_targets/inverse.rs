//! Fuzz target: calls under rewritten definitions. There is no panic, a tool only gets arguments that its schema accepts, values come back,
//! and a rejection names the keys and forms that were shown.
//!
//! The first bytes choose a tool with a random schema, a dialect, and a generated call or the text that follows.

#![no_main]

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use libfuzzer_sys::fuzz_target;
use tests::dialects::called::Advertised;
use tests::dialects::schemas::tool;
use tests::dialects::values::Dice;
use tests::providers::DIALECTS;
use tool_runtime::Dialect;

type Known = HashMap<(u16, usize), Rc<Option<Advertised>>>;

thread_local! {
    static KNOWN: RefCell<Known> = RefCell::default();
}

fn advertised(seed: u16, dialect: usize) -> Rc<Option<Advertised>> {
    let make = || {
        let dialect = DIALECTS[dialect].parse::<Dialect>().expect("a dialect of the list");
        Rc::new(Advertised::of(dialect, &tool(seed.into())))
    };
    KNOWN.with_borrow_mut(|known| {
        if known.len() > 200 {
            known.clear();
        }
        Rc::clone(known.entry((seed, dialect)).or_insert_with(make))
    })
}

fuzz_target!(|data: &[u8]| {
    let [high, low, dialect, is_generated, rest @ ..] = data else { return };
    let advertised = advertised(u16::from_be_bytes([*high, *low]), usize::from(*dialect) % DIALECTS.len());
    let Some(advertised) = advertised.as_ref() else { return };
    let text = if is_generated % 4 > 0 {
        let seed = rest
            .iter()
            .fold(u64::from(*is_generated), |seed, byte| seed.wrapping_mul(0x100_0000_01B3) ^ u64::from(*byte));
        advertised.text(&mut Dice::new(seed))
    } else {
        String::from_utf8_lossy(rest).into_owned()
    };
    if let Err(fault) = advertised.judge(&text) {
        panic!("{}: {text}: {fault}", DIALECTS[usize::from(*dialect) % DIALECTS.len()]);
    }
});
