//! The age of the advisories that the packages of this build were compared with.

use chrono::NaiveDate;
use domain::clock::Instant;
use store::Tx;

use super::Finding;

/// The date of the copy in the repository; a check holds it to the copy's.
const DATE: &str = include_str!("../../../../../checks/advisories.date");

/// The age in days up to which the copy counts as fresh.
const FRESH_DAYS: i64 = 30;

/// Compares the copy's date with now; none where time is made up, as in demos.
pub async fn age(tx: &mut Tx, now: Instant) -> Result<Option<Finding>, store::Error> {
    let Ok(date) = DATE.trim().parse::<NaiveDate>() else { return Ok(None) };
    if store::audit::is_time_made_up(tx).await? {
        return Ok(None);
    }
    let days = (now.date_naive() - date).num_days();
    let says = format!("the packages of this build were compared with advisories of {date}, {days} days ago");
    Ok(Some(if days > FRESH_DAYS {
        Finding::warn("advisories", says, "install a newer build")
    } else {
        Finding::ok("advisories", says)
    }))
}
