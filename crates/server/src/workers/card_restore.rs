//! Recovery of card payments after the database lost commits, by a restore from a backup or a
//! failover. Reads the lost payments, refunds and disputes at the card provider. Until then no
//! amount is put on hold and no refund is accepted (`store::restore`).

use std::collections::BTreeSet;

use chrono::TimeDelta;
use providers::stripe::webhook::About;
use providers::stripe::{Refund, StripeError};
use store::card::ReportOutcome;
use store::restore;

use crate::AppState;
use crate::card::{Cards, adopt, follow_refunds, heed, is_paid, settle};
use crate::http::error::{ApiError, Code};

/// Maximum age of payments to read, before the time of the backup. A payment may be completed long
/// after it was prepared.
const PREPARED_BEFORE: TimeDelta = TimeDelta::days(40);
/// Maximum age of refunds to read. A refund may fail some weeks after it was sent.
const REFUNDED_BEFORE: TimeDelta = TimeDelta::days(40);
/// Maximum age of disputes to read. A dispute is decided some months after it began.
const DISPUTED_BEFORE: TimeDelta = TimeDelta::days(180);

/// Reads every payment, refund and dispute that may be missing, then permits new holds. Does
/// nothing if the database lost no data. Can be repeated.
///
/// # Errors
/// Returns an error if the database or the provider fails. The next round starts from the
/// beginning.
pub async fn round(app: &AppState, cards: &Cards) -> Result<(), ApiError> {
    let mut tx = app.db.read().await?;
    let unread = restore::unfinished(&mut tx).await?;
    drop(tx);
    let Some(unread) = unread else { return Ok(()) };
    let before = |by: TimeDelta| (unread.backup_at - by).timestamp();
    // Payments come first, because a refund is recorded only for a credited payment.
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
        "finished reading the card payments, refunds and disputes that the database may have lost; new holds are allowed again"
    );
    Ok(())
}

/// Credits payments that are missing in the database, and returns their number.
async fn read_payments(app: &AppState, cards: &Cards, since: i64) -> Result<usize, ApiError> {
    let mut credited = 0;
    for intent in cards.provider.intents_since(since).await? {
        let mut outcome = settle(app, cards, &intent).await?;
        if outcome == ReportOutcome::Unknown && adopt(app, &intent).await? {
            outcome = settle(app, cards, &intent).await?;
        }
        credited += usize::from(matches!(outcome, ReportOutcome::Credited(_)));
    }
    Ok(credited)
}

/// Records refunds that are missing in the database or failed. Returns the number of payments
/// concerned.
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
            // If a refund of this server is still open, the payment is read when that refund has
            // ended. Waiting here would block that refund.
            Ok(_) => read += 1,
            Err(error) if error.code == Code::NotFound => {
                tracing::error!(intent, "card provider lists a refund of a payment that it does not know");
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

/// Records disputes, and returns the number of disputes of this server's payments.
async fn read_disputes(app: &AppState, cards: &Cards, since: i64) -> Result<usize, ApiError> {
    let disputes = match cards.provider.disputes_since(since).await {
        // The key can read payments and refunds, but not disputes. Without this exception the
        // recovery would never end.
        Err(StripeError::Forbidden) => {
            tracing::error!(
                "API key of the card provider lacks the permission to read disputes; compare the disputes by hand, and grant the permission"
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

/// Returns `true` if the payment belongs to this server. The account at the provider may have
/// others.
async fn is_ours(app: &AppState, intent: &str) -> Result<bool, ApiError> {
    let mut tx = app.db.read().await?;
    Ok(is_paid(&mut tx, intent).await?)
}

/// Ends the recovery if no card provider is configured and no card payment was made recently.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn without_cards(app: &AppState) -> Result<(), store::Error> {
    let mut tx = app.db.read().await?;
    let Some(unread) = restore::unfinished(&mut tx).await? else { return Ok(()) };
    let paid = store::card::was_paid_since(&mut tx, unread.backup_at - DISPUTED_BEFORE).await?;
    drop(tx);
    if paid {
        // The alarm and `sooner doctor` report this too.
        tracing::debug!(
            "database may have lost card payments, and no card provider is configured to read them"
        );
        return Ok(());
    }
    let mut tx = app.db.begin().await?;
    restore::cards_were_read(&mut tx, unread.restored_at, app.wall.now()).await?;
    tx.commit().await
}
