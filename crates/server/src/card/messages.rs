//! Signed messages of the card provider. They come in any order and several times.
//!
//! A message alone credits nothing: whoever has the secret that signs messages must not make money. What adds to a balance
//! is read at the provider first, with the key of its API.

use app::money::refund_failed;
use domain::money::Money;
use providers::stripe::webhook::{About, Dispute};
use providers::stripe::{Intent, IntentStatus, Refund};
use store::card::refund::Followed;
use store::card::{dispute, refund, unmatched_payment};

use super::{Cards, is_paid, read, settle};
use crate::AppState;
use crate::http::error::{ApiError, Code};

/// Does what a signed message says. Messages come in any order and several times.
///
/// # Errors
/// Refusal after which the provider sends the message again: the database failed, money is frozen, or the payment is unknown.
pub async fn heed(app: &AppState, cards: &Cards, about: About) -> Result<(), ApiError> {
    match about {
        About::Intent(intent) => heed_intent(app, cards, &intent).await,
        About::Dispute(dispute) => heed_dispute(app, cards, dispute).await,
        About::Refunded { intent } => heed_refunds(app, cards, &intent).await,
        About::Refund(back) => heed_refund(app, cards, &back).await,
        About::Other => Ok(()),
    }
}

/// Stores what a message says of a payment. One that says "paid" is only a reason to read the payment.
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
            unmatched_payment::keep(&mut tx, &message.id, app.wall.now()).await?;
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
        "refused a signed message that names another payment than the provider: replace the webhook secret"
    );
    Err(Code::InvalidSignature.into())
}

/// Stores that a refund failed, once the provider says so itself.
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
            "refused a signed message of a failed refund that did not fail: replace the webhook secret"
        );
        return Err(Code::InvalidSignature.into());
    };
    let mut tx = app.db.begin().await?;
    heed_failure(app, &mut tx, own).await?;
    Ok(tx.commit().await?)
}

/// Something went back of a payment: what did, by whom, and what of it failed since is read.
///
/// # Errors
/// When the provider or the database fails, and when it is to be told again once our own refunds have ended.
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

/// Writes down what went back of a payment that was paid; whether that is all, or some of it waits for the end of a refund of ours,
/// after which it is followed again.
///
/// # Errors
/// When the provider or the database fails.
pub async fn follow_refunds(app: &AppState, cards: &Cards, intent: &str) -> Result<bool, ApiError> {
    let refunds = cards.provider.refunds(intent).await?;
    let mut tx = app.db.begin().await?;
    for back in &refunds {
        heed_failure(app, &mut tx, back).await?;
    }
    let mut whole = true;
    for back in refunds.iter().filter(|back| !back.has_failed()) {
        // One under a key of ours is known, unless the database forgot it (`workers::card_restore`).
        if back.key().is_some() && refund::find_sent(&mut tx, &back.id, back.key()).await?.is_some() {
            continue;
        }
        let made = (intent, back.id.as_str(), Money::cad(back.amount));
        match refund::follow(&mut tx, &app.random, made, app.wall.now()).await? {
            Followed::Taken(amount) => {
                tracing::warn!(intent, %amount, "a payment was refunded without a row of ours");
            }
            Followed::Later => whole = false,
            Followed::Nothing => {}
        }
    }
    tx.commit().await?;
    Ok(whole)
}

/// A refund that will not arrive at the payer's is in the balance again, also when we have not written down yet that it
/// was sent.
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
        tracing::warn!(
            dispute = told.id,
            status = told.status,
            "a dispute that moves no money, as far as we know"
        );
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
    let heard = dispute::hear(&mut tx, &app.random, ids, what, app.wall.now()).await?;
    tx.commit().await?;
    match heard {
        dispute::Heard::NotYet => return not_yet(app, cards, &intent).await,
        dispute::Heard::Taken(took) => {
            tracing::warn!(intent, dispute = told.id, taken = %took.taken, owed = %took.owed, "a payment is disputed");
        }
        dispute::Heard::Reinstated(amount) => {
            tracing::info!(intent, dispute = told.id, %amount, "a dispute was won");
        }
        dispute::Heard::Nothing => {}
    }
    Ok(())
}

/// Something is said about a payment that is not credited here: it is read first, and the message comes again. About
/// somebody else's payment nothing is to be done.
async fn not_yet(app: &AppState, cards: &Cards, intent: &str) -> Result<(), ApiError> {
    let mut tx = app.db.begin().await?;
    let known = store::card::find(&mut tx, intent).await?.is_some();
    let ended = if known { None } else { unmatched_payment::keep(&mut tx, intent, app.wall.now()).await? };
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
