//! Password hashing with Argon2id, in blocking threads, with at most two hashes at a time.

use std::sync::Arc;

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use secrecy::{ExposeSecret, SecretString};
use store::Random;
use store::keyring::KeyRing;
use tokio::sync::Semaphore;
use unicode_normalization::UnicodeNormalization as _;
use zeroize::Zeroizing;

use crate::http::error::ApiError;
use crate::http::queue::{PASSWORD_QUEUE, Queue, QueuePermit};

/// Argon2id parameters that OWASP recommends first: 46 MiB, one pass, one lane.
const MEMORY_KIB: u32 = 47_104;
const AT_ONCE: usize = 2;

/// Hasher of passwords.
pub struct Passwords {
    random: Random,
    hashing: Arc<Semaphore>,
    queue: Arc<Queue>,
    /// Hash to verify if no such user exists, so that the response takes the same time.
    dummy: String,
}

/// Result of comparing a password with known hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Likeness {
    /// The password is that of the account.
    Account,
    /// The password is that of the registration whose mailed link the request contains.
    Link,
    /// The password is that of a pending registration with this address.
    Registration,
    /// The password matches no hash.
    Nothing,
}

/// Hashes with which a password is compared.
#[derive(Clone, Copy, Debug)]
pub struct KnownHashes<'a> {
    /// Hash of the account, if its address is verified.
    pub account: Option<&'a str>,
    /// Hash of the registration whose mailed link the request contains.
    pub link: Option<&'a str>,
    /// Hashes of recent registrations of the address.
    pub registrations: &'a [String],
}

impl Passwords {
    /// Creates the hasher. Its dummy hash takes as long to verify as a real one.
    #[must_use]
    pub fn new(random: &Random) -> Self {
        let salt = random.bytes::<16>();
        let dummy = hash(b"nobody has this password", &salt).unwrap_or_default();
        Self {
            random: random.clone(),
            hashing: Arc::new(Semaphore::new(AT_ONCE)),
            queue: Queue::new(PASSWORD_QUEUE),
            dummy,
        }
    }

    /// Returns the queue of requests that hash a password. A request holds its permit until its
    /// last write. Otherwise an unlimited number of requests could wait for the database's single
    /// writer.
    #[must_use]
    pub const fn queue(&self) -> &Arc<Queue> {
        &self.queue
    }

    /// Hashes a password for storage, in PHC format.
    pub async fn hash(&self, permit: &QueuePermit, password: SecretString) -> Result<String, ApiError> {
        let salt = self.random.bytes::<16>();
        self.hash_with(permit, password, salt.to_vec()).await
    }

    /// Hashes a password with a given salt, in PHC format.
    pub async fn hash_with(
        &self,
        permit: &QueuePermit,
        password: SecretString,
        salt: Vec<u8>,
    ) -> Result<String, ApiError> {
        self.run(permit, move || hash(normal(&password).as_bytes(), &salt))
            .await?
            .ok_or_else(|| ApiError::internal(&"argon2 failed"))
    }

    /// Returns the salt for registrations of an address: the salt of its account, or one that only
    /// this server can derive. With a common salt, one hash is enough to compare a password with
    /// the account and all registrations.
    #[must_use]
    pub fn salt(&self, keyring: &KeyRing, email: &str, known: Option<&str>) -> Vec<u8> {
        let own = known.and_then(|phc| Some(PasswordHash::new(phc).ok()?.salt?.as_ref().to_vec()));
        own.unwrap_or_else(|| {
            let place = format!("registration-salt|{}", store::user::normalise(email));
            keyring.fingerprint(&place)[..16].to_vec()
        })
    }

    /// Returns `true` if the password matches the stored hash. Without a stored hash the call takes
    /// as long, and returns `false`.
    pub async fn verify(
        &self,
        permit: &QueuePermit,
        password: SecretString,
        stored: Option<String>,
    ) -> Result<bool, ApiError> {
        let known = stored.is_some();
        let stored = stored.unwrap_or_else(|| self.dummy.clone());
        let same = self.run(permit, move || {
            let parsed = PasswordHash::new(&stored).ok()?;
            argon2().verify_password(normal(&password).as_bytes(), &parsed).ok()
        });
        Ok(same.await?.is_some() && known)
    }

    /// Compares a password with known hashes. Computes one hash, regardless of the number of
    /// candidates. `salt` is the result of [`Self::salt`].
    pub async fn compare(
        &self,
        permit: &QueuePermit,
        password: SecretString,
        salt: Vec<u8>,
        candidates: KnownHashes<'_>,
    ) -> Result<Likeness, ApiError> {
        let typed = self.hash_with(permit, password, salt).await?;
        let typed_is = |known: Option<&str>| known == Some(typed.as_str());
        Ok(if typed_is(candidates.account) {
            Likeness::Account
        } else if typed_is(candidates.link) {
            Likeness::Link
        } else if candidates.registrations.contains(&typed) {
            Likeness::Registration
        } else {
            Likeness::Nothing
        })
    }

    async fn run<T, F>(&self, _: &QueuePermit, work: F) -> Result<T, ApiError>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        let permit = self.hashing.clone().acquire_owned().await.map_err(|e| ApiError::internal(&e))?;
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        done.await.map_err(|e| ApiError::internal(&e))
    }
}

/// Normalizes a password to NFC (RFC 8265), because keyboards encode the same characters
/// differently.
fn normal(password: &SecretString) -> Zeroizing<String> {
    Zeroizing::new(password.expose_secret().nfc().collect())
}

fn argon2() -> Argon2<'static> {
    let params = Params::new(MEMORY_KIB, 1, 1, None).expect("the parameters are within Argon2's limits");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

fn hash(password: &[u8], salt: &[u8]) -> Option<String> {
    argon2().hash_password_with_salt(password, salt).ok().map(|hash| hash.to_string())
}
