//! File of the key ring: JSON, readable by its owner only, replaced as a whole on each change.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use super::{KEY, KeyRing, KeyRingError, KeyState, Keys};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    keys: BTreeMap<String, Entry>,
    index_key: String,
    index_version: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    signing_key: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    state: KeyState,
    key: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    since: Option<DateTime<Utc>>,
}

/// File of a ring, with the stamp of its last reading.
pub(super) struct Source {
    path: PathBuf,
    seen: Mutex<Option<Stamp>>,
}

/// Identity of a file version. A file that is replaced as a whole has a new inode.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    inode: u64,
    length: u64,
    modified: (i64, i64),
}

impl Source {
    /// Returns the ring in the file, if the file has changed since the last reading.
    pub(super) fn changed(&self) -> Result<Option<KeyRing>, KeyRingError> {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let now = stamp(&self.path);
        if now.is_some() && *seen == now {
            return Ok(None);
        }
        let ring = load(&self.path)?;
        *seen = now;
        Ok(Some(ring))
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let meta = std::fs::metadata(path).ok()?;
    Some(Stamp { inode: meta.ino(), length: meta.len(), modified: (meta.mtime(), meta.mtime_nsec()) })
}

pub(super) fn load(path: &Path) -> Result<KeyRing, KeyRingError> {
    // Taken before the reading, so that the next call notices a change in between.
    let seen = stamp(path);
    let text = std::fs::read_to_string(path).map_err(|e| KeyRingError::File(path.to_owned(), e))?;
    let text = Zeroizing::new(text);
    let document: Document =
        serde_json::from_str(&text).map_err(|_| KeyRingError::Malformed("not the JSON of a key ring"))?;
    let mut all = BTreeMap::new();
    let mut active = None;
    for (kid, entry) in document.keys {
        let key = bytes(&entry.key)?;
        if entry.state == KeyState::Active && active.replace(kid.clone()).is_some() {
            return Err(KeyRingError::Malformed("two active keys"));
        }
        all.insert(kid, super::Entry { state: entry.state, since: entry.since, key });
    }
    let active = active.ok_or(KeyRingError::Malformed("no active key"))?;
    let signing = document.signing_key.as_deref().map(bytes).transpose()?;
    Ok(KeyRing {
        keys: RwLock::new(Arc::new(Keys { all, active, signing })),
        index: bytes(&document.index_key)?,
        source: Some(Source { path: path.to_owned(), seen: Mutex::new(seen) }),
    })
}

pub(super) fn save_new(ring: &KeyRing, path: &Path) -> Result<(), KeyRingError> {
    let failed = |e: std::io::Error| match e.kind() {
        std::io::ErrorKind::AlreadyExists => KeyRingError::Exists(path.to_owned()),
        _ => KeyRingError::File(path.to_owned(), e),
    };
    let text = text(&ring.current(), &ring.index)?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).map_err(failed)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(failed)
}

/// Changes the file's keys. Readers see the old file or the new one. A lock serialises changes.
pub(super) fn change<T>(path: &Path, edit: impl FnOnce(&mut Keys) -> T) -> Result<T, KeyRingError> {
    let failed = |e: std::io::Error| KeyRingError::File(path.to_owned(), e);
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true).mode(0o600);
    let lock = options.open(beside(path, "lock")).map_err(failed)?;
    lock.lock().map_err(failed)?;
    let ring = load(path)?;
    let mut keys = (*ring.current()).clone();
    let done = edit(&mut keys);
    let text = text(&keys, &ring.index)?;
    let meta = std::fs::metadata(path).map_err(failed)?;
    let new = beside(path, "new");
    let write = || {
        // A change that was killed leaves a useless file with keys behind.
        let _ = std::fs::remove_file(&new);
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
        file.write_all(text.as_bytes())?;
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (meta.uid(), meta.gid()) {
            // The operator may be root while the server is not. The server must still be able to
            // read its keys.
            std::os::unix::fs::fchown(&file, Some(meta.uid()), Some(meta.gid()))?;
        }
        file.sync_all()?;
        std::fs::rename(&new, path)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
    };
    write().map_err(failed)?;
    Ok(done)
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(suffix);
    path.with_file_name(name)
}

fn text(keys: &Keys, index: &Zeroizing<[u8; KEY]>) -> Result<Zeroizing<String>, KeyRingError> {
    let entry = |(kid, entry): (&String, &super::Entry)| {
        let key = STANDARD.encode(&entry.key[..]);
        (kid.clone(), Entry { state: entry.state, key, since: entry.since })
    };
    let document = Document {
        keys: keys.all.iter().map(entry).collect(),
        index_key: STANDARD.encode(&index[..]),
        index_version: super::INDEX_VERSION.unsigned_abs(),
        signing_key: keys.signing.as_ref().map(|key| STANDARD.encode(&key[..])),
    };
    let text =
        serde_json::to_string_pretty(&document).map_err(|_| KeyRingError::Malformed("cannot be written"))?;
    Ok(Zeroizing::new(text))
}

fn bytes(text: &str) -> Result<Zeroizing<[u8; KEY]>, KeyRingError> {
    let raw =
        Zeroizing::new(STANDARD.decode(text).map_err(|_| KeyRingError::Malformed("a key is not base64"))?);
    let key = <[u8; KEY]>::try_from(raw.as_slice())
        .map_err(|_| KeyRingError::Malformed("a key is not 32 bytes"))?;
    Ok(Zeroizing::new(key))
}
