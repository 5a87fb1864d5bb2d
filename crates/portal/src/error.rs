//! Errors of the portal, grouped by the recovery that each error requires.

use chrono::{DateTime, Utc};
use serde::Serialize;
use std::fmt;
use std::time::Duration;

/// Pages and other responses that the client knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum PageKind {
    /// The sign-in form.
    SignIn,
    /// The response to a sign-in: JavaScript or a redirect.
    SignInAnswer,
    /// The home page of the account, with all its groups.
    Groups,
    /// The actions page of one group.
    Actions,
    /// The fee page with the first available day of each city.
    Payment,
    /// The page of one applicant.
    Applicant,
    /// The warning with the number of reschedules left.
    Limit,
    /// The page for selecting the applicants to reschedule.
    Applicants,
    /// The booking form.
    Form,
    /// The confirmation and instructions page.
    Instructions,
    /// The list of free dates (JSON).
    Days,
    /// The list of free times of one date (JSON).
    Times,
    /// The list of free dates of a fingerprint place (JSON).
    FingerprintDays,
    /// The list of free times of one date of a fingerprint place (JSON).
    FingerprintTimes,
    /// The response to the booking POST.
    Booking,
}

/// Error for a response without the structure expected for its page. No value was read from the
/// response.
///
/// The error holds no text of the page. Pages with equal layout have equal `shape`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot read the portal's {page:?} page: {what} (shape {shape:016x})")]
pub struct LayoutChanged {
    /// The page that was expected.
    pub page: PageKind,
    /// Description of the part that was missing or unknown.
    pub what: &'static str,
    /// Hash of the tags and classes of the page. The page's text does not affect it.
    pub shape: u64,
}

/// Reason why a request returned no value. Each variant has one [`Recovery`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PortalError {
    /// The session has ended or never existed.
    #[error("signed out")]
    SignedOut,
    /// The portal rejected the login or password. The same password must never be sent again.
    #[error("the portal rejected the login or password")]
    CredentialsRejected,
    /// The account is locked.
    #[error("the portal account is locked")]
    Locked {
        /// End of the lock, or `None` if the portal printed no readable time.
        until: Option<DateTime<Utc>>,
        /// The sentence that the portal printed.
        text: String,
    },
    /// The portal shows a captcha, which only the user can solve.
    #[error("the portal requires a captcha")]
    Captcha,
    /// The portal reports that the account may not access this group.
    #[error("no permission for this group")]
    NoPermission,
    /// The group or page does not exist (404).
    #[error("not found at the portal")]
    NotFound,
    /// All reschedules of this group are used up.
    #[error("the reschedule limit is reached")]
    LimitReached,
    /// The portal announced maintenance (503).
    #[error("the portal is under maintenance")]
    Maintenance {
        /// Wait requested by `Retry-After`.
        retry_after: Option<Duration>,
    },
    /// The portal failed or is too busy. It answered 500, 502 or 504, or 200 with a page that
    /// reports this.
    #[error("the portal answered {status}")]
    Overloaded {
        /// The HTTP status.
        status: u16,
        /// Wait requested by `Retry-After`.
        retry_after: Option<Duration>,
    },
    /// A response typical of an overloaded portal: empty, cut short, without facilities to choose,
    /// or an unknown error. A changed layout can look the same. Only a later request distinguishes
    /// the two.
    #[error("the portal seems overloaded: {0}")]
    Busy(LayoutChanged),
    /// Signs of a block: status 403, status 429, or several reset connections in a row.
    #[error("the portal seems to block this client")]
    Blocked {
        /// The HTTP status, or `None` for reset connections.
        status: Option<u16>,
        /// Wait requested by `Retry-After`.
        retry_after: Option<Duration>,
    },
    /// No response arrived before the timeout.
    #[error("the portal did not answer before the timeout")]
    Timeout,
    /// The connection failed.
    #[error("cannot reach the portal: {text}")]
    Network {
        /// Description of the failure, without addresses or personal data.
        text: String,
    },
    /// The response has an unknown structure.
    #[error(transparent)]
    LayoutChanged(#[from] LayoutChanged),
}

/// Action that only the user can take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserAction {
    /// The user must enter a new portal password.
    NewPassword,
    /// The user must solve a captcha at the portal.
    Captcha,
    /// The user must wait for the end of a lock, or have the portal lift it.
    Unlock {
        /// End of the lock, if known.
        until: Option<DateTime<Utc>>,
    },
}

/// Reaction that a [`PortalError`] requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovery {
    /// Repeat the request later. Wait for `after` if the portal requested a wait, otherwise for the
    /// caller's own back-off.
    RetryLater {
        /// Wait requested by the portal.
        after: Option<Duration>,
    },
    /// Sign in again if the sign-in budget permits, then repeat the request.
    SignInAgain,
    /// Stop all work in this account and ask the user for the given action.
    AskUser(UserAction),
    /// Read the groups page again, because this group no longer exists or belongs to another
    /// account.
    CheckGroups,
    /// Never change this group's appointment again, and stop polling for it.
    StopChanging,
    /// Stop all requests to the host and notify users and operator. Continue after `after` at the
    /// earliest.
    StopAndNotify {
        /// Wait requested by the portal.
        after: Option<Duration>,
    },
    /// Stop using this page and notify the operator.
    NotifyOperator,
}

impl PortalError {
    /// Returns the page that could not be parsed, if that is the reason of the error.
    pub const fn unread(&self) -> Option<&LayoutChanged> {
        match self {
            Self::LayoutChanged(changed) | Self::Busy(changed) => Some(changed),
            _ => None,
        }
    }

    /// Returns the reaction that this error requires.
    pub fn recovery(&self) -> Recovery {
        match self {
            Self::SignedOut => Recovery::SignInAgain,
            Self::CredentialsRejected => Recovery::AskUser(UserAction::NewPassword),
            Self::Locked { until, .. } => Recovery::AskUser(UserAction::Unlock { until: *until }),
            Self::Captcha => Recovery::AskUser(UserAction::Captcha),
            Self::NoPermission | Self::NotFound => Recovery::CheckGroups,
            Self::LimitReached => Recovery::StopChanging,
            Self::Maintenance { retry_after } | Self::Overloaded { retry_after, .. } => {
                Recovery::RetryLater { after: *retry_after }
            }
            Self::Blocked { retry_after, .. } => Recovery::StopAndNotify { after: *retry_after },
            Self::Timeout | Self::Network { .. } | Self::Busy(_) => Recovery::RetryLater { after: None },
            Self::LayoutChanged(_) => Recovery::NotifyOperator,
        }
    }

    /// Returns `true` if the host itself failed or refused, independently of the requested page.
    #[must_use]
    pub fn is_host_failure(&self) -> bool {
        matches!(self.recovery(), Recovery::RetryLater { .. } | Recovery::StopAndNotify { .. })
    }

    /// Returns the stable code for journal entries and metrics.
    pub fn code(&self) -> &'static str {
        match self {
            Self::SignedOut => "signed_out",
            Self::CredentialsRejected => "credentials_rejected",
            Self::Locked { .. } => "account_locked",
            Self::Captcha => "captcha",
            Self::NoPermission => "no_permission",
            Self::NotFound => "not_found",
            Self::LimitReached => "limit_reached",
            Self::Maintenance { .. } => "maintenance",
            Self::Overloaded { .. } | Self::Busy(_) => "overloaded",
            Self::Blocked { .. } => "blocked",
            Self::Timeout => "timeout",
            Self::Network { .. } => "network",
            Self::LayoutChanged(_) => "layout_changed",
        }
    }
}

impl PageKind {
    /// Returns the stable name for metrics and database rows.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl fmt::Display for PageKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}
