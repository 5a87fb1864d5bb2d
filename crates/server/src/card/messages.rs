//! Handling of signed messages (webhooks) of the card provider.
//!
//! A message alone credits nothing, because the webhook secret must not be enough to create money.
//! Before a balance increases, the payment is read at the provider with the API key.

use app::money::refund_failed;
use domain::money::Money;
use providers::stripe::webhook::{About, Dispute};
use providers::stripe::{Intent, IntentStatus, Refund};
use store::card::refund::Followed;
use store::card::{dispute, refund, unmatched_payment};

use super::{Cards, is_paid, read, settle};
use crate::AppState;
use crate::http::error::{ApiError, Code};

/// Handles a signed message. Messages may be repeated and arrive in any order.
///
/// # Errors
/// Returns an error if the database fails, money is frozen, or the payment is unknown. The provider
/// then sends the message again.
pub async fn heed(app: &AppState, cards: &Cards, about: About) -> Result<(), ApiError> {
    match about {
        About::Intent(intent) => heed_intent(app, cards, &intent).await,
        About::Dispute(dispute) => heed_dispute(app, cards, dispute).await,
        About::Refunded { intent } => heed_refunds(app, cards, &intent).await,
        About::Refund(back) => heed_refund(app, cards, &back).await,
        About::Other => Ok(()),
    }
}

/// Stores the state of a payment from a message. If the message reports a success, the payment is
/// read at the provider instead.
async fn heed_intent(app: &AppState, cards: &Cards, message: &Intent) -> Result<(), ApiError> {
    if message.status != IntentStatus::Succeeded {
        return settle(app, cards, message).await.map(|_| ());
    }
    let mut tx = app.db.read().await?;
    let payment = store::card::find(&mut tx, &message.id).await?;
    drop(tx);
    match payment {
        None => {
            let mut tx = app.db.begin().await?;
            unmatched_payment::insert(&mut tx, &message.id, app.wall.now()).await?;
            tx.commit().await?;
            cards.wake.notify_one();
            return Ok(());
        }
        Some(payment) if payment.received.is_some() => return Ok(()),
        Some(_) => {}
    }
    let (intent, _) = read(app, cards, &message.id).await?;
    let received = |intent: &Intent| (intent.status, intent.amount_received, intent.currency.clone());
    if received(&intent) == received(message) {
        return Ok(());
    }
    tracing::error!(
        intent = message.id,
        claimed = message.amount_received,
        received = intent.amount_received,
        status = ?intent.status,
        "refused a signed message that contradicts the card provider; replace the webhook secret"
    );
    Err(Code::InvalidSignature.into())
}

/// Records a failed refund, after the provider's API confirms the failure.
async fn heed_refund(app: &AppState, cards: &Cards, message: &Refund) -> Result<(), ApiError> {
    if !message.has_failed() {
        return Ok(());
    }
    let mut tx = app.db.read().await?;
    let known = match refund::find_sent(&mut tx, &message.id, message.key()).await? {
        Some(id) => refund::by_id(&mut tx, id).await?,
        None => None,
    };
    drop(tx);
    let Some(known) = known else { return Ok(()) };
    let refunds = cards.provider.refunds(&known.intent_id).await?;
    let Some(own) = refunds.iter().find(|own| own.id == message.id && own.has_failed()) else {
        tracing::error!(
            refund = message.id,
            "refused a signed message of a failed refund that did not fail; replace the webhook secret"
        );
        return Err(Code::InvalidSignature.into());
    };
    let mut tx = app.db.begin().await?;
    heed_failure(app, &mut tx, own).await?;
    Ok(tx.commit().await?)
}

/// Handles a message about refunds of a payment. Reads all refunds of the payment at the provider,
/// and records those that failed or were not sent by this server.
///
/// # Errors
/// Returns an error if the provider or the database fails. Also returns an error if a refund of
/// this server is still in progress, so that the provider repeats the message.
pub async fn heed_refunds(app: &AppState, cards: &Cards, intent: &str) -> Result<(), ApiError> {
    let mut tx = app.db.read().await?;
    let paid = is_paid(&mut tx, intent).await?;
    drop(tx);
    if !paid {
        return not_yet(app, cards, intent).await;
    }
    if !follow_refunds(app, cards, intent).await? {
        cards.wake.notify_one();
        return Err(ApiError::new(Code::Unavailable).retry_after(60));
    }
    Ok(())
}

/// Records the refunds of a paid payment. Returns `true` if all are recorded. Returns `false` if
/// some can be recorded only after this server's own refund has ended.
///
/// # Errors
/// Returns an error if the provider or the database fails.
pub async fn follow_refunds(app: &AppState, cards: &Cards, intent: &str) -> Result<bool, ApiError> {
    let refunds = cards.provider.refunds(intent).await?;
    let mut tx = app.db.begin().await?;
    for back in &refunds {
        heed_failure(app, &mut tx, back).await?;
    }
    let mut whole = true;
    for back in refunds.iter().filter(|back| !back.has_failed()) {
        // A refund with a key of this server is already recorded, unless the database lost it
        // (`workers::card_restore`).
        if back.key().is_some() && refund::find_sent(&mut tx, &back.id, back.key()).await?.is_some() {
            continue;
        }
        let made = (intent, back.id.as_str(), Money::cad(back.amount));
        match refund::follow(&mut tx, &app.random, made, app.wall.now()).await? {
            Followed::Taken(amount) => {
                tracing::warn!(intent, %amount, "recorded a refund that this server did not send");
            }
            Followed::Later => whole = false,
            Followed::Nothing => {}
        }
    }
    tx.commit().await?;
    Ok(whole)
}

/// Credits a refund that will not reach the payer to the balance again, even if the database does
/// not record it as sent yet.
async fn heed_failure(app: &AppState, tx: &mut store::Tx, back: &Refund) -> Result<(), ApiError> {
    if !back.has_failed() {
        return Ok(());
    }
    if let Some(id) = refund::find_sent(tx, &back.id, back.key()).await? {
        let why = back.status.as_deref().unwrap_or_default();
        refund_failed(&app.use_cases(), tx, id, why).await?;
    }
    Ok(())
}

async fn heed_dispute(app: &AppState, cards: &Cards, told: Dispute) -> Result<(), ApiError> {
    let Some(intent) = told.intent.clone().filter(|_| told.moves_money()) else {
        tracing::warn!(dispute = told.id, status = told.status, "ignored a dispute that moves no money");
        return Ok(());
    };
    let state = match told.status.as_str() {
        "won" => dispute::State::Won,
        "lost" => dispute::State::Lost,
        _ => dispute::State::Open,
    };
    let mut tx = app.db.begin().await?;
    let ids = (told.id.as_str(), intent.as_str());
    let what = (Money::cad(told.amount), state);
    let outcome = dispute::apply_report(&mut tx, &app.random, ids, what, app.wall.now()).await?;
    tx.commit().await?;
    match outcome {
        dispute::DisputeOutcome::NotYet => return not_yet(app, cards, &intent).await,
        dispute::DisputeOutcome::Taken(took) => {
            tracing::warn!(intent, dispute = told.id, taken = %took.taken, owed = %took.owed, "debited a disputed payment");
        }
        dispute::DisputeOutcome::Reinstated(amount) => {
            tracing::info!(intent, dispute = told.id, %amount, "credited a won dispute");
        }
        dispute::DisputeOutcome::Nothing => {}
    }
    Ok(())
}

/// Handles a message about a payment that is not credited yet. The payment is read first, and an
/// error makes the provider repeat the message. A message about a payment of another system is
/// ignored.
async fn not_yet(app: &AppState, cards: &Cards, intent: &str) -> Result<(), ApiError> {
    let mut tx = app.db.begin().await?;
    let known = store::card::find(&mut tx, intent).await?.is_some();
    let ended = if known { None } else { unmatched_payment::insert(&mut tx, intent, app.wall.now()).await? };
    tx.commit().await?;
    if matches!(ended, Some(unmatched_payment::Outcome::NotOurs | unmatched_payment::Outcome::Unreadable)) {
        return Ok(());
    }
    if known {
        read(app, cards, intent).await?;
    }
    cards.wake.notify_one();
    Err(ApiError::new(Code::Unavailable).retry_after(60))
}
