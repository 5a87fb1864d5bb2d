//! Limits of guesses at discount codes. Wrong codes are counted; after too many, no code is checked
//! for a while.

use std::net::IpAddr;

use app::money::{CodeOutcome, Codes, TotalPrice};
use domain::ids::UserId;
use store::Tx;
use store::guess_limits::{self, Subject};

use crate::AppState;
use crate::api::auth::guess_limits::demand_no_wait;
use crate::http::error::ApiError;
use crate::http::rate_limit::{CODE_MISSES, CODE_MISSES_OF_ADDRESS, address};

/// A caller who may send discount codes, with the subjects of the limits.
#[derive(Debug)]
pub struct Guesser {
    subjects: Option<[Subject; 2]>,
}

impl Guesser {
    /// Checks the limits of a caller who sends codes. A call without codes is always admitted.
    ///
    /// # Errors
    /// Returns `TOO_MANY_ATTEMPTS` with the time to wait, regardless of whether the codes are
    /// valid.
    pub async fn enter(
        app: &AppState,
        tx: &mut Tx,
        (user, from): (UserId, IpAddr),
        codes: Codes<'_>,
    ) -> Result<Self, ApiError> {
        if !codes.any() {
            return Ok(Self { subjects: None });
        }
        let subject = |who: String, policy| {
            let key = hex::encode(app.keyring.fingerprint(&format!("price-code|{who}")));
            Subject { key, policy }
        };
        let subjects = [
            subject(user.to_string(), CODE_MISSES),
            subject(address(from).to_string(), CODE_MISSES_OF_ADDRESS),
        ];
        for subject in &subjects {
            demand_no_wait(app, tx, subject).await?;
        }
        Ok(Self { subjects: Some(subjects) })
    }

    /// Counts a miss if a code of this price does not exist or belongs to another user.
    pub async fn count_guesses(&self, app: &AppState, price: &TotalPrice) -> Result<(), ApiError> {
        let guessed = |code: &CodeOutcome| code.status.may_be_guess();
        if price.promo.iter().chain(&price.referral).any(guessed) { self.missed(app).await } else { Ok(()) }
    }

    /// Counts a miss in a separate transaction, because the caller's transaction may be rolled
    /// back.
    pub async fn missed(&self, app: &AppState) -> Result<(), ApiError> {
        let Some(subjects) = &self.subjects else { return Ok(()) };
        let mut tx = app.db.begin().await?;
        for subject in subjects {
            guess_limits::fail(&mut tx, subject, app.wall.now()).await?;
        }
        Ok(tx.commit().await?)
    }
}
