//! Alarms to operators. Each alarm is sent when it begins, once a day while it lasts, and when it
//! ends.

use domain::channel::alarm::{Alarm, AlarmKind, Condition, Phase, Step};
use domain::clock::Instant;
use serde_json::json;
use store::alarm::{self, StoredAlarm};
use store::outbox::{self, NewMail};
use store::{Tx, lock};

use crate::Error;
use crate::accounts::{AccountCtx, stamp};

/// Details of a fault.
#[derive(Clone, Debug, Default)]
pub struct Details {
    /// Description from the component that detected the fault.
    pub why: Option<String>,
    /// Number of mails and messages that wait too long.
    pub waiting: i64,
    /// Number of mails and messages recently given up.
    pub given_up: i64,
}

/// A present fault.
#[derive(Clone, Debug)]
pub struct FoundAlarm {
    /// Kind of the fault.
    pub kind: AlarmKind,
    /// Affected object, if there are several of the kind; else empty.
    pub subject: String,
    /// Details of the fault.
    pub details: Details,
    /// Set if another alarm explains the fault or another process judges it. Its own alarm then
    /// neither begins nor ends.
    pub deferred: bool,
}

/// Recipients of alarms.
#[derive(Clone, Copy, Debug)]
pub struct Recipients<'a> {
    /// Mail addresses of the recipients.
    pub addresses: &'a [String],
    /// Language for recipients without an account.
    pub language: &'a str,
}

/// Change of one alarm.
#[derive(Clone, Debug)]
pub struct Change {
    /// Present or past fault.
    pub found: FoundAlarm,
    /// Stored state before the change.
    pub before: Option<Alarm>,
    /// New state, and the message to send.
    pub step: Step,
}

/// Returns the changes to store or send, given the stored alarms and the present faults.
#[must_use]
pub fn changes(known: &[StoredAlarm], found: &[FoundAlarm], now: Instant) -> Vec<Change> {
    let same =
        |known: &StoredAlarm, found: &FoundAlarm| known.kind == found.kind && known.subject == found.subject;
    let wrong = found.iter().filter(|found| !found.deferred).map(|found| {
        let before = known.iter().find(|known| same(known, found)).map(|known| known.alarm);
        Change { found: found.clone(), before, step: found.kind.step(before, Condition::Wrong, now) }
    });
    let right = known.iter().filter(|known| !found.iter().any(|found| same(known, found))).map(|known| {
        let found = FoundAlarm {
            kind: known.kind,
            subject: known.subject.clone(),
            details: Details::default(),
            deferred: false,
        };
        let step = known.kind.step(Some(known.alarm), Condition::Right, now);
        Change { found, before: Some(known.alarm), step }
    });
    wrong
        .chain(right)
        .filter(|change| change.step.tell.is_some() || change.step.keep != change.before)
        .collect()
}

/// Stores the changes that follow from the present faults and queues the messages. Other processes
/// wait for the caller's transaction, and then find no message left to send.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn record(
    ctx: &AccountCtx,
    tx: &mut Tx,
    to: Recipients<'_>,
    found: &[FoundAlarm],
) -> Result<Vec<Change>, Error> {
    lock::exclusive(tx, alarm::SUBJECT).await?;
    let changes = changes(&alarm::list(tx).await?, found, ctx.now());
    for change in &changes {
        let FoundAlarm { kind, subject, .. } = &change.found;
        match change.step.keep {
            Some(alarm) => {
                alarm::save(tx, &StoredAlarm { kind: *kind, subject: subject.clone(), alarm }).await?;
            }
            None => alarm::forget(tx, *kind, subject).await?,
        }
        if let Some(phase) = change.step.tell {
            notify(ctx, tx, to, change, phase).await?;
        }
    }
    Ok(changes)
}

async fn notify(
    ctx: &AccountCtx,
    tx: &mut Tx,
    to: Recipients<'_>,
    change: &Change,
    phase: Phase,
) -> Result<(), Error> {
    let now = ctx.now();
    let FoundAlarm { kind, subject, details, .. } = &change.found;
    let began_at = change.step.keep.or(change.before).map_or(now, |alarm| alarm.began_at);
    let data = json!({
        "alarm": kind, "phase": phase, "about": subject, "since": stamp(began_at), "at": stamp(now),
        "why": details.why, "waiting": details.waiting, "given_up": details.given_up, "link": ctx.link("/status"),
    });
    for address in to.addresses {
        let key = format!("operator_alarm:{kind}:{subject}:{phase}:{}:{address}", now.timestamp_micros());
        let account = store::user::by_email(tx, address).await?;
        match account.filter(|user| user.email_verified_at.is_some()) {
            Some(user) => {
                ctx.mail(tx, &user, "operator_alarm", &key, &data).await?;
            }
            None if ctx.has_mail => {
                let mail = NewMail {
                    user: None,
                    recipient: address,
                    language: to.language,
                    template: "operator_alarm",
                    data: &data,
                    dedup_key: &key,
                };
                outbox::enqueue(tx, &ctx.ctx.random, &mail, now).await?;
            }
            None => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::channel::alarm::AlarmKind;

    #[test]
    fn a_deferred_alarm_neither_begins_nor_ends() {
        let now = Instant::UNIX_EPOCH;
        let deferred = FoundAlarm {
            kind: AlarmKind::BooksFrozen,
            subject: String::new(),
            details: Details::default(),
            deferred: true,
        };
        assert!(changes(&[], std::slice::from_ref(&deferred), now).is_empty());
        let alarm = Alarm { began_at: now, told_at: Some(now), gone_at: None };
        let known = StoredAlarm { kind: deferred.kind, subject: String::new(), alarm };
        assert_eq!(changes(std::slice::from_ref(&known), &[], now).len(), 1);
        assert!(changes(&[known], &[deferred], now).is_empty());
    }
}
