//! Durable conversations as recordings of calls.

use tool_report::{CallRecorder, CallReport};

use super::*;

/// The prompts, texts and calls of both processes are in the recording once, also if the second process opens the log of the first.
#[test]
fn a_recording_goes_on_after_a_restart() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let written = Arc::clone(&lines);
    let recorder = CallRecorder::new(move |line| written.lock().expect("not poisoned").push(line.to_owned()));
    let store = InMemoryStore::new();
    for (process, prompt) in ["Look.", "Look again."].into_iter().enumerate() {
        let toolbox = Toolbox::builder().tool(LookTool).state(World::default()).observer(recorder.clone());
        let toolbox = toolbox.build().expect("there is one tool");
        recorder.record_toolbox(&toolbox);
        let model = Steps(&[&[("call_1", "look"), ("call_2", "look")], &[], &[("call_3", "Look")]]);
        let setup = ConversationSetup::new(&toolbox, model).recorder(&recorder);
        let end = pollster::block_on(async {
            let mut conversation = DurableConversations::new(store.clone()).open("one", setup).await?;
            conversation.ask(prompt).await
        });
        assert!(matches!(end, Ok(TurnEnd::Answered { .. })), "process {process}: {end:?}");
    }
    let lines = lines.lock().expect("not poisoned");
    let count = |text: &str| lines.iter().filter(|line| line.contains(text)).count();
    assert_eq!(
        [count("\"prompt\":\"Look.\""), count("\"prompt\":\"Look again.\""), count("\"text\":\"Done.\"")],
        [1, 1, 2],
        "{lines:#?}"
    );
    let mut report = CallReport::new();
    for line in lines.iter() {
        report.add_line(line.parse().expect("it is a line of a recording"));
    }
    assert_eq!((report.calls(), report.tools()["look"].repaired), (3, 1));
    let sessions = lines.iter().filter(|line| line.contains("\"session\":\"one\"")).count();
    assert_eq!(sessions, 9, "{lines:#?}");
}
