//! Pages of the portal that contradict what is known of a group, kept until they agree again.

use domain::booking::evidence::Doubt;
use domain::ids::TaskId;
use serde_json::Value;

use super::read;
use crate::{Error, Tx, exec, one};

/// What makes a task's appointment doubtful, if anything does.
///
/// # Errors
/// The database, or a stored value that is none of ours.
pub async fn doubt(tx: &mut Tx, id: TaskId) -> Result<Option<Doubt>, Error> {
    let found = one!(tx, (Option<Value>,), "SELECT doubt FROM task WHERE id = $1", id.0)?;
    found.and_then(|(value,)| value).map(|value| read("task.doubt", value)).transpose()
}

/// Remembers what makes a task's appointment doubtful, or forgets it.
///
/// # Errors
/// The database.
pub async fn set_doubt(tx: &mut Tx, id: TaskId, doubt: Option<&Doubt>) -> Result<(), Error> {
    let value = doubt.map(serde_json::to_value).transpose().map_err(|_| Error::Corrupt("task.doubt"))?;
    exec!(tx, "UPDATE task SET doubt = $2 WHERE id = $1", id.0, value)?;
    Ok(())
}
