//! After a restore from a backup: reads at the card provider what the database forgot. Until that is done nothing is set aside
//! and no refund is taken (`store::restore`).

use chrono::TimeDelta;
use store::card::Heard;
use store::restore::{self, Unread};

use crate::AppState;
use crate::card::{Cards, adopt, follow_refunds, settle};
use crate::http::error::{ApiError, Code};

/// Payments prepared shortly before the backup may have been paid after it.
const PREPARED_BEFORE: TimeDelta = TimeDelta::days(4);
/// Nothing goes back of payments that are older.
const REFUNDED_UNTIL: TimeDelta = TimeDelta::days(400);
/// Payments of a page.
const AT_ONCE: i64 = 100;

/// Reads every payment prepared since shortly before the backup, and every refund of those that were paid; then money moves
/// as usual. Nothing happens unless the database was restored. Repeating it changes nothing.
///
/// # Errors
/// When the database or the provider fails; the next round goes on with the refunds at which this one ended.
pub async fn round(app: &AppState, cards: &Cards) -> Result<(), ApiError> {
    let mut tx = app.db.read().await?;
    let unread = restore::unread(&mut tx).await?;
    drop(tx);
    let Some(unread) = unread else { return Ok(()) };
    let since = (unread.backup_at - PREPARED_BEFORE).timestamp();
    let (mut after, mut credited) = (None, 0);
    loop {
        let (intents, more) = cards.provider.intents_since(since, after.as_deref()).await?;
        for intent in &intents {
            let mut heard = settle(app, cards, intent).await?;
            if heard == Heard::Unknown && adopt(app, intent).await? {
                heard = settle(app, cards, intent).await?;
            }
            credited += usize::from(matches!(heard, Heard::Credited(_)));
        }
        after = intents.last().map(|intent| intent.id.clone());
        if !more || after.is_none() {
            break;
        }
    }
    let read = read_refunds(app, cards, &unread).await?;
    let mut tx = app.db.begin().await?;
    restore::cards_were_read(&mut tx, app.wall.now()).await?;
    tx.commit().await?;
    tracing::warn!(
        credited,
        read,
        "the card payments of a restored database were read again: money moves as usual"
    );
    Ok(())
}

async fn read_refunds(app: &AppState, cards: &Cards, unread: &Unread) -> Result<usize, ApiError> {
    let since = unread.backup_at - REFUNDED_UNTIL;
    let (mut after, mut read) = (unread.refunds_after.unwrap_or_default(), 0);
    loop {
        let mut tx = app.db.read().await?;
        let paid = restore::paid_since(&mut tx, since, after, AT_ONCE).await?;
        drop(tx);
        let Some((last, _)) = paid.last() else { return Ok(read) };
        for (_, intent) in &paid {
            match follow_refunds(app, cards, intent).await {
                // What waits for a refund of ours is followed when that has ended, which would never begin if this waited for it.
                Ok(_) => read += 1,
                // Of another account of the provider's: there is nothing to be read, however often it is asked.
                Err(error) if error.code == Code::NotFound => {
                    tracing::error!(
                        intent,
                        "the card provider knows nothing of a payment of a restored database"
                    );
                }
                Err(error) => return Err(error),
            }
        }
        after = *last;
        let mut tx = app.db.begin().await?;
        restore::refunds_were_read(&mut tx, after, unread.restored_at).await?;
        tx.commit().await?;
    }
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
        "the database was restored from a backup, and people paid by card, but no card provider is set up: nothing is set \
         aside for tasks until it is and the payments were read again"
    );
    Ok(())
}
