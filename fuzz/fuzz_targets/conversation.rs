//! Fuzz target: any lines as the records of a durable conversation. There is no panic. If the conversation can be opened, its turn can be
//! resumed, it can be asked, and a call that has started and is not repeatable does not run again.
//!
//! Write the records of a conversation into the corpus, one in each line, so that the first inputs are valid:
//! `cargo test -p tool-durable --test all write_the_corpus -- --ignored`.

#![no_main]

use std::sync::{Arc, Mutex};

use libfuzzer_sys::fuzz_target;
use tool_chat::conversation::TurnEnd;
use tool_chat::model::ScriptedModel;
use tool_chat::run::Next;
use tool_durable::store::Store;
use tool_durable::{ConversationSetup, DurableConversations, InMemoryStore, ListenerEvent};
use tool_runtime::clock::SimulatedClock;
use tool_runtime::{CallContext, Toolbox, tool};

/// The calls that have run in this process, and those whose effect is unknown.
type World = Arc<Mutex<(Vec<String>, Vec<String>)>>;

/// Pays.
#[tool]
fn pay(#[tool(context)] cx: &CallContext) -> &'static str {
    let world = cx.state::<World>().expect("the toolbox has a world");
    world.lock().expect("no tool panics").0.push(cx.call_id().to_owned());
    "paid"
}

/// Looks.
#[tool(read_only)]
fn look() -> &'static str {
    "seen"
}

/// Never ends, and can be repeated.
#[tool(idempotent)]
fn hang_once() -> &'static str {
    "done"
}

fuzz_target!(|data: &[u8]| {
    let records: Vec<Vec<u8>> = data.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let (store, world) = (InMemoryStore::new(), World::default());
    let toolbox = Toolbox::builder().tool(PayTool).tool(LookTool).tool(HangOnceTool).state(Arc::clone(&world));
    let toolbox = toolbox.clock(SimulatedClock::new()).build().expect("the names differ");
    let seen = Arc::clone(&world);
    let setup = ConversationSetup::new(
        &toolbox,
        ScriptedModel::from_fn(|_| Ok(tool_chat::model::Response::from_text("Done."))),
    )
    .on_event(move |event: &ListenerEvent<'_>| {
        if let ListenerEvent::EffectUnknown { call_id, .. } = event {
            seen.lock().expect("no listener panics").1.push((*call_id).to_owned());
        }
    });
    let durable = DurableConversations::new(store.clone());
    pollster::block_on(async {
        let mut opened = store.open("c").await.expect("it is new");
        opened.log.replace(&records).await.expect("memory is never full");
        drop(opened);
        let Ok(mut conversation) = durable.open("c", setup.clone()).await else {
            let opened = store.open("c").await.expect("a conversation that cannot be opened is not locked");
            assert!(opened.records == records, "opening changes nothing");
            return;
        };
        let is_unfinished = conversation.is_unfinished();
        let has_ids = conversation.run_state().transcript().calls().all(|call| !call.outcome.call_id().is_empty());
        let resumed = conversation.resume().await;
        if let (true, Ok(end)) = (is_unfinished, &resumed) {
            assert!(!matches!(end, TurnEnd::Stopped), "{end:?}");
        }
        if resumed.is_ok() {
            let asked = conversation.ask("And now?").await;
            assert!(asked.is_ok(), "{asked:?}");
            assert!(matches!(conversation.run_state().next(), Next::Done(_) | Next::Wait(_)));
        }
        if has_ids {
            let world = world.lock().expect("no tool panics");
            let (ran, unknown) = &*world;
            let mut ids: Vec<&String> = ran.iter().chain(unknown).collect();
            let count = ids.len();
            ids.sort_unstable();
            ids.dedup();
            // A changed log may contain the same id twice; the run tells the calls apart.
            let is_unique = conversation.run_state().transcript().calls().map(|call| call.outcome.call_id());
            let mut known: Vec<&str> = is_unique.collect();
            let all = known.len();
            known.sort_unstable();
            known.dedup();
            assert!(ids.len() == count || known.len() < all, "{ran:?} {unknown:?}");
        }
        drop(conversation);
        let conversation = durable.open("c", setup).await;
        assert!(conversation.is_ok(), "{conversation:?}");
    });
});
