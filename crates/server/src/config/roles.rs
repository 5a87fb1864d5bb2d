//! Roles of a server.

use clap::ValueEnum;

/// One role of a server; by default a server has all roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Role {
    /// Serve the web app and the API.
    Web,
    /// Poll and book while holding the lease; handle the bots of channels.
    Engine,
    /// Deliver mails and messages, process card payments, do housekeeping.
    Delivery,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 3] = [Self::Web, Self::Engine, Self::Delivery];

    /// Returns the name in settings and output.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Web => "web",
            Self::Engine => "engine",
            Self::Delivery => "delivery",
        }
    }
}

/// Returns the names of the roles, separated by commas, each once and in the order of
/// [`Role::ALL`].
#[must_use]
pub fn names(roles: &[Role]) -> String {
    let given = Role::ALL.into_iter().filter(|role| roles.contains(role));
    given.map(Role::name).collect::<Vec<_>>().join(", ")
}
