//! After a restore from a backup, or a failover that forgot commits: reads at the card provider what the database forgot. Until
//! that is done nothing is set aside and no refund is taken (`store::restore`).

use std::collections::BTreeSet;

use chrono::TimeDelta;
use providers::stripe::webhook::About;
use store::card::Heard;
use store::restore;

use crate::AppState;
use crate::card::{Cards, adopt, follow_refunds, heed, is_paid, settle};
use crate::http::error::ApiError;

/// Payments prepared shortly before may have been paid after it.
const PREPARED_BEFORE: TimeDelta = TimeDelta::days(4);
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
    restore::cards_were_read(&mut tx, app.wall.now()).await?;
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

/// Of how many payments of ours something went back.
async fn read_refunds(app: &AppState, cards: &Cards, since: i64) -> Result<usize, ApiError> {
    let refunds = cards.provider.refunds_since(since).await?;
    let intents: BTreeSet<String> = refunds.into_iter().filter_map(|refund| refund.intent).collect();
    let mut read = 0;
    for intent in intents {
        if is_ours(app, &intent).await? {
            // What waits for a refund of ours is followed when that has ended, which would never begin if this waited for it.
            follow_refunds(app, cards, &intent).await?;
            read += 1;
        }
    }
    Ok(read)
}

/// How many payments of ours were disputed.
async fn read_disputes(app: &AppState, cards: &Cards, since: i64) -> Result<usize, ApiError> {
    let mut read = 0;
    for dispute in cards.provider.disputes_since(since).await? {
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

/// Without a card provider there is nothing to be read, unless somebody has paid by card.
///
/// # Errors
/// When the database fails.
pub async fn without_cards(app: &AppState) -> Result<(), store::Error> {
    let mut tx = app.db.begin().await?;
    if restore::unread(&mut tx).await?.is_none() {
        return Ok(());
    }
    if store::card::list(&mut tx, None, 1).await?.is_empty() {
        restore::cards_were_read(&mut tx, app.wall.now()).await?;
        return tx.commit().await;
    }
    tracing::error!(
        "the database may have forgotten card payments, and no card provider is set up: nothing is set aside for tasks until it \
         is and the payments were read again"
    );
    Ok(())
}
