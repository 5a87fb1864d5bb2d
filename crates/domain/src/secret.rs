//! Which secrets are kept, as they are named in their ciphertext's associated data.

/// The kind of a sealed secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SecretKind {
    /// A portal password left with us by a user.
    PortalPassword,
    /// A portal session (cookies), so that a restart need not sign in again.
    PortalSession,
    /// The shared secret of a user's second factor.
    Totp,
}

impl SecretKind {
    /// The stored word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PortalPassword => "portal_password",
            Self::PortalSession => "portal_session",
            Self::Totp => "totp",
        }
    }
}
