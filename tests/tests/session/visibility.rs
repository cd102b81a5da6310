//! Visibility: nested containers, tools in several containers, scopes, release, and the API for hosts.

use std::sync::Arc;

use tool_runtime::container::{ContainerSource, ExpansionScope, ExpansionSettings};
use tool_runtime::session::AdvertisedItem;
use tool_runtime::tool::Tool;
use tool_runtime::toolbox::{RegistrationError, ToolboxBuilder};
use tool_runtime::{Container, Session, Toolbox, tool};

use super::tools::{Log, call, group, named, rejection, visible};

fn session(builder: ToolboxBuilder) -> Session {
    builder.build().expect("the registration is valid").session()
}

fn expand(session: &Session, containers: &[&str]) {
    for container in containers {
        assert!(call(session, container, "").is_ok(), "{container}");
    }
}

/// Returns `Files` with `read`, containing `Writing` with `write`.
fn files() -> Container {
    Container::new("Files", "All about files.").tool(named("read")).container(group("Writing", &["write"]))
}

#[test]
fn a_container_in_a_container_is_shown_by_it_and_collapsed() {
    let session = session(Toolbox::builder().container(files()).tool(named("last")));
    assert_eq!(visible(&session), ["Files", "last"]);
    let outcome = call(&session, "Files", "");
    assert_eq!(outcome.value().map(|value| value["functions"].clone()), Some(serde_json::json!(["read", "Writing"])));
    assert_eq!(visible(&session), ["Files", "last", "read", "Writing"]);
    expand(&session, &["Writing"]);
    assert_eq!(visible(&session), ["Files", "last", "read", "Writing", "write"]);
    assert_eq!(call(&session, "write", "{}").to_text(), "write");
}

#[test]
fn a_nested_container_can_be_called_before_the_outer_one() {
    let session = session(Toolbox::builder().container(files()));
    expand(&session, &["Writing"]);
    assert_eq!(visible(&session), ["Files", "write"]);
}

#[test]
fn names_are_checked_across_all_levels() {
    let builder = Toolbox::builder().tool(named("write")).container(files()).container(group("Files", &[]));
    let error = builder.build().expect_err("two names are taken");
    let taken = RegistrationError::MemberNameTaken {
        container: "Writing".into(),
        member: "write".into(),
        name: "write".into(),
    };
    assert_eq!(error.errors(), [RegistrationError::DuplicateContainer { name: "Files".into() }, taken]);
}

#[test]
fn a_tool_name_on_two_levels_is_qualified_with_the_container_of_each_tool() {
    let outer = Container::new("Outer", "Outside.").tool(named("put")).container(group("Inner", &["put"]));
    let session = session(Toolbox::builder().container(outer));
    expand(&session, &["Outer", "Inner"]);
    assert_eq!(visible(&session), ["Outer", "Outer__put", "Inner", "Inner__put"]);
}

/// Returns two containers with one tool in common.
fn shared() -> (Container, Container) {
    let search: Arc<dyn Tool> = Arc::new(named("search"));
    let of = |name: &'static str| {
        Container::new(name, "A group.").tool(Arc::clone(&search)).tool(named(if name == "Web" {
            "open"
        } else {
            "cite"
        }))
    };
    (of("Web"), of("Library"))
}

#[test]
fn a_tool_in_two_containers_is_advertised_once_under_its_own_name() {
    let (web, library) = shared();
    let session = session(Toolbox::builder().container(web).container(library));
    expand(&session, &["Web"]);
    assert_eq!(visible(&session), ["Web", "Library", "search", "open"]);
    expand(&session, &["Library"]);
    assert_eq!(visible(&session), ["Web", "Library", "search", "open", "cite"]);
    let tools = session.tools();
    assert!(matches!(&tools[2], AdvertisedItem::Tool { containers, .. } if *containers == ["Web", "Library"]));
}

#[test]
fn a_tool_is_visible_while_any_expanded_container_refers_to_it() {
    let (web, library) = shared();
    let session = session(Toolbox::builder().container(web).container(library));
    expand(&session, &["Web", "Library"]);
    assert!(session.collapse_container("Web"));
    assert_eq!(visible(&session), ["Web", "Library", "search", "cite"]);
    assert!(session.collapse_container("Library"));
    assert_eq!(visible(&session), ["Web", "Library"]);
    assert_eq!(rejection(&call(&session, "search", "{}"))["error_type"], "container_not_expanded");
}

#[test]
fn an_explicit_registration_stays_visible() {
    let search: Arc<dyn Tool> = Arc::new(named("search"));
    let web = Container::new("Web", "The web.").tool(Arc::clone(&search)).tool(named("open"));
    let session = session(Toolbox::builder().container(web).tool(search));
    assert_eq!(visible(&session), ["Web", "search"]);
    expand(&session, &["Web"]);
    assert_eq!(visible(&session), ["Web", "search", "open"]);
    session.collapse_container("Web");
    assert_eq!(visible(&session), ["Web", "search"]);
    assert_eq!(call(&session, "search", "{}").to_text(), "search");
}

/// Searches the web.
#[tool]
fn look_up() {}

#[test]
fn a_type_without_fields_is_the_same_tool_everywhere() {
    let of = |name: &'static str| Container::new(name, "A group.").tool(LookUpTool);
    let builder = Toolbox::builder().container(of("A")).container(of("B")).tool(LookUpTool);
    assert_eq!(visible(&session(builder)), ["A", "B", "look_up"]);
}

#[test]
fn different_tools_with_one_name_stay_separate() {
    let session = session(Toolbox::builder().container(group("A", &["add"])).container(group("B", &["add"])));
    expand(&session, &["A", "B"]);
    assert_eq!(visible(&session), ["A", "B", "A__add", "B__add"]);
}

#[test]
fn a_skill_shows_tools_of_other_containers_and_adds_instructions() {
    let skill = Container::skill("Research", "How to research.", "Name your sources.")
        .add_by_name("search")
        .add_by_name("Web.open");
    let session = session(Toolbox::builder().container(skill).container(group("Web", &["search", "open", "close"])));
    let text = call(&session, "Research", "").to_text().into_owned();
    assert!(text.contains(r#""functions":["search","open"]"#) && text.contains("Name your sources."), "{text}");
    assert_eq!(visible(&session), ["Research", "Web", "search", "open"]);
    assert_eq!(call(&session, "open", "{}").to_text(), "open");
}

#[test]
fn a_skill_may_refer_to_a_container() {
    let skill = Container::skill("Research", "How to research.", "Name your sources.").add_by_name("Writing");
    let session = session(Toolbox::builder().container(files()).container(skill));
    expand(&session, &["Research"]);
    assert_eq!(visible(&session), ["Files", "Research", "Writing"]);
}

#[test]
fn an_unknown_or_ambiguous_reference_is_a_problem() {
    let skill = Container::skill("S", "A skill.", "Do it.")
        .add_by_name("nobody")
        .add_by_name("add")
        .add_by_name("A.sub")
        .add_by_name("B.add");
    let builder = Toolbox::builder().container(group("A", &["add"])).container(group("B", &["add"])).container(skill);
    let error = builder.build().expect_err("three references are wrong");
    let unknown = |name: &str| RegistrationError::UnknownReference { container: "S".into(), name: name.into() };
    let several = vec!["A__add".to_owned(), "B__add".to_owned()];
    let ambiguous =
        RegistrationError::AmbiguousReference { container: "S".into(), name: "add".into(), candidates: several };
    assert_eq!(error.errors(), [unknown("nobody"), ambiguous, unknown("A.sub")]);
}

#[test]
fn containers_can_refer_to_each_other() {
    let skill =
        |name: &'static str, other: &'static str| Container::skill(name, "A skill.", "Do it.").add_by_name(other);
    let open = |name, other| skill(name, other).tool(named(if name == "A" { "a" } else { "b" })).always_expanded();
    assert_eq!(visible(&session(Toolbox::builder().container(open("A", "B")).container(open("B", "A")))), ["b", "a"]);
    let session = session(Toolbox::builder().container(skill("A", "B")).container(skill("B", "A")));
    expand(&session, &["A", "B"]);
    assert!(session.collapse_container("A"));
    assert!(session.is_expanded("B"));
}

#[test]
fn members_of_a_container_that_never_collapses_appear_in_its_place() {
    let open = group("Math", &["add", "abs"]).always_expanded();
    let session = session(Toolbox::builder().tool(named("first")).container(open).container(files()));
    assert_eq!(visible(&session), ["first", "add", "abs", "Files"]);
    assert_eq!(call(&session, "abs", "{}").to_text(), "abs");
    assert!(session.is_expanded("Math") && !session.collapse_container("Math"));
    assert!(call(&session, "Math", "").is_ok());
    assert_eq!((visible(&session).len(), session.revision()), (4, 0));
}

#[test]
fn the_tools_of_a_container_can_be_registered_without_it() {
    let session = session(Toolbox::builder().tool(named("first")).tools(group("Math", &["add", "abs"])).tools(files()));
    assert_eq!(visible(&session), ["first", "add", "abs", "read", "Writing"]);
    assert_eq!(call(&session, "abs", "{}").to_text(), "abs");
    let toolbox = Toolbox::builder().tools(files()).build().expect("the registration is valid");
    assert_eq!(toolbox.tools().map(|(name, _)| name).collect::<Vec<_>>(), ["read", "write"]);
    assert!(toolbox.tool("write").is_some() && toolbox.tool("Files").is_none() && toolbox.tool("Write").is_none());
}

#[test]
fn a_nested_container_that_never_collapses_is_shown_with_the_outer_one() {
    let outer =
        Container::new("Outer", "Outside.").container(group("Inner", &["a", "b"]).always_expanded()).tool(named("c"));
    let session = session(Toolbox::builder().container(outer));
    assert_eq!(visible(&session), ["Outer"]);
    assert_eq!(session.tools()[0].members(), ["a", "b", "c"]);
    expand(&session, &["Outer"]);
    assert_eq!(visible(&session), ["Outer", "a", "b", "c"]);
}

#[test]
fn containers_collapse_only_above_a_number_of_tools() {
    let builder = |most| {
        Toolbox::builder()
            .container(files())
            .tool(named("last"))
            .expansion(ExpansionSettings::new().collapse_above(most))
    };
    assert_eq!(visible(&session(builder(3))), ["read", "write", "last"]);
    assert_eq!(visible(&session(builder(2))), ["Files", "last"]);
}

#[test]
fn an_expansion_ends_with_its_turn() {
    let scope = ExpansionScope::Turn;
    let session = session(Toolbox::builder().container(files()).expansion(ExpansionSettings::new().scope(scope)));
    session.begin_turn();
    expand(&session, &["Files", "Writing"]);
    let before = session.revision();
    session.end_turn();
    assert_eq!(visible(&session), ["Files"]);
    assert_ne!(session.revision(), before);
    let after = session.revision();
    session.end_turn();
    assert_eq!(session.revision(), after, "no container was left to collapse");
    expand(&session, &["Files"]);
    session.begin_turn();
    assert_eq!(visible(&session), ["Files"], "a turn that was not ended ends with the next one");
}

#[test]
fn an_expansion_for_the_session_outlives_its_turn() {
    let session = session(Toolbox::builder().container(files()));
    session.begin_turn();
    expand(&session, &["Files"]);
    session.end_turn();
    assert_eq!(visible(&session), ["Files", "read", "Writing"]);
}

#[test]
fn the_least_recently_used_container_collapses_first() {
    let groups = [("A", ["a"]), ("B", ["b"]), ("C", ["c"])].map(|(name, members)| group(name, &members));
    let builder = groups.into_iter().fold(Toolbox::builder(), ToolboxBuilder::container);
    let session = session(builder.expansion(ExpansionSettings::new().scope(ExpansionScope::AtMost(2))));
    expand(&session, &["A", "B"]);
    assert!(call(&session, "a", "{}").is_ok());
    expand(&session, &["C"]);
    assert_eq!(visible(&session), ["A", "B", "C", "a", "c"]);
    // A repeated expansion counts as a use.
    expand(&session, &["A", "B"]);
    assert_eq!(visible(&session), ["A", "B", "C", "a", "b"]);
}

#[test]
fn a_container_and_its_nested_container_count_as_two_expansions() {
    let session = session(
        Toolbox::builder().container(files()).expansion(ExpansionSettings::new().scope(ExpansionScope::AtMost(1))),
    );
    expand(&session, &["Files", "Writing"]);
    assert_eq!(visible(&session), ["Files", "write"]);
}

#[test]
fn release_collapses_nested_containers_too() {
    let skill = Container::skill("Author", "How to write.", "Be brief.").add_by_name("Writing");
    let session = session(Toolbox::builder().container(files()).container(skill));
    expand(&session, &["Files", "Writing"]);
    session.collapse_container("Files");
    assert_eq!(visible(&session), ["Files", "Author"]);
    expand(&session, &["Files", "Author", "Writing"]);
    session.collapse_container("Files");
    assert_eq!(visible(&session), ["Files", "Author", "Writing", "write"], "another container shows it too");
    assert!(!session.collapse_container("nobody") && !session.collapse_container("write"));
}

#[test]
fn every_collapse_is_observed() {
    let log = Arc::new(Log::default());
    let groups = Toolbox::builder().container(group("A", &["a"])).container(group("B", &["b"]));
    let session =
        session(groups.expansion(ExpansionSettings::new().scope(ExpansionScope::AtMost(1))).observer(Arc::clone(&log)));
    expand(&session, &["A", "B"]);
    session.collapse_container("B");
    let collapsed: Vec<_> = log.take().into_iter().filter(|line| line.contains("collapsed")).collect();
    assert_eq!(collapsed, ["call_1: collapsed A", ": collapsed B"]);
}

#[test]
fn a_host_can_read_the_settings_of_a_container() {
    let server = group("Github", &["open_issue", "close_issue"]).source_label(ContainerSource::Mcp);
    let session = session(Toolbox::builder().container(files()).container(server).tool(named("last")));
    let containers = session.containers();
    let about: Vec<_> = containers
        .iter()
        .map(|one| {
            let functions: Vec<&str> = one.members().iter().map(|name| &**name).collect();
            (one.is_container(), one.name(), functions, one.members().len(), one.container_source())
        })
        .collect();
    let expected = [
        (true, "Files", vec!["read", "Writing"], 2, Some(ContainerSource::Plugin)),
        (true, "Github", vec!["open_issue", "close_issue"], 2, Some(ContainerSource::Mcp)),
        (true, "Writing", vec!["write"], 1, Some(ContainerSource::Plugin)),
    ];
    assert_eq!(about, expected);
    let last = &session.tools()[2];
    assert_eq!((last.is_container(), last.members().len(), last.container_source()), (false, 0, None));
}

#[test]
fn every_container_shows_the_source_of_its_members() {
    let kinds = [
        ContainerSource::Plugin,
        ContainerSource::Mcp,
        ContainerSource::Client,
        ContainerSource::OpenApi,
        ContainerSource::Skill,
    ];
    let of = |(name, source)| group(name, &[]).source_label(source);
    let groups = ["A", "B", "C", "D", "E"].into_iter().zip(kinds).map(of);
    let skill = Container::skill("Research", "How to research.", "Name your sources.");
    let session = session(groups.fold(Toolbox::builder(), ToolboxBuilder::container).container(skill));
    let told: Vec<_> = session.containers().iter().filter_map(AdvertisedItem::container_source).collect();
    assert_eq!(told, [kinds.as_slice(), &[ContainerSource::Skill]].concat());
}
