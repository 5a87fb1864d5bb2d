//! Secrets at rest: a ring of keys outside the database, and envelopes bound to their row.

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
/// The version of the key for fingerprints.
const INDEX_VERSION: i32 = 1;

/// Where a secret lives; part of what its ciphertext is bound to.
#[derive(Clone, Copy, Debug)]
pub struct SecretPlace {
    /// What it is.
    pub kind: SecretKind,
    /// The table of its row.
    pub table: &'static str,
    /// The column of the ciphertext.
    pub column: &'static str,
    /// The row's id.
    pub row: Uuid,
    /// Whose row it is.
    pub owner: Uuid,
    /// Grows with each replacement, so that an old ciphertext cannot be put back.
    pub version: i32,
}

/// A sealed secret, as two columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sealed {
    /// Which key of the ring wraps it.
    pub kid: String,
    /// Format, wrapped data key and ciphertext.
    pub blob: Vec<u8>,
}

/// A portal password of one account as a keyed hash, with the version of the key: never the password.
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
    /// As two columns hold it; none when one of them is empty or it is no hash.
    pub(crate) fn of_columns(version: Option<i32>, hash: Option<Vec<u8>>) -> Option<Self> {
        Some(Self { version: version?, hash: hash?.try_into().ok()? })
    }
}

/// Whether a key of the ring may seal, open, or neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyState {
    /// Seals and opens; exactly one.
    Active,
    /// Opens what it sealed before.
    DecryptOnly,
    /// Kept for the record; opens nothing.
    Retired,
}

/// Why the key ring cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeyRingError {
    /// The file cannot be read or written.
    #[error("key ring file {0}: {1}")]
    File(PathBuf, std::io::Error),
    /// The file would be replaced.
    #[error("key ring file {0} exists already")]
    Exists(PathBuf),
    /// The file is not a key ring.
    #[error("the key ring is malformed: {0}")]
    Malformed(&'static str),
    /// This ring is not the one the database was written with.
    #[error("this key ring is not the one this database was written with")]
    WrongRing,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] crate::Error),
}

/// A ciphertext that does not open: another key, another row, or a changed byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a sealed secret does not open")]
pub struct NotOpened;

/// The keys: one active for sealing, older ones for opening, and a separate key for fingerprints.
///
/// A ring that was read from a file follows it: it seals under the key that is active there now, and looks again before
/// it says that it does not know a key. So keys are rotated while servers run.
pub struct KeyRing {
    keys: RwLock<Arc<Keys>>,
    index: Zeroizing<[u8; KEY]>,
    source: Option<file::Source>,
}

#[derive(Clone)]
struct Keys {
    all: BTreeMap<String, Entry>,
    active: String,
    /// What tokens are signed with and links are made from; rings of before have none, and the index key does it.
    signing: Option<Zeroizing<[u8; KEY]>>,
}

/// What is signed or made from the signing key: each has a key of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Signing {
    /// Access tokens.
    AccessTokens,
    /// Successors of refresh tokens.
    RefreshTokens,
    /// Links in mails.
    Links,
    /// Verifiers and nonces of ways to Google.
    Oidc,
}

#[derive(Clone)]
struct Entry {
    state: KeyState,
    /// Since when; unknown for the keys of old files.
    since: Option<Instant>,
    key: Zeroizing<[u8; KEY]>,
}

impl KeyRing {
    /// A fresh ring with one key.
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

    /// Writes the ring to a new file only its owner can read.
    pub fn save_new(&self, path: &Path) -> Result<(), KeyRingError> {
        file::save_new(self, path)
    }

    /// Adds a fresh key to the ring's file and makes it the active one; the old one only opens from now on. Answers
    /// the new key's id.
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

    /// Takes keys out of use; they stay in the file for the sake of old backups, and open nothing.
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

    /// Puts a fresh signing key into the ring's file: access tokens and mailed links of before end once servers have read it.
    pub fn rotate_signing(path: &Path, random: &Random) -> Result<(), KeyRingError> {
        file::change(path, |keys| keys.signing = Some(Zeroizing::new(random.bytes())))
    }

    /// Takes retired keys out of the file: what backups have under them can never be opened again.
    pub fn purge(path: &Path, kids: &[String]) -> Result<(), KeyRingError> {
        file::change(path, |keys| {
            keys.all.retain(|kid, entry| entry.state != KeyState::Retired || !kids.contains(kid));
        })
    }

    /// Every key's id, its state, and since when where that is known.
    #[must_use]
    pub fn status(&self) -> Vec<(String, KeyState, Option<Instant>)> {
        self.current().all.iter().map(|(kid, entry)| (kid.clone(), entry.state, entry.since)).collect()
    }

    /// The id of the key that seals now.
    #[must_use]
    pub fn active(&self) -> String {
        self.followed().active.clone()
    }

    /// Seals a secret for its place under the active key.
    #[must_use]
    pub fn seal(&self, place: &SecretPlace, plain: &SecretString, random: &Random) -> Sealed {
        seal(&self.followed(), place, plain.expose_secret().as_bytes(), random)
    }

    /// Opens a sealed secret; only for the place it was sealed for.
    pub fn open(&self, place: &SecretPlace, sealed: &Sealed) -> Result<SecretString, NotOpened> {
        let padded = self.padded(place, sealed)?;
        let text = std::str::from_utf8(unpad(&padded)?).map_err(|_| NotOpened)?;
        Ok(SecretString::from(text.to_owned()))
    }

    /// Seals an already sealed secret again, for the same place under the active key; the secret never leaves here.
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

    /// A keyed hash for looking things up without keeping them. Put the purpose in front: `topup-code|…`.
    #[must_use]
    pub fn fingerprint(&self, text: &str) -> [u8; 32] {
        let mut mac =
            <Hmac<Sha256> as KeyInit>::new_from_slice(&self.index[..]).expect("HMAC takes any key length");
        mac.update(text.as_bytes());
        mac.finalize().into_bytes().into()
    }

    /// A value that only who has the signing key can make. Put what it is in front, as with [`Self::fingerprint`].
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

    /// A keyed hash of a portal account's password: equal hashes are equal passwords of one account.
    #[must_use]
    pub fn secret_hash(&self, account: PortalAccountId, password: &SecretString) -> SecretHash {
        let text =
            Zeroizing::new(format!("portal-secret|{}|{}", account.0.simple(), password.expose_secret()));
        SecretHash { version: self.index_version(), hash: self.fingerprint(&text) }
    }

    /// The version of the key that fingerprints are made with; hashes of another version are made anew.
    #[must_use]
    pub const fn index_version(&self) -> i32 {
        INDEX_VERSION
    }

    fn current(&self) -> Arc<Keys> {
        self.keys.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The keys as the file has them now; those known before, where it cannot be read or is another ring's.
    fn followed(&self) -> Arc<Keys> {
        let Some(source) = &self.source else { return self.current() };
        match source.changed() {
            Ok(None) => {}
            Ok(Some(ring)) if ring.index == self.index => {
                let fresh = ring.current();
                tracing::info!(active = fresh.active, "the key ring was read again");
                *self.keys.write().unwrap_or_else(PoisonError::into_inner) = fresh;
            }
            Ok(Some(_)) => {
                tracing::error!("the key ring's file now holds another ring; the one read before is used")
            }
            Err(error) => {
                tracing::error!(%error, "the key ring's file can not be read; what was read before is used")
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

/// Length-prefixed `table | column | row id | owner | kind | kid | version`.
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

/// A length, the bytes, zeros up to the next 64: the ciphertext tells little about the password's length.
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
