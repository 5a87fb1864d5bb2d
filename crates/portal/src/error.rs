//! Errors of the portal, divided by the recovery that each needs.

use chrono::{DateTime, Utc};
use serde::Serialize;
use std::fmt;
use std::time::Duration;

/// Kinds of page and answer that the client knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
#[serde(rename_all = "snake_case")]
pub enum PageKind {
    /// The sign-in form.
    SignIn,
    /// The JavaScript (or redirect) that answers a sign-in.
    SignInAnswer,
    /// The account's home with all its groups.
    Groups,
    /// The actions page of one group.
    Actions,
    /// The fee page with the first available day of each city.
    Payment,
    /// The page of one applicant.
    Applicant,
    /// The warning with the number of reschedules left.
    Limit,
    /// The page that lists the applicants to move.
    Applicants,
    /// The booking form.
    Form,
    /// Confirmation and instructions.
    Instructions,
    /// The list of free dates (JSON).
    Days,
    /// The list of free times of one date (JSON).
    Times,
    /// The answer to the booking POST.
    Booking,
}

/// An answer without the structure known for its page. Nothing was read from it.
///
/// The error holds no text of the page. Equal layouts have an equal `shape`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot read the portal's {page:?} page: {what} (shape {shape:016x})")]
pub struct LayoutChanged {
    /// The expected page.
    pub page: PageKind,
    /// The expectation that failed.
    pub what: &'static str,
    /// Hash of the tags and classes of the page, without any of its text.
    pub shape: u64,
}

/// Reason for a call without a value. Each variant has one [`Recovery`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PortalError {
    /// The session ended or never existed.
    #[error("signed out")]
    SignedOut,
    /// The portal rejected the login and password. The same password must never be sent again.
    #[error("the portal rejected the login or password")]
    CredentialsRejected,
    /// The account is locked.
    #[error("the portal account is locked")]
    Locked {
        /// End of the lock; `None` unless the portal printed it in a readable form.
        until: Option<DateTime<Utc>>,
        /// The portal's sentence.
        text: String,
    },
    /// A captcha is shown. Only the user can continue.
    #[error("the portal requires a captcha")]
    Captcha,
    /// The portal reports that this group belongs to another account.
    #[error("no permission for this group")]
    NoPermission,
    /// The group or page does not exist (404).
    #[error("not found at the portal")]
    NotFound,
    /// All reschedules of this group are used up.
    #[error("the reschedule limit is reached")]
    LimitReached,
    /// Announced maintenance (503).
    #[error("the portal is under maintenance")]
    Maintenance {
        /// Wait requested by `Retry-After`.
        retry_after: Option<Duration>,
    },
    /// The portal failed or is too busy (500, 502, 504 …), or reports this on its own page (200).
    #[error("the portal answered {status}")]
    Overloaded {
        /// The HTTP status.
        status: u16,
        /// Wait requested by `Retry-After`.
        retry_after: Option<Duration>,
    },
    /// A page or list in a form that an overloaded portal sends: empty, cut short, without its
    /// choices, or an error with unknown text. Only time distinguishes this from a changed layout.
    #[error("the portal seems overloaded: {0}")]
    Busy(LayoutChanged),
    /// Signs of a block: status 403, status 429, or several reset connections in a row.
    #[error("the portal seems to block this client")]
    Blocked {
        /// The HTTP status; `None` if connections are reset.
        status: Option<u16>,
        /// Wait requested by `Retry-After`.
        retry_after: Option<Duration>,
    },
    /// No answer arrived before the timeout.
    #[error("no answer in time")]
    Timeout,
    /// The connection failed.
    #[error("network: {text}")]
    Network {
        /// Description of the failure, without addresses or personal data.
        text: String,
    },
    /// The answer has an unknown structure.
    #[error(transparent)]
    LayoutChanged(#[from] LayoutChanged),
}

/// Something that the user must resolve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UserAction {
    /// A new portal password.
    NewPassword,
    /// A captcha at the portal.
    Captcha,
    /// A lock that must expire or be lifted.
    Unlock {
        /// End of the lock, if known.
        until: Option<DateTime<Utc>>,
    },
}

/// Reaction to a [`PortalError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovery {
    /// Retry later: after `after` if the portal named a wait, otherwise after the caller's own
    /// back-off.
    RetryLater {
        /// Wait requested by the portal.
        after: Option<Duration>,
    },
    /// Sign in again within the sign-in budget, then repeat the request.
    SignInAgain,
    /// Stop acting in this account and ask its user.
    AskUser(UserAction),
    /// Read the groups page again: this group no longer exists or belongs to another account.
    CheckGroups,
    /// Never change this group's appointment again. Further polls are pointless.
    StopChanging,
    /// Stop all requests to the host, and notify users and operator. Continue after `after` at the
    /// earliest.
    StopAndTell {
        /// Wait requested by the portal.
        after: Option<Duration>,
    },
    /// Stop using this page and notify the operator.
    TellOperator,
}

impl PortalError {
    /// Returns the page that could not be read, with a changed layout or from an overloaded portal.
    pub const fn unread(&self) -> Option<&LayoutChanged> {
        match self {
            Self::LayoutChanged(changed) | Self::Busy(changed) => Some(changed),
            _ => None,
        }
    }

    /// Returns the reaction that this error needs.
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
            Self::Blocked { retry_after, .. } => Recovery::StopAndTell { after: *retry_after },
            Self::Timeout | Self::Network { .. } | Self::Busy(_) => Recovery::RetryLater { after: None },
            Self::LayoutChanged(_) => Recovery::TellOperator,
        }
    }

    /// Returns `true` if the host failed or refused, whatever was requested.
    #[must_use]
    pub fn is_host_failure(&self) -> bool {
        matches!(self.recovery(), Recovery::RetryLater { .. } | Recovery::StopAndTell { .. })
    }

    /// Returns the stable code for journals and metrics.
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
    /// Returns the stable name for metrics and rows.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl fmt::Display for PageKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}
