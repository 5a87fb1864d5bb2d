//! Age of the advisories against which the packages of this build were checked.

use chrono::NaiveDate;
use domain::clock::Instant;
use store::Tx;

use super::Finding;

/// Date of the copy in the repository. A check compares it with the copy's own date.
const DATE: &str = include_str!("../../../../../checks/advisories.date");

/// Maximum age, in days, of a fresh copy.
const FRESH_DAYS: i64 = 30;

/// Compares the copy's date with now. Returns `None` if the time is artificial, as in demos.
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
