//! Argon2id, away from the async threads and never more than two at once.

use std::sync::Arc;

use argon2::password_hash::phc::PasswordHash;
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use secrecy::{ExposeSecret, SecretString};
use store::Random;
use tokio::sync::Semaphore;

use crate::error::ApiError;

/// 46 MiB, one pass, one lane: OWASP's first choice for Argon2id.
const MEMORY_KIB: u32 = 47_104;
const AT_ONCE: usize = 2;

/// Hashes and checks passwords.
pub struct Passwords {
    random: Random,
    permits: Arc<Semaphore>,
    /// Checked when there is no such user, so that the answer takes as long.
    dummy: String,
}

impl Passwords {
    /// Makes the dummy hash, which takes as long as a sign-in.
    #[must_use]
    pub fn new(random: &Random) -> Self {
        let salt = random.bytes::<16>();
        let dummy = hash(b"nobody has this password", &salt).unwrap_or_default();
        Self { random: random.clone(), permits: Arc::new(Semaphore::new(AT_ONCE)), dummy }
    }

    /// The PHC text to keep for a password.
    pub async fn hash(&self, password: SecretString) -> Result<String, ApiError> {
        let salt = self.random.bytes::<16>();
        self.run(move || hash(password.expose_secret().as_bytes(), &salt))
            .await?
            .ok_or_else(|| ApiError::internal(&"argon2 failed"))
    }

    /// Whether the password is the one; with no stored hash it works as long and says no.
    pub async fn verify(&self, password: SecretString, stored: Option<String>) -> Result<bool, ApiError> {
        let known = stored.is_some();
        let stored = stored.unwrap_or_else(|| self.dummy.clone());
        let same = self.run(move || {
            let parsed = PasswordHash::new(&stored).ok()?;
            argon2().verify_password(password.expose_secret().as_bytes(), &parsed).ok()
        });
        Ok(same.await?.is_some() && known)
    }

    async fn run<T, F>(&self, work: F) -> Result<T, ApiError>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        let permit = self.permits.clone().acquire_owned().await.map_err(|e| ApiError::internal(&e))?;
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        done.await.map_err(|e| ApiError::internal(&e))
    }
}

fn argon2() -> Argon2<'static> {
    let params = Params::new(MEMORY_KIB, 1, 1, None).expect("the parameters are within Argon2's limits");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

fn hash(password: &[u8], salt: &[u8]) -> Option<String> {
    argon2().hash_password_with_salt(password, salt).ok().map(|hash| hash.to_string())
}
