//! After a restore from a backup, or a failover that forgot commits: reads at the card provider what the database forgot. Until
//! that is done nothing is set aside and no refund is taken (`store::restore`).

use std::collections::BTreeSet;

use chrono::TimeDelta;
use providers::stripe::webhook::About;
use providers::stripe::{Refund, StripeError};
use store::card::Heard;
use store::restore;

use crate::AppState;
use crate::card::{Cards, adopt, follow_refunds, heed, is_paid, settle};
use crate::http::error::{ApiError, Code};

/// Payments prepared before may have been paid after it; and what is taken for the last that is there may have been written since.
const PREPARED_BEFORE: TimeDelta = TimeDelta::days(40);
/// A refund may fail for some weeks after it was made.
const REFUNDED_BEFORE: TimeDelta = TimeDelta::days(40);
/// A dispute is decided for some months after it began.
const DISPUTED_BEFORE: TimeDelta = TimeDelta::days(180);

/// Reads every payment, refund and dispute of which something may be missing; then money moves as usual. Nothing happens unless
/// the database forgot something. Repeating it changes nothing.
///
/// # Errors
/// When the database or the provider fails; the next round begins again.
pub async fn round(app: &AppState, cards: &Cards) -> Result<(), ApiError> {
    let mut tx = app.db.read().await?;
    let unread = restore::unread(&mut tx).await?;
    drop(tx);
    let Some(unread) = unread else { return Ok(()) };
    let before = |by: TimeDelta| (unread.backup_at - by).timestamp();
    // First of all: what went back is of payments that are credited.
    let credited = read_payments(app, cards, before(PREPARED_BEFORE)).await?;
    let refunded = read_refunds(app, cards, before(REFUNDED_BEFORE)).await?;
    let disputed = read_disputes(app, cards, before(DISPUTED_BEFORE)).await?;
    let mut tx = app.db.begin().await?;
    restore::cards_were_read(&mut tx, unread.restored_at, app.wall.now()).await?;
    tx.commit().await?;
    tracing::warn!(
        credited,
        refunded,
        disputed,
        "the card payments that the database may have forgotten were read again: money moves as usual"
    );
    Ok(())
}

/// How many payments were credited.
async fn read_payments(app: &AppState, cards: &Cards, since: i64) -> Result<usize, ApiError> {
    let mut credited = 0;
    for intent in cards.provider.intents_since(since).await? {
        let mut heard = settle(app, cards, &intent).await?;
        if heard == Heard::Unknown && adopt(app, &intent).await? {
            heard = settle(app, cards, &intent).await?;
        }
        credited += usize::from(matches!(heard, Heard::Credited(_)));
    }
    Ok(credited)
}

/// Of how many payments of ours something went back that is not known here, or failed.
async fn read_refunds(app: &AppState, cards: &Cards, since: i64) -> Result<usize, ApiError> {
    let mut intents = BTreeSet::new();
    for refund in cards.provider.refunds_since(since).await? {
        if refund.has_failed() || !is_known(app, &refund).await? {
            intents.extend(refund.intent);
        }
    }
    let mut read = 0;
    for intent in intents {
        if !is_ours(app, &intent).await? {
            continue;
        }
        match follow_refunds(app, cards, &intent).await {
            // What waits for a refund of ours is followed when that has ended, which would never begin if this waited for it.
            Ok(_) => read += 1,
            Err(error) if error.code == Code::NotFound => {
                tracing::error!(
                    intent,
                    "the card provider lists a refund of a payment that it does not know"
                );
            }
            Err(error) => return Err(error),
        }
    }
    Ok(read)
}

async fn is_known(app: &AppState, refund: &Refund) -> Result<bool, ApiError> {
    let mut tx = app.db.read().await?;
    Ok(store::card::refund::find_sent(&mut tx, &refund.id, refund.key()).await?.is_some())
}

/// How many payments of ours were disputed.
async fn read_disputes(app: &AppState, cards: &Cards, since: i64) -> Result<usize, ApiError> {
    let disputes = match cards.provider.disputes_since(since).await {
        // Payments and refunds it may read: money that waits for this would wait for ever.
        Err(StripeError::Forbidden) => {
            tracing::error!(
                "the card provider's key may not read disputes: compare them by hand, and let the key read them"
            );
            return Ok(0);
        }
        read => read?,
    };
    let mut read = 0;
    for dispute in disputes {
        let Some(intent) = &dispute.intent else { continue };
        if is_ours(app, intent).await? {
            heed(app, cards, About::Dispute(dispute)).await?;
            read += 1;
        }
    }
    Ok(read)
}

/// The account at the provider may have payments that are none of ours.
async fn is_ours(app: &AppState, intent: &str) -> Result<bool, ApiError> {
    let mut tx = app.db.read().await?;
    Ok(is_paid(&mut tx, intent).await?)
}

/// Without a card provider there is nothing to be read, unless somebody paid by card lately.
///
/// # Errors
/// When the database fails.
pub async fn without_cards(app: &AppState) -> Result<(), store::Error> {
    let mut tx = app.db.read().await?;
    let Some(unread) = restore::unread(&mut tx).await? else { return Ok(()) };
    let paid = store::card::was_paid_since(&mut tx, unread.backup_at - DISPUTED_BEFORE).await?;
    drop(tx);
    if paid {
        // Said by the alarm and `sooner doctor` too.
        tracing::debug!(
            "the database may have forgotten card payments, and no card provider is set up: nothing is set aside"
        );
        return Ok(());
    }
    let mut tx = app.db.begin().await?;
    restore::cards_were_read(&mut tx, unread.restored_at, app.wall.now()).await?;
    tx.commit().await
}
