//! Owner of a solo server (`sooner serve --solo`).

use domain::clock::Instant;
use domain::ids::UserId;
use uuid::Uuid;

use crate::{Error, Tx, exec, one};

/// Owner, with the address of the server's pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoloOwner {
    /// User who owns the server.
    pub user: UserId,
    /// Address of the server that started last, e.g. `http://127.0.0.1:8080`.
    pub address: String,
}

/// Returns the owner. `None` if the server is not a solo server.
///
/// # Errors
/// Returns a database error.
pub async fn get(tx: &mut Tx) -> Result<Option<SoloOwner>, Error> {
    let row = one!(tx, (Uuid, String), "SELECT user_id, address FROM solo_owner")?;
    Ok(row.map(|(user, address)| SoloOwner { user: UserId(user), address }))
}

/// Makes `user` the owner of the server at this address.
///
/// # Errors
/// Returns a database error.
pub async fn set(tx: &mut Tx, user: UserId, address: &str, now: Instant) -> Result<(), Error> {
    exec!(
        tx,
        "INSERT INTO solo_owner (id, user_id, since, address) VALUES (1, $1, $2, $3)
         ON CONFLICT (id) DO UPDATE SET user_id = excluded.user_id, address = excluded.address",
        user.0,
        now,
        address.to_owned()
    )?;
    Ok(())
}
