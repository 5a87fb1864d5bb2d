//! Encryption of stored secrets: a key ring outside the database, and ciphertexts bound to their
//! row. To *seal* a secret is to encrypt it for one place ([`SecretPlace`]), and to *open* it is to
//! decrypt it for that place.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{Key, XChaCha20Poly1305, XNonce};
use domain::clock::Instant;
use domain::ids::PortalAccountId;
use domain::secret::SecretKind;
use hmac::{Hmac, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::Sha256;
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::Random;

mod canary;
mod file;
pub mod rewrap;

pub use canary::check_canary;

const NONCE: usize = 24;
const TAG: usize = 16;
const KEY: usize = 32;
const BLOCK: usize = 64;
const FORMAT: u8 = 1;
/// Version of the key for fingerprints.
const INDEX_VERSION: i32 = 1;

/// Place of a secret in the database. The ciphertext is bound to it.
#[derive(Clone, Copy, Debug)]
pub struct SecretPlace {
    /// Kind of the secret.
    pub kind: SecretKind,
    /// Table of the row.
    pub table: &'static str,
    /// Column of the ciphertext.
    pub column: &'static str,
    /// Id of the row.
    pub row: Uuid,
    /// Owner of the row.
    pub owner: Uuid,
    /// Version of the secret. It grows with each replacement, so that an old ciphertext cannot be
    /// put back.
    pub version: i32,
}

/// Sealed secret, stored as two columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// Id of the key that wraps the data key.
    pub kid: String,
    /// Format, wrapped data key and ciphertext.
    pub blob: Vec<u8>,
}

/// Keyed hash of an account's portal password, with the version of the key. It never contains the
/// password.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SecretHash {
    /// Version of the key.
    pub version: i32,
    /// HMAC-SHA-256.
    pub hash: [u8; 32],
}

impl std::fmt::Debug for SecretHash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SecretHash(v{})", self.version)
    }
}

impl SecretHash {
    /// Builds a hash from its two columns. `None` if one of them is null or the bytes are not a
    /// hash.
    pub(crate) fn of_columns(version: Option<i32>, hash: Option<Vec<u8>>) -> Option<Self> {
        Some(Self { version: version?, hash: hash?.try_into().ok()? })
    }
}

/// State of a key in the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyState {
    /// Seals and opens; exactly one key is active.
    Active,
    /// Opens secrets that it sealed before.
    DecryptOnly,
    /// Stays in the file, but opens nothing.
    Retired,
}

/// Errors of the key ring.
#[derive(Debug, thiserror::Error)]
pub enum KeyRingError {
    /// The file cannot be read or written.
    #[error("cannot read or write key ring {0}: {1}")]
    File(PathBuf, std::io::Error),
    /// The file exists and would be replaced.
    #[error("key ring {0} exists already")]
    Exists(PathBuf),
    /// The file is not a key ring.
    #[error("the key ring is malformed: {0}")]
    Malformed(&'static str),
    /// The database was written with another key ring.
    #[error("this key ring is not the one this database was written with")]
    WrongRing,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] crate::Error),
}

/// Ciphertext that cannot be opened: another key, another row, or a changed byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot decrypt a sealed secret")]
pub struct NotOpened;

/// Key ring: one active key for sealing, older keys for opening, and a separate key for
/// fingerprints.
///
/// A ring that was read from a file follows the file. It seals with the key that is active in the
/// file now. It reads the file again before it reports an unknown key. So keys can be rotated while
/// servers run.
pub struct KeyRing {
    keys: RwLock<Arc<Keys>>,
    index: Zeroizing<[u8; KEY]>,
    source: Option<file::Source>,
}

#[derive(Clone)]
struct Keys {
    all: BTreeMap<String, Entry>,
    active: String,
    /// Key for signing tokens and making links. Old rings have none and use the index key.
    signing: Option<Zeroizing<[u8; KEY]>>,
}

/// Purpose of a signature. Each purpose has a separate key, derived from the signing key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Signing {
    /// Access tokens.
    AccessTokens,
    /// Successors of refresh tokens.
    RefreshTokens,
    /// Links in mails.
    Links,
    /// Verifiers and nonces of Google sign-in flows.
    Oidc,
}

#[derive(Clone)]
struct Entry {
    state: KeyState,
    /// Time at which the state began. Unknown for keys of old files.
    since: Option<Instant>,
    key: Zeroizing<[u8; KEY]>,
}

impl KeyRing {
    /// Creates a new ring with one key.
    #[must_use]
    pub fn generate(random: &Random) -> Self {
        let active = fresh_kid(random);
        let entry = Entry { state: KeyState::Active, since: None, key: Zeroizing::new(random.bytes()) };
        let signing = Some(Zeroizing::new(random.bytes()));
        let keys = Keys { all: BTreeMap::from([(active.clone(), entry)]), active, signing };
        Self { keys: RwLock::new(Arc::new(keys)), index: Zeroizing::new(random.bytes()), source: None }
    }

    /// Reads a ring from its file, and follows the file from then on.
    pub fn load(path: &Path) -> Result<Self, KeyRingError> {
        file::load(path)
    }

    /// Writes the ring to a new file that only its owner can read.
    pub fn save_new(&self, path: &Path) -> Result<(), KeyRingError> {
        file::save_new(self, path)
    }

    /// Adds a new active key to the ring's file. The previous active key can only open from then
    /// on. Returns the new key's id.
    pub fn rotate(path: &Path, random: &Random, now: Instant) -> Result<String, KeyRingError> {
        file::change(path, |keys| {
            let kid = fresh_kid(random);
            if let Some(old) = keys.all.get_mut(&keys.active) {
                old.state = KeyState::DecryptOnly;
                old.since = Some(now);
            }
            let entry =
                Entry { state: KeyState::Active, since: Some(now), key: Zeroizing::new(random.bytes()) };
            keys.all.insert(kid.clone(), entry);
            keys.active.clone_from(&kid);
            kid
        })
    }

    /// Retires keys. They stay in the file for old backups, and open nothing.
    pub fn retire(path: &Path, kids: &[String], now: Instant) -> Result<(), KeyRingError> {
        file::change(path, |keys| {
            for kid in kids {
                if let Some(entry) =
                    keys.all.get_mut(kid).filter(|entry| entry.state == KeyState::DecryptOnly)
                {
                    entry.state = KeyState::Retired;
                    entry.since = Some(now);
                }
            }
        })
    }

    /// Replaces the signing key in the ring's file. Older access tokens and mailed links become
    /// invalid once servers have read it.
    pub fn rotate_signing(path: &Path, random: &Random) -> Result<(), KeyRingError> {
        file::change(path, |keys| keys.signing = Some(Zeroizing::new(random.bytes())))
    }

    /// Deletes retired keys from the file. Secrets in backups sealed with them can never be opened
    /// again.
    pub fn purge(path: &Path, kids: &[String]) -> Result<(), KeyRingError> {
        file::change(path, |keys| {
            keys.all.retain(|kid, entry| entry.state != KeyState::Retired || !kids.contains(kid));
        })
    }

    /// Returns every key's id, its state, and the start of that state, if known.
    #[must_use]
    pub fn status(&self) -> Vec<(String, KeyState, Option<Instant>)> {
        self.current().all.iter().map(|(kid, entry)| (kid.clone(), entry.state, entry.since)).collect()
    }

    /// Returns the id of the active key.
    #[must_use]
    pub fn active(&self) -> String {
        self.followed().active.clone()
    }

    /// Seals a secret for its place with the active key.
    #[must_use]
    pub fn seal(&self, place: &SecretPlace, plain: &SecretString, random: &Random) -> Sealed {
        seal(&self.followed(), place, plain.expose_secret().as_bytes(), random)
    }

    /// Opens a sealed secret, only for the place that it was sealed for.
    pub fn open(&self, place: &SecretPlace, sealed: &Sealed) -> Result<SecretString, NotOpened> {
        let padded = self.padded(place, sealed)?;
        let text = std::str::from_utf8(unpad(&padded)?).map_err(|_| NotOpened)?;
        Ok(SecretString::from(text.to_owned()))
    }

    /// Seals a sealed secret again with the active key, for the same place. The plaintext does not
    /// leave this function.
    pub fn rewrap(&self, place: &SecretPlace, sealed: &Sealed, random: &Random) -> Result<Sealed, NotOpened> {
        let padded = self.padded(place, sealed)?;
        Ok(seal(&self.followed(), place, unpad(&padded)?, random))
    }

    fn padded(&self, place: &SecretPlace, sealed: &Sealed) -> Result<Zeroizing<Vec<u8>>, NotOpened> {
        let known = self.current();
        let keys = if known.opens(&sealed.kid) { known } else { self.followed() };
        let entry = keys.all.get(&sealed.kid).filter(|_| keys.opens(&sealed.kid)).ok_or(NotOpened)?;
        let bound = associated(place, &sealed.kid);
        let (format, rest) = sealed.blob.split_first().ok_or(NotOpened)?;
        if *format != FORMAT || rest.len() < NONCE + KEY + TAG {
            return Err(NotOpened);
        }
        let (wrapped, ciphertext) = rest.split_at(NONCE + KEY + TAG);
        let unwrapped = Zeroizing::new(decrypt(&entry.key, wrapped, &bound)?);
        let data_key = Zeroizing::new(<[u8; KEY]>::try_from(unwrapped.as_slice()).map_err(|_| NotOpened)?);
        Ok(Zeroizing::new(decrypt(&data_key, ciphertext, &bound)?))
    }

    /// Returns a keyed hash for lookups of a text that is not stored. Prefix the text with its
    /// purpose: `topup-code|…`.
    #[must_use]
    pub fn fingerprint(&self, text: &str) -> [u8; 32] {
        let mut mac =
            <Hmac<Sha256> as KeyInit>::new_from_slice(&self.index[..]).expect("HMAC takes any key length");
        mac.update(text.as_bytes());
        mac.finalize().into_bytes().into()
    }

    /// Returns a value that only a holder of the signing key can compute. Prefix the text with its
    /// purpose, as for [`Self::fingerprint`].
    #[must_use]
    pub fn sign(&self, what: Signing, text: &str) -> [u8; 32] {
        let keys = self.current();
        let Some(signing) = &keys.signing else { return self.fingerprint(text) };
        let mac = |key: &[u8], text: &str| -> [u8; 32] {
            let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(key).expect("HMAC takes any key length");
            mac.update(text.as_bytes());
            mac.finalize().into_bytes().into()
        };
        let name: &str = what.into();
        let own = Zeroizing::new(mac(&signing[..], &format!("sooner-signing|{name}")));
        mac(&own[..], text)
    }

    /// Returns a keyed hash of a portal account's password. Equal hashes mean equal passwords of
    /// one account.
    #[must_use]
    pub fn secret_hash(&self, account: PortalAccountId, password: &SecretString) -> SecretHash {
        let text =
            Zeroizing::new(format!("portal-secret|{}|{}", account.0.simple(), password.expose_secret()));
        SecretHash { version: self.index_version(), hash: self.fingerprint(&text) }
    }

    /// Returns the version of the key for fingerprints. Hashes of another version are computed
    /// again.
    #[must_use]
    pub const fn index_version(&self) -> i32 {
        INDEX_VERSION
    }

    fn current(&self) -> Arc<Keys> {
        self.keys.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Returns the keys as the file has them now. Returns the previous keys if the file cannot be
    /// read or contains another ring.
    fn followed(&self) -> Arc<Keys> {
        let Some(source) = &self.source else { return self.current() };
        match source.changed() {
            Ok(None) => {}
            Ok(Some(ring)) if ring.index == self.index => {
                let fresh = ring.current();
                tracing::info!(active = fresh.active, "reloaded the key ring");
                *self.keys.write().unwrap_or_else(PoisonError::into_inner) = fresh;
            }
            Ok(Some(_)) => {
                tracing::error!("key ring file contains another key ring; using the loaded one")
            }
            Err(error) => {
                tracing::error!(%error, "failed to read the key ring file; using the loaded key ring")
            }
        }
        self.current()
    }
}

impl Keys {
    fn opens(&self, kid: &str) -> bool {
        self.all.get(kid).is_some_and(|entry| entry.state != KeyState::Retired)
    }
}

fn fresh_kid(random: &Random) -> String {
    format!("k{}", hex::encode(random.bytes::<4>()))
}

fn seal(keys: &Keys, place: &SecretPlace, plain: &[u8], random: &Random) -> Sealed {
    let bound = associated(place, &keys.active);
    let data_key = Zeroizing::new(random.bytes::<KEY>());
    let mut blob = vec![FORMAT];
    let active = keys.all.get(&keys.active).expect("the active key is in the ring");
    append(&mut blob, &active.key, random, &data_key[..], &bound);
    append(&mut blob, &data_key, random, &pad(plain), &bound);
    Sealed { kid: keys.active.clone(), blob }
}

impl std::fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "KeyRing({})", self.current().active)
    }
}

/// Returns the length-prefixed `table | column | row id | owner | kind | kid | version`.
fn associated(place: &SecretPlace, kid: &str) -> Vec<u8> {
    let version = place.version.to_be_bytes();
    let parts: [&[u8]; 7] = [
        place.table.as_bytes(),
        place.column.as_bytes(),
        place.row.as_bytes(),
        place.owner.as_bytes(),
        place.kind.as_str().as_bytes(),
        kid.as_bytes(),
        &version,
    ];
    let mut bytes = Vec::with_capacity(128);
    for part in parts {
        bytes.extend_from_slice(&u32::try_from(part.len()).unwrap_or(u32::MAX).to_be_bytes());
        bytes.extend_from_slice(part);
    }
    bytes
}

fn append(blob: &mut Vec<u8>, key: &[u8; KEY], random: &Random, plain: &[u8], bound: &[u8]) {
    let nonce = random.bytes::<NONCE>();
    let cipher = XChaCha20Poly1305::new(&Key::from(*key));
    let sealed = cipher
        .encrypt(&XNonce::from(nonce), Payload { msg: plain, aad: bound })
        .expect("a secret is shorter than the cipher's limit of 256 GiB");
    blob.extend_from_slice(&nonce);
    blob.extend_from_slice(&sealed);
}

fn decrypt(key: &[u8; KEY], sealed: &[u8], bound: &[u8]) -> Result<Vec<u8>, NotOpened> {
    let (nonce, sealed) = sealed.split_at_checked(NONCE).ok_or(NotOpened)?;
    let nonce = <[u8; NONCE]>::try_from(nonce).map_err(|_| NotOpened)?;
    let cipher = XChaCha20Poly1305::new(&Key::from(*key));
    cipher.decrypt(&XNonce::from(nonce), Payload { msg: sealed, aad: bound }).map_err(|_| NotOpened)
}

/// Returns the length, the bytes, and zeros up to a multiple of the block size. The ciphertext then
/// reveals little about the password's length.
fn pad(plain: &[u8]) -> Zeroizing<Vec<u8>> {
    let full = (plain.len() + 4).div_ceil(BLOCK) * BLOCK;
    let mut bytes = Vec::with_capacity(full);
    bytes.extend_from_slice(&u32::try_from(plain.len()).unwrap_or(u32::MAX).to_be_bytes());
    bytes.extend_from_slice(plain);
    bytes.resize(full, 0);
    Zeroizing::new(bytes)
}

fn unpad(padded: &[u8]) -> Result<&[u8], NotOpened> {
    let (length, rest) = padded.split_first_chunk::<4>().ok_or(NotOpened)?;
    rest.get(..u32::from_be_bytes(*length) as usize).ok_or(NotOpened)
}
