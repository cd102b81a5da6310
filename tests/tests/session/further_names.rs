//! Additional names of tools: aliases from their authors, and portable names for those that providers reject.

use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::json;
use tool_dynamic::DynamicTool;
use tool_runtime::container::{ExpansionSettings, IntoContainer, UnexpandedCallPolicy};
use tool_runtime::tool::{Payload, Tool, portable_name};
use tool_runtime::toolbox::{RegistrationError, ToolboxBuilder};
use tool_runtime::{Container, Dialect, Session, Toolbox, TypedTool, tool};
use tool_schema::repair::RepairRule;

use super::tools::{Hand, call, group, named, rejection, sync, visible};

/// Reads a file.
#[tool(aliases("cat", "open file", "container.exec"))]
fn read_file() -> &'static str {
    "read"
}

fn also(name: &'static str, aliases: &[&'static str]) -> Hand {
    let mut tool = named(name);
    tool.spec = tool.spec.aliases(aliases.iter().copied());
    tool
}

fn built(builder: ToolboxBuilder) -> Session {
    builder.build().expect("the names differ").session()
}

fn errors(builder: ToolboxBuilder) -> Vec<String> {
    builder.build().map_or_else(|error| error.errors().iter().map(ToString::to_string).collect(), |_| Vec::new())
}

/// Returns a dynamic tool that answers with its name.
fn dynamic(name: &str) -> DynamicTool {
    let answer = name.to_owned();
    let tool = DynamicTool::builder(name.to_owned(), "A tool.", "{}");
    tool.sync_handler(move |_, _| Ok::<_, String>(answer.clone())).expect("the schema is valid")
}

/// Returns a handwritten tool with a foreign name; it answers with that name.
fn from_elsewhere(name: &str) -> Hand {
    let answer = name.to_owned();
    let mut tool = sync("", move |_| Ok(Payload::Text(answer.clone())));
    tool.spec.name = name.to_owned().into();
    tool.spec = tool.spec.portable();
    tool
}

#[test]
fn an_alias_is_routed_and_recorded() {
    let session = built(Toolbox::builder().tool(ReadFileTool).tool(named("write_file")).no_throttle());
    for (name, rule) in [
        ("cat", RepairRule::ToolAlias),
        ("open file", RepairRule::ToolAlias),
        ("container.exec", RepairRule::ToolAlias),
        ("cat()", RepairRule::ToolName),
        ("Cat", RepairRule::ToolName),
        ("openFile", RepairRule::ToolName),
    ] {
        let outcome = call(&session, name, "{}");
        assert_eq!((outcome.to_text(), outcome.tool_name()), ("read".into(), "read_file"), "{name}");
        let [repair] = outcome.repairs() else { panic!("one line says so: {:?}", outcome.repairs()) };
        assert_eq!((repair.rule, repair.to_string()), (rule, format!("Read tool {name:?} as read_file.")));
    }
    assert!(call(&session, "read_file", "{}").repairs().is_empty());
    assert_eq!(rejection(&call(&session, "contaner.exec", "{}"))["did_you_mean"], json!(["read_file"]));
}

#[test]
fn an_alias_is_never_shown() {
    let session = built(Toolbox::builder().tool(ReadFileTool).container(group("Files", &["list"])));
    let mut told: Vec<String> = [Dialect::OPENAI, Dialect::ANTHROPIC, Dialect::GEMINI, Dialect::MCP]
        .map(|format| session.definitions_in(format).to_string())
        .into();
    told.extend(["catt", "nobody", "Files", "list"].map(|name| call(&session, name, "{}").to_text().into_owned()));
    for text in told {
        assert!(!text.contains("open file") && !text.contains("\"cat\"") && !text.contains("exec"), "{text}");
    }
}

#[test]
fn every_alias_that_is_also_another_name_is_an_error() {
    let builder = Toolbox::builder()
        .tool(also("a", &["b", "Files", "x", "hidden"]))
        .tool(also("b", &["x", "b", ""]))
        .tool(also("c", &["x", "a"]))
        .container(group("Files", &["hidden"]))
        .container(group("Other", &["hidden"]))
        .expansion(ExpansionSettings::new().fixed_definitions())
        .tool(also("d", &["call_tool"]));
    let taken = |tool: &str, alias: &str, other: &str| {
        format!("`{tool}` has the alias `{alias}`, which is also a name of `{other}`: remove one of the two")
    };
    assert_eq!(
        errors(builder),
        [
            taken("a", "b", "b"),
            taken("a", "Files", "Files"),
            taken("a", "hidden", "hidden"),
            taken("b", "x", "a"),
            "`b` has an empty alias: write a name that a model may call".to_owned(),
            taken("c", "x", "a"),
            taken("c", "a", "a"),
            taken("d", "call_tool", "call_tool"),
        ]
    );
}

#[test]
fn members_can_have_aliases() {
    let files = |name: &'static str| {
        Container::new(name, "A group.").tool(also("read", &["cat"])).tool(named(if name == "A" {
            "one"
        } else {
            "two"
        }))
    };
    let one = || Toolbox::builder().container(files("A"));
    let strict = built(one());
    assert_eq!(rejection(&call(&strict, "cat", "{}"))["error_type"], "container_not_expanded");
    let running =
        || built(one().expansion(ExpansionSettings::new().unexpanded_call_policy(UnexpandedCallPolicy::ExpandAndRun)));
    for (name, arguments) in [("cat", "{}"), ("A.cat", "{}"), ("cat@A", "{}"), ("A", r#"{"function": "cat"}"#)] {
        assert_eq!(call(&running(), name, arguments).tool_name(), "read", "{name} {arguments}");
    }
    // If two containers have the name, they share the alias too, and it is just as ambiguous.
    let two = built(
        one()
            .container(files("B"))
            .expansion(ExpansionSettings::new().unexpanded_call_policy(UnexpandedCallPolicy::ExpandAndRun)),
    );
    assert_eq!(rejection(&call(&two, "cat", "{}"))["candidates"], json!(["A__read", "B__read"]));
    assert_eq!(call(&two, "B.cat", "{}").tool_name(), "B__read");
    assert_eq!(visible(&two), ["A", "B", "B__read", "two"]);
}

#[test]
fn the_macro_and_the_builder_give_the_same_aliases() {
    let tool = DynamicTool::builder("read_file", "Reads a file.", "{}").alias("cat").alias("open file");
    let tool = tool.alias("container.exec").sync_handler(|_, _| Ok::<_, String>("read")).expect("the schema is valid");
    let aliases = Tool::spec(&tool).aliases.to_vec();
    assert_eq!(aliases, ReadFileTool::SPEC.aliases.to_vec());
    assert_eq!(call(&built(Toolbox::builder().tool(tool)), "cat", "{}").tool_name(), "read_file");
}

#[test]
fn a_name_that_providers_reject_is_replaced_by_a_portable_one() {
    let long = "x".repeat(80);
    let names = ["svc.tool", "svc tool", &long, "wetter_für", "2nd"];
    let session = built(names.iter().fold(Toolbox::builder(), |builder, name| builder.tool(dynamic(name))));
    for (name, advertised) in names.iter().zip(visible(&session)) {
        assert_eq!(advertised, portable_name(name));
        assert_eq!(call(&session, &advertised, "{}").to_text(), *name);
        let outcome = call(&session, name, "{}");
        assert_eq!((outcome.to_text(), outcome.tool_name()), ((*name).into(), &*advertised));
        assert_eq!(outcome.repairs()[0].rule, RepairRule::ToolAlias);
    }
    // Another spelling of two original names is ambiguous.
    let rejected = rejection(&call(&session, "svc/tool", "{}"));
    assert_eq!(rejected["candidates"], json!([portable_name("svc.tool"), portable_name("svc tool")]));
}

#[test]
fn members_get_portable_names_too() {
    let group =
        |name: &'static str| Container::new(name, "A server.").tool(dynamic("svc.tool")).tool(dynamic(&"x".repeat(70)));
    let builder = Toolbox::builder().container(group("A")).container(group("a_server_with_a_name_of_forty_characters"));
    let session =
        built(builder.expansion(ExpansionSettings::new().unexpanded_call_policy(UnexpandedCallPolicy::ExpandAndRun)));
    assert_eq!(call(&session, "A.svc.tool", "{}").to_text(), "svc.tool");
    assert_eq!(
        call(&session, "a_server_with_a_name_of_forty_characters", "").value().map(|value| value["functions"].clone()),
        Some(json!([
            "a_server_with_a_name_of_forty_characters__svc_tool_eec1fb55",
            portable_name(&format!("a_server_with_a_name_of_forty_characters__{}", portable_name(&"x".repeat(70))))
        ]),)
    );
    for name in visible(&session) {
        assert!(name.len() <= 64, "{name}");
    }
}

#[test]
fn colliding_portable_names_are_an_error() {
    // Two names with the same hash, and a tool whose own name equals a portable name.
    let (one, other) = ("ab+%(%", "ab)/&!");
    assert_eq!(portable_name(one), portable_name(other));
    let taken = sync("ab_____5b417e33", |_| Ok(Payload::Done));
    let meet = |first: &str, second: &str| {
        vec![format!(
            "the tools `{first}` and `{second}` would both be called `ab_____5b417e33`: give one of them another name"
        )]
    };
    assert_eq!(errors(Toolbox::builder().tool(dynamic(one)).tool(dynamic(other))), meet(one, other));
    assert_eq!(errors(Toolbox::builder().tool(taken).tool(dynamic(other))), meet("ab_____5b417e33", other));
    let group = Container::new("Server", "A server.").tool(dynamic(one)).tool(dynamic(other));
    assert_eq!(errors(Toolbox::builder().container(group)), meet(one, other));
    let apart = Toolbox::builder().container(Container::new("A", "One.").tool(dynamic(one)));
    let apart = apart.container(Container::new("B", "Other.").tool(dynamic(other)));
    assert_eq!(
        call(&built(apart), "A", "").value().map(|value| value["functions"].clone()),
        Some(json!(["A__ab_____5b417e33"]))
    );
    let twice = Toolbox::builder().tool(dynamic(one)).tool(dynamic(one)).build().err();
    assert_eq!(
        twice.map(|error| error.errors().to_vec()),
        Some(vec![RegistrationError::DuplicateTool { name: one.to_owned() }])
    );
    assert_eq!(errors(Toolbox::builder().tool(dynamic(""))).len(), 1, "an empty name is rejected");
}

proptest! {
    /// Each name of a server resolves to its own tool, or the toolbox reports the two conflicting names.
    #[test]
    fn portable_names_are_unique_or_an_error(
        names in prop::collection::vec("[ab]{1,2}[. /_]?[ab]?|[ab]{62,66}|.{1,10}", 1..8),
        mapped in prop::option::of(any::<Index>()),
    ) {
        let mut names = names;
        if let Some(mapped) = mapped {
            names.push(portable_name(&names[mapped.index(names.len())]).into_owned());
        }
        names.sort_unstable();
        names.dedup();
        let builder = names.iter().fold(Toolbox::builder().no_throttle(), |builder, name| builder.tool(from_elsewhere(name)));
        let mut portable: Vec<_> = names.iter().map(|name| portable_name(name)).collect();
        portable.sort_unstable();
        portable.dedup();
        match builder.build() {
            Ok(toolbox) => {
                prop_assert_eq!(portable.len(), names.len());
                let session = toolbox.session();
                for name in &names {
                    let outcome = call(&session, name, "{}");
                    prop_assert_eq!(outcome.to_text(), name.as_str());
                    prop_assert_eq!(outcome.tool_name(), &*portable_name(name));
                }
            }
            Err(error) => {
                prop_assert!(portable.len() < names.len());
                let is_named = |problem: &RegistrationError| match problem {
                    RegistrationError::PortableNameConflict { first, second, .. } => names.contains(first) && names.contains(second),
                    _ => false,
                };
                prop_assert!(!error.errors().is_empty());
                prop_assert!(error.errors().iter().all(is_named), "{error}");
            }
        }
    }

    /// An alias resolves to its own tool or is rejected when the toolbox is built.
    #[test]
    fn aliases_are_unambiguous(
        names in prop::collection::btree_set("[a-c]{1,2}", 1..4),
        aliases in prop::collection::vec("[a-c.]{1,3}", 0..4),
    ) {
        let leak = |name: String| -> &'static str { name.leak() };
        let names: Vec<_> = names.into_iter().map(leak).collect();
        let aliases: Vec<_> = aliases.into_iter().map(leak).collect();
        let tools = names.iter().enumerate().map(|(index, name)| {
            // Distributes the aliases, so that any two tools may share one.
            let own: Vec<_> = aliases.iter().skip(index).step_by(names.len()).copied().collect();
            (*name, own)
        });
        let tools: Vec<_> = tools.collect();
        let clash = tools.iter().any(|(name, own)| {
            let others = || tools.iter().filter(move |(other, _)| other != name);
            own.iter().any(|alias| others().any(|(other, further)| other == alias || further.contains(alias)))
        });
        let builder = tools.iter().fold(Toolbox::builder().no_throttle(), |builder, (name, own)| builder.tool(also(name, own)));
        let toolbox = builder.build();
        prop_assert_eq!(toolbox.is_err(), clash);
        let Ok(toolbox) = toolbox else { return Ok(()) };
        let session = toolbox.session();
        for (name, own) in &tools {
            for called in own.iter().chain([name]) {
                let outcome = call(&session, called, "{}");
                prop_assert_eq!(outcome.tool_name(), *name);
            }
        }
    }
}

#[test]
fn a_shared_handle_keeps_its_aliases() {
    let skill = Container::skill("Study", "How to read.", "Slowly.").tool(ReadFileTool);
    let builder = Toolbox::builder().tool(ReadFileTool).container(skill.into_container());
    // Both registrations of a type without fields are one tool.
    match builder.build() {
        Ok(toolbox) => assert_eq!(call(&toolbox.session(), "cat", "{}").tool_name(), "read_file"),
        Err(error) => panic!("{error}"),
    }
}
