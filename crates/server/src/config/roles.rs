//! What a server does.

use clap::ValueEnum;

/// One part of the work; a server has all unless it is told otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Role {
    /// Answers browsers.
    Web,
    /// Watches and books, when it holds the lease; listens to the bots of channels.
    Engine,
    /// Delivers mails and messages, follows card payments, keeps house.
    Delivery,
}

impl Role {
    /// All of them.
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
