//! Stories of portal pages with one small deviation each. Nothing is booked on a page that is
//! understood only in part. A deviation without a change of meaning is booked as wanted. Everything
//! continues once the page is normal again.

use chrono::TimeDelta;
use domain::task::{Reason, TaskStatus};
use sandbox::world::deviations::{DEVIATIONS, Deviation};
use sandbox::world::faults::FaultKind;

use crate::stage::{Stage, TORONTO, at, toronto};

/// Maximum number of pages before the form that one account may read without a result in forty
/// minutes.
const MOST_FORMS: usize = 12;

/// Submits one task, and frees a wanted slot once the page deviates. Returns the error, if any.
async fn opening_behind(deviation: &'static Deviation) -> Option<String> {
    let stage = Stage::new().await;
    let group = stage.portal_account("lin", Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task("lin", toronto()).await;
    stage.run_for(TimeDelta::minutes(20)).await;
    let fault = stage.fault(FaultKind::Deviation { of: deviation }, None);
    if deviation.on == "sign_in_page" {
        stage.fault(FaultKind::SessionEnd, Some(1));
    }
    stage.slot(TORONTO, "2027-02-09", "09:15");
    let booked = || stage.applied(group) == 1;
    let forms = stage.requests("appointment");
    // A new sign-in may have to wait. A refusal comes at once, and again.
    let span = if deviation.may_book { TimeDelta::hours(2) } else { TimeDelta::minutes(40) };
    stage.run_until(span, booked).await;
    if !deviation.may_book {
        if !stage.posts().is_empty() {
            return Some("booked on a page that is not understood".to_owned());
        }
        let read = stage.requests("appointment") - forms;
        if read > MOST_FORMS {
            return Some(format!("{read} readings of a page that stays as it is"));
        }
        stage.sandbox.with_world(|world| world.remove_faults(Some(fault)));
        stage.run_until(TimeDelta::hours(3), booked).await;
    }
    let wanted = Some(at(TORONTO, "2027-02-09", "09:15"));
    let is_booked = stage.posts().len() == 1 && stage.portal_shows(group) == wanted;
    let now = stage.read(task).await;
    let is_stopped =
        now.reason == Some(Reason::FormAsksFingerprints) && deviation.name.contains("fingerprints");
    if is_stopped {
        return None;
    }
    (!is_booked || now.status == TaskStatus::Error)
        .then(|| format!("not booked: {} {:?}, {:?}", now.status.as_str(), now.reason, stage.posts()))
}

// spec: 10.3.06
#[tokio::test]
async fn nothing_is_booked_from_deviating_pages() {
    let mut wrong = Vec::new();
    for deviation in &DEVIATIONS {
        wrong.extend(opening_behind(deviation).await.map(|what| (deviation.name, what)));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
