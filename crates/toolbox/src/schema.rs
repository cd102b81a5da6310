//! `toolbox schema`: prints definitions in the format of a provider's API.

use std::io::{self, Write};

use tool_runtime::tool::{Tool, ToolSpec};
use tool_runtime::tool_schema::dialect::{Dialect, Rendition, ToolForm};
use tool_runtime::tool_schema::schema::Definition;
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
    if let Some(dialect) = options.dialect {
        return in_dialect(&wanted, dialect, options.json, out);
    }
    let renditions = options.format.dialect().map_or_else(Vec::new, |dialect| renditions(&wanted, dialect));
    let mut definitions = Vec::new();
    for (shelved, rendition) in wanted.iter().zip(&renditions) {
        match rendition {
            Ok(rendition) => {
                for note in rendition.notes() {
                    complain(&format!("{}: {note}", shelved.name));
                }
                definitions.extend(rendition.definition());
            }
            Err(reason) => {
                complain(&format!("{} cannot be used: {reason}", shelved.name));
                ending = Ending::Unusable;
            }
        }
    }
    if options.json {
        for definition in &definitions {
            writeln!(out, "{definition}")?;
        }
        return Ok(ending);
    }
    list(definitions.into_iter(), out)?;
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

/// Prints definitions in a dialect, as for one request. Tools that are left out are reported, and the others are printed.
fn in_dialect(wanted: &[&Shelved], dialect: Dialect, json: bool, out: &mut dyn Write) -> Result<Ending, CheckError> {
    let renditions = renditions(wanted, dialect);
    let mut definitions = Vec::new();
    let mut ending = Ending::Done;
    for (shelved, rendition) in wanted.iter().zip(&renditions) {
        if let Err(reason) = rendition {
            complain(&format!("{} cannot be used: {reason}", shelved.name));
            ending = Ending::Unusable;
        }
        let notes: Vec<String> = match rendition {
            Ok(rendition) => rendition.notes().iter().map(ToString::to_string).collect(),
            Err(reason) => vec![reason.clone()],
        };
        let definition = rendition.as_ref().ok().and_then(Rendition::definition);
        if json {
            let form = rendition.as_ref().map_or(ToolForm::Omitted, Rendition::form);
            let mut line = String::new();
            Writer::new(&mut line).object(|entry| {
                entry.string("tool", &shelved.name);
                entry.string("form", form.name());
                match definition {
                    Some(definition) => entry.raw("definition", &definition.to_string()),
                    None => entry.null("definition"),
                }
                entry.array("notes", &notes, |writer, note| writer.string(note));
            });
            writeln!(out, "{line}")?;
        } else if rendition.is_ok() {
            for note in &notes {
                complain(&format!("{}: {note}", shelved.name));
            }
        }
        definitions.extend(definition);
    }
    if !json {
        list(definitions.into_iter(), out)?;
    }
    Ok(ending)
}

/// Returns the rendition of each tool in a dialect, or the reason why the tool cannot be used.
pub(super) fn renditions(tools: &[&Shelved], dialect: Dialect) -> Vec<Result<Rendition, String>> {
    let usable = tools.iter().filter_map(|shelved| {
        let tool = shelved.tool.as_ref().ok()?;
        Some((Text::from(shelved.name.clone()), tool.spec()))
    });
    let mut rendered = ToolSpec::renditions(&usable.collect::<Vec<_>>(), dialect).into_iter();
    let one = |shelved: &&Shelved| match &shelved.tool {
        Ok(_) => rendered.next().ok_or_else(|| "it was not rendered".to_owned()),
        Err(reason) => Err(reason.clone()),
    };
    tools.iter().map(one).collect()
}
