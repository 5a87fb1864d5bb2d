//! Errors that stop a job, or a verification.

use chrono::TimeDelta;
use portal::PortalError;

/// Reason why a job failed.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// An error of the portal: the reaction depends on the error.
    #[error(transparent)]
    Portal(#[from] PortalError),
    /// An error of the database: try again later.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// A stored secret cannot be opened: never retried blindly.
    #[error("cannot decrypt a stored secret")]
    Secret,
    /// The account's budget is used up, or it backs off until that time.
    #[error("backing off until {0}")]
    Rest(domain::clock::Instant),
    /// Another node holds the lease, or the database continues another history. Nothing is written
    /// until the lease is requested again.
    #[error("the engine's lease was lost")]
    NotLeading,
    /// The task, its secret or its account no longer exists.
    #[error("the task, its secret or its account no longer exists")]
    Gone,
    /// A group on the groups page cannot be read.
    #[error("cannot read a group of the account")]
    Unreadable,
    /// A bug: the log has the location.
    #[error("the job panicked")]
    Panicked,
}

impl JobError {
    /// Returns `true` if the error concerns every subject: the database is unavailable, or this
    /// node may not write.
    pub(crate) const fn concerns_all(&self) -> bool {
        matches!(
            self,
            Self::NotLeading
                | Self::Store(
                    store::Error::Unavailable(_)
                        | store::Error::Unsure(_)
                        | store::Error::NewerSchema(_)
                        | store::Error::Pooled(_)
                )
        )
    }
}

impl From<app::Error> for JobError {
    fn from(error: app::Error) -> Self {
        match error {
            app::Error::Store(error) => Self::Store(error),
            app::Error::Refused(_) => Self::Gone,
        }
    }
}

/// Reason why a verification failed.
#[derive(Debug, thiserror::Error)]
pub enum NotVerified {
    /// This login was rejected too often recently.
    #[error("too many rejected verifications of this login")]
    TooMany,
    /// An operator paused all requests to the portal.
    #[error("requests to the portal are paused")]
    Paused,
    /// Requests to the portal are suspended for this long: the portal requested that, or failed.
    #[error("backing off from the portal for {0}")]
    Resting(TimeDelta),
    /// Too many verifications are queued.
    #[error("too many verifications at once")]
    Busy,
    /// An error of the portal: rejected, locked, captcha, down …
    #[error(transparent)]
    Portal(#[from] PortalError),
    /// An internal error.
    #[error(transparent)]
    Fault(JobError),
}

impl From<store::Error> for NotVerified {
    fn from(error: store::Error) -> Self {
        Self::Fault(error.into())
    }
}

impl From<JobError> for NotVerified {
    fn from(error: JobError) -> Self {
        match error {
            JobError::Portal(portal_error) => Self::Portal(portal_error),
            error => Self::Fault(error),
        }
    }
}
