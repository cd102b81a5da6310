//! Results with several parts: text, images, sounds, resources.

use std::sync::{Arc, Mutex};

use proptest::prelude::*;
use serde_json::{Value, json};
use tool_chat::conversation::Conversation;
use tool_chat::model::{Message, RecordingModel, Redaction, ReplayModel, ScriptedModel};
use tool_dynamic::JsonSchemaOutputCheck;
use tool_runtime::tool::{Content, ContentParts, Media, OutputSchema, Payload, Resource, ResourceLink};
use tool_runtime::toolbox::{Guard, InMemoryResultStore};
use tool_runtime::{Session, ToolError, Toolbox, tool};

use super::tools::{call, sync};

/// Draws.
#[tool]
fn draw() -> Content {
    Content::image("image/png", b"\x89PNG")
}

/// Draws and describes.
#[tool]
async fn draw_all() -> Result<Vec<Content>, ToolError> {
    Ok(vec!["A chart:".into(), Content::image("image/png", vec![0; 20_000])])
}

/// Measures.
#[tool]
fn measure(
    /// Which way.
    way: u8,
) -> serde_json::Result<Payload> {
    Ok(match way {
        0 => Payload::Done,
        1 => "22 °C".into(),
        _ => ContentParts::from_parts(["22 °C"]).with_structured(&json!({"degrees": 22}))?.into(),
    })
}

fn session(guard: Guard, parts: ContentParts) -> Session {
    let tool = sync("show", move |_| Ok(parts.clone().into()));
    Toolbox::builder().tool(tool).guard(guard).build().expect("the toolbox is valid").session()
}

#[test]
fn a_tool_returns_parts() {
    let toolbox = Toolbox::builder().tool(DrawTool).tool(DrawAllTool).tool(MeasureTool).build();
    let session = toolbox.expect("the toolbox is valid").session();
    let outcome = call(&session, "draw", "");
    assert_eq!(outcome.payload(), Some(&Payload::from(Content::image("image/png", b"\x89PNG"))));
    assert_eq!((&*outcome.to_text(), outcome.warnings()), ("[image/png, 4 bytes, not shown]", &[][..]));
    assert_eq!(call(&session, "draw_all", "").to_text(), "A chart:\n[image/png, 20.0 kB, not shown]");
    let measured = |way: u8| call(&session, "measure", &json!({"way": way}).to_string());
    assert_eq!([0, 1, 2].map(|way| measured(way).to_text().into_owned()), ["done", "22 °C", "22 °C"]);
    assert_eq!(measured(2).value(), Some(json!({"degrees": 22})));
}

/// The examples of the specification of the Model Context Protocol (2025-11-25, server/tools).
#[test]
fn parts_have_the_form_of_the_protocol() {
    let link = json!({
        "type": "resource_link",
        "uri": "file:///project/src/main.rs",
        "name": "main.rs",
        "description": "Primary application entry point",
        "mimeType": "text/x-rust"
    });
    let resource = json!({
        "type": "resource",
        "resource": {"uri": "file:///project/src/main.rs", "mimeType": "text/x-rust", "text": "fn main() {}"}
    });
    let written = json!({
        "content": [
            {"type": "text", "text": "Tool result text"},
            {"type": "image", "data": "iVBORw==", "mimeType": "image/png"},
            {"type": "audio", "data": "UklGRg==", "mimeType": "audio/wav"},
            link,
            resource,
            {"type": "resource", "resource": {"uri": "file:///a.pdf", "mimeType": "application/pdf", "blob": "JVBERg=="}}
        ],
        "structuredContent": {"temperature": 22.5}
    });
    let parts: ContentParts = serde_json::from_value(written.clone()).expect("the form of the protocol");
    assert_eq!(serde_json::to_value(&parts).expect("parts are JSON"), written);
    assert_eq!(
        parts.as_str(),
        "Tool result text\n\
         [image/png, 4 bytes, not shown]\n\
         [audio/wav, 4 bytes, not shown]\n\
         [link to file:///project/src/main.rs: main.rs, text/x-rust, Primary application entry point]\n\
         [file:///project/src/main.rs, text/x-rust]\nfn main() {}\n\
         [file:///a.pdf, application/pdf, 4 bytes, not shown]"
    );
    let page = include_str!("../../../docs/wire.md");
    for line in parts.as_str().lines().filter(|line| line.starts_with('[')) {
        assert!(page.contains(line), "docs/wire.md does not show {line}");
    }
    // Without other parts, the model reads the structured data.
    let only: ContentParts = serde_json::from_value(json!({"content": [], "structuredContent": [1]})).expect("parts");
    assert_eq!(only.as_str(), "[1]");
}

#[test]
fn the_text_for_media_is_bounded_and_contains_no_invisible_characters() {
    let name = "a\u{200b}\n".repeat(1_000);
    let parts = ContentParts::from_parts([
        Content::Image(Media::from_base64(name.as_str(), "")),
        ResourceLink::new(name.as_str(), name.as_str()).into(),
        Resource::blob(name.as_str(), name.as_str(), b"").into(),
    ]);
    assert!(parts.as_str().len() < 1_600, "{}", parts.as_str().len());
    assert!(!parts.as_str().contains('\u{200b}') && parts.as_str().lines().count() == 3);
}

#[test]
fn guards_check_parts() {
    let warnings = |parts: ContentParts| call(&session(Guard::new(), parts), "show", "").warnings().to_vec();
    assert!(warnings(ContentParts::from_parts([Content::image("image/png", vec![0; 70_000])])).is_empty());
    // The encoded data counts.
    let large = warnings(ContentParts::from_parts([Content::image("image/png", vec![0; 90_000])]));
    assert_eq!(large, ["Large response (117.2KB). May impact context window."]);
    let empty = [ContentParts::from_parts([""; 0]), ContentParts::from_parts([" \n", ""])];
    assert_eq!(empty.map(|parts| warnings(parts)[0].to_string()), ["Tool succeeded but returned nothing."; 2]);
    let failed = r#"{"success":false,"error":"Full."}"#;
    assert_eq!(warnings(ContentParts::from_parts([failed])), ["Tool reported failure: Full."]);
    let structured =
        ContentParts::from_parts(["No."]).with_structured(&json!({"success": false, "error": "Full."})).expect("JSON");
    assert_eq!(warnings(structured), ["Tool reported failure: Full."]);
    let control = ContentParts::from_parts([Content::text("\u{1b}[31mred"), Content::image("image/png", b"")]);
    assert_eq!(warnings(control), ["Result contains control characters: U+001B."]);
}

#[test]
fn texts_are_truncated_but_data_is_not() {
    let image = Content::image("image/png", [7; 5_000]);
    let parts =
        ContentParts::from_parts([Content::text("a".repeat(3_000)), image.clone(), Content::text("b".repeat(3_000))]);
    let outcome = call(&session(Guard::new().cut_to(Some(500)), parts.clone()), "show", "");
    let Some(Payload::Parts(cut)) = outcome.payload() else { panic!("parts stay parts") };
    let [Content::Text { text }, last] = cut.contents() else { panic!("the texts are one: {cut:?}") };
    assert!(
        text.len() <= 500
            && text.starts_with('a')
            && text.ends_with('b')
            && text.contains("of 6001 bytes are left out")
    );
    assert_eq!(*last, image);

    let outcome = call(&session(Guard::new().cut_to(Some(1_500)).spill(InMemoryResultStore::new()), parts), "show", "");
    let Some(Payload::Parts(kept)) = outcome.payload() else { panic!("parts stay parts") };
    let [Content::Text { text }, last] = kept.contents() else { panic!("the texts are one: {kept:?}") };
    assert!(text.len() <= 1_500 && text.contains("of the 6001 bytes of result_1. To read on"), "{text}");
    assert_eq!(*last, image);

    let marked = call(&session(Guard::new().mark_as_data(true), ContentParts::from_parts([image.clone()])), "show", "");
    let Some(Payload::Parts(marked)) = marked.payload() else { panic!("parts stay parts") };
    assert!(marked.as_str().starts_with("What follows is the result of show.") && marked.contents()[1] == image);
}

#[test]
fn different_images_are_different_results() {
    let count = Mutex::new(0_u8);
    let frames = sync("frame", move |_| {
        let mut count = count.lock().expect("the lock is not poisoned");
        *count += 1;
        Ok(Content::image("image/png", [*count; 1_000]).into())
    });
    let session = Toolbox::builder().tool(frames).build().expect("the toolbox is valid").session();
    assert!((0..20).all(|_| call(&session, "frame", "").is_ok()));
    let same = sync("frame", |_| Ok(Content::image("image/png", [1; 1_000]).into()));
    let session = Toolbox::builder().tool(same).build().expect("the toolbox is valid").session();
    assert!(!(0..20).all(|_| call(&session, "frame", "").is_ok()), "equal images are a loop like equal texts");
}

#[test]
fn structured_data_is_checked_against_the_output_schema() {
    let mut show = sync("show", |_| {
        Ok(ContentParts::from_parts(["30 days"]).with_structured(&json!({"days": 30})).expect("JSON").into())
    });
    show.spec.output = OutputSchema::from_json(json!({"properties": {"days": {"maximum": 14}}}));
    let toolbox =
        Toolbox::builder().tool(show).output_check(JsonSchemaOutputCheck).build().expect("the toolbox is valid");
    let outcome = call(&toolbox.session(), "show", "");
    assert_eq!(outcome.warnings(), ["Result does not fit its output schema at: /days."]);
}

#[derive(Clone, Default)]
struct File(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for File {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("the lock is not poisoned").write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_conversation_sends_parts_to_the_model() {
    let secret = r#"{"api_key": "hunter2"}"#;
    let show = move || {
        let parts = ContentParts::from_parts([Content::text(secret), Content::image("image/png", b"\x89PNG")]);
        session(Guard::new(), parts)
    };
    let script = ScriptedModel::new().call("show", "{}").text("Nice.");
    let file = File::default();
    let recorder = RecordingModel::new(script.clone(), file.clone(), Redaction::new());
    pollster::block_on(Conversation::new(show(), recorder).ask("Show it."));
    let requests = script.requests();
    let Some(Message::Tool { text, parts: Some(parts), .. }) = requests[1].messages.last() else {
        panic!("the last message is the answer")
    };
    assert_eq!((text.as_str(), parts.contents().len()), (parts.as_str(), 2));

    let recording = String::from_utf8(file.0.lock().expect("the lock is not poisoned").clone()).expect("text");
    assert!(recording.contains("iVBORw==") && !recording.contains("hunter2"), "{recording}");
    let replay = ReplayModel::from_text(&recording, Redaction::new()).expect("a recording");
    let end = pollster::block_on(Conversation::new(show(), replay).ask("Show it."));
    assert_eq!(end.text(), Some("Nice."));
}

fn content() -> impl Strategy<Value = Content> {
    let bytes = || prop::collection::vec(any::<u8>(), 0..40);
    prop_oneof![
        "[a-zé€\n]{0,400}".prop_map(Content::text),
        bytes().prop_map(|bytes| Content::image("image/png", bytes)),
        bytes().prop_map(|bytes| Content::audio("audio/wav", bytes)),
        ("[a-z]{0,9}", "[a-z]{0,9}").prop_map(|(uri, name)| ResourceLink::new(uri, name).into()),
        ("[a-z]{0,9}", "[a-zé\n]{0,400}").prop_map(|(uri, text)| Resource::text(uri, text).into()),
        bytes().prop_map(|bytes| Resource::blob("file:///x", "application/pdf", bytes).into()),
    ]
}

proptest! {
    #[test]
    fn parts_round_trip_through_json_and_are_truncated_to_the_limit(contents in prop::collection::vec(content(), 0..6), limit in 0_usize..600) {
        let parts = ContentParts::from(contents);
        let written = serde_json::to_string(&parts).expect("parts are JSON");
        prop_assert_eq!(&serde_json::from_str::<ContentParts>(&written).expect("parts"), &parts);
        let value: Value = serde_json::from_str(&written).expect("JSON");
        prop_assert_eq!(value["content"].as_array().map(Vec::len), Some(parts.contents().len()));

        let outcome = call(&session(Guard::OFF.cut_to(Some(limit)), parts.clone()), "show", "");
        let Some(Payload::Parts(cut)) = outcome.payload() else { panic!("parts stay parts") };
        let data = |parts: &ContentParts| parts.contents().iter().filter_map(Content::base64_data).map(str::to_owned).collect::<Vec<_>>();
        prop_assert_eq!(data(cut), data(&parts), "data stays");
        if cut != &parts {
            let words = cut.contents().iter().filter(|content| content.base64_data().is_none());
            let bytes: usize = words.map(|content| ContentParts::from(content.clone()).as_str().len()).sum();
            prop_assert!(bytes <= limit.max(256), "{}", bytes);
        }
    }
}
