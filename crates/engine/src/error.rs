//! What can stop a job, or a verification.

use chrono::TimeDelta;
use portal::PortalError;

/// Why a job did not end well.
#[derive(Debug, thiserror::Error)]
pub enum JobError {
    /// The portal: what to do depends on the trouble.
    #[error(transparent)]
    Portal(#[from] PortalError),
    /// The database: try again later.
    #[error(transparent)]
    Store(#[from] store::Error),
    /// A stored secret cannot be opened: never retried blindly.
    #[error("a stored secret cannot be opened")]
    Secret,
    /// Not now: the account's budget is used up or it is resting.
    #[error("resting until {0}")]
    Rest(domain::clock::Instant),
    /// Another node holds the lease, or the database continues another history: nothing is written until the lease is asked for again.
    #[error("the engine's lease was lost")]
    NotLeading,
    /// The task, its secret or its account is no longer there.
    #[error("no longer there")]
    Gone,
    /// A group on the groups page cannot be read.
    #[error("a group of the account cannot be read")]
    Unreadable,
    /// A bug: the log has where.
    #[error("the job panicked")]
    Panicked,
}

impl JobError {
    /// Whether the error concerns every subject: the database is away, or this node may not write.
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

/// Why a verification brought nothing.
#[derive(Debug, thiserror::Error)]
pub enum NotVerified {
    /// This login was rejected too often lately.
    #[error("too many rejected verifications of this login")]
    TooMany,
    /// An operator paused all requests to the portal.
    #[error("requests to the portal are paused")]
    Paused,
    /// The portal is left alone for so long: it asked for that, or failed.
    #[error("the portal is left alone for {0}")]
    Resting(TimeDelta),
    /// Too many stand in line.
    #[error("too many verifications at once")]
    Busy,
    /// The portal: rejected, locked, captcha, down …
    #[error(transparent)]
    Portal(#[from] PortalError),
    /// Ours.
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
