//! Kinds of stored secrets, as named in the associated data of their ciphertexts; order of two
//! accepted portal passwords.

use crate::clock::Instant;

/// The kind of a sealed secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum SecretKind {
    /// A portal password stored by a user.
    PortalPassword,
    /// A portal session (cookies), so that a restart needs no new sign-in.
    PortalSession,
    /// The shared secret of a user's second factor.
    Totp,
    /// The target of a notification channel.
    ChannelTarget,
}

impl SecretKind {
    /// Returns the stored value.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

/// An answered sign-in, as an interval in which the portal checked the password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tested {
    /// Time at which name and password were sent.
    pub sent: Instant,
    /// Time at which the answer arrived.
    pub answered: Instant,
}

/// Chronological order of two tests of different passwords of one account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The first was answered before the second was sent.
    Before,
    /// It is unknown which of them the portal checked first.
    Overlapping,
    /// The second was answered before the first was sent.
    After,
}

impl Tested {
    /// Returns the order of this test relative to another. An account has one password, so the
    /// later of two accepted ones is the current one.
    #[must_use]
    pub fn order(self, other: Self) -> Order {
        if self.answered <= other.sent {
            Order::Before
        } else if other.answered <= self.sent {
            Order::After
        } else {
            Order::Overlapping
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Order, Tested};
    use chrono::DateTime;

    fn tested(sent: i64, answered: i64) -> Tested {
        let at = |seconds| DateTime::from_timestamp(seconds, 0).unwrap_or_default();
        Tested { sent: at(sent), answered: at(answered) }
    }

    #[test]
    fn overlapping_password_tests_have_no_order() {
        let cases = [
            ((0, 2), (2, 4), Order::Before),
            ((0, 2), (3, 4), Order::Before),
            ((3, 4), (0, 2), Order::After),
            ((0, 3), (2, 4), Order::Overlapping),
            ((2, 4), (0, 3), Order::Overlapping),
            ((0, 9), (2, 4), Order::Overlapping),
        ];
        for ((a, b), (c, d), order) in cases {
            assert_eq!(tested(a, b).order(tested(c, d)), order, "{a}-{b} and {c}-{d}");
        }
    }
}
