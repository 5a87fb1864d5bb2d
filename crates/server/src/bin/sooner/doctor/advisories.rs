//! Check of the age of the security advisories against which the packages of this build were
//! checked.

use chrono::NaiveDate;
use domain::clock::Instant;
use store::Tx;

use super::Finding;

/// Date of the advisories in the repository. A repository check compares the two.
const DATE: &str = include_str!("../../../../../checks/advisories.date");

/// Maximum age of the advisories, in days, without a warning.
const FRESH_DAYS: i64 = 30;

/// Reports the age of the advisories. Returns `None` if the clock of the database is artificial, as
/// in demos.
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
