//! The vocabulary of the two-legged ledger.

/// What a ledger account is for; the text is what the database keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccountKind {
    /// A user's prepaid balance; never below zero after holds.
    User,
    /// What has been earned by captured tasks.
    Revenue,
    /// Where top-up codes come from (its balance is minus what was issued).
    Topup,
}

impl AccountKind {
    /// The stored word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Revenue => "revenue",
            Self::Topup => "topup",
        }
    }
}

/// The kinds of ledger rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TransferKind {
    /// Posted: money came in from a code.
    Topup,
    /// Pending: set aside for a task at submit.
    Hold,
    /// Posted: resolves a hold, the task succeeded.
    Capture,
    /// Resolves a hold, nothing was charged.
    Release,
}

impl TransferKind {
    /// The stored word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Topup => "topup",
            Self::Hold => "hold",
            Self::Capture => "capture",
            Self::Release => "release",
        }
    }
}
