//! Reconciliation of card payments: reads payments for which no webhook message arrived, resolves
//! unknown intents, and sends refunds.
//!
//! Work is derived from due rows. A process claims a row by postponing its due time, so that only
//! one of several processes handles it.

use std::time::Duration;

use app::money::{refund_failed, refund_sent};
use domain::card::{GIVE_UP_AFTER, LAPSE_AFTER, wait_after};
use providers::stripe::{Intent, StripeError};
use store::card::refund::{self, Refund};
use store::card::unmatched_payment::{self, Outcome, UnmatchedPayment};
use store::card::{Payment, ReportOutcome, State};
use tokio_util::sync::CancellationToken;

use crate::AppState;
use crate::card::{Cards, adopt, heed_refunds, settle};
use crate::http::error::ApiError;

/// Interval of rounds without a wake-up.
const TICK: Duration = Duration::from_secs(2);
/// Pause after a failed round.
const AGAIN_AFTER: Duration = Duration::from_secs(15);
/// Maximum number of rows of one kind in one round.
const AT_ONCE: i64 = 100;
/// Maximum number of reads of a paid payment to learn which card paid it.
const CARD_READINGS: i64 = 5;
/// Time for which the provider is known to store an idempotency key. A refund older than that is
/// searched at the provider before it is sent again.
const KEY_LIFE: chrono::TimeDelta = chrono::TimeDelta::hours(20);

/// Runs the reconciliation until `stop` is cancelled.
pub async fn run(app: AppState, stop: CancellationToken) {
    loop {
        let failed = round(&app).await.err();
        if let Some(error) = &failed {
            tracing::warn!(%error, "failed to process due card payments; trying again");
        }
        tokio::select! {
            () = stop.cancelled() => return,
            // A wake-up may come from the failed work itself, so it is ignored after a failure.
            () = woken(&app), if failed.is_none() => {}
            () = tokio::time::sleep(if failed.is_none() { TICK } else { AGAIN_AFTER }) => {}
        }
    }
}

/// Waits for a wake-up; never returns if card payments are not configured.
async fn woken(app: &AppState) {
    match &app.cards {
        Some(cards) => cards.wake.notified().await,
        None => std::future::pending().await,
    }
}

/// Handles all due rows once.
///
/// # Errors
/// Returns the last error if any row failed. The other rows are handled nevertheless. Failures at
/// the provider only postpone a row.
pub async fn round(app: &AppState) -> Result<(), ApiError> {
    let Some(cards) = app.cards.clone() else { return Ok(super::card_restore::without_cards(app).await?) };
    // If the recovery fails, only the refunds below are skipped. Payments are still read.
    let restored = super::card_restore::round(app, &cards).await;
    let now = app.wall.now();
    let mut tx = app.db.read().await?;
    let strays = unmatched_payment::due(&mut tx, now, AT_ONCE).await?;
    let payments = store::card::due(&mut tx, now, AT_ONCE).await?;
    let refunds = refund::due(&mut tx, now, AT_ONCE).await?;
    drop(tx);
    let mut done = Ok(());
    let mut note = |one: Result<(), ApiError>| {
        if let Err(error) = one {
            tracing::error!(?error, "failed to process a due payment or refund");
            done = Err(error);
        }
    };
    for stray in &strays {
        note(read_unmatched(app, &cards, stray).await);
    }
    for payment in &payments {
        note(read_payment(app, &cards, payment).await);
    }
    restored?;
    for refund in &refunds {
        note(send(app, &cards, refund).await);
    }
    done
}

/// Reads an open payment to learn its outcome, or a paid one to learn which card paid it.
async fn read_payment(app: &AppState, cards: &Cards, payment: &Payment) -> Result<(), ApiError> {
    let now = app.wall.now();
    let paid = payment.state == State::Succeeded;
    let next = now + wait_after(payment.readings + i64::from(!paid));
    let next = (!paid || payment.readings < CARD_READINGS).then_some(next);
    let mut tx = app.db.begin().await?;
    let mine = store::card::claim(&mut tx, payment, next).await?;
    tx.commit().await?;
    if !mine {
        return Ok(());
    }
    let age = now - payment.created_at;
    let asked = if !paid && age > GIVE_UP_AFTER {
        cancel(cards, &payment.intent_id).await
    } else {
        cards.provider.intent(&payment.intent_id).await
    };
    match asked {
        Ok(intent) => {
            settle(app, cards, &intent).await?;
            if paid || age <= LAPSE_AFTER {
                return Ok(());
            }
        }
        Err(StripeError::NotFound) => {
            tracing::error!(
                intent = payment.intent_id,
                "card provider does not know a payment of this server"
            );
            // The row may have changed since the provider's state was read.
            if paid || age <= LAPSE_AFTER {
                return Ok(());
            }
        }
        Err(error) => {
            tracing::warn!(%error, intent = payment.intent_id, "failed to read a card payment; trying again");
            return Ok(());
        }
    }
    let mut tx = app.db.begin().await?;
    store::card::lapse(&mut tx, payment.id).await?;
    Ok(tx.commit().await?)
}

/// Cancels a payment that the payer never completed. If it cannot be cancelled any more, reads it
/// instead.
async fn cancel(cards: &Cards, intent_id: &str) -> Result<Intent, StripeError> {
    match cards.provider.cancel_intent(intent_id).await {
        Err(StripeError::Refused(_)) => cards.provider.intent(intent_id).await,
        other => other,
    }
}

async fn read_unmatched(app: &AppState, cards: &Cards, stray: &UnmatchedPayment) -> Result<(), ApiError> {
    let now = app.wall.now();
    let mut tx = app.db.begin().await?;
    let mine = unmatched_payment::claim(&mut tx, stray, now + wait_after(stray.readings)).await?;
    tx.commit().await?;
    if !mine {
        return Ok(());
    }
    let outcome = match cards.provider.intent(&stray.intent_id).await {
        // The row may exist by now, if the message arrived before this server's commit.
        Ok(intent) => {
            if settle(app, cards, &intent).await? != ReportOutcome::Unknown || adopt(app, &intent).await? {
                settle(app, cards, &intent).await?;
                tracing::info!(intent = stray.intent_id, "adopted an unknown card payment");
                Outcome::Adopted
            } else {
                Outcome::NotOurs
            }
        }
        Err(StripeError::NotFound) => Outcome::NotOurs,
        Err(error) if now - stray.first_seen_at < GIVE_UP_AFTER => {
            tracing::warn!(%error, intent = stray.intent_id, "failed to read an unknown card payment; trying again");
            return Ok(());
        }
        Err(_) => Outcome::Unreadable,
    };
    let mut tx = app.db.begin().await?;
    unmatched_payment::settle(&mut tx, &stray.intent_id, outcome).await?;
    Ok(tx.commit().await?)
}

/// Sends a refund to the provider. The idempotency key ensures that it is executed only once.
async fn send(app: &AppState, cards: &Cards, refund: &Refund) -> Result<(), ApiError> {
    let now = app.wall.now();
    let mut tx = app.db.begin().await?;
    let mine = refund::claim(&mut tx, refund, now + wait_after(refund.tries)).await?;
    tx.commit().await?;
    if !mine {
        return Ok(());
    }
    let old = now - refund.created_at > KEY_LIFE;
    // A repeated request with the same key would return the first state of the refund, so the
    // refund is read instead.
    let asked = send_or_find(cards, refund, old || refund.tries > 0).await;
    let ctx = app.use_cases();
    let mut tx = app.db.begin().await?;
    let failed = match asked {
        Ok(back) if back.has_failed() => Some(back.status.unwrap_or_default()),
        Ok(back) if back.is_under_way() => {
            tracing::debug!(refund = %refund.id, "card provider is still processing a refund");
            None
        }
        Ok(back) => {
            refund_sent(&ctx, &mut tx, refund.id, &back.id).await?;
            None
        }
        Err(StripeError::Refused(why)) => Some(why),
        Err(StripeError::NotFound) if old => Some("not_found".to_owned()),
        Err(error) => {
            tracing::warn!(%error, refund = %refund.id, "failed to send a refund; trying again");
            None
        }
    };
    if let Some(why) = &failed {
        tracing::error!(refund = %refund.id, why, "card provider refused a refund; crediting it back to the balance");
        refund_failed(&ctx, &mut tx, refund.id, why).await?;
    }
    tx.commit().await?;
    if failed.is_some()
        && let Err(error) = heed_refunds(app, cards, &refund.intent_id).await
    {
        // If an operator refunded the payment at the provider, that is recorded when the provider
        // reports it again.
        tracing::warn!(?error, refund = %refund.id, "failed to read the refunds of a payment");
    }
    Ok(())
}

async fn send_or_find(
    cards: &Cards,
    refund: &Refund,
    may_be_made: bool,
) -> Result<providers::stripe::Refund, StripeError> {
    let key = refund.id.to_string();
    if may_be_made {
        // Only the provider's response to the refund request can reject the refund. A failure to
        // read the list of refunds, for example with another API key, does not mean that the refund
        // was not executed.
        let unread =
            |error: StripeError| StripeError::Unavailable(format!("its refunds were not read: {error}"));
        let made = cards.provider.refunded_under(&refund.intent_id, &key).await;
        if let Some(made) = made.map_err(unread)? {
            return Ok(made);
        }
    }
    cards.provider.refund(&refund.intent_id, refund.amount.minor, &key).await
}
