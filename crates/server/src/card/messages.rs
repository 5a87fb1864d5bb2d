//! Signed messages of the card provider. They arrive in any order and several times.
//!
//! A message alone credits nothing, because the secret that signs messages must not be enough to
//! create money. Before a balance increases, the payment is read at the provider with the API key.

use app::money::refund_failed;
use domain::money::Money;
use providers::stripe::webhook::{About, Dispute};
use providers::stripe::{Intent, IntentStatus, Refund};
use store::card::refund::Followed;
use store::card::{dispute, refund, unmatched_payment};

use super::{Cards, is_paid, read, settle};
use crate::AppState;
use crate::http::error::{ApiError, Code};

/// Handles a signed message. Messages arrive in any order and several times.
///
/// # Errors
/// Returns an error after which the provider sends the message again: the database failed, money is
/// frozen, or the payment is unknown.
pub async fn heed(app: &AppState, cards: &Cards, about: About) -> Result<(), ApiError> {
    match about {
        About::Intent(intent) => heed_intent(app, cards, &intent).await,
        About::Dispute(dispute) => heed_dispute(app, cards, dispute).await,
        About::Refunded { intent } => heed_refunds(app, cards, &intent).await,
        About::Refund(back) => heed_refund(app, cards, &back).await,
        About::Other => Ok(()),
    }
}

/// Stores the state of a payment from a message. A message that reports a success only causes a
/// read of the payment.
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

/// Records a failed refund, once the provider's API confirms the failure.
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

/// Handles a refund of a payment: reads all its refunds, their origin, and later failures.
///
/// # Errors
/// Returns an error if the provider or the database fails, or if the message must be repeated after
/// this server's own refunds have ended.
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
/// some depend on the end of this server's own refund, after which they are followed again.
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
        // A refund with this server's key is known, unless the database lost it
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

/// Credits a refund that will not reach the payer back to the balance, even if its sending is not
/// recorded yet.
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

/// Handles a message about a payment that is not credited yet: the payment is read first, and the
/// message comes again. A message about a foreign payment is ignored.
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
