//! Mail that confirms a submission: what is monitored, what it costs and when, and how to pause.

use domain::country::CountryCode;
use domain::criteria::BookingMode;
use domain::facility::FacilityId;
use domain::ids::UserId;
use domain::journal::{CityName, NamedSlot};
use domain::money::Money;
use serde_json::{Value, json};
use store::Tx;
use store::task::Task;

use crate::money::TaskPrice;
use crate::{Ctx, Error};

/// Tasks that were submitted together.
pub(super) struct SubmittedTasks<'a> {
    /// Owner of the tasks.
    pub(super) user: UserId,
    /// The tasks as they were before.
    pub(super) tasks: &'a [Task],
    /// Their prices, in the same order.
    pub(super) prices: &'a [TaskPrice],
    /// Countries whose booking pages were read once; `None` if that is not required.
    pub(super) walked: Option<&'a [CountryCode]>,
}

/// Queues one mail about all tasks of a submission, as they are stored now.
pub(super) async fn notify(ctx: &Ctx, tx: &mut Tx, submitted: &SubmittedTasks<'_>) -> Result<(), Error> {
    let SubmittedTasks { user, tasks, prices, walked } = *submitted;
    let Some(first) = tasks.first() else { return Ok(()) };
    let (mut listed, mut modes) = (Vec::new(), Vec::new());
    for (task, price) in tasks.iter().zip(prices) {
        let Some(task) = store::task::get(tx, task.id).await? else { continue };
        modes.extend(task.criteria.as_ref().map(|criteria| criteria.mode));
        listed.push(describe(&task, walked, price.price.total));
    }
    let total = prices.iter().map(|price| price.price.total).sum();
    let data = json!({
        // Only a mail about one task links to that task's page.
        "task_id": (tasks.len() == 1).then_some(first.id),
        "tasks": listed,
        "is_billed": ctx.billing.is_on(),
        "held": held(total),
        "books": modes.iter().any(|mode| mode.changes()),
        "notifies": modes.contains(&BookingMode::Notify),
    });
    // A task is submitted once in its life.
    let key = format!("submitted:{}", first.id);
    let now = ctx.wall.now();
    Ok(store::outbox::enqueue_mail(tx, &ctx.random, user, "submitted", &key, &data, now).await?)
}

fn describe(task: &Task, walked: Option<&[CountryCode]>, total: i64) -> Value {
    let criteria = task.criteria.as_ref();
    let cities: &[FacilityId] = criteria.map_or(&[], |criteria| &criteria.cities);
    json!({
        "id": task.id,
        "names": task.group.names(),
        "now": task.booked.as_ref().map(NamedSlot::from),
        "cities": cities.iter().map(|city| CityName(*city)).collect::<Vec<_>>(),
        "cities_zh": cities.iter().map(|city| city.facility().name_zh).collect::<Vec<_>>(),
        "from": criteria.map(|criteria| criteria.start_date),
        "until": criteria.map(|criteria| criteria.end_date),
        "mode": criteria.map(|criteria| criteria.mode),
        "asks_for_now": walked.is_some_and(|walked| !walked.contains(&task.country)),
        "held": held(total),
    })
}

/// Formats an amount on hold in minor units. Returns `None` if nothing is on hold.
fn held(total: i64) -> Option<String> {
    (total > 0).then(|| Money::cad(total).to_string())
}
