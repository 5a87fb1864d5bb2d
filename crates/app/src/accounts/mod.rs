//! What happens to a person's account.

mod delete;
mod email;
mod invite;
mod mail_requests;
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
    INVITATION_LIFE, Invitation, OWNER_LINK_LIFE, accept_invitation, can_be_owned, invite, own, owner_link,
    usable as usable_link, use_owner_link,
};
pub use mail_requests::resolve;
pub use password::{change_password, reset_password};
pub use register::prove_by_password;

/// How long a link to a new password works.
pub const RESET_LIFE: TimeDelta = TimeDelta::hours(1);
/// How long a verification link works.
const VERIFY_LIFE: TimeDelta = TimeDelta::hours(24);
/// How long who registered is told that their mail waits to be read.
pub const REGISTRATION_LIFE: TimeDelta = TimeDelta::days(30);
/// How long the link of a registration signs in the browser it was made in.
pub const BROWSER_LIFE: TimeDelta = TimeDelta::hours(24);
/// Between two links of a kind to one person.
const BETWEEN_LINKS: TimeDelta = TimeDelta::minutes(1);
/// How many links of a kind one person is mailed within [`HOUR`], no matter who asks.
const LINKS_AN_HOUR: i64 = 5;
const HOUR: TimeDelta = TimeDelta::hours(1);

/// What the use cases of accounts work with; cheap to clone.
#[derive(Clone)]
pub struct AccountCtx {
    /// Clocks and random numbers.
    pub ctx: Ctx,
    /// Makes the tokens of links in mails.
    pub keyring: Arc<KeyRing>,
    /// Where links in mails lead.
    pub public_url: Arc<str>,
    /// Whether mail is configured. Nobody proves an address without.
    pub has_mail: bool,
}

impl AccountCtx {
    /// The wall clock's present.
    #[must_use]
    pub fn now(&self) -> Instant {
        self.ctx.wall.now()
    }

    /// The address of a page of this service.
    #[must_use]
    pub fn link(&self, page: &str) -> String {
        format!("{}{page}", self.public_url)
    }

    /// Queues a mail about an account, once per key, and the same for its user's channels; false when it was queued before,
    /// or no mail is configured.
    ///
    /// # Errors
    /// When the database fails.
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

    /// A fresh token, and what the outbox keeps of it: a seed that is worth nothing without the key ring.
    fn token(&self, mut words: Value, page: &str, life: TimeDelta) -> ([u8; 32], Value) {
        let seed = hex::encode(self.ctx.random.bytes::<16>());
        let raw = store::token::mailed(&self.keyring, &seed);
        words["link"] = json!({ "page": page, "seed": seed, "minutes": life.num_minutes() });
        (raw, words)
    }
}

/// An instant as mails show it.
#[must_use]
pub fn stamp(at: Instant) -> String {
    at.format("%Y-%m-%d %H:%M UTC").to_string()
}
