//! Recovery of card payments after a restore from a backup, or a failover that lost commits: reads
//! at the card provider what the database lost. Until then no amount is put on hold and no refund
//! is accepted (`store::restore`).

use std::collections::BTreeSet;

use chrono::TimeDelta;
use providers::stripe::webhook::About;
use providers::stripe::{Refund, StripeError};
use store::card::ReportOutcome;
use store::restore;

use crate::AppState;
use crate::card::{Cards, adopt, follow_refunds, heed, is_paid, settle};
use crate::http::error::{ApiError, Code};

/// Age of payments to read. A payment that was prepared earlier may have been paid later, and the
/// last known time may be too late.
const PREPARED_BEFORE: TimeDelta = TimeDelta::days(40);
/// Age of refunds to read. A refund may fail for some weeks after it was made.
const REFUNDED_BEFORE: TimeDelta = TimeDelta::days(40);
/// Age of disputes to read. A dispute is decided some months after it began.
const DISPUTED_BEFORE: TimeDelta = TimeDelta::days(180);

/// Reads every payment, refund and dispute that may be missing, then allows new holds again. Does
/// nothing unless the database lost data. A repeated call changes nothing.
///
/// # Errors
/// Returns an error if the database or the provider fails; the next round starts again.
pub async fn round(app: &AppState, cards: &Cards) -> Result<(), ApiError> {
    let mut tx = app.db.read().await?;
    let unread = restore::unfinished(&mut tx).await?;
    drop(tx);
    let Some(unread) = unread else { return Ok(()) };
    let before = |by: TimeDelta| (unread.backup_at - by).timestamp();
    // Payments come first, because refunds need their credited payments.
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
        "read the card payments that the database may have lost; new holds are allowed again"
    );
    Ok(())
}

/// Credits missing payments, and returns their number.
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

/// Records refunds that are unknown here or failed, and returns the number of their payments.
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
            // A payment whose own refund is still open is read when that refund has ended. Waiting
            // for it here would block that refund.
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

/// Records disputes, and returns the number of disputed payments.
async fn read_disputes(app: &AppState, cards: &Cards, since: i64) -> Result<usize, ApiError> {
    let disputes = match cards.provider.disputes_since(since).await {
        // The key may read payments and refunds. Money would be blocked forever if it waited for
        // disputes.
        Err(StripeError::Forbidden) => {
            tracing::error!(
                "key of the card provider may not read disputes; compare them by hand, and permit the key to read them"
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

/// Returns `true` if the payment is of this server. The account at the provider may have others.
async fn is_ours(app: &AppState, intent: &str) -> Result<bool, ApiError> {
    let mut tx = app.db.read().await?;
    Ok(is_paid(&mut tx, intent).await?)
}

/// Ends the recovery without a card provider, unless a card payment was made recently.
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
