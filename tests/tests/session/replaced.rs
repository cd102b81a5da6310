//! A session that is given another toolbox while it goes on.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;

use proptest::prelude::*;
use tool_runtime::container::{ExpansionScope, ExpansionSettings};
use tool_runtime::hook::{ProposedCall, Verdict};
use tool_runtime::session::Completion;
use tool_runtime::tool::{ExternalTool, Payload, ToolSpec};
use tool_runtime::toolbox::ToolboxBuilder;
use tool_runtime::{CallContext, Container, Failure, Outcome, Session, ToolError, Toolbox};
use tool_schema::shape::{Ref, Shape, Text};

use super::tools::{Hand, call, future, group, named, sync, visible};

fn rejection(outcome: &Outcome) -> Failure {
    outcome.failure().expect("the call should be rejected").clone()
}

fn kind(outcome: &Outcome) -> &str {
    outcome.failure().map_or("ok", Failure::error_type)
}

fn external(name: impl Into<Text>) -> ExternalTool {
    ExternalTool::from_spec(ToolSpec::new(name, "A tool.", Ref::Static(Shape::ANY)))
}

fn toolbox<S>(builder: ToolboxBuilder<S>) -> Toolbox<S> {
    builder.build().expect("the registration is sound")
}

/// A toolbox of tools that answer with their own names.
fn of(names: &[&'static str]) -> Toolbox {
    toolbox(names.iter().fold(Toolbox::builder(), |builder, name| builder.tool(named(name))))
}

fn replace<S>(session: &Session, toolbox: &Toolbox<S>) {
    session.replace_toolbox(toolbox).expect("no state is declared");
}

fn failing(name: &'static str) -> Hand {
    sync(name, |_| Err(ToolError::new("The index is not there.").into()))
}

#[test]
fn a_removed_tool_is_answered_with_tool_removed_and_an_invented_name_with_unknown_tool() {
    let session = of(&["read_page", "search"]).session();
    let replaced = session.replace_toolbox(&of(&["search", "read_pages"])).expect("no state is declared");
    assert_eq!((replaced.added, replaced.removed), (vec!["read_pages".to_owned()], vec!["read_page".to_owned()]));
    let failure = rejection(&call(&session, "read_page", "{}"));
    assert_eq!(failure.error_type(), "tool_removed");
    assert_eq!(failure.message(), "read_page is no longer available.");
    assert_eq!(failure.to_value()["did_you_mean"][0], "read_pages");
    assert_eq!(kind(&call(&session, "write_page", "{}")), "unknown_tool");
    assert_eq!(session.statistics().unknown_names, 1, "the model has not invented the name of a removed tool");
    assert_eq!(
        session.stream_arguments("read_page").map(drop).map_err(|failure| failure.error_type()),
        Err("tool_removed")
    );
}

#[test]
fn all_handles_see_the_new_toolbox_and_a_restored_tool_can_be_called() {
    let session = of(&["a"]).session();
    let other = session.clone();
    replace(&session, &of(&["b"]));
    assert_eq!(visible(&other), ["b"]);
    assert_eq!(call(&other, "b", "{}").to_text(), "b");
    replace(&other, &of(&["a"]));
    assert_eq!(call(&session, "a", "{}").to_text(), "a");
    assert_eq!(kind(&call(&session, "b", "{}")), "tool_removed");
}

#[test]
fn tools_that_stay_visible_come_first_in_their_old_order() {
    let session =
        toolbox(Toolbox::builder().tool(named("a")).container(group("Web", &["x", "y"])).tool(named("b"))).session();
    drop(call(&session, "Web", ""));
    assert_eq!(visible(&session), ["a", "Web", "b", "x", "y"]);
    let before = session.revision();
    let next =
        Toolbox::builder().tool(named("new")).tool(named("b")).container(group("Web", &["z", "y"])).tool(named("a"));
    replace(&session, &toolbox(next));
    assert_eq!(visible(&session), ["a", "Web", "b", "y", "new", "z"]);
    assert!(session.is_expanded("Web"));
    assert_ne!(session.revision(), before);
    let names = session.definitions().to_string();
    assert!(names.find(r#""y""#) < names.find(r#""new""#), "definitions follow the list");
    assert!(session.collapse_container("Web"));
    assert_eq!(visible(&session), ["a", "Web", "b", "new"]);
}

#[test]
fn visible_tools_stay_visible_if_the_new_toolbox_collapses_their_container() {
    let small =
        Toolbox::builder().container(group("Web", &["x"])).expansion(ExpansionSettings::new().collapse_above(2));
    let session = toolbox(small).session();
    assert_eq!(visible(&session), ["x"]);
    let large = Toolbox::builder()
        .container(group("Web", &["x", "y", "z"]))
        .expansion(ExpansionSettings::new().collapse_above(2));
    replace(&session, &toolbox(large));
    assert_eq!(visible(&session), ["x", "Web", "y", "z"]);
}

#[test]
fn pauses_repetitions_and_statistics_stay_with_their_tool() {
    let session =
        toolbox(Toolbox::builder().tool(named("first")).tool(failing("search")).tool(named("last"))).session();
    drop(call(&session, "last", r#"{"n": 1}"#));
    for count in 0..3 {
        drop(call(&session, "search", &format!(r#"{{"n": {count}}}"#)));
    }
    assert_eq!(kind(&call(&session, "search", r#"{"n": 3}"#)), "throttled");
    // Its position changes, and the tool that now has its old position is not to blame.
    replace(&session, &toolbox(Toolbox::builder().tool(failing("search")).tool(named("other")).tool(named("last"))));
    assert_eq!(kind(&call(&session, "search", r#"{"n": 4}"#)), "throttled");
    assert!(call(&session, "other", "{}").is_ok());
    // It is gone for a while, as a server that restarts.
    replace(&session, &of(&["other"]));
    assert_eq!(kind(&call(&session, "last", "{}")), "tool_removed");
    replace(&session, &toolbox(Toolbox::builder().tool(named("last")).tool(failing("search"))));
    assert_eq!(kind(&call(&session, "search", r#"{"n": 5}"#)), "throttled");
    assert!(session.reset_tool_throttle("search"));
    assert_eq!(kind(&call(&session, "search", r#"{"n": 6}"#)), "tool_error");
    drop(call(&session, "last", r#"{"n": 1}"#));
    let statistics = session.statistics();
    assert_eq!(statistics.tools.iter().find(|tool| tool.name == "last").map(|tool| tool.calls), Some(3));
    assert!(statistics.tools.iter().any(|tool| tool.name == "other"), "what has gone was called all the same");
}

#[test]
fn a_removed_tool_that_is_called_repeatedly_is_paused() {
    let session = of(&["a"]).session();
    replace(&session, &of(&["b"]));
    let kinds: Vec<_> = (0..5).map(|_| rejection(&call(&session, "a", "{}")).error_type()).collect();
    assert_eq!(kinds[0], "tool_removed");
    assert_eq!(kinds[4], "throttled");
    assert!(call(&session, "b", "{}").is_ok());
}

#[test]
fn a_toolbox_that_needs_missing_state_does_not_change_the_session() {
    struct User;
    let session = of(&["a"]).session();
    let next = toolbox(Toolbox::builder().require_session_state::<User>().tool(named("b")));
    let error = session.replace_toolbox(&next).map(drop).expect_err("nobody brought a user");
    assert!(error.to_string().contains("User"), "{error}");
    assert_eq!((visible(&session), session.revision()), (vec!["a".to_owned()], 0));
    assert!(call(&session, "a", "{}").is_ok());
    let session = next.session_with(User).expect("it is brought");
    replace(&session, &of(&["a"]));
    replace(&session, &next);
    assert!(call(&session, "b", "{}").is_ok(), "the session keeps the state that it brought");
}

#[test]
fn the_shared_state_of_the_new_toolbox_is_used() {
    let told = || sync("told", |cx: &CallContext| Ok(Payload::Text((*cx.state::<&'static str>()?).to_owned())));
    let session = toolbox(Toolbox::builder().state("old").tool(told())).session();
    replace(&session, &toolbox(Toolbox::builder().state("new").tool(told())));
    assert_eq!(call(&session, "told", "{}").to_text(), "new");
}

#[test]
fn a_call_ends_with_the_toolbox_with_which_it_began() {
    let (sender, receiver) = std::sync::mpsc::channel::<()>();
    let receiver = Arc::new(std::sync::Mutex::new(receiver));
    let slow = move || {
        let receiver = Arc::clone(&receiver);
        async move {
            std::future::poll_fn(move |cx| {
                cx.waker().wake_by_ref();
                match receiver.lock().map(|receiver| receiver.try_recv().is_ok()) {
                    Ok(true) => std::task::Poll::Ready(()),
                    _ => std::task::Poll::Pending,
                }
            })
            .await;
            Ok(Payload::Text("slow".to_owned()))
        }
    };
    let session = toolbox(Toolbox::builder().tool(named("a")).tool(future("slow", slow))).session();
    thread::scope(|scope| {
        let running = scope.spawn(|| call(&session, "slow", "{}"));
        while session.statistics().total_calls_last_60s == 0 {
            thread::yield_now();
        }
        replace(&session, &of(&["b"]));
        sender.send(()).expect("the call waits");
        let outcome = running.join().expect("it does not panic");
        assert_eq!(outcome.to_text(), "slow");
    });
    let statistics = session.statistics();
    let slow = statistics.tools.iter().find(|tool| tool.name == "slow").expect("it was counted");
    assert_eq!((slow.calls, slow.failures), (1, 0));
}

#[test]
fn a_tool_and_a_hook_may_replace_their_own_toolbox() {
    let slot: Arc<OnceLock<Session>> = Arc::default();
    let of_tool = Arc::clone(&slot);
    let refresh = sync("refresh", move |_| {
        let replaced = of_tool.get().map(|session| session.replace_toolbox(&of(&["b"])));
        Ok(Payload::Text(if replaced.is_some_and(|replaced| replaced.is_ok()) { "done" } else { "no" }.to_owned()))
    });
    let session = toolbox(Toolbox::builder().tool(refresh).container(group("Web", &["x"]))).session();
    assert!(slot.set(session.clone()).is_ok());
    // The batch goes on with the toolbox with which it began, and what it expands is not lost.
    let calls = [("1", "refresh", "{}"), ("2", "Web", ""), ("3", "x", "{}"), ("4", "b", "{}")];
    let batch = pollster::block_on(session.call_batch(calls).max_concurrency(1));
    let texts: Vec<_> = batch.outcomes().iter().map(Outcome::is_ok).collect();
    assert_eq!(texts, [true, true, true, false]);
    assert_eq!(visible(&session), ["b"]);

    let slot: Arc<OnceLock<Session>> = Arc::default();
    let of_hook = Arc::clone(&slot);
    let builder = Toolbox::builder().tool(named("a")).before_call(move |_: &ProposedCall<'_>| {
        let _ = of_hook.get().map(|session| session.replace_toolbox(&of(&["b"])));
        Verdict::Run
    });
    let session = toolbox(builder).session();
    assert!(slot.set(session.clone()).is_ok());
    assert_eq!(call(&session, "a", "{}").to_text(), "a");
    assert_eq!(visible(&session), ["b"]);
}

#[test]
fn a_container_expanded_by_an_old_batch_is_expanded_in_the_new_toolbox() {
    let slot: Arc<OnceLock<Session>> = Arc::default();
    let of_tool = Arc::clone(&slot);
    let next = || Toolbox::builder().container(group("Web", &["x"]));
    let refresh = sync("refresh", move |_| {
        of_tool.get().map(|session| session.replace_toolbox(&toolbox(next())));
        Ok(Payload::Done)
    });
    let session = toolbox(next().tool(refresh)).session();
    assert!(slot.set(session.clone()).is_ok());
    let batch = session.call_batch([("1", "refresh", "{}"), ("2", "Web", "")]).max_concurrency(1);
    assert!(pollster::block_on(batch).is_ok());
    assert_eq!(visible(&session), ["Web", "x"]);
}

#[test]
fn a_deferred_call_of_a_removed_tool_is_answered_once() {
    let ask = || Toolbox::builder().before_call(|_: &ProposedCall<'_>| Verdict::Defer);
    let session = toolbox(ask().tool(named("a")).tool(named("stays")).tool(external("ask_user"))).session();
    for (id, name) in [("1", "a"), ("2", "a"), ("3", "ask_user"), ("4", "stays"), ("5", "a")] {
        assert!(pollster::block_on(session.call(id, name, "{}")).is_deferred());
    }
    replace(&session, &of(&["other", "stays"]));
    assert_eq!(session.deferred_calls().len(), 5);
    let resumed = pollster::block_on(session.resume("1")).expect("it waits");
    assert_eq!(kind(&resumed), "tool_removed");
    assert_eq!(session.complete("2", "by hand").expect("it waits").to_text(), "by hand");
    assert_eq!(session.complete("3", "Blue.").expect("it waits").to_text(), "Blue.");
    assert_eq!(pollster::block_on(session.resume("4")).expect("it waits").to_text(), "stays");
    assert!(session.cancel("5"));
    assert!(session.deferred_calls().is_empty());
    assert!(session.complete("1", Completion::denied("No.")).is_err(), "once is all");
}

#[test]
fn threads_that_call_while_the_toolbox_is_replaced_get_one_answer_each() {
    let boxes: Vec<_> = [&["a", "b"][..], &["b", "c"], &["c", "a", "d"]].into_iter().map(of).collect();
    let session = boxes[0].session();
    let answered = AtomicUsize::new(0);
    thread::scope(|scope| {
        for worker in 0..4 {
            let (session, answered) = (&session, &answered);
            scope.spawn(move || {
                for round in 0..200 {
                    let name = ["a", "b", "c", "d"][(worker + round) % 4];
                    let id = format!("{worker}-{round}");
                    let outcome =
                        pollster::block_on(session.call(&id, name, &*format!(r#"{{"n": {round}, "w": {worker}}}"#)));
                    assert_eq!(outcome.call_id(), id);
                    if let Err(failure) = outcome.as_result() {
                        let kind = failure.error_type();
                        assert!(matches!(kind, "tool_removed" | "unknown_tool" | "throttled"), "{kind}");
                    }
                    answered.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        for round in 0..300 {
            replace(&session, &boxes[round % 3]);
        }
    });
    assert_eq!(answered.into_inner(), 800);
}

#[test]
fn a_session_forgets_names_that_were_removed_long_ago() {
    let session = of(&["a"]).session();
    let many = |from: usize| {
        let tools = (from..from + 500).map(|number| external(format!("t{number}")));
        toolbox(tools.fold(Toolbox::builder(), ToolboxBuilder::tool))
    };
    for from in [0, 500, 1_000, 1_500] {
        replace(&session, &many(from));
    }
    assert_eq!(kind(&call(&session, "a", "{}")), "unknown_tool");
    assert_eq!(kind(&call(&session, "t1499", "{}")), "tool_removed");
}

/// A step in the life of a session.
#[derive(Clone, Debug)]
enum Step {
    /// Replaces the toolbox by one with the given roots and members of `Web`, if `Web` is there.
    Replace(Vec<&'static str>, Option<Vec<&'static str>>),
    Expand,
    Release,
}

fn step() -> impl Strategy<Value = Step> {
    let some =
        |names: &'static [&'static str]| prop::sample::subsequence(names.to_vec(), 0..=names.len()).prop_shuffle();
    prop_oneof![
        3 => (some(&["a", "b", "c", "d"]), prop::option::of(some(&["x", "y", "z"]))).prop_map(|(roots, web)| Step::Replace(roots, web)),
        2 => Just(Step::Expand),
        1 => Just(Step::Release),
    ]
}

proptest! {
    #[test]
    fn visible_tools_keep_their_order_and_callable_tools_are_listed_once(steps in prop::collection::vec(step(), 1..12)) {
        let build = |roots: &[&'static str], web: &Option<Vec<&'static str>>| {
            let builder = roots.iter().fold(Toolbox::builder().no_throttle(), |builder, name| builder.tool(named(name)));
            let builder = builder.expansion(ExpansionSettings::new().scope(ExpansionScope::Session));
            toolbox(match web {
                Some(members) => builder.container(members.iter().fold(Container::new("Web", "Web."), |web, name| web.tool(named(name)))),
                None => builder,
            })
        };
        let (mut roots, mut web) = (vec!["a", "b"], Some(vec!["x"]));
        let session = build(&roots, &web).session();
        let mut is_expanded = false;
        let mut before = visible(&session);
        for step in steps {
            match step {
                Step::Replace(next, members) => {
                    replace(&session, &build(&next, &members));
                    is_expanded &= members.is_some();
                    (roots, web) = (next, members);
                }
                Step::Expand => {
                    is_expanded |= web.is_some();
                    drop(call(&session, "Web", ""));
                }
                Step::Release => {
                    is_expanded = false;
                    session.collapse_container("Web");
                }
            }
            let after = visible(&session);
            let mut expected: Vec<&str> = roots.iter().copied().chain(web.iter().map(|_| "Web")).collect();
            if is_expanded {
                expected.extend(web.iter().flatten());
            }
            let (mut sorted, kept) = (after.clone(), |list: &[String], other: &[String]| -> Vec<String> {
                list.iter().filter(|name| other.contains(name)).cloned().collect()
            });
            sorted.sort_unstable();
            expected.sort_unstable();
            prop_assert_eq!(&sorted, &expected);
            prop_assert_eq!(kept(&before, &after), kept(&after, &before));
            let stayed = kept(&before, &after).len();
            prop_assert!(after.iter().take(stayed).all(|name| before.contains(name)), "what is new comes last");
            prop_assert_eq!(session.is_expanded("Web"), is_expanded);
            before = after;
        }
    }
}
