//! Deferred calls as data.

use std::sync::Arc;

use super::format::{SavedDeferred, SavedRepair, SavedSegment};
use crate::input::Arguments;
use crate::issue::{Path, Segment};
use crate::json::Span;
use crate::repair::{Repair, RepairRule, from_parts};
use crate::session::deferred_table::Waiting;
use crate::throttle::{Batch, Damaged, count};
use crate::tool::HostArguments;
use crate::toolbox::{NeedsSessionState, Toolbox};

pub(super) fn saved((waiting, shares_id): &(Arc<Waiting>, bool)) -> SavedDeferred {
    SavedDeferred {
        number: waiting.number,
        call_id: waiting.call_id.clone(),
        tool: waiting.name.to_string(),
        is_external: waiting.is_external,
        arguments: waiting.arguments.to_text().into_owned(),
        is_repaired: waiting.is_repaired,
        repairs: waiting.repairs.iter().map(saved_repair).collect(),
        supplied: waiting.supplied.values().clone(),
        batch: waiting.batch.map(|Batch(number)| number),
        shares_id: *shares_id,
    }
}

/// Loads a deferred call. The toolbox may no longer have the tool of the call.
pub(super) fn loaded(saved: SavedDeferred, toolbox: &Toolbox<NeedsSessionState>) -> Result<Waiting, Damaged> {
    let entry = toolbox.parts().catalog.find_tool(&saved.tool);
    Ok(Waiting {
        number: count(saved.number),
        call_id: saved.call_id,
        is_external: entry.map_or(saved.is_external, |entry| entry.tool.spec().external),
        origin: entry.map(|entry| (toolbox.clone(), entry.position)),
        name: saved.tool.into(),
        arguments: Arguments::from(saved.arguments),
        is_repaired: saved.is_repaired,
        repairs: saved.repairs.into_iter().map(loaded_repair).collect::<Result<_, _>>()?,
        supplied: HostArguments::from(saved.supplied),
        batch: saved.batch.map(Batch),
    })
}

fn saved_repair(repair: &Repair) -> SavedRepair {
    let segment = |segment: &Segment| match segment {
        Segment::Key(key) => SavedSegment::Key(key.to_string()),
        Segment::Index(index) => SavedSegment::Index(*index),
    };
    SavedRepair {
        path: repair.path.segments().iter().map(segment).collect(),
        span: repair.span.map(|span| (span.start, span.end)),
        rule: repair.rule.name().to_owned(),
        before: repair.before.to_string(),
        after: repair.after.to_string(),
    }
}

fn loaded_repair(saved: SavedRepair) -> Result<Repair, Damaged> {
    let segment = |segment| match segment {
        SavedSegment::Key(key) => Segment::Key(key.into()),
        SavedSegment::Index(index) => Segment::Index(index),
    };
    let path: Path = saved.path.into_iter().map(segment).collect();
    let span = saved.span.map(|(start, end)| Span { start, end });
    let rule = RepairRule::from_name(&saved.rule).ok_or(Damaged("a repair has an unknown rule"))?;
    Ok(from_parts(path, span, rule, saved.before.into(), saved.after.into()))
}
