//! `toolbox schema`: definitions as a provider's API takes them.

use std::io::Write;

use tool_runtime::tool::Tool;

use super::complaint::complain;
use super::ending::{CheckError, Ending};
use super::input::InputError;
use super::options::SchemaOptions;
use super::shelf::{Found, Shelf, Shelved};
use crate::private::json::laid_out;

/// The widest line that is not broken.
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
    let mut definitions = Vec::new();
    for shelved in wanted {
        match &shelved.tool {
            Ok(tool) => definitions.push(tool.spec().definition(options.format.format())),
            Err(reason) => {
                complain(&format!("{} is no tool: {reason}", shelved.name));
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
    writeln!(out, "[")?;
    for (position, definition) in definitions.iter().enumerate() {
        let comma = if position + 1 < definitions.len() { "," } else { "" };
        writeln!(out, "{}{comma}", laid_out(definition.as_json(), WIDTH))?;
    }
    writeln!(out, "]")?;
    Ok(ending)
}
