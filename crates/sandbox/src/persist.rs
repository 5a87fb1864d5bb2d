//! Saves world, journal and inbox in a folder, so that a restart can resume them.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::{Arc, MutexGuard, PoisonError},
    time::Duration,
};

use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::{
    Error, Shared, World,
    inbox::Inbox,
    journal::{Entry, Journal},
};

const WORLD: &str = "world.json";
const JOURNAL: &str = "journal.jsonl";
const INBOX: &str = "inbox.json";

/// Saved world, with the number of its last journal entry.
#[derive(Serialize, Deserialize)]
struct Saved<W> {
    journal_seq: u64,
    world: W,
}

/// Loads the saved data from a folder, if there is any.
pub(crate) fn load(folder: &Path) -> Result<Option<(World, Inbox)>, Error> {
    let path = folder.join(WORLD);
    if !path.exists() {
        return Ok(None);
    }
    let saved: Saved<World> = serde_json::from_slice(&fs::read(path)?)?;
    let mut world = saved.world;
    world.journal = Journal::resume(read_journal(&folder.join(JOURNAL), saved.journal_seq)?);
    let inbox = match fs::read(folder.join(INBOX)) {
        Ok(bytes) => serde_json::from_slice(&bytes)?,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Inbox::default(),
        Err(error) => return Err(error.into()),
    };
    Ok(Some((world, inbox)))
}

/// Reads the journal entries up to the number `last`. Later entries belong to a run whose world was
/// not saved.
fn read_journal(path: &Path, last: u64) -> Result<Vec<Entry>, Error> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error.into()),
    };
    let mut entries: Vec<Entry> = Vec::new();
    for line in text.lines().take(usize::try_from(last).unwrap_or(usize::MAX)) {
        entries.push(serde_json::from_str(line)?);
    }
    Ok(entries)
}

/// State of saving. Its lock also prevents two concurrent saves.
#[derive(Default)]
pub(crate) struct Progress {
    /// Number of the last journal entry on disk. `None` before the first save of this run.
    journal: Option<u64>,
    /// True after the final save. A later save could otherwise write into a folder that another
    /// sandbox already uses.
    closed: bool,
}

/// Saves everything and prevents later saves.
pub(crate) fn save_and_close(folder: &Path, shared: &Shared) -> io::Result<()> {
    save(folder, shared)?;
    progress(shared).closed = true;
    Ok(())
}

fn progress(shared: &Shared) -> MutexGuard<'_, Progress> {
    shared.saved.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Saves everything. Appends to the journal file and replaces the other files atomically.
pub(crate) fn save(folder: &Path, shared: &Shared) -> io::Result<()> {
    let mut progress = progress(shared);
    if progress.closed {
        return Ok(());
    }
    fs::create_dir_all(folder)?;
    let (world, lines, last) = {
        let world = shared.world();
        let last = world.journal.last_seq();
        let mut lines = Vec::new();
        for entry in world.journal.after(progress.journal.unwrap_or(0)) {
            serde_json::to_writer(&mut lines, entry)?;
            lines.push(b'\n');
        }
        (serde_json::to_vec(&Saved { journal_seq: last, world: &*world })?, lines, last)
    };
    let mails = serde_json::to_vec(&*shared.inbox())?;
    let journal = folder.join(JOURNAL);
    match progress.journal {
        None => replace(&journal, &lines)?,
        Some(_) => {
            let mut file = fs::OpenOptions::new().append(true).open(&journal)?;
            file.write_all(&lines)?;
            file.sync_data()?;
        }
    }
    progress.journal = Some(last);
    replace(&folder.join(INBOX), &mails)?;
    replace(&folder.join(WORLD), &world)
}

fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let beside = path.with_extension("json.new");
    let mut file = fs::File::create(&beside)?;
    file.write_all(bytes)?;
    file.sync_data()?;
    fs::rename(beside, path)
}

/// Saves the world after changes, at most twice a second.
pub(crate) async fn keep_saving(folder: PathBuf, shared: Arc<Shared>, stop: watch::Receiver<bool>) {
    let mut changes = shared.changed.subscribe();
    let mut end = std::pin::pin!(crate::stopped(stop));
    loop {
        tokio::select! {
            () = &mut end => return,
            changed = changes.changed() => if changed.is_err() { return },
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
        changes.mark_unchanged();
        let (folder, shared) = (folder.clone(), shared.clone());
        let saved = tokio::task::spawn_blocking(move || save(&folder, &shared)).await;
        if let Ok(Err(error)) = saved {
            tracing::error!(%error, "failed to save the world of the sandbox");
        }
    }
}
