//! What can go wrong at the portal, split by what to do about it.

use chrono::{DateTime, Utc};
use serde::Serialize;
use std::fmt;
use std::time::Duration;

/// The kinds of page and answer the client knows.
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
    /// What can be done with one group.
    Actions,
    /// The fee page with the first available day of each city.
    Payment,
    /// One person's page.
    Applicant,
    /// The warning about the number of reschedules left.
    Limit,
    /// The choice of applicants to move.
    Applicants,
    /// The form that books.
    Form,
    /// Confirmation and instructions.
    Instructions,
    /// The list of free days (JSON).
    Days,
    /// The list of free times of a day (JSON).
    Times,
    /// The answer to the booking POST.
    Booking,
}

/// A page did not have the structure known for it: nothing was read from it.
///
/// Holds no text of the page; `shape` identifies equal layouts.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the portal's {page:?} page is not as known: {what} (shape {shape:016x})")]
pub struct LayoutChanged {
    /// Which page was expected.
    pub page: PageKind,
    /// Which expectation failed.
    pub what: &'static str,
    /// Hash of the page's tags and classes, without any of its text.
    pub shape: u64,
}

/// Why a call brought no value. Each variant has one [`Recovery`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PortalError {
    /// The session ended or never was.
    #[error("signed out")]
    SignedOut,
    /// The portal rejected login and password; never to be retried with the same password.
    #[error("the portal rejected the login or password")]
    CredentialsRejected,
    /// The account is locked.
    #[error("the portal account is locked")]
    Locked {
        /// When the lock ends, where the portal said so readably.
        until: Option<DateTime<Utc>>,
        /// The portal's sentence.
        text: String,
    },
    /// A captcha is armed: only a person may go on.
    #[error("the portal asks for a captcha")]
    Captcha,
    /// The portal says this group belongs to another account.
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
        /// What `Retry-After` asked for.
        retry_after: Option<Duration>,
    },
    /// The portal failed or is too busy (500, 502, 504 …), or says so on a page of its own (200).
    #[error("the portal answered {status}")]
    Overloaded {
        /// The HTTP status.
        status: u16,
        /// What `Retry-After` asked for.
        retry_after: Option<Duration>,
    },
    /// A page or list came as it does while the portal is overloaded: empty, cut short, without its choices, or as an
    /// error of unknown words. Only time tells this from a layout that changed.
    #[error("the portal seems overloaded: {0}")]
    Busy(LayoutChanged),
    /// Signs of a block: 403, 429, or connections reset again and again.
    #[error("the portal seems to block us")]
    Blocked {
        /// The HTTP status; none when connections are reset.
        status: Option<u16>,
        /// What `Retry-After` asked for.
        retry_after: Option<Duration>,
    },
    /// No answer in time.
    #[error("no answer in time")]
    Timeout,
    /// The connection failed.
    #[error("network: {text}")]
    Network {
        /// What failed, without addresses or personal data.
        text: String,
    },
    /// The answer has an unknown structure.
    #[error(transparent)]
    LayoutChanged(#[from] LayoutChanged),
}

/// Whom or what a person must look after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ask {
    /// A new portal password.
    NewPassword,
    /// A captcha at the portal.
    Captcha,
    /// A lock to run out, or to be lifted.
    Unlock {
        /// When the lock ends, if known.
        until: Option<DateTime<Utc>>,
    },
}

/// What to do about a [`PortalError`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Recovery {
    /// Try again later: after `after` where the portal said so, else by one's own back-off.
    RetryLater {
        /// The portal's own request.
        after: Option<Duration>,
    },
    /// Sign in again (within the sign-in budget), then repeat.
    SignInAgain,
    /// Stop acting in this account and ask its user.
    AskUser(Ask),
    /// Read the groups page again: this group is gone or not ours.
    CheckGroups,
    /// Never change this group's appointment again; looking on is pointless.
    StopChanging,
    /// Stop on the whole host, tell users and operator; go on after `after` at the earliest.
    StopAndTell {
        /// The portal's own request.
        after: Option<Duration>,
    },
    /// Stop using this page and tell the operator.
    TellOperator,
}

impl PortalError {
    /// The page that could not be read, whether its layout changed or the portal is overloaded.
    pub const fn unread(&self) -> Option<&LayoutChanged> {
        match self {
            Self::LayoutChanged(changed) | Self::Busy(changed) => Some(changed),
            _ => None,
        }
    }

    /// What to do about it.
    pub fn recovery(&self) -> Recovery {
        match self {
            Self::SignedOut => Recovery::SignInAgain,
            Self::CredentialsRejected => Recovery::AskUser(Ask::NewPassword),
            Self::Locked { until, .. } => Recovery::AskUser(Ask::Unlock { until: *until }),
            Self::Captcha => Recovery::AskUser(Ask::Captcha),
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

    /// Returns whether the host failed or refused, whatever was requested.
    #[must_use]
    pub fn is_host_failure(&self) -> bool {
        matches!(self.recovery(), Recovery::RetryLater { .. } | Recovery::StopAndTell { .. })
    }

    /// A stable word for journals and metrics.
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
    /// A stable word for figures and rows.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

impl fmt::Display for PageKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, f)
    }
}
