//! The servers of tasks, by the ids of the tasks: [`Tasks`].
//!
//! Invariant: the number of remembered tasks is bounded.

use std::collections::{HashMap, VecDeque};

use serde::Deserialize;

use super::super::frame::object;

/// The largest number of remembered tasks.
const MOST: usize = 10_000;
/// The largest number of bytes of a remembered id.
const LONGEST: usize = 1_024;

#[derive(Default)]
pub(super) struct Tasks {
    /// The server of each task; `None` if two servers use the id.
    owners: HashMap<Box<str>, Option<usize>>,
    /// The ids, the oldest first.
    ids: VecDeque<Box<str>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Created {
    /// Until revision 2025-11-25.
    #[serde(default)]
    task: Option<Task>,
    /// From revision 2026-07-28 on.
    #[serde(default)]
    task_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Task {
    task_id: String,
}

impl Tasks {
    /// Notes the task in the result of a request.
    pub(super) fn learn(&mut self, result: &str, server: usize) {
        if let Some(Created { task, task_id }) = object(result)
            && let Some(id) = task.map(|task| task.task_id).or(task_id)
        {
            self.add(&id, server);
        }
    }

    pub(super) fn add(&mut self, id: &str, server: usize) {
        if id.len() > LONGEST {
            return;
        }
        if let Some(owner) = self.owners.get_mut(id) {
            if *owner != Some(server) {
                *owner = None;
            }
            return;
        }
        if self.ids.len() == MOST
            && let Some(oldest) = self.ids.pop_front()
        {
            self.owners.remove(&oldest);
        }
        self.owners.insert(id.into(), Some(server));
        self.ids.push_back(id.into());
    }

    /// Returns the server of a task, if exactly one server has it.
    pub(super) fn owner(&self, id: &str) -> Option<usize> {
        self.owners.get(id).copied().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_of_two_servers_belongs_to_neither() {
        let mut tasks = Tasks::default();
        tasks.learn(r#"{"task":{"taskId":"a","status":"working"}}"#, 1);
        tasks.learn(r#"{"resultType":"task","taskId":"b"}"#, 0);
        tasks.learn(r#"{"content":[]}"#, 0);
        assert_eq!((tasks.owner("a"), tasks.owner("b"), tasks.owner("c")), (Some(1), Some(0), None));
        tasks.add("a", 1);
        assert_eq!(tasks.owner("a"), Some(1));
        tasks.add("a", 0);
        assert_eq!(tasks.owner("a"), None);
    }

    #[test]
    fn the_memory_is_bounded() {
        let mut tasks = Tasks::default();
        (0..100_000).for_each(|number| tasks.add(&number.to_string(), 0));
        assert_eq!((tasks.owners.len(), tasks.ids.len()), (MOST, MOST));
        assert_eq!((tasks.owner("99999"), tasks.owner("0")), (Some(0), None));
    }
}
