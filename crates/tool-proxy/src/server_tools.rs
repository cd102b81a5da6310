//! The tools of a server as a toolbox whose calls are checked and repaired, but not run: [`ServerTools`].
//!
//! In: the definitions of a server. Out: for each name, the tool that checks its calls. Invariants: a definition that cannot be used does not
//! affect the others, and its calls are not checked; a tool whose definition has not changed is not compiled again.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde_json::Value;
use tool_dynamic::{DynamicTool, UnknownFields};
use tool_runtime::tool::{Annotations, portable_name};
use tool_runtime::toolbox::{Guard as Response, ToolboxBuilder};
use tool_runtime::{BuildError, Container, Toolbox};

use crate::access::annotations_of;
use crate::list_cache::Listed;
#[cfg(feature = "http")]
use crate::mcp_headers::{ArgumentHeader, argument_headers};
use crate::members::{member, parsed};
use crate::own_messages::json_string;
use crate::pins::signs;
use crate::private::tool_names::is_spelling_of_tool;
use crate::private::{bounded, internal};
use crate::redact::with_redacted;
use crate::request_table::Table;
use crate::settings::{Grouping, Settings};
use crate::tolerant_tool::{Tolerant, is_closed};
use tool_mcp::__private_0_1_0::truncate_description;

/// A tool that a server lists.
struct ServerTool {
    definition: Box<str>,
    name: Box<str>,
    /// The name in the toolbox.
    portable: Box<str>,
    annotations: Annotations,
    /// `true` if the client may not call the tool.
    is_hidden: bool,
    /// `true` if the client may not call the tool until its definition is approved.
    is_withheld: bool,
    /// `true` if the user has to approve each call.
    needs_approval: bool,
    /// `true` if another tool in the list has the same name, here or in the toolbox.
    is_repeated: bool,
    /// The arguments that headers of a request over HTTP repeat.
    #[cfg(feature = "http")]
    headers: Vec<ArgumentHeader>,
    /// The schema of the arguments, if it declares a redacted name.
    redacted: Option<Value>,
    /// `None` if the definition cannot be used.
    tool: Option<Arc<Tolerant>>,
}

impl ServerTool {
    /// Returns the tool that checks the calls; `None` if they are not checked.
    fn checked(&self) -> Option<&Arc<Tolerant>> {
        self.tool.as_ref().filter(|_| !self.is_repeated)
    }

    /// Creates a tool, and reports the issue of a definition that cannot be used. Its name is empty if the definition has none.
    fn new(definition: Box<str>, settings: &Settings, report: &mut impl FnMut(String)) -> Self {
        let name = parsed::<String>(&definition, "name").unwrap_or_default();
        let annotations = annotations_of(&definition);
        for sign in signs(&definition) {
            report(format!("{}: {sign}", bounded::name(&name)));
        }
        let given = |name| member(&definition, name).filter(|value| *value != "null");
        let (input_schema, output_schema) = (given("inputSchema"), given("outputSchema"));
        let schema = input_schema.unwrap_or(r#"{"type":"object"}"#);
        let mut tool = None;
        if name.is_empty() {
            report("the server lists a tool whose definition has no valid name".to_owned());
        } else {
            let description: String = parsed(&definition, "description").unwrap_or_default();
            let with_unknown = |unknown| {
                DynamicTool::builder(name.clone(), truncate_description(&description), schema)
                    .unknown_fields(unknown)
                    // JSON Schema leaves this check to the program, and most servers do not make it.
                    .assert_formats(false)
                    .annotations(annotations)
                    .throttle(settings.tool(Some(&name)).map(|options| options.throttle.clone()).unwrap_or_default())
                    .external()
            };
            let built = with_unknown(UnknownFields::AsInSchema).and_then(|stated| {
                let open = is_closed(&stated).then(|| with_unknown(UnknownFields::Ignore)).transpose()?;
                Ok(Arc::new(Tolerant::new(stated, open, settings.policy)))
            });
            let shown = bounded::name(&name);
            match built {
                Ok(built) => tool = Some(built),
                Err(error) => {
                    report(format!("calls of {shown} are not checked: {}", bounded::sentence(&error.to_string(), 300)));
                }
            }
            for (keyword, schema) in [("inputSchema", input_schema), ("outputSchema", output_schema)] {
                // The only type that all revisions of the protocol allow at the root.
                if schema.is_some_and(|schema| parsed::<Value>(schema, "type").is_none_or(|name| name != "object")) {
                    report(format!(
                        "{keyword} of {shown} has no \"type\": \"object\": some clients drop all tools of the server"
                    ));
                }
            }
        }
        Self {
            portable: portable_name(&name).into(),
            #[cfg(feature = "http")]
            headers: argument_headers(schema),
            redacted: with_redacted(&settings.redacted, schema),
            name: name.into(),
            annotations,
            is_hidden: false,
            is_withheld: false,
            needs_approval: false,
            is_repeated: false,
            tool,
            definition,
        }
    }
}

/// The tools of a server at one time.
#[derive(Default)]
pub(super) struct ServerTools {
    tools: Vec<ServerTool>,
    /// The index of each tool by the server's name.
    names: Table<Box<str>, usize>,
    /// The index of each tool by its name in the toolbox.
    portables: Table<Box<str>, usize>,
    /// `true` if the server has no other tools.
    is_complete: bool,
    /// The containers that have members, each with the indices of these.
    containers: Vec<(Grouping, Vec<usize>)>,
    /// `true` if the list of tools is fixed, so that members are called directly or through `call_tool`.
    is_fixed: bool,
    /// The store of long results, which adds `read_result` to the tools; `None` if they are not kept.
    spill: Option<Response>,
}

/// The tool that a call means.
#[derive(Debug, PartialEq)]
pub(super) enum Called<'o> {
    /// The name of the tool in the toolbox.
    Tool(&'o str),
    /// The client may not call the tool, or the server has no tool with exactly this name.
    Unknown,
    /// The client may not call the tool until its definition is approved.
    Withheld,
    /// A tool of the proxy itself.
    Own,
    /// Nothing is known about the arguments of the tool.
    Unchecked,
}

impl ServerTools {
    /// Creates a tool for each definition, but keeps the tools of definitions that are unchanged since the list
    /// `before`. Issues of definitions go to the log.
    pub(super) fn new(listed: Listed, before: Self, settings: &Settings, spill: Option<Response>) -> Self {
        let mut report = |remark: String| (settings.log)(&remark);
        let mut known: HashMap<Box<str>, ServerTool> =
            before.tools.into_iter().map(|offered| (offered.definition.clone(), offered)).collect();
        let mut server_tools = Self { is_complete: listed.is_complete, is_fixed: before.is_fixed, ..Self::default() };
        for definition in listed.definitions {
            let mut offered =
                known.remove(&definition).unwrap_or_else(|| ServerTool::new(definition, settings, &mut report));
            // A second definition of the same name may have changed this.
            offered.needs_approval = settings.approval.is_needed(&offered.name, offered.annotations);
            offered.is_withheld = settings.withholds(&offered.definition);
            offered.is_hidden = offered.is_withheld || !settings.access.allows(&offered.name, offered.annotations);
            offered.is_repeated = false;
            let index = server_tools.tools.len();
            if offered.name.is_empty() {
                server_tools.is_complete = false;
            } else if let Some(&first) = server_tools.names.get(&offered.name) {
                server_tools.tools[first].is_hidden |= offered.is_hidden;
                server_tools.tools[first].is_withheld |= offered.is_withheld;
                server_tools.tools[first].needs_approval |= offered.needs_approval;
                report(format!("the server lists {} twice; the first definition counts", bounded::name(&offered.name)));
                offered.is_repeated = true;
            } else {
                if *server_tools.portables.entry(offered.portable.clone()).or_insert(index) != index {
                    // Two names of the server have the same form in the toolbox, which only happens on purpose.
                    offered.is_repeated = true;
                }
                server_tools.names.insert(offered.name.clone(), index);
            }
            server_tools.tools.push(offered);
        }
        let has_reader = server_tools.tools.iter().any(|offered| internal::reads_results(&offered.portable));
        if has_reader && spill.is_some() {
            report("the server has a tool read_result, so long results are cut and not kept".to_owned());
        }
        server_tools.spill = spill.filter(|_| !has_reader);
        server_tools.group(settings, &mut report);
        server_tools
    }

    /// Puts tools into the containers of the host.
    fn group(&mut self, settings: &Settings, report: &mut impl FnMut(String)) {
        for grouping in &settings.containers {
            let name = &grouping.name;
            let is_member =
                |offered: &ServerTool| !offered.is_hidden && offered.checked().is_some() && grouping.has(&offered.name);
            let members = self.tools.iter().enumerate().filter(|(_, offered)| is_member(offered));
            let members: Vec<usize> = members.map(|(index, _)| index).collect();
            if self.portables.contains_key(name.as_str()) {
                report(format!("the server has a tool {name}, so there is no container with this name"));
            } else if settings.dry_run {
                report(format!("would put {} tools into the container {name}", members.len()));
            } else if !members.is_empty() {
                self.containers.push((grouping.clone(), members));
            }
        }
    }

    /// Notes that the list of tools is fixed.
    pub(super) fn fix(&mut self) {
        self.is_fixed = true;
    }

    /// Returns the server's definition of a tool of the toolbox, as JSON text.
    pub(super) fn definition(&self, portable: &str) -> Option<&str> {
        self.portables.get(portable).map(|&index| &*self.tools[index].definition)
    }

    /// Returns the definitions of the visible tools whose calls are not checked, as JSON texts.
    pub(super) fn unchecked(&self) -> impl Iterator<Item = &str> {
        let unchecked = self.tools.iter().filter(|offered| offered.checked().is_none() && !offered.is_hidden);
        unchecked.map(|offered| &*offered.definition)
    }

    /// Returns `true` if long results are kept.
    pub(super) fn keeps_results(&self) -> bool {
        self.spill.is_some()
    }

    /// Returns `true` if the proxy has added the tool with this name.
    pub(super) fn is_own(&self, name: &str) -> bool {
        (self.spill.is_some() && internal::reads_results(name))
            || self.containers.iter().any(|(grouping, _)| grouping.name == name)
            || (self.is_fixed && !self.portables.contains_key(name) && *internal::call_tool().name == *name)
    }

    /// Returns `true` if the tools were made from the same definitions.
    pub(super) fn is_of(&self, listed: &Listed) -> bool {
        let own = self.tools.iter().map(|offered| &offered.definition);
        self.is_complete == listed.is_complete && own.eq(&listed.definitions)
    }

    /// Lets calls of names that are not in the list pass without a check.
    pub(super) fn forget_completeness(&mut self) {
        self.is_complete = false;
    }

    /// Adds the tools to a toolbox.
    pub(super) fn build(&self, toolbox: ToolboxBuilder) -> Result<Toolbox, BuildError> {
        let toolbox = match &self.spill {
            Some(spill) => toolbox.guard(spill.clone()),
            None => toolbox,
        };
        let grouped: HashSet<usize> = self.containers.iter().flat_map(|(_, members)| members.iter().copied()).collect();
        let tool = |index: usize| self.tools[index].checked().cloned();
        let flat = (0..self.tools.len()).filter(|index| !self.tools[*index].is_hidden && !grouped.contains(index));
        let toolbox = flat.filter_map(tool).fold(toolbox, ToolboxBuilder::tool);
        let containers = self.containers.iter().map(|(grouping, members)| {
            members.iter().filter_map(|&member| tool(member)).fold(grouping.container(), Container::tool)
        });
        containers.fold(toolbox, ToolboxBuilder::container).build()
    }

    /// Finds the tool of a call by the server's name.
    pub(super) fn find(&self, name: &str) -> Called<'_> {
        match self.names.get(name) {
            Some(&index) if self.tools[index].is_hidden => {
                if self.tools[index].is_withheld {
                    Called::Withheld
                } else {
                    Called::Unknown
                }
            }
            Some(&index) if self.tools[index].checked().is_some() => Called::Tool(&self.tools[index].portable),
            None if self.is_own(name) => Called::Own,
            None if self.is_complete => Called::Unknown,
            Some(_) | None => Called::Unchecked,
        }
    }

    /// Returns the text about the unknown keys of accepted arguments, in case that the server rejects them.
    pub(super) fn remark(&self, name: &str, arguments: &str) -> Option<String> {
        self.tools[*self.names.get(name)?].checked()?.remark(&arguments.into())
    }

    /// Returns `true` if the last arguments of a tool were accepted without a decision.
    pub(super) fn take_undecided(&self, name: &str) -> bool {
        self.names.get(name).and_then(|&index| self.tools[index].checked()).is_some_and(|tool| tool.take_undecided())
    }

    /// Returns the schemas with redacted names that a call may mean: that of its tool, with `true`, or those of all tools if there is none with
    /// exactly this name.
    pub(super) fn schemas(&self, name: &str) -> (Vec<&Value>, bool) {
        match self.names.get(name) {
            Some(&index) => (self.tools[index].redacted.iter().collect(), true),
            None => (self.tools.iter().filter_map(|offered| offered.redacted.as_ref()).collect(), false),
        }
    }

    /// Returns the names of all tools of the server; `None` if not all are known.
    pub(super) fn names(&self) -> Option<Vec<&str>> {
        self.is_complete.then(|| self.tools.iter().map(|tool| &*tool.name).collect())
    }

    /// Returns `true` if the server has a tool with exactly this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.names.contains_key(name)
    }

    /// Returns `true` if a name means a tool that the client may not call, perhaps in another spelling.
    pub(super) fn is_hidden(&self, name: &str) -> bool {
        self.means(name, |offered| offered.is_hidden)
    }

    /// Returns `true` if a name means a tool whose definition is not approved, perhaps in another spelling.
    pub(super) fn is_withheld(&self, name: &str) -> bool {
        self.means(name, |offered| offered.is_withheld)
    }

    /// Returns `true` if a name means a tool with a property, perhaps in another spelling.
    fn means(&self, name: &str, is_meant: impl Fn(&ServerTool) -> bool) -> bool {
        match self.names.get(name) {
            Some(&index) => is_meant(&self.tools[index]),
            None => self.tools.iter().any(|offered| is_meant(offered) && is_spelling_of_tool(name, &offered.name)),
        }
    }

    /// Returns `true` if the user has to approve the calls of a tool.
    pub(super) fn needs_approval(&self, name: &str) -> bool {
        self.names.get(name).is_none_or(|&index| self.tools[index].needs_approval)
    }

    /// Returns the arguments of a tool that headers repeat; `None` if the client sees no such tool.
    #[cfg(feature = "http")]
    pub(super) fn argument_headers(&self, name: &str) -> Option<Vec<ArgumentHeader>> {
        match self.names.get(name) {
            Some(&index) => Some(&self.tools[index]).filter(|tool| !tool.is_hidden).map(|tool| tool.headers.clone()),
            None => self.is_own(name).then(Vec::new),
        }
    }

    /// Returns the server's name of a tool of the toolbox.
    pub(super) fn name_of<'o>(&'o self, portable: &'o str) -> &'o str {
        self.portables.get(portable).map_or(portable, |&index| &self.tools[index].name)
    }

    /// Replaces the names of the toolbox in a text for the model by those that the model knows. The text is JSON, and a name that was changed
    /// ends in a hash, so it is not part of anything else.
    pub(super) fn in_own_names(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for offered in &self.tools {
            if offered.name != offered.portable && text.contains(&*offered.portable) {
                let name = json_string(&bounded::truncated_name(&offered.name));
                text = text.replace(&*offered.portable, &name[1..name.len() - 1]);
            }
        }
        text
    }
}
