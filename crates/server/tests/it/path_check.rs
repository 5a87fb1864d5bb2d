//! Stories of the check without booking: what it reads, what it costs, and when it is refused.

use domain::budget::Limits;
use domain::ids::PortalAccountId;
use sandbox::journal::Entry;
use sandbox::world::NewGroup;
use sandbox::world::deviations::Deviation;
use sandbox::world::faults::FaultKind;
use serde_json::json;
use uuid::Uuid;

use crate::app::{Person, Reply};
use crate::stage::{Stage, TORONTO};

portal_stories!(
    a_check_reads_the_form_and_dates_of_two_cities_without_changes,
    a_check_reports_a_changed_form_and_a_missing_city,
    a_check_with_an_ended_session_needs_a_verification,
    a_watched_account_is_not_checked,
    an_invalid_check_is_refused_without_a_portal_request,
    concurrent_checks_share_the_budget_of_the_account,
    a_refused_check_does_not_count_against_limits,
);

async fn check(s: &Stage, person: &Person, id: &str, cities: &[&str]) -> Reply {
    let body = json!({ "required_cities": cities });
    s.call("POST", &format!("/schedules/{id}/check"), Some(person), Some(body)).await
}

/// Counts requests other than reads and sign-ins.
fn changes(s: &Stage) -> usize {
    s.sandbox.with_world(|world| {
        let sent = |entry: &&Entry| !["", "GET"].contains(&entry.method.as_str()) && entry.kind != "sign_in";
        world.journal.after(0).iter().filter(sent).count()
    })
}

async fn a_check_reads_the_form_and_dates_of_two_cities_without_changes(s: Stage) {
    s.booked("lin");
    s.slot(TORONTO, "2027-02-03", "09:30");
    s.slot(TORONTO, "2027-03-04", "09:30");
    let person = s.person("lin").await;
    let id = s.draft(&person, "lin").await;
    let before = (s.requests("sign_in"), s.requests("appointment") + s.requests("days"));
    let reply = check(&s, &person, &id, &["Toronto", "Ottawa"]).await;
    let wanted = json!({
        "form": "understood", "attempts_left": 3,
        "cities": [
            { "facility": "Toronto", "offered": true, "dates": 2, "earliest": "2027-02-03" },
            { "facility": "Ottawa", "offered": true, "dates": 0, "earliest": null },
        ],
    });
    assert_eq!(reply.data(), &wanted);
    let after = (s.requests("sign_in"), s.requests("appointment") + s.requests("days"));
    assert_eq!(after, (before.0, before.1 + 4), "two pages and two lists, over the existing session");
    assert_eq!(changes(&s), 0);
    // The requests are charged to the account's budget.
    let mut tx = s.app.db.read().await.unwrap();
    let sql = "SELECT id FROM portal_account";
    let id = store::scalar!(&mut tx, Uuid, sql).unwrap();
    let row = store::portal_account::get(&mut tx, PortalAccountId(id)).await.unwrap().unwrap();
    assert_eq!(row.budget.polls(s.app.portal_time.now()), (2, 2));
}

async fn a_check_reports_a_changed_form_and_a_missing_city(s: Stage) {
    s.booked("lin");
    let person = s.person("lin").await;
    let id = s.draft(&person, "lin").await;
    let fault = s.fault(FaultKind::FacilityMissing { facility: 92 });
    let data = check(&s, &person, &id, &["Ottawa", "Toronto"]).await.data().clone();
    assert_eq!(
        data["cities"][0],
        json!({ "facility": "Ottawa", "offered": false, "dates": null, "earliest": null })
    );
    assert_eq!(data["cities"][1]["offered"], true);
    s.sandbox.with_world(|world| world.remove_faults(Some(fault)));
    let of = Deviation::named("form_asks_for_a_purpose").unwrap();
    s.fault(FaultKind::Deviation { of });
    let data = check(&s, &person, &id, &["Toronto"]).await.data().clone();
    assert_eq!((&data["form"], &data["cities"][0]["dates"]), (&json!("not_as_known"), &json!(0)));
    s.fault(FaultKind::AttemptsUsedUp);
    let data = check(&s, &person, &id, &["Toronto"]).await.data().clone();
    assert_eq!((&data["form"], &data["attempts_left"]), (&json!("no_change_left"), &json!(0)));
}

async fn a_check_with_an_ended_session_needs_a_verification(s: Stage) {
    s.booked("lin");
    let person = s.person("lin").await;
    let id = s.draft(&person, "lin").await;
    let fault = s.fault(FaultKind::SessionEnd);
    for _ in 0..2 {
        let reply = check(&s, &person, &id, &["Toronto"]).await;
        assert_eq!((reply.status.as_u16(), &reply.body["error"]["code"]), (409, &json!("PORTAL_SIGNED_OUT")));
    }
    assert_eq!(s.requests("sign_in"), 1, "a check makes no sign-in");
    s.sandbox.with_world(|world| world.remove_faults(Some(fault)));
    s.draft(&person, "lin").await;
    assert_eq!(check(&s, &person, &id, &["Toronto"]).await.data()["form"], "understood");
}

async fn a_watched_account_is_not_checked(s: Stage) {
    let person = s.payer("lin", 100_00).await;
    let id = s.submitted(&person, "lin").await;
    let before = s.requests("appointment");
    let reply = check(&s, &person, &id, &["Toronto"]).await;
    assert_eq!((reply.status.as_u16(), &reply.body["error"]["code"]), (409, &json!("ILLEGAL_TRANSITION")));
    assert_eq!(s.requests("appointment"), before);
}

async fn an_invalid_check_is_refused_without_a_portal_request(s: Stage) {
    s.portal("lin", vec![NewGroup::default()]);
    let (person, other) = (s.person("lin").await, s.person("mei").await);
    let id = s.draft(&person, "lin").await;
    let before = s.requests("appointment");
    for cities in [&[][..], &["Gotham"], &["Toronto", "Ottawa", "Calgary"]] {
        let reply = check(&s, &person, &id, cities).await;
        assert_eq!((reply.status.as_u16(), &reply.body["error"]["code"]), (422, &json!("VALIDATION_FAILED")));
    }
    assert_eq!(
        check(&s, &other, &id, &["Toronto"]).await.status.as_u16(),
        404,
        "the task belongs to another user"
    );
    s.fault(FaultKind::BadGateway);
    let reply = check(&s, &person, &id, &["Toronto"]).await;
    assert_eq!((reply.status.as_u16(), &reply.body["error"]["code"]), (503, &json!("PORTAL_UNAVAILABLE")));
    assert_eq!(s.requests("appointment"), before + 1, "read once, and not again");
}

async fn concurrent_checks_share_the_budget_of_the_account(s: Stage) {
    s.booked("lin");
    let person = s.person("lin").await;
    let id = s.draft(&person, "lin").await;
    let checks = (0..8).map(|_| check(&s, &person, &id, &["Toronto", "Ottawa"]));
    let replies = futures_util::future::join_all(checks).await;
    let made = replies.iter().filter(|reply| reply.status == 200).count();
    assert!((1..8).contains(&made), "{made} of eight");
    let most = usize::try_from(Limits::default().polls_per_hour).unwrap();
    assert!(s.requests("days") <= most, "{} polls in an hour", s.requests("days"));
}

async fn a_refused_check_does_not_count_against_limits(s: Stage) {
    s.booked("lin");
    let person = s.person("lin").await;
    let id = s.draft(&person, "lin").await;
    let host = s.app.engine.context().client.host();
    let mut tx = s.app.db.begin().await.unwrap();
    store::outward::pause(&mut tx, &host, s.clock.now(), "maintenance").await.unwrap();
    tx.commit().await.unwrap();
    for _ in 0..5 {
        assert_eq!(check(&s, &person, &id, &["Toronto", "Ottawa"]).await.status, 503);
    }
    let mut tx = s.app.db.begin().await.unwrap();
    store::outward::resume(&mut tx, &host).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(check(&s, &person, &id, &["Toronto", "Ottawa"]).await.status, 200);
}
