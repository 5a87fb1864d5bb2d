//! Digests of a user's tasks, and the link that unsubscribes from them.

use chrono::NaiveDate;
use domain::channel::digest::Period;
use domain::channel::setting::Digest;
use domain::criteria::Rejection;
use domain::facility::FacilityId;
use domain::ids::UserId;
use domain::journal::{CityName, NamedSlot};
use serde_json::{Value, json};
use store::channel::digest::DigestWanted;
use store::seen::WatchedHour;
use store::task::Task;
use store::{Tx, lock};

use crate::accounts::AccountCtx;
use crate::{Error, links};

/// Maximum number of tasks listed. Further tasks are only counted.
const LISTED: usize = 10;
/// Maximum number of hourly rows read for one task: a week of a dozen calendars.
const HOURS: i64 = 2_200;
/// Path of the page that unsubscribes from digests.
const PAGE: &str = "/api/v1/digest/unsubscribe";
const PURPOSE: &str = "digest-unsubscribe";

/// Activity of one task.
struct Done {
    checks: i64,
    earliest: Option<(NaiveDate, FacilityId)>,
    nearest: Option<NearMiss>,
}

/// Date that only a small change of the criteria would have made acceptable.
struct NearMiss {
    seen: (NaiveDate, FacilityId),
    rejection: Rejection,
}

/// Creates a user's digest, once. Returns `false` if another process has created it or the user has
/// no running task.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn make(
    ctx: &AccountCtx,
    tx: &mut Tx,
    wanted: &DigestWanted,
    period: Period,
) -> Result<bool, Error> {
    lock::exclusive(tx, wanted.user.0).await?;
    if !store::channel::digest::made(tx, wanted, ctx.now()).await? {
        return Ok(false);
    }
    let Some(user) = store::user::get(tx, wanted.user).await? else { return Ok(false) };
    let mut tasks = store::task::all_of_user(tx, user.id).await?;
    tasks.retain(|task| task.status.is_running());
    if tasks.is_empty() {
        return Ok(false);
    }
    let (mut listed, mut total) = (Vec::new(), Done { checks: 0, earliest: None, nearest: None });
    for task in &tasks {
        let done = done(ctx, tx, task, period).await?;
        total.checks += done.checks;
        total.earliest = total.earliest.into_iter().chain(done.earliest).min();
        if listed.len() < LISTED {
            let now = task.booked.as_ref().map(NamedSlot::from);
            listed.push(json!({
                "id": task.id, "names": task.group.initials().join(", "), "now": now, "checks": done.checks,
                "earliest": day(done.earliest), "nearest": done.nearest.as_ref().map(NearMiss::to_json),
            }));
        }
    }
    let data = json!({
        "every": wanted.setting.digest, "count": tasks.len(), "more": tasks.len() - listed.len(), "tasks": listed,
        "checks": total.checks, "earliest": day(total.earliest), "unsubscribe": unsubscribe_link(ctx, user.id),
    });
    let key = format!("digest:{}:{}", user.id, period.day);
    ctx.mail(tx, &user, "digest", &key, &data).await?;
    Ok(true)
}

async fn done(ctx: &AccountCtx, tx: &mut Tx, task: &Task, period: Period) -> Result<Done, Error> {
    let now = ctx.ctx.portal_time.now();
    let hours = store::seen::hours_of_task(tx, task.id, now, HOURS).await?;
    let lately = || hours.iter().filter(|hour| hour.hour >= now - period.span);
    let day = |hour: &WatchedHour| Some((hour.earliest?, hour.facility));
    let misses = lately().filter_map(|hour| near_miss(task, hour));
    Ok(Done {
        checks: lately().map(|hour| hour.polls).sum(),
        earliest: lately().filter_map(day).min(),
        nearest: misses.min_by_key(|miss| (missing_days(miss.rejection), miss.seen)),
    })
}

/// Returns the earliest date of an hour, if a number of days was all that the task's criteria
/// missed at that time.
fn near_miss(task: &Task, hour: &WatchedHour) -> Option<NearMiss> {
    let (date, city) = (hour.earliest?, hour.facility);
    let criteria = task.criteria.as_ref()?;
    let rejection = criteria.evaluate(city, date, task.interview(), city.today(hour.hour)).err()?;
    missing_days(rejection).map(|_| NearMiss { seen: (date, city), rejection })
}

/// Returns the number of days by which a date violates a rule that users can change. A date that is
/// not earlier than the appointment is of no use under any criteria.
fn missing_days(rejection: Rejection) -> Option<i64> {
    match rejection {
        Rejection::AfterWindow { days } | Rejection::BeforeWindow { days } | Rejection::TooSoon { days } => {
            Some(days)
        }
        Rejection::NotEarlierEnough { gained, needed } if gained > 0 => Some(needed - gained),
        Rejection::NotEarlierEnough { .. }
        | Rejection::CityNotWanted
        | Rejection::Excluded
        | Rejection::Weekday => None,
    }
}

impl NearMiss {
    fn to_json(&self) -> Value {
        let mut miss = json!(self.rejection);
        miss["seen"] = json!(day(Some(self.seen)));
        miss
    }
}

fn day(earliest: Option<(NaiveDate, FacilityId)>) -> Option<Value> {
    earliest.map(|(date, facility)| {
        json!({ "date": date, "facility": CityName(facility), "facility_zh": facility.facility().name_zh })
    })
}

/// Returns the URL by which a mail program or the user unsubscribes.
fn unsubscribe_link(ctx: &AccountCtx, user: UserId) -> String {
    ctx.link(&format!("{PAGE}?token={}", links::token(&ctx.keyring, PURPOSE, user.0)))
}

/// Returns the user whose digests a token ends, or `None` if the token is invalid.
#[must_use]
pub fn of_token(ctx: &AccountCtx, token: &[u8; 32]) -> Option<UserId> {
    links::id_of(&ctx.keyring, PURPOSE, token).map(UserId)
}

/// Turns off a user's digests. Other settings stay.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn turn_off(ctx: &AccountCtx, tx: &mut Tx, user: UserId) -> Result<(), Error> {
    lock::exclusive(tx, user.0).await?;
    let mut setting = store::channel::setting(tx, user).await?;
    if setting.digest != Digest::Off {
        setting.digest = Digest::Off;
        store::channel::set_setting(tx, user, &setting, ctx.now()).await?;
    }
    Ok(())
}
