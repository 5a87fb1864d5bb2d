//! The world, its journal and the inbox in a folder, so that a restart resumes them.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use tokio::sync::watch;

use crate::{Error, Shared, World, inbox::Inbox, journal::Journal};

const WORLD: &str = "world.json";
const JOURNAL: &str = "journal.json";
const INBOX: &str = "inbox.json";

/// What the folder holds, if anything.
pub(crate) fn load(folder: &Path) -> Result<Option<(World, Inbox)>, Error> {
    let path = folder.join(WORLD);
    if !path.exists() {
        return Ok(None);
    }
    let mut world: World = serde_json::from_slice(&fs::read(path)?)?;
    world.journal = Journal::resume(read(&folder.join(JOURNAL))?.unwrap_or_default());
    let mails = read(&folder.join(INBOX))?.unwrap_or_default();
    Ok(Some((world, mails)))
}

fn read<T: serde::de::DeserializeOwned>(path: &Path) -> Result<Option<T>, Error> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(serde_json::from_slice(&bytes)?)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Writes everything, each file replaced whole.
pub(crate) fn save(folder: &Path, shared: &Shared) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let (world, journal) = {
        let world = shared.world();
        (
            serde_json::to_vec(&*world)?,
            serde_json::to_vec(world.journal.after(0))?,
        )
    };
    let mails = serde_json::to_vec(&*shared.inbox())?;
    replace(&folder.join(JOURNAL), &journal)?;
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

/// Saves after changes, at most twice a second.
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
            tracing::error!(%error, "the sandbox's world could not be saved");
        }
    }
}
