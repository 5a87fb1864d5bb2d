//! The key ring's file: JSON, readable by its owner only.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use zeroize::Zeroizing;

use super::{KEY, KeyRing, KeyRingError, KeyState};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    keys: BTreeMap<String, Entry>,
    index_key: String,
    index_version: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    state: KeyState,
    key: String,
}

pub(super) fn load(path: &Path) -> Result<KeyRing, KeyRingError> {
    let text = std::fs::read_to_string(path).map_err(|e| KeyRingError::File(path.to_owned(), e))?;
    let text = Zeroizing::new(text);
    let document: Document =
        serde_json::from_str(&text).map_err(|_| KeyRingError::Malformed("not its JSON"))?;
    let mut keys = BTreeMap::new();
    let mut active = None;
    for (kid, entry) in document.keys {
        let key = bytes(&entry.key)?;
        if entry.state == KeyState::Active && active.replace(kid.clone()).is_some() {
            return Err(KeyRingError::Malformed("two active keys"));
        }
        keys.insert(kid, (entry.state, key));
    }
    let active = active.ok_or(KeyRingError::Malformed("no active key"))?;
    Ok(KeyRing { keys, active, index: bytes(&document.index_key)? })
}

pub(super) fn save_new(ring: &KeyRing, path: &Path) -> Result<(), KeyRingError> {
    let failed = |e: std::io::Error| match e.kind() {
        std::io::ErrorKind::AlreadyExists => KeyRingError::Exists(path.to_owned()),
        _ => KeyRingError::File(path.to_owned(), e),
    };
    let entry = |(kid, (state, key)): (&String, &(KeyState, Zeroizing<[u8; KEY]>))| {
        (kid.clone(), Entry { state: *state, key: STANDARD.encode(&key[..]) })
    };
    let document = Document {
        keys: ring.keys.iter().map(entry).collect(),
        index_key: STANDARD.encode(&ring.index[..]),
        index_version: 1,
    };
    let text =
        serde_json::to_string_pretty(&document).map_err(|_| KeyRingError::Malformed("cannot be written"))?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path).map_err(failed)?;
    file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(failed)
}

fn bytes(text: &str) -> Result<Zeroizing<[u8; KEY]>, KeyRingError> {
    let raw =
        Zeroizing::new(STANDARD.decode(text).map_err(|_| KeyRingError::Malformed("a key is not base64"))?);
    let key = <[u8; KEY]>::try_from(raw.as_slice())
        .map_err(|_| KeyRingError::Malformed("a key is not 32 bytes"))?;
    Ok(Zeroizing::new(key))
}
