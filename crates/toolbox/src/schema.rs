//! `toolbox schema`: prints definitions in a provider's dialect.

use std::io::{self, Write};

use tool_runtime::tool::{Tool, ToolSpec};
use tool_runtime::tool_schema::dialect::{Definition, Dialect, EffectiveStrictness};
use tool_runtime::tool_schema::shape::Text;

use super::complaint::complain;
use super::ending::{CheckError, Ending};
use super::input::InputError;
use super::options::SchemaOptions;
use super::shelf::{Found, Shelf, Shelved};
use crate::private::json::{Writer, laid_out};

/// The maximum length of a line that is not wrapped.
pub(super) const WIDTH: usize = 120;

pub(super) fn schema(shelf: &Shelf, options: &SchemaOptions, out: &mut dyn Write) -> Result<Ending, CheckError> {
    let mut ending = Ending::Done;
    let mut wanted: Vec<&Shelved> = Vec::new();
    for name in &options.names {
        match shelf.find(None, Some(name)) {
            Found::Tool(shelved, _) => wanted.push(shelved),
            Found::Unusable(reason) => return Err(InputError::Other(reason).into()),
            Found::Unknown(_) => return Err(InputError::Other(format!("there is no tool {name:?}")).into()),
        }
    }
    if options.names.is_empty() {
        wanted.extend(&shelf.tools);
    }
    let tools = definitions(&wanted, options.dialect);
    let mut printed = Vec::new();
    for (shelved, tool) in wanted.iter().zip(&tools) {
        let (form, notes): (_, Vec<String>) = match tool {
            Ok(definition) => (definition.strictness(), definition.notes().iter().map(ToString::to_string).collect()),
            Err(reason) => (EffectiveStrictness::Omitted, vec![format!("cannot be used: {reason}")]),
        };
        let definition = tool.as_ref().ok().filter(|definition| !definition.omits_tool());
        if tool.is_err() {
            ending = Ending::Unusable;
        }
        if options.json {
            let mut line = String::new();
            Writer::new(&mut line).object(|entry| {
                entry.string("tool", &shelved.name);
                entry.string("form", form.name());
                match definition {
                    Some(definition) => entry.json_text("definition", &definition.to_string()),
                    None => entry.null("definition"),
                }
                entry.array("notes", &notes, |writer, note| writer.string(note));
            });
            writeln!(out, "{line}")?;
        } else {
            let separator = if tool.is_ok() { ":" } else { "" };
            for note in &notes {
                complain(&format!("{}{separator} {note}", shelved.name));
            }
        }
        printed.extend(definition);
    }
    if !options.json {
        list(printed.into_iter(), out)?;
    }
    Ok(ending)
}

/// Prints an indented array of definitions.
fn list<'d>(definitions: impl ExactSizeIterator<Item = &'d Definition>, out: &mut dyn Write) -> io::Result<()> {
    let last = definitions.len();
    writeln!(out, "[")?;
    for (position, definition) in definitions.enumerate() {
        let comma = if position + 1 < last { "," } else { "" };
        writeln!(out, "{}{comma}", laid_out(definition.as_json(), WIDTH))?;
    }
    writeln!(out, "]")
}

/// Returns the definition of each tool in a dialect, as in one request, or the reason why the tool cannot be used.
pub(super) fn definitions(tools: &[&Shelved], dialect: Dialect) -> Vec<Result<Definition, String>> {
    let usable = tools.iter().filter_map(|shelved| {
        let tool = shelved.tool.as_ref().ok()?;
        Some((Text::from(shelved.name.clone()), tool.spec()))
    });
    let rendered = ToolSpec::definitions_of_tools(&usable.collect::<Vec<_>>(), dialect);
    let mut rendered = rendered.all().iter();
    let one = |shelved: &&Shelved| match &shelved.tool {
        Ok(_) => rendered.next().cloned().ok_or_else(|| "it was not rendered".to_owned()),
        Err(reason) => Err(reason.clone()),
    };
    tools.iter().map(one).collect()
}
