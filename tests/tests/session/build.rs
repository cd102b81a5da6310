//! Registrations that `build()` rejects, and the messages of the problems.

use tests::private::description_with_members;
use tool_dynamic::DynamicTool;
use tool_runtime::tool::{RequiredState, portable_name};
use tool_runtime::toolbox::{RegistrationError, ToolboxBuilder};
use tool_runtime::{Container, ToolError, Toolbox};

use super::tools::{call, group, named, visible};

fn check<S>(builder: ToolboxBuilder<S>, expect: &[RegistrationError]) {
    let error = builder.build().expect_err("the registration is wrong");
    assert_eq!(error.errors(), expect);
}

fn name(name: &str) -> String {
    name.to_owned()
}

#[test]
fn two_tools_with_one_name_are_rejected() {
    check(
        Toolbox::builder().tool(named("a")).tool(named("a")),
        &[RegistrationError::DuplicateTool { name: name("a") }],
    );
}

#[test]
fn two_containers_with_one_name_are_one_problem() {
    let twice = Toolbox::builder().container(group("Math", &["add"])).container(group("Math", &["add"]));
    check(twice, &[RegistrationError::DuplicateContainer { name: name("Math") }]);
}

#[test]
fn a_container_with_the_name_of_a_tool_is_rejected() {
    let problem = [RegistrationError::ContainerIsTool { name: name("Math") }];
    check(Toolbox::builder().tool(named("Math")).container(group("Math", &["add"])), &problem);
    check(Toolbox::builder().container(group("Math", &["add"])).tool(named("Math")), &problem);
}

#[test]
fn a_member_with_the_name_of_a_tool_is_rejected_in_either_order() {
    let problem =
        [RegistrationError::MemberNameTaken { container: name("Math"), member: name("add"), name: name("add") }];
    check(Toolbox::builder().tool(named("add")).container(group("Math", &["add"])), &problem);
    check(Toolbox::builder().container(group("Math", &["add"])).tool(named("add")), &problem);
}

#[test]
fn a_member_of_two_containers_with_the_name_of_a_tool_is_rejected() {
    let builder = Toolbox::builder().tool(named("add")).container(group("A", &["add"])).container(group("B", &["add"]));
    let taken = |container| RegistrationError::MemberNameTaken {
        container: name(container),
        member: name("add"),
        name: name("add"),
    };
    check(builder, &[taken("A"), taken("B")]);
}

#[test]
fn a_member_with_the_name_of_a_container_is_rejected() {
    let builder = Toolbox::builder().container(group("Math", &["Text"])).container(group("Text", &[]));
    check(
        builder,
        &[RegistrationError::MemberNameTaken { container: name("Math"), member: name("Text"), name: name("Text") }],
    );
}

#[test]
fn a_qualified_name_that_is_also_the_name_of_a_tool_is_rejected() {
    let builder =
        Toolbox::builder().tool(named("A__add")).container(group("A", &["add"])).container(group("B", &["add"]));
    check(
        builder,
        &[RegistrationError::MemberNameTaken { container: name("A"), member: name("add"), name: name("A__add") }],
    );
}

#[test]
fn two_members_with_one_name_are_rejected() {
    let builder = Toolbox::builder().container(group("Math", &["add", "add"]));
    check(builder, &[RegistrationError::DuplicateMember { container: name("Math"), name: name("add") }]);
}

#[test]
fn names_that_clients_do_not_accept_are_rejected() {
    const LONG: &str = "a2345678901234567890123456789012345678901234567890123456789012345";
    for wrong in ["", "1st", "-a", "get weather", "wetter_für", LONG] {
        check(Toolbox::builder().tool(named(wrong)), &[RegistrationError::InvalidName { name: name(wrong) }]);
    }
    for right in ["a", "_", "A-b_9", &LONG[1..].replacen('2', "a", 1)] {
        let right: &'static str = right.to_owned().leak();
        assert!(Toolbox::builder().tool(named(right)).build().is_ok(), "{right}");
    }
}

#[test]
fn descriptions_of_every_kind_have_a_maximum_length() {
    let text = |length| "ä".repeat(length);
    let tool = |length| {
        let mut tool = named("tool");
        tool.spec.description = text(length).into();
        tool
    };
    let long = |name: &str| [RegistrationError::LongDescription { name: name.to_owned(), length: 1_025 }];
    let schema = r#"{"type": "object"}"#;
    let dynamic = |length| {
        let tool =
            DynamicTool::builder("dynamic", text(length), schema).sync_handler(|_, _| Ok::<_, ToolError>("done"));
        tool.expect("the schema is valid")
    };
    let external =
        |length| DynamicTool::builder("external", text(length), schema).external().expect("the schema is valid");
    check(Toolbox::builder().tool(tool(1_025)), &long("tool"));
    check(Toolbox::builder().container(Container::new("Group", "A group.").tool(tool(1_025))), &long("tool"));
    check(Toolbox::builder().container(Container::new("Group", text(1_025)).tool(tool(1))), &long("Group"));
    let nested = Container::new("Inner", text(1_025));
    check(Toolbox::builder().container(Container::new("Group", "A group.").container(nested)), &long("Inner"));
    check(Toolbox::builder().tool(dynamic(1_025)), &long("dynamic"));
    check(Toolbox::builder().tool(external(1_025)), &long("external"));
    let fitting = Toolbox::builder()
        .tool(tool(1_024))
        .tool(dynamic(1_024))
        .tool(external(1_024))
        .container(Container::new("Group", text(1_024)).tool(named("member")));
    let session = fitting.build().expect("1,024 characters are allowed").session();
    let definitions = session.definitions().to_value();
    for definition in definitions.as_array().expect("definitions are a list") {
        let length = definition["function"]["description"].as_str().map(|text| text.chars().count());
        assert!(length.is_some_and(|length| length <= 1_024), "{definition}");
    }
}

#[test]
fn a_generated_description_is_bounded() {
    let names: Vec<String> = (0..30).map(|index| format!("{index}{}", "n".repeat(200))).collect();
    for length in [0, 1, 100, 500, 900, 950, 1_000, 1_023, 1_024, 5_000] {
        let own = "ä".repeat(length);
        for names in [&names[..], &names[..1], &[]] {
            let text = description_with_members(&own, names.iter().map(String::as_str));
            assert!(text.chars().count() <= 1_024, "{length}: {text}");
            let count = match names.len() {
                0 => "Contains no functions".to_owned(),
                1 => "Contains 1 function: 0nnn".to_owned(),
                all => format!("Contains {all} functions: 0nnn"),
            };
            assert!(text.contains(&count), "{text}");
            let kept = text.chars().take_while(|character| *character == 'ä').count();
            assert!(kept == length || text.contains("ä… Contains"), "{text}");
        }
    }
}

#[test]
fn a_qualified_name_that_is_too_long_is_shortened() {
    const LONG: &str = "a_member_of_forty_characters_1234567890_";
    let first = group("a_container_of_thirty_letters_", &[LONG]);
    let toolbox = Toolbox::builder().container(first).container(group("B", &[LONG])).build();
    let session = toolbox.expect("the name is shortened").session();
    let _ = call(&session, "a_container_of_thirty_letters_", "");
    let advertised = portable_name(&format!("a_container_of_thirty_letters___{LONG}")).into_owned();
    assert_eq!(visible(&session).pop(), Some(advertised.clone()));
    assert_eq!(call(&session, &advertised, "{}").to_text(), LONG);
}

#[test]
fn missing_shared_state_is_rejected() {
    let mut tool = named("query");
    tool.spec.state = vec![RequiredState::of::<u8>(), RequiredState::of::<u16>(), RequiredState::of::<u32>()].into();
    let builder = Toolbox::builder().tool(tool).state(1_u8).require_session_state::<u16>();
    check(builder, &[RegistrationError::MissingState { tool: name("query"), state: "u32" }]);
}

#[test]
fn two_states_of_one_type_are_rejected() {
    check(Toolbox::builder().state(1_u8).state(2_u8), &[RegistrationError::DuplicateState { state: "u8" }]);
}

#[test]
fn a_default_that_does_not_decode_is_rejected() {
    let mut tool = named("order");
    tool.spec.verify = Some(|| Err("default of `unit` is none of its values".to_owned()));
    let problem = "default of `unit` is none of its values".to_owned();
    check(Toolbox::builder().tool(tool), &[RegistrationError::Literal { tool: name("order"), reason: problem }]);
}

#[test]
fn a_blocking_tool_without_a_spawner_is_rejected() {
    let mut tool = named("sleep");
    tool.spec.settings.blocking = true;
    check(Toolbox::builder().tool(tool), &[RegistrationError::NoSpawner { tool: name("sleep") }]);
}

#[test]
fn every_problem_is_reported() {
    let mut needy = named("needy");
    needy.spec.state = vec![RequiredState::of::<u32>()].into();
    let builder = Toolbox::builder().tool(named("a b")).tool(named("c")).tool(named("c")).tool(needy);
    let error = builder.build().expect_err("three things are wrong");
    assert_eq!(
        error.to_string(),
        "the toolbox cannot be built:\n\
         - `a b` is not a valid name for a tool: a name has 1 to 64 letters, digits, `_` and `-`, and does not begin with a digit or `-`\n\
         - two tools are called `c`: give one of them another `name`\n\
         - `needy` needs a `u32`: add `.state(…)`, or `.require_session_state::<…>()` if each session has its own"
    );
}

#[test]
fn a_thousand_tools_keep_their_order() {
    let names: Vec<&'static str> = (0..1_000).map(|index| &*format!("tool_{index}").leak()).collect();
    let builder = names.iter().fold(Toolbox::builder(), |builder, name| builder.tool(named(name)));
    assert_eq!(visible(&builder.build().expect("all names differ").session()), names);
}

#[test]
fn errors_of_every_kind_are_reported_together() {
    let builder = Toolbox::builder()
        .tool(named("add"))
        .tool(named("1st"))
        .tool(named("Files"))
        .container(group("Math", &["add", "mul", "mul"]))
        .container(group("Files", &["read"]))
        .container(group("Math", &["sub"]))
        .state(1_u8)
        .state(2_u8);
    let error = builder.build().expect_err("six things are wrong");
    let mut told: Vec<String> = error.errors().iter().map(ToString::to_string).collect();
    told.sort();
    let begins = [
        "`.state(…)` was called with two values of the type `u8`",
        "`1st` is not a valid name",
        "a container and a tool are both called `Files`",
        "container `Math` has two members called `mul`",
        "member `add` of container `Math` would be called `add`",
        "two containers are called `Math`",
    ];
    assert_eq!(told.len(), begins.len(), "{told:#?}");
    for (told, begin) in told.iter().zip(begins) {
        assert!(told.starts_with(begin), "{told} is not {begin}");
    }
}
