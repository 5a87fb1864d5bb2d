//! Known text, sealed in the database. It reveals a wrong key ring before that writes anything.

use domain::secret::SecretKind;
use secrecy::{ExposeSecret, SecretString};
use uuid::Uuid;

use super::{KeyRing, KeyRingError, Sealed, SecretPlace};
use crate::{Db, Random, exec, one};

const TEXT: &str = "sooner key ring canary";

pub(super) const PLACE: SecretPlace = SecretPlace {
    kind: SecretKind::PortalSession,
    table: "canary",
    column: "blob",
    row: Uuid::nil(),
    owner: Uuid::nil(),
    version: 1,
};

/// Inserts the canary into a new database, or checks that this ring opens the stored one.
pub async fn check_canary(db: &Db, ring: &KeyRing, random: &Random) -> Result<(), KeyRingError> {
    let sealed = ring.seal(&PLACE, &SecretString::from(TEXT), random);
    let fp = ring.fingerprint(TEXT).to_vec();
    let mut tx = db.begin().await?;
    exec!(
        &mut tx,
        "INSERT INTO canary (id, kid, blob, fp) VALUES (1, $1, $2, $3) ON CONFLICT DO NOTHING",
        sealed.kid,
        sealed.blob,
        fp.clone()
    )?;
    let row = one!(&mut tx, (String, Vec<u8>, Vec<u8>), "SELECT kid, blob, fp FROM canary WHERE id = 1")?;
    let (kid, blob, stored) = row.ok_or(KeyRingError::WrongRing)?;
    let opened = ring.open(&PLACE, &Sealed { kid, blob }).map_err(|_| KeyRingError::WrongRing)?;
    if opened.expose_secret() != TEXT || stored != fp {
        return Err(KeyRingError::WrongRing);
    }
    tx.commit().await?;
    Ok(())
}
