//! Checks the examples of the guide: below a line `<!-- answer: TOOL ARGUMENTS -->` or `<!-- error: SCHEMA -->` is the real answer.
//! `UPDATE_GOLDEN=1` updates the page.

use std::fmt::Write as _;
use std::path::Path;
use std::task::{Context, Poll, Waker};
use std::{fs, future::Future, pin::pin};

use tool_dynamic::{DynamicTool, InputSchema, UnknownFields};
use tool_runtime::Toolbox;

#[test]
fn the_guide_shows_the_real_answers() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/tool-dynamic/docs/tools-from-a-schema.md");
    let guide = fs::read_to_string(&path).expect("the guide can be read");
    let schema = guide
        .split("let schema = r#\"")
        .nth(1)
        .and_then(|rest| rest.split("\"#;").next())
        .expect("the guide has a schema");
    let (mut real, mut shown) = (String::new(), 0);
    for (index, part) in guide.split("<!-- ").enumerate() {
        if index == 0 {
            real.push_str(part);
            continue;
        }
        let (what, rest) = part.split_once(" -->\n").expect("a mark ends");
        let (fence, rest) = rest.split_once('\n').expect("a block follows the mark");
        let after = rest.split_once("```\n").expect("the block ends").1;
        let output = match what.split_once(": ").expect("a mark says what it shows") {
            ("answer", call) => answer(schema, call.split_once(' ').expect("a call has arguments")),
            ("error", schema) => InputSchema::parse(schema).expect_err("the schema is wrong").to_string(),
            (other, _) => panic!("unknown mark {other}"),
        };
        let _ = write!(real, "<!-- {what} -->\n{fence}\n{output}\n```\n{after}");
        shown += 1;
    }
    assert!(shown > 4);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, real).expect("the guide can be written");
    } else {
        assert!(real == guide, "the guide differs; UPDATE_GOLDEN=1 updates it:\n{real}");
    }
}

fn answer(schema: &str, (name, arguments): (&str, &str)) -> String {
    let builder =
        DynamicTool::builder(name.to_owned(), "Current weather.", schema).unknown_fields(UnknownFields::Reject);
    let tool = builder.sync_handler(|_, _| Ok::<_, String>("22 °C")).expect("the schema is one");
    let session = Toolbox::builder().tool(tool).build().expect("one tool has no clashes").session();
    let Poll::Ready(outcome) =
        pin!(session.call("call_1", name, arguments)).poll(&mut Context::from_waker(Waker::noop()))
    else {
        panic!("nothing here waits");
    };
    outcome.into_text()
}
