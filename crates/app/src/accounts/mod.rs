//! Use cases of user accounts.

mod delete;
mod email;
mod invite;
mod link_lifetimes;
mod mail_requests;
mod mailed_sign_in;
mod password;
mod register;

use std::sync::Arc;

use chrono::TimeDelta;
use domain::clock::Instant;
use serde_json::{Value, json};
use store::keyring::KeyRing;
use store::outbox::NewMail;
use store::user::User;
use store::{Tx, outbox};

use crate::{Ctx, Error};

pub use delete::{GivenUp, delete};
pub use email::{UsedLink, verify_email};
pub use invite::{
    Invitation, accept_invitation, can_be_owned, invite, make_personal, owner_link, usable as usable_link,
    use_owner_link,
};
use link_lifetimes::VERIFY_LIFE;
pub use link_lifetimes::{
    BROWSER_LIFE, INVITATION_LIFE, OWNER_LINK_LIFE, REGISTRATION_LIFE, RESET_LIFE, SIGN_IN_LINK_LIFE,
};
pub use mail_requests::resolve;
pub use mailed_sign_in::{LinkPage, MailProof, MailedUser, sign_in_page, use_mailed_sign_in};
pub use password::{change_password, reset_password};
pub use register::prove_by_password;

/// Minimum time between two links of the same kind to one user.
const BETWEEN_LINKS: TimeDelta = TimeDelta::minutes(1);
/// Maximum number of links of the same kind to one user within [`HOUR`], requested by any caller.
const LINKS_AN_HOUR: i64 = 5;
const HOUR: TimeDelta = TimeDelta::hours(1);

/// Shared data of the account use cases. Clones are cheap.
#[derive(Clone)]
pub struct AccountCtx {
    /// Clocks and random numbers.
    pub ctx: Ctx,
    /// Key ring from which the tokens of mailed links are derived.
    pub keyring: Arc<KeyRing>,
    /// Base URL of links in mails.
    pub public_url: Arc<str>,
    /// `true` if a mail server is configured. Without one no address can be verified.
    pub has_mail: bool,
}

impl AccountCtx {
    /// Returns the wall clock's present time.
    #[must_use]
    pub fn now(&self) -> Instant {
        self.ctx.wall.now()
    }

    /// Returns the URL of a page of this service.
    #[must_use]
    pub fn link(&self, page: &str) -> String {
        format!("{}{page}", self.public_url)
    }

    /// Queues a mail about an account, and the same message for the user's channels. Does nothing
    /// and returns `false` if the key was used before or no mail server is configured.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub async fn mail(
        &self,
        tx: &mut Tx,
        user: &User,
        template: &str,
        dedup_key: &str,
        data: &Value,
    ) -> Result<bool, Error> {
        let User { id, email, language, .. } = user;
        self.enqueue(tx, &NewMail { user: Some(*id), recipient: email, language, template, data, dedup_key })
            .await
    }

    async fn enqueue(&self, tx: &mut Tx, mail: &NewMail<'_>) -> Result<bool, Error> {
        if self.has_mail {
            return Ok(outbox::enqueue(tx, &self.ctx.random, mail, self.now()).await?);
        }
        outbox::enqueue_messages(tx, &self.ctx.random, mail, self.now()).await?;
        Ok(false)
    }

    /// Creates the token of a link, and the data that the outbox stores for it. The data contain
    /// only a seed, from which the token cannot be derived without the key ring.
    fn token(&self, mut words: Value, page: &str, life: TimeDelta) -> ([u8; 32], Value) {
        let seed = hex::encode(self.ctx.random.bytes::<16>());
        let raw = store::token::mailed(&self.keyring, &seed);
        words["link"] = json!({ "page": page, "seed": seed, "minutes": life.num_minutes() });
        (raw, words)
    }
}

/// Formats an instant for mails.
#[must_use]
pub fn stamp(at: Instant) -> String {
    at.format("%Y-%m-%d %H:%M UTC").to_string()
}
