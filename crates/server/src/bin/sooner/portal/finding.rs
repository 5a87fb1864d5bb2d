//! Findings of `sooner portal try`: the result for each page, and the reason if the walk ended
//! early.

use portal::{Comparison, Exchange, PortalError};

use crate::print;

/// Grade of how well a page was understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grade {
    /// The whole page was understood.
    Understood,
    /// The needed parts were understood, but the page differs from the known pages.
    InPart,
    /// The page could not be understood.
    NotAsKnown,
    /// The portal returned an error that the client knows.
    Refused,
}

impl Grade {
    /// Returns the grade as text.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Understood => "understood",
            Self::InPart => "in part",
            Self::NotAsKnown => "not as known",
            Self::Refused => "refused",
        }
    }
}

/// Result for one page.
pub struct Finding {
    /// Name of the page as in `sooner portal parse`, or `sign_in_answer`, `days` or `times`.
    pub name: &'static str,
    pub exchange: Exchange,
    pub grade: Grade,
    /// Data that was read from the page, without names of applicants.
    pub read: String,
    pub comparison: Comparison,
}

impl Finding {
    /// Prints the finding.
    pub fn print(&self) {
        /// Maximum number of differences to print; further ones are counted.
        const LISTED: usize = 12;
        let (took, shape) = (self.exchange.took.as_millis(), self.comparison.shape);
        let shape = if shape == 0 { "no shape".to_owned() } else { format!("shape {shape:016x}") };
        println!(
            "\n{}: {} (status {}, {took} ms, {shape})",
            self.name,
            self.grade.words(),
            self.exchange.status
        );
        if !self.read.is_empty() {
            println!("{}", print::field("  read", &self.read));
        }
        if !self.comparison.missing.is_empty() {
            println!("{}", print::field("  missing", &self.comparison.missing.join("; ")));
        }
        for (label, tokens) in
            [("  new fields", &self.comparison.new_fields), ("  new classes", &self.comparison.new_classes)]
        {
            if tokens.is_empty() {
                continue;
            }
            let mut listed = tokens.iter().take(LISTED).cloned().collect::<Vec<_>>().join(" ");
            if tokens.len() > LISTED {
                listed.push_str(&format!(" and {} more", tokens.len() - LISTED));
            }
            println!("{}", print::field(label, &listed));
        }
    }
}

/// Reason for which a walk ended before its last page.
#[derive(Debug)]
pub struct Stop {
    /// Page at which the walk ended.
    pub at: &'static str,
    /// Reason, in one sentence.
    pub reason: String,
    /// `true` if the walk ended because the page has an unknown layout.
    pub is_unknown_page: bool,
}

impl Stop {
    /// Creates a stop for a reason other than an unknown layout.
    pub fn known(at: &'static str, reason: impl Into<String>) -> Self {
        Self { at, reason: reason.into(), is_unknown_page: false }
    }

    /// Creates a stop for an error of the portal.
    pub fn of(at: &'static str, error: &PortalError) -> Self {
        let is_unknown_page = matches!(error, PortalError::LayoutChanged(_));
        Self { at, reason: reason(error), is_unknown_page }
    }
}

/// Returns a sentence with the reason, and a remedy if there is one.
fn reason(error: &PortalError) -> String {
    match error {
        PortalError::SignedOut => "The portal ended the session. Try again later.".to_owned(),
        PortalError::CredentialsRejected => {
            "The portal rejected the login or the password. It was tried once and is not tried again: check both in a \
             browser first, because several failures lock the account."
                .to_owned()
        }
        PortalError::Locked { until: Some(until), .. } => {
            format!("The portal has locked this account until {}.", print::time(*until))
        }
        PortalError::Locked { until: None, .. } => {
            "The portal has locked this account. Wait an hour before you sign in again.".to_owned()
        }
        PortalError::Captcha => {
            "The portal asks for a captcha. Only you can answer it: sign in with a browser.".to_owned()
        }
        PortalError::NoPermission => "The portal reports that this group belongs to another account.".to_owned(),
        PortalError::NotFound => "The portal does not have this page (404).".to_owned(),
        PortalError::LimitReached => {
            "The reschedule limit of this group is used up: the portal allows no further change.".to_owned()
        }
        PortalError::Maintenance { .. } => "The portal is under maintenance. Try again later.".to_owned(),
        PortalError::Overloaded { status, .. } => {
            format!("The portal is down or overloaded (status {status}). Try again later.")
        }
        PortalError::Busy(_) => "The portal seems to be overloaded. Try again later.".to_owned(),
        PortalError::Blocked { .. } => {
            "The portal seems to block this machine. Do not try again before tomorrow.".to_owned()
        }
        PortalError::Timeout => "The portal did not answer in time. Try again later.".to_owned(),
        PortalError::Network { text } => format!("The portal cannot be reached: {text}."),
        PortalError::LayoutChanged(changed) => format!("This page does not have the known form: {}.", changed.what),
    }
}
