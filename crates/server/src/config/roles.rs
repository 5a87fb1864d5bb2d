//! What a server does.

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

    /// As it is set and shown.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Web => "web",
            Self::Engine => "engine",
            Self::Delivery => "delivery",
        }
    }
}

/// Their names, with commas between, each once and in one order.
#[must_use]
pub fn names(roles: &[Role]) -> String {
    let given = Role::ALL.into_iter().filter(|role| roles.contains(role));
    given.map(Role::name).collect::<Vec<_>>().join(", ")
}
