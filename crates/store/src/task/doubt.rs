//! Portal pages that contradict the stored state of a group, kept until the pages agree with it
//! again.

use domain::booking::evidence::Doubt;
use domain::ids::TaskId;
use serde_json::Value;

use super::read;
use crate::{Error, Tx, exec, one};

/// Returns the contradiction that makes a task's appointment doubtful, if any.
///
/// # Errors
/// Returns a database error, or an error if the stored value cannot be read.
pub async fn doubt(tx: &mut Tx, id: TaskId) -> Result<Option<Doubt>, Error> {
    let found = one!(tx, (Option<Value>,), "SELECT doubt FROM task WHERE id = $1", id.0)?;
    found.and_then(|(value,)| value).map(|value| read("task.doubt", value)).transpose()
}

/// Stores the contradiction that makes a task's appointment doubtful, or clears it.
///
/// # Errors
/// Returns a database error.
pub async fn set_doubt(tx: &mut Tx, id: TaskId, doubt: Option<&Doubt>) -> Result<(), Error> {
    let value = doubt.map(serde_json::to_value).transpose().map_err(|_| Error::Corrupt("task.doubt"))?;
    exec!(tx, "UPDATE task SET doubt = $2 WHERE id = $1", id.0, value)?;
    Ok(())
}
