//! Errors of jobs and verifications.

use chrono::TimeDelta;
use portal::PortalError;

/// Reason why a job failed.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// An error of the portal. Its kind determines how the engine recovers.
    #[error(transparent)]
    Portal(#[from] PortalError),
    /// An error of the database. The work is tried again later.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// A stored secret cannot be decrypted. A plain retry cannot help.
    #[error("cannot decrypt a stored secret")]
    Secret,
    /// The account's budget is used up, or the account backs off, until the given time.
    #[error("backing off until {0}")]
    Rest(domain::clock::Instant),
    /// Another node holds the lease, or the database continues another history, as after a
    /// failover. The engine writes nothing until it acquires the lease again.
    #[error("the engine's lease was lost")]
    NotLeading,
    /// The task, its secret or its account no longer exists.
    #[error("the task, its secret or its account no longer exists")]
    Gone,
    /// A group on the groups page cannot be read.
    #[error("cannot read a group of the account")]
    Unreadable,
    /// The job panicked because of a bug. The log shows the location.
    #[error("the job panicked")]
    Panicked,
}

impl JobError {
    /// Returns `true` if the error affects all work, because the database is unavailable or this
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
    /// The engine backs off from the portal or the account for this time.
    #[error("backing off from the portal for {0}")]
    Resting(TimeDelta),
    /// Too many verifications are queued.
    #[error("too many verifications at once")]
    Busy,
    /// An error of the portal, such as a rejected password, a locked account or a captcha.
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
