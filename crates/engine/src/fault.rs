//! What can stop a job.

use portal::PortalError;

/// Why a job did not end well.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The portal: what to do depends on the trouble.
    #[error(transparent)]
    Portal(#[from] PortalError),
    /// The database: try again later.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// A stored secret cannot be opened: never retried blindly.
    #[error("a stored secret can not be opened")]
    Secret,
    /// Not now: the account's budget is used up or it is resting.
    #[error("resting until {0}")]
    Rest(domain::clock::Instant),
    /// The task, its secret or its account is no longer there.
    #[error("no longer there")]
    Gone,
}

impl From<app::Error> for Fault {
    fn from(error: app::Error) -> Self {
        match error {
            app::Error::Store(error) => Self::Store(error),
            app::Error::Refused(_) => Self::Gone,
        }
    }
}
