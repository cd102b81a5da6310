//! The definitions of tools that a proxy remembers, so that a server cannot change them unnoticed: [`Pins`].
//!
//! A definition is trusted when it is first listed. In: the pages of a server's list, before the router. Out: the same pages, in which a
//! definition that is withheld begins with a [mark](is_withheld), which the guard uses and removes with the definition. Invariants: a definition that
//! differs from the approved one is never marked as approved; if the file cannot be used, only approved definitions are shown.

mod definition;
mod store;

use std::borrow::Cow;
use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;
use std::{fmt, fs, io};

use serde_json::value::RawValue;

pub use self::definition::Difference;
pub(super) use self::definition::signs;
use self::definition::{confusable, differences, pinned_text};
use self::store::{Pin, PinFile, ServerPins, Stamp, stamp};
use crate::frame::{Splice, replaced};
use crate::members::{has, member};
use crate::private::bounded;
use crate::sync::locked;

/// The beginning of a withheld definition. A server that writes it hides its own tool.
const MARK: &str = r#"{"toolbox/withheld":true,"#;
/// The largest number of remembered tools of a server, and of bytes of their definitions, as for a list.
const MOST_TOOLS: usize = 10_000;
const MOST_BYTES: usize = 32 * 1_024 * 1_024;
/// The largest number of remarks about the changes of one page. A name is compared with all others for each of them.
const MOST_REMARKS: usize = 20;
/// The largest number of differences in a remark.
const MOST_DIFFERENCES: usize = 5;
/// The largest number of remarks that are remembered, so that each is made once.
const MOST_REMEMBERED: usize = 1_000;
/// The seconds after which a first list that has not ended counts as ended.
const FIRST_LIST: u64 = 60;

/// The treatment of a tool whose definition has changed, or that is new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PinMode {
    /// The log says what has changed, and the tool can be used.
    Warn,
    /// The tool is hidden, and its calls are denied, until the change is approved. Tools that the server has not listed cannot be called.
    Hold,
}

/// The remembered definitions of tools, in a file that several proxies can share.
///
/// The first list of a server is trusted. Later, a tool with another definition, or another tool, is a change that somebody has to approve. These
/// members of a definition count: `name`, `title`, `description`, `inputSchema`, `outputSchema` and `annotations`. The order of keys, of
/// `required` and of the tools has no meaning. A tool that was missing for some time is no change.
///
/// A server is remembered under its name in [`Servers`](super::Servers). A single command is remembered under the name of its program with
/// a hash of its arguments, and streams under `server`.
///
/// ```no_run
/// use tool_proxy::{PinMode, Pins, Proxy};
///
/// # fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let pins = Pins::open("/var/lib/agent/pins.json")?;
/// let proxy = Proxy::builder().pins(pins, PinMode::Hold).build()?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Pins {
    path: Arc<PathBuf>,
    state: Arc<Mutex<PinState>>,
}

#[derive(Default)]
struct PinState {
    file: PinFile,
    stamp: Stamp,
    /// The number of times that the decisions of the user have changed the file.
    decisions: u64,
    remarks: HashSet<String>,
}

/// A change that is not approved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PinChange {
    /// The name under which the server is remembered.
    pub server: String,
    /// The name that the server gave the tool.
    pub tool: String,
    /// `true` if the server has added the tool.
    pub is_new: bool,
    /// The name of an approved tool for which a new one can be mistaken.
    pub similar: Option<String>,
    /// The differences between the approved and the listed definition.
    pub differences: Vec<Difference>,
    /// The signs of an attack in the listed definition: hidden characters, and instructions to the model.
    pub warnings: Vec<String>,
}

impl Pins {
    /// Opens a file, which need not exist yet.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, or if it is not a file of remembered definitions. The file is then not changed.
    pub fn open(path: impl Into<PathBuf>) -> io::Result<Self> {
        let path = path.into();
        // A link stays a link when the file is replaced.
        let path = fs::canonicalize(&path).unwrap_or(path);
        let (file, stamp) = PinFile::read(&path)?;
        Ok(Self { path: Arc::new(path), state: Arc::new(Mutex::new(PinState { file, stamp, ..PinState::default() })) })
    }

    /// Returns the names of the remembered servers.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn servers(&self) -> io::Result<Vec<String>> {
        Ok(self.refreshed()?.file.servers.keys().cloned().collect())
    }

    /// Returns the changes that are not approved.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn changes(&self) -> io::Result<Vec<PinChange>> {
        let state = self.refreshed()?;
        let change = |(server, tool): (&str, &str)| state.file.servers.get(server)?.change(server, tool);
        Ok(state.file.pending().filter_map(change).collect())
    }

    /// Approves the listed definitions of a server's tools, or of all its tools if `tools` is empty. Returns the changes that were approved.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or written.
    pub fn approve(&self, server: &str, tools: &[impl AsRef<str>]) -> io::Result<Vec<PinChange>> {
        let (.., approved) = PinFile::update(&self.path, |file| {
            let Some(pins) = file.servers.get_mut(server) else { return (Vec::new(), false) };
            let is_meant = |name: &&String| tools.is_empty() || tools.iter().any(|tool| tool.as_ref() == *name);
            let meant = pins.tools.keys().filter(is_meant);
            let changes: Vec<PinChange> = meant.filter_map(|name| pins.change(server, name)).collect();
            for change in &changes {
                if let Some(pin) = pins.tools.get_mut(&change.tool) {
                    pin.approved = pin.pending.take();
                }
            }
            let has_changed = !changes.is_empty();
            (changes, has_changed)
        })?;
        Ok(approved)
    }

    /// Forgets a server, whose next list is trusted again. Returns `false` if it is not known.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or written.
    pub fn reset(&self, server: &str) -> io::Result<bool> {
        Ok(PinFile::update(&self.path, |file| (file.servers.remove(server).is_some(), true))?.2)
    }

    /// Returns the state after reading a file that another process has changed.
    fn refreshed(&self) -> io::Result<std::sync::MutexGuard<'_, PinState>> {
        let mut state = locked(&self.state);
        if stamp(&self.path)? != state.stamp {
            let (file, stamp) = PinFile::read(&self.path)?;
            let pending: HashSet<_> = file.pending().collect();
            let is_decided = state.file.pending().any(|change| !pending.contains(&change));
            state.decisions += u64::from(is_decided);
            (state.file, state.stamp) = (file, stamp);
        }
        Ok(state)
    }

    /// Returns a number that changes if somebody has approved changes.
    pub(super) fn decisions(&self) -> u64 {
        // If the file cannot be read, the next list says so.
        let decided = self.refreshed().map(|state| state.decisions);
        decided.unwrap_or_else(|_| locked(&self.state).decisions)
    }

    /// Compares a page of a server's list with the remembered definitions. If changes are withheld, returns the page with a mark on each
    /// definition that is not approved; `None` if there is none.
    pub(super) fn page(&self, server: &str, result: &str, is_held: bool, log: &dyn Fn(&str)) -> Option<String> {
        let tools = member(result, "tools")?;
        let definitions: Vec<&RawValue> = serde_json::from_str(tools).ok()?;
        let page: Vec<_> = definitions.iter().map(|definition| pinned_text(definition.get())).collect();
        let (changed, remarks) = self.compare(server, &page, !has(result, "nextCursor"));
        for remark in &remarks {
            log(remark);
        }
        if !is_held || !changed.contains(&true) {
            return None;
        }
        let marked = definitions.iter().zip(&page).zip(changed).map(|((definition, seen), is_changed)| {
            let definition = definition.get();
            // A definition without a name is hidden without a mark.
            let is_marked = is_changed && seen.is_some();
            if is_marked { format!("{MARK}{}", &definition[1..]).into() } else { Cow::Borrowed(definition) }
        });
        let text = format!("[{}]", marked.collect::<Vec<_>>().join(","));
        Some(replaced(result, &[Splice { part: tools, text: text.into() }]))
    }

    /// Compares the definitions of a page with the remembered ones, and remembers them. Returns `true` for each that is not approved, and
    /// the remarks for the log.
    fn compare(&self, server: &str, page: &[Option<(String, String)>], is_last: bool) -> (Vec<bool>, Vec<String>) {
        let mut new_remarks = Vec::new();
        let failed = |error: io::Error| format!("{} cannot be used: {error}", self.path.display());
        let now = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_secs());
        let seen = || page.iter().flatten().map(|(name, text)| (&**name, &**text));
        let mut state = self.refreshed().unwrap_or_else(|error| {
            new_remarks.push(failed(error));
            locked(&self.state)
        });
        // A server without tools is not remembered.
        let is_settled = match state.file.servers.get(server) {
            Some(pins) => pins.is_settled(seen(), is_last),
            None => seen().next().is_none(),
        };
        if !is_settled {
            let update = |file: &mut PinFile| {
                let pins = file.servers.entry(server.to_owned()).or_default();
                ((), pins.see(seen(), is_last, now))
            };
            match PinFile::update(&self.path, update) {
                Ok((file, stamp, ())) => (state.file, state.stamp) = (file, stamp),
                Err(error) => new_remarks.push(failed(error)),
            }
        }
        let PinState { file, remarks, .. } = &mut *state;
        let unknown = ServerPins::default();
        let pins = file.servers.get(server).unwrap_or(&unknown);
        let is_changed = |(name, listed): &(&str, &str)| pins.approved(name) != Some(*listed);
        let changed = || seen().filter(is_changed);
        new_remarks
            .extend(changed().take(MOST_REMARKS).map(|(name, listed)| pins.changed(server, name, listed).to_string()));
        if let more @ 1.. = changed().count().saturating_sub(MOST_REMARKS) {
            new_remarks.push(format!("{more} more definitions of {} have changed or are new", bounded::name(server)));
        }
        new_remarks.retain(|remark| remarks.len() < MOST_REMEMBERED && remarks.insert(remark.clone()));
        let pages = page.iter().map(|seen| seen.as_ref().is_none_or(|(name, listed)| is_changed(&(name, listed))));
        (pages.collect(), new_remarks)
    }
}

impl ServerPins {
    fn approved(&self, tool: &str) -> Option<&str> {
        self.tools.get(tool)?.approved.as_deref().map(RawValue::get)
    }

    /// Returns `true` if a page changes nothing.
    fn is_settled<'s>(&self, mut page: impl Iterator<Item = (&'s str, &'s str)>, is_last: bool) -> bool {
        !(is_last && self.first_list_until.is_some()) && page.all(|seen| self.is_known(seen))
    }

    /// Returns `true` if this is what the server has listed last.
    fn is_known(&self, (name, listed): (&str, &str)) -> bool {
        let last = self.tools.get(name).and_then(|pin| pin.pending.as_ref().or(pin.approved.as_ref()));
        last.is_some_and(|stored| stored.get() == listed)
    }

    /// Remembers the definitions of a page. Returns `true` if it has changed anything.
    fn see<'s>(&mut self, page: impl Iterator<Item = (&'s str, &'s str)>, is_last: bool, now: u64) -> bool {
        let before = self.first_list_until;
        if self.tools.is_empty() {
            self.first_list_until = Some(now + FIRST_LIST);
        }
        let is_first = self.first_list_until.is_some_and(|until| now < until && until <= now + FIRST_LIST);
        let stored = |pin: &Pin| {
            [&pin.approved, &pin.pending].into_iter().flatten().map(|stored| stored.get().len()).sum::<usize>()
        };
        let mut bytes: usize = self.tools.values().map(stored).sum();
        let mut has_changed = false;
        for (name, listed) in page.filter(|seen| !self.is_known(*seen)).collect::<Vec<_>>() {
            bytes += listed.len();
            if bytes > MOST_BYTES || (self.tools.len() >= MOST_TOOLS && !self.tools.contains_key(name)) {
                continue;
            }
            let Ok(definition) = RawValue::from_string(listed.to_owned()) else { continue };
            let is_known = self.tools.contains_key(name);
            let pin = self.tools.entry(name.to_owned()).or_default();
            if is_first && !is_known {
                pin.approved = Some(definition);
            } else if pin.approved.as_ref().is_some_and(|approved| approved.get() == listed) {
                pin.pending = None;
            } else {
                pin.pending = Some(definition);
            }
            has_changed = true;
        }
        if is_last || !is_first {
            self.first_list_until = None;
        }
        has_changed || self.first_list_until != before
    }

    /// Returns the change of a tool that is not approved.
    fn change(&self, server: &str, tool: &str) -> Option<PinChange> {
        Some(self.changed(server, tool, self.tools.get(tool)?.pending.as_ref()?.get()))
    }

    /// Returns the change of a tool to a definition.
    fn changed(&self, server: &str, tool: &str, listed: &str) -> PinChange {
        let approved = self.approved(tool);
        let names = || self.tools.iter().filter(|(_, pin)| pin.approved.is_some()).map(|(name, _)| &**name);
        PinChange {
            server: server.to_owned(),
            tool: tool.to_owned(),
            is_new: approved.is_none(),
            similar: approved.is_none().then(|| confusable(tool, names()).map(str::to_owned)).flatten(),
            differences: differences(approved, listed),
            warnings: signs(listed),
        }
    }
}

impl fmt::Display for PinChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (tool, server) = (bounded::name(&self.tool), bounded::name(&self.server));
        if self.is_new {
            write!(f, "{tool} of {server} is new and not approved")?;
            if let Some(similar) = &self.similar {
                write!(f, "; it can be mistaken for {}", bounded::name(similar))?;
            }
        } else {
            write!(f, "the definition of {tool} of {server} has changed and is not approved")?;
        }
        for difference in self.differences.iter().take(MOST_DIFFERENCES) {
            write!(f, "; {difference}")?;
        }
        match self.differences.len().saturating_sub(MOST_DIFFERENCES) {
            0 => Ok(()),
            more => write!(f, "; and {more} more differences"),
        }
    }
}

impl fmt::Debug for Pins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pins").field(&self.path).finish()
    }
}

/// Returns `true` if a definition is withheld.
pub(super) fn is_withheld(definition: &str) -> bool {
    definition.starts_with(MARK)
}
