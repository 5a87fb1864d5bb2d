//! Tests of portal accounts, credentials, tasks and shown days.

use chrono::{NaiveDate, NaiveTime, TimeDelta};
use domain::appointment::{Applicant, Appointment, Group, PortalStatus, Slot};
use domain::budget::{Budget, Calls};
use domain::calendar::{CalendarKey, Kind, compare};
use domain::condition::TaskCondition;
use domain::country::{CountryCode, VisaType};
use domain::criteria::{ExcludedDates, SearchCriteria};
use domain::facility::FacilityId;
use domain::health::{AccountHealth, CredentialHealth};
use domain::ids::{CredentialId, PortalAccountId, PortalScheduleId, TaskId, TransferId, UserId};
use domain::money::Money;
use domain::pricing::{DiscountKind, Discounts};
use domain::task::listing::{TaskFilter, TaskOrder};
use domain::task::watch::NextPoll;
use domain::task::{Reason, TaskStatus};
use secrecy::SecretString;
use serde_json::json;
use store::credential::Credential;
use store::forget::{self, ExpiringData};
use store::task::{AgreedPrice, FoundGroup};
use store::{Error, Tx, credential, exec, observation, portal_account, task};
use uuid::Uuid;

use crate::support::{World, later, now};

stories!(
    a_login_is_one_portal_account_for_all_users,
    rejected_sign_ins_are_counted_per_login,
    a_running_verification_is_counted_but_is_no_failure,
    a_new_password_replaces_the_old_one,
    two_concurrent_verifications_store_one_credential,
    exclusive_locks_prevent_lost_updates,
    unused_credentials_are_deleted,
    a_found_group_becomes_a_draft_once,
    a_task_round_trips_unchanged,
    the_first_submitted_task_holds_the_group,
    of_concurrent_submissions_of_a_group_one_succeeds,
    a_failed_task_releases_its_group_and_may_lose_it,
    a_status_changes_only_from_the_expected_one,
    invalid_task_rows_are_refused,
    task_lists_have_pages_and_filters,
    task_changes_are_found_by_time,
    old_drafts_are_swept_and_holds_of_deleted_tasks_are_found,
    polls_are_counted_once_per_calendar,
    the_figures_of_a_user_add_up,
    a_calendar_stores_its_history_of_dates,
);

pub fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

/// Returns an id that is lower than the id of any task.
pub fn nobody() -> TaskId {
    TaskId(Uuid::nil())
}

pub fn appointment(facility: u16, date: &str, time: &str) -> Appointment {
    let time = NaiveTime::parse_from_str(time, "%H:%M").unwrap();
    Slot { facility: FacilityId::try_from(facility).expect("a known city"), date: day(date), time }.into()
}

pub fn criteria() -> SearchCriteria {
    SearchCriteria {
        cities: vec![FacilityId::TORONTO, FacilityId::OTTAWA],
        start_date: day("2026-12-01"),
        end_date: day("2027-05-31"),
        excluded: ExcludedDates::new(vec![(day("2026-12-24"), day("2026-12-26"))]),
        weekdays: Default::default(),
        times: Default::default(),
        minimum_days_from_current: 3,
        min_improvement_days: 7,
        max_reschedules: 2,
        last_attempt_until: Some(day("2027-01-31")),
        fingerprints: None,
        mode: domain::criteria::BookingMode::Notify,
    }
}

pub fn group() -> Group {
    let person =
        |id: Option<&str>, name: &str| Applicant { id: id.map(str::to_owned), name: name.to_owned() };
    Group {
        applicants: vec![person(Some("41"), "王小明"), person(None, "O'NEIL \"ANN\"")],
        visa_class: Some("B1/B2".to_owned()),
        classes: vec!["B1/B2".to_owned()],
        status: PortalStatus::AttendAppointment,
        ivr_account_number: Some("12345678".to_owned()),
        is_tcn: Some(false),
        fee_paid_on: Some(day("2026-03-01")),
        asks_fingerprints: None,
        has_unknown_form: false,
    }
}

pub const PRICE: AgreedPrice = AgreedPrice {
    unit: 38_00,
    discounts: Discounts::NONE.with(DiscountKind::Group, Money::cad(2_00)),
    applicants: 3,
    entitled: 1,
    total: 76_00,
};

impl World {
    pub async fn account(&self, tx: &mut Tx, login: &str) -> PortalAccountId {
        let fresh = PortalAccountId::new(now(), self.random.bytes());
        let fp = self.ring.fingerprint(login);
        portal_account::ensure(tx, fresh, &fp, CountryCode::CANADA, VisaType::Niv, now()).await.unwrap()
    }

    pub async fn secret(&self, tx: &mut Tx, user: UserId, account: PortalAccountId) -> CredentialId {
        let new = self.new_secret(user, account);
        credential::save(tx, &new, now()).await.unwrap();
        new.id
    }

    fn session(&self, account: PortalAccountId, version: i32) -> portal_account::StoredSession {
        let password = SecretString::from("Maple-2026");
        let place = portal_account::session_place(account, version);
        portal_account::StoredSession {
            sealed: self.ring.seal(&place, &password, &self.random),
            version,
            secret: self.ring.secret_hash(account, &password),
            sent_at: now(),
        }
    }

    fn new_secret(&self, user: UserId, account: PortalAccountId) -> Credential {
        Credential {
            id: CredentialId::new(now(), self.random.bytes()),
            user_id: user,
            portal_account_id: account,
            username: "p@example.com".to_owned(),
            secret_kid: "k1".to_owned(),
            secret_blob: vec![0, 255, 7],
            secret_version: 1,
            health: CredentialHealth::Valid,
            health_since: now(),
            tested_at: None,
        }
    }

    pub async fn found(&self, tx: &mut Tx, user: UserId, number: &str) -> FoundGroup {
        let account = self.account(tx, number).await;
        FoundGroup {
            id: TaskId::new(now(), self.random.bytes()),
            user_id: user,
            credential_id: self.secret(tx, user, account).await,
            portal_account_id: account,
            country: CountryCode::CANADA,
            visa_type: VisaType::Niv,
            portal_schedule_id: PortalScheduleId(number.to_owned()),
            group: group(),
            booked: Some(appointment(94, "2027-08-17", "08:15")),
        }
    }

    /// Inserts a configured task of `user` for the group with this number.
    pub async fn configured(&self, tx: &mut Tx, user: UserId, number: &str) -> TaskId {
        let found = self.found(tx, user, number).await;
        let id = task::upsert_found(tx, &found, now()).await.unwrap();
        task::set_criteria(tx, id, &criteria(), now()).await.unwrap();
        id
    }

    /// Inserts a submitted task in a separate transaction.
    pub async fn submitted(&self, user: UserId, number: &str) -> TaskId {
        let mut tx = self.begin().await;
        let id = self.configured(&mut tx, user, number).await;
        assert!(task::submit(&mut tx, id, PRICE, None, later(1)).await.unwrap());
        tx.commit().await.unwrap();
        id
    }

    pub async fn read_task(&self, id: TaskId) -> task::Task {
        let mut tx = self.db.read().await.unwrap();
        task::get(&mut tx, id).await.unwrap().unwrap()
    }
}

async fn a_login_is_one_portal_account_for_all_users(w: World) {
    let user = w.person(0).await;
    let mut tx = w.begin().await;
    let account = w.account(&mut tx, "p@example.com").await;
    assert_eq!(w.account(&mut tx, "p@example.com").await, account);
    assert_ne!(w.account(&mut tx, "q@example.com").await, account);
    let fp = w.ring.fingerprint("p@example.com");
    assert_eq!(portal_account::find(&mut tx, &fp).await.unwrap(), Some(account));
    assert_eq!(portal_account::find(&mut tx, b"nobody").await.unwrap(), None);
    let fresh = portal_account::get(&mut tx, account).await.unwrap().unwrap();
    assert_eq!((fresh.health.as_ref(), fresh.not_before, fresh.session.is_some()), ("valid", None, false));
    assert_eq!((fresh.country, fresh.visa_type), (CountryCode::CANADA, VisaType::Niv));
    let mut budget = Budget::default();
    budget.spend(Calls { requests: 3, polls: 2, sign_ins: 1 }, now());
    portal_account::change_budget(&mut tx, account, |b| *b = budget.clone()).await.unwrap();
    let version = portal_account::next_session_version(&mut tx, account).await.unwrap();
    let session = w.session(account, version);
    portal_account::set_session(&mut tx, account, &session, now()).await.unwrap();
    portal_account::set_health(&mut tx, account, AccountHealth::Cooling, Some(later(60)), later(1))
        .await
        .unwrap();
    portal_account::set_health(&mut tx, account, AccountHealth::Cooling, Some(later(90)), later(2))
        .await
        .unwrap();
    let full = portal_account::get(&mut tx, account).await.unwrap().unwrap();
    assert_eq!((full.health.as_ref(), full.health_since), ("cooling", later(1)));
    assert_eq!((full.not_before, full.budget), (Some(later(90)), budget));
    let kept = full.session.unwrap();
    assert_eq!((kept.version, kept.secret, &kept.sealed), (1, session.secret, &session.sealed));
    // A job that finds the first session ended deletes only that session, not its successor.
    let version = portal_account::next_session_version(&mut tx, account).await.unwrap();
    let later_one = w.session(account, version);
    portal_account::set_session(&mut tx, account, &later_one, later(3)).await.unwrap();
    assert!(!portal_account::clear_session(&mut tx, account, 1).await.unwrap());
    assert!(portal_account::get(&mut tx, account).await.unwrap().unwrap().session.is_some());
    assert!(portal_account::clear_session(&mut tx, account, 2).await.unwrap());
    let bare = portal_account::get(&mut tx, account).await.unwrap().unwrap();
    assert_eq!((bare.session.is_some(), bare.session_version), (false, 2));
    assert!(portal_account::in_use(&mut tx).await.unwrap().is_empty());
    tx.commit().await.unwrap();
    let id = w.submitted(user, "100").await;
    let mut tx = w.begin().await;
    let task = task::get(&mut tx, id).await.unwrap().unwrap();
    let used = portal_account::in_use(&mut tx).await.unwrap();
    assert_eq!(used.iter().map(|a| a.id).collect::<Vec<_>>(), [task.portal_account_id]);
    let unknown = update(&mut tx, "UPDATE portal_account SET health = 'odd' WHERE id = $1", account.0).await;
    assert!(matches!(unknown, Err(Error::Refused(_))), "{unknown:?}");
}

async fn rejected_sign_ins_are_counted_per_login(w: World) {
    use store::verify_failure::{Attempt, add, count, forget, rejected};
    let mut tx = w.begin().await;
    let attempts = [Attempt::Known, Attempt::Stranger, Attempt::Unasked];
    for (seconds, attempt) in [0, 10, 20].into_iter().zip(attempts) {
        let id = uuid::Uuid::from_bytes(w.random.bytes());
        add(&mut tx, id, b"one", attempt, later(seconds)).await.unwrap();
        rejected(&mut tx, id).await.unwrap();
    }
    let counted = [(b"one", -1), (b"one", 0), (b"one", 19), (b"one", 20), (b"two", -1)];
    let mut seen = Vec::new();
    for (login, since) in counted {
        let failures = count(&mut tx, login, later(since), later(30)).await.unwrap();
        seen.push((failures.seen, failures.asked, failures.strangers));
    }
    assert_eq!(seen, [(3, 2, 1), (2, 1, 1), (1, 0, 0), (0, 0, 0), (0, 0, 0)]);
    let early = uuid::Uuid::from_bytes(w.random.bytes());
    add(&mut tx, early, b"one", Attempt::Known, later(30)).await.unwrap();
    forget(&mut tx, early).await.unwrap();
    assert_eq!(count(&mut tx, b"one", later(-1), later(30)).await.unwrap().seen, 3);
    assert_eq!(forget::batch(&mut tx, ExpiringData::VerifyFailures, later(15)).await.unwrap(), 2);
}

// spec: 10.3.11
async fn a_running_verification_is_counted_but_is_no_failure(w: World) {
    use store::verify_failure::{Attempt, Failures, add, count, forget, rejected};
    let mut tx = w.begin().await;
    let [owner, stranger] = [0, 1].map(|_| uuid::Uuid::from_bytes(w.random.bytes()));
    add(&mut tx, owner, b"one", Attempt::Known, later(0)).await.unwrap();
    add(&mut tx, stranger, b"one", Attempt::Stranger, later(0)).await.unwrap();
    let counted = count(&mut tx, b"one", later(-1), later(1)).await.unwrap();
    assert_eq!(counted, Failures { under_way: 2, strangers_under_way: 1, ..Failures::default() });
    forget(&mut tx, owner).await.unwrap();
    rejected(&mut tx, stranger).await.unwrap();
    let failed = Failures { seen: 1, asked: 1, strangers: 1, ..Failures::default() };
    assert_eq!(count(&mut tx, b"one", later(-1), later(1)).await.unwrap(), failed);
    // The process of this attempt ended before it could record the outcome.
    add(&mut tx, owner, b"two", Attempt::Known, later(0)).await.unwrap();
    let counted = count(&mut tx, b"two", later(-1), later(300)).await.unwrap();
    assert_eq!((counted.asked, counted.under_way), (1, 0));
}

async fn a_new_password_replaces_the_old_one(w: World) {
    let (user, other) = (w.person(0).await, w.person(0).await);
    let mut tx = w.begin().await;
    let account = w.account(&mut tx, "p").await;
    let id = w.secret(&mut tx, user, account).await;
    w.secret(&mut tx, other, account).await;
    credential::set_health(&mut tx, id, CredentialHealth::Rejected, later(5)).await.unwrap();
    credential::set_health(&mut tx, id, CredentialHealth::Rejected, later(6)).await.unwrap();
    let old = credential::get(&mut tx, id).await.unwrap().unwrap();
    assert_eq!(
        (old.health.as_ref(), old.health_since, old.tested_at),
        ("rejected", later(5), Some(later(6)))
    );
    let new = Credential { secret_blob: vec![9], secret_version: 2, secret_kid: "k2".to_owned(), ..old };
    credential::save(&mut tx, &new, later(9)).await.unwrap();
    let kept = credential::of_user(&mut tx, user, account).await.unwrap().unwrap();
    assert_eq!((kept.id, kept.secret_blob, kept.secret_version), (id, vec![9], 2));
    assert_eq!((kept.health, kept.health_since), (CredentialHealth::Valid, later(9)));
    assert_eq!((kept.secret_kid.as_str(), kept.username.as_str()), ("k2", "p@example.com"));
    let all = credential::all_of_user(&mut tx, user).await.unwrap();
    assert_eq!(all.iter().map(|c| c.id).collect::<Vec<_>>(), [id], "the other row belongs to the other user");
    assert!(credential::of_user(&mut tx, user, PortalAccountId(id.0)).await.unwrap().is_none());
    let odd = update(&mut tx, "UPDATE credential SET health = 'locked' WHERE id = $1", id.0).await;
    assert!(matches!(odd, Err(Error::Refused(_))), "an account is locked, a password is not: {odd:?}");
}

async fn update(tx: &mut store::Tx, sql: &'static str, id: uuid::Uuid) -> Result<u64, Error> {
    store::exec!(tx, sql, id)
}

// spec: 10.3.12
/// Checks that two concurrent verifications store one credential. The ciphertext is bound to its
/// row, so the second verification must use the existing row.
async fn two_concurrent_verifications_store_one_credential(w: World) {
    let user = w.person(0).await;
    let mut tx = w.begin().await;
    w.account(&mut tx, "p").await;
    tx.commit().await.unwrap();
    // Open four connections before the race begins.
    let read = || w.db.read();
    drop(tokio::join!(read(), read(), read(), read()));
    let verify = async || {
        let mut tx = w.begin().await;
        let account = w.account(&mut tx, "p").await;
        let old = credential::of_user(&mut tx, user, account).await.unwrap();
        tokio::task::yield_now().await;
        let new = old.unwrap_or_else(|| w.new_secret(user, account));
        credential::save(&mut tx, &new, now()).await.unwrap();
        tx.commit().await.unwrap();
        new.id
    };
    let ids = tokio::join!(verify(), verify(), verify(), verify());
    assert!(ids.0 == ids.1 && ids.1 == ids.2 && ids.2 == ids.3, "{ids:?}");
}

// spec: 10.5.11
/// Checks that no update is lost if eight workers read and then write at the same time.
async fn exclusive_locks_prevent_lost_updates(w: World) {
    let user = w.person(0).await;
    let id = w.submitted(user, "100").await;
    let mut running = tokio::task::JoinSet::new();
    for n in 0..8 {
        let db = w.db.clone();
        running.spawn(async move {
            let mut tx = db.begin().await.unwrap();
            store::lock::exclusive(&mut tx, id.0).await.unwrap();
            let read = task::get(&mut tx, id).await.unwrap().unwrap();
            let mut more = read.criteria.unwrap();
            more.minimum_days_from_current += 1;
            tokio::task::yield_now().await;
            task::set_criteria(&mut tx, id, &more, later(10 + n)).await.unwrap();
            tx.commit().await.unwrap();
        });
    }
    running.join_all().await;
    let read = w.read_task(id).await;
    let counted = (read.criteria.unwrap().minimum_days_from_current, read.criteria_version);
    assert_eq!(counted, (criteria().minimum_days_from_current + 8, 9));
}

async fn unused_credentials_are_deleted(w: World) {
    let user = w.person(0).await;
    let mut tx = w.begin().await;
    let (kept, gone) = (w.configured(&mut tx, user, "1").await, w.configured(&mut tx, user, "2").await);
    let account = w.account(&mut tx, "3").await;
    w.secret(&mut tx, user, account).await;
    assert_eq!(
        credential::retention::sweep_unused_in(&mut tx, now()).await.unwrap(),
        0,
        "the credential is too young"
    );
    assert!(task::delete(&mut tx, gone, later(5)).await.unwrap());
    assert_eq!(credential::retention::sweep_unused_in(&mut tx, later(9)).await.unwrap(), 2);
    let left = credential::all_of_user(&mut tx, user).await.unwrap();
    let kept = task::get(&mut tx, kept).await.unwrap().unwrap().credential_id.unwrap();
    assert_eq!(left.iter().map(|c| c.id).collect::<Vec<_>>(), [kept]);
    assert_eq!(task::get(&mut tx, gone).await.unwrap().unwrap().credential_id, None);
    assert_eq!(task::of_credential(&mut tx, kept).await.unwrap().len(), 1);
}

// spec: 10.3.14
async fn a_found_group_becomes_a_draft_once(w: World) {
    let (user, other) = (w.person(0).await, w.person(0).await);
    let mut tx = w.begin().await;
    let mut found = w.found(&mut tx, user, "100").await;
    let id = task::upsert_found(&mut tx, &found, now()).await.unwrap();
    let draft = task::of_user(&mut tx, user, id).await.unwrap().unwrap();
    assert_eq!(
        (draft.status, draft.condition, &draft.criteria),
        (TaskStatus::Draft, TaskCondition::WaitingFirstPoll, &None)
    );
    assert_eq!((&draft.group, draft.booked), (&found.group, found.booked));
    assert!(task::of_user(&mut tx, other, id).await.unwrap().is_none(), "another user sees nothing");
    assert!(task::get(&mut tx, TaskId(uuid::Uuid::nil())).await.unwrap().is_none());
    found.booked = Some(appointment(92, "2027-08-16", "08:15"));
    task::set_criteria(&mut tx, id, &criteria(), later(1)).await.unwrap();
    assert_eq!(task::upsert_found(&mut tx, &found, later(2)).await.unwrap(), id);
    let again = task::get(&mut tx, id).await.unwrap().unwrap();
    assert_eq!(
        (again.status, again.booked),
        (TaskStatus::Configured, found.booked),
        "the row is refreshed, never reset"
    );
    assert_eq!((again.group_read_at, again.updated_at), (later(2), later(2)));
    task::submit(&mut tx, id, PRICE, None, later(2)).await.unwrap();
    found.id = TaskId::new(later(3), w.random.bytes());
    let kept = found.booked.take();
    found.group.applicants.truncate(1);
    assert_eq!(task::upsert_found(&mut tx, &found, later(3)).await.unwrap(), id);
    let again = task::get(&mut tx, id).await.unwrap().unwrap();
    assert_eq!(
        (again.status, again.status_since),
        (TaskStatus::Submitted, later(2)),
        "the row is never reset"
    );
    assert_eq!(
        (again.booked, again.group.applicants.len()),
        (kept, 2),
        "the engine makes its own comparison"
    );
    assert_eq!((again.criteria, again.price), (Some(criteria()), Some(PRICE)));
    assert_eq!(again.updated_at, later(3));
    // After a deletion, the same group can have a new task. Another user's draft for the group is
    // separate.
    assert!(task::delete(&mut tx, id, later(4)).await.unwrap());
    assert!(!task::delete(&mut tx, id, later(5)).await.unwrap());
    assert!(task::of_user(&mut tx, user, id).await.unwrap().is_none());
    let fresh = task::upsert_found(&mut tx, &found, later(6)).await.unwrap();
    assert_eq!(fresh, found.id);
    let theirs = w.found(&mut tx, other, "100").await;
    let theirs = task::upsert_found(&mut tx, &theirs, later(7)).await.unwrap();
    let group = PortalScheduleId("100".to_owned());
    let living = task::of_group(&mut tx, CountryCode::CANADA, &group).await.unwrap();
    assert_eq!(living.iter().map(|t| t.id).collect::<Vec<_>>(), [fresh, theirs]);
    assert!(
        task::of_group(&mut tx, "en-us".parse::<CountryCode>().unwrap(), &group).await.unwrap().is_empty()
    );
}

async fn a_task_round_trips_unchanged(w: World) {
    let user = w.person(0).await;
    let id = w.submitted(user, "100").await;
    let mut tx = w.begin().await;
    task::set_allowance(&mut tx, id, Some(2), Some(later(1_000)), later(1)).await.unwrap();
    task::set_allowance(&mut tx, id, None, None, later(2)).await.unwrap();
    task::count_reschedule(&mut tx, id, 1, later(2)).await.unwrap();
    task::count_reschedule(&mut tx, id, 1, later(2)).await.unwrap();
    let evidence = json!({ "looked_at": later(2), "words": "多伦多 \"'\\", "n": [1, null, 2.5] });
    let condition = TaskCondition::CoolingDown;
    task::set_condition(&mut tx, id, condition, &evidence, Some(later(90)), later(3)).await.unwrap();
    task::set_condition(&mut tx, id, condition, &evidence, Some(later(91)), later(4)).await.unwrap();
    let missing =
        |checks, slots, at| task::Difference { checks, slots, last_check_at: Some(later(at)), at: None };
    task::count_up(&mut tx, id, &missing(3, 10, 4), false, later(5)).await.unwrap();
    task::count_up(&mut tx, id, &missing(1, 0, 5), false, later(6)).await.unwrap();
    task::count_up(&mut tx, id, &missing(9, 9, 9), true, later(6)).await.unwrap();
    let hold = TransferId::new(now(), w.random.bytes());
    task::set_hold(&mut tx, id, Some(hold), later(7)).await.unwrap();
    task::set_captured(&mut tx, id, 76_00, later(8)).await.unwrap();
    task::set_captured(&mut tx, id, 1, later(9)).await.unwrap();
    let mut changed = group();
    changed.is_tcn = None;
    changed.ivr_account_number = None;
    task::set_group(&mut tx, id, &changed, later(10)).await.unwrap();
    task::set_booked(&mut tx, id, Some(appointment(92, "2027-02-09", "00:00")), later(11)).await.unwrap();
    let mut wanted = criteria();
    wanted.last_attempt_until = None;
    wanted.mode = domain::criteria::BookingMode::Auto;
    task::set_criteria(&mut tx, id, &wanted, later(12)).await.unwrap();
    tx.commit().await.unwrap();
    let t = w.read_task(id).await;
    assert_eq!((t.attempts_left, t.change_deadline, t.reschedules_used), (Some(2), Some(later(1_000)), 2));
    assert_eq!((t.condition, t.condition_since, &t.condition_evidence), (condition, later(3), &evidence));
    assert_eq!(
        (t.checks, t.slots_seen, t.last_check_at, t.next_try_at),
        (4, 10, Some(later(5)), Some(later(91)))
    );
    assert_eq!((t.hold_id, t.captured_at, t.captured_amount), (Some(hold), Some(later(8)), Some(76_00)));
    assert_eq!((&t.group, t.booked), (&changed, Some(appointment(92, "2027-02-09", "00:00"))));
    assert_eq!(
        (t.criteria.as_ref(), t.criteria_version, t.status),
        (Some(&wanted), 2, TaskStatus::Submitted)
    );
    assert_eq!((t.price, t.submitted_at, t.priority), (Some(PRICE), Some(later(1)), 0));
    assert_eq!((t.created_at, t.updated_at, t.deleted_at), (now(), later(12), None), "to the microsecond");
    assert_eq!(t.version(), later(12).timestamp_micros());
    let mut tx = w.begin().await;
    task::set_hold(&mut tx, id, None, later(13)).await.unwrap();
    assert_eq!(task::get(&mut tx, id).await.unwrap().unwrap().hold_id, None);
    task::forget_allowance(&mut tx, id, later(14)).await.unwrap();
    let forgotten = task::get(&mut tx, id).await.unwrap().unwrap();
    assert_eq!((forgotten.attempts_left, forgotten.change_deadline), (None, None));
    // A task with an entitlement counts as paid when it is submitted.
    let free = w.configured(&mut tx, user, "200").await;
    let price = AgreedPrice { total: 0, ..PRICE };
    assert!(task::submit(&mut tx, free, price, None, later(14)).await.unwrap());
    task::set_captured(&mut tx, free, 0, later(14)).await.unwrap();
    let free = task::get(&mut tx, free).await.unwrap().unwrap();
    assert_eq!((free.captured_at, free.captured_amount), (Some(later(14)), Some(0)));
    assert_eq!((free.price, free.reason), (Some(price), None));
}

async fn the_first_submitted_task_holds_the_group(w: World) {
    let (first, second) = (w.person(0).await, w.person(0).await);
    let holder = w.submitted(first, "100").await;
    let mut tx = w.begin().await;
    assert!(!task::submit(&mut tx, holder, PRICE, None, later(2)).await.unwrap(), "once");
    let late = w.configured(&mut tx, second, "100").await;
    tx.commit().await.unwrap();
    for status in [None, Some((TaskStatus::Submitted, TaskStatus::Stopped))] {
        let mut tx = w.begin().await;
        if let Some(step) = status {
            assert!(task::set_status(&mut tx, holder, step, Some(Reason::ByUser), later(3)).await.unwrap());
        }
        tx.commit().await.unwrap();
        let mut tx = w.begin().await;
        let taken = task::submit(&mut tx, late, PRICE, None, later(4)).await.unwrap_err();
        assert!(is_taken(&taken), "{taken:?}");
    }
    let mut tx = w.begin().await;
    assert!(task::delete(&mut tx, holder, later(5)).await.unwrap());
    assert!(task::submit(&mut tx, late, PRICE, None, later(6)).await.unwrap(), "the group is free again");
}

/// Returns `true` for a violation of the unique index. PostgreSQL reports the index, SQLite its
/// columns.
fn is_taken(error: &Error) -> bool {
    error.is_conflict("task_one_holder") || error.is_conflict("task_country_portal_schedule_id")
}

// spec: 1.16
async fn of_concurrent_submissions_of_a_group_one_succeeds(w: World) {
    let mut ids = Vec::new();
    for _ in 0..8 {
        let user = w.person(0).await;
        let mut tx = w.begin().await;
        ids.push(w.configured(&mut tx, user, "100").await);
        tx.commit().await.unwrap();
    }
    let mut running = tokio::task::JoinSet::new();
    for id in ids.clone() {
        let db = w.db.clone();
        running.spawn(async move {
            let mut tx = db.begin().await.unwrap();
            let done = task::submit(&mut tx, id, PRICE, None, later(2)).await;
            if done.is_ok() {
                tx.commit().await.unwrap();
            }
            done
        });
    }
    let done = running.join_all().await;
    assert_eq!(done.iter().filter(|d| matches!(d, Ok(true))).count(), 1);
    assert!(done.iter().filter_map(|d| d.as_ref().err()).all(is_taken), "{done:?}");
    let mut tx = w.begin().await;
    assert_eq!(task::running(&mut tx, TaskId(Uuid::nil()), 10).await.unwrap().len(), 1);
}

async fn a_failed_task_releases_its_group_and_may_lose_it(w: World) {
    let (first, second) = (w.person(0).await, w.person(0).await);
    let failed = w.submitted(first, "100").await;
    let mut tx = w.begin().await;
    let step = (TaskStatus::Submitted, TaskStatus::Error);
    assert!(
        task::set_status(&mut tx, failed, step, Some(Reason::CredentialsRejected), later(2)).await.unwrap()
    );
    tx.commit().await.unwrap();
    assert_eq!(w.read_task(failed).await.reason, Some(Reason::CredentialsRejected));
    w.submitted(second, "100").await;
    let mut tx = w.begin().await;
    let back = (TaskStatus::Error, TaskStatus::Processing);
    let lost = task::set_status(&mut tx, failed, back, None, later(3)).await.unwrap_err();
    assert!(is_taken(&lost), "{lost:?}");
}

async fn a_status_changes_only_from_the_expected_one(w: World) {
    use TaskStatus::{Active, Configured, Draft, Processing, Stopped, Submitted};
    let user = w.person(0).await;
    let id = w.submitted(user, "100").await;
    let mut tx = w.begin().await;
    for (step, at) in [((Submitted, Processing), 2), ((Processing, Active), 3)] {
        assert!(task::set_status(&mut tx, id, step, None, later(at)).await.unwrap());
    }
    let moved = task::set_status(&mut tx, id, (Processing, Stopped), Some(Reason::ByUser), later(4)).await;
    assert!(!moved.unwrap(), "the row had changed meanwhile");
    let t = task::get(&mut tx, id).await.unwrap().unwrap();
    assert_eq!((t.status, t.reason, t.status_since), (Active, None, later(3)));
    for &from in TaskStatus::ALL {
        for to in TaskStatus::ALL.iter().copied().filter(|to| *to != from && !from.may_become(*to)) {
            let illegal = task::set_status(&mut tx, id, (from, to), None, later(5)).await;
            assert!(matches!(illegal, Err(Error::Illegal(a, b)) if (a, b) == (from.as_str(), to.as_str())));
        }
    }
    assert!(!Draft.may_become(Submitted) && !Configured.may_become(Active));
    assert!(task::set_status(&mut tx, id, (Active, Active), None, later(6)).await.unwrap());
    assert!(
        task::set_status(&mut tx, id, (Active, Stopped), Some(Reason::AutoStop), later(7)).await.unwrap()
    );
    assert_eq!(task::get(&mut tx, id).await.unwrap().unwrap().reason, Some(Reason::AutoStop));
    let draft = w.found(&mut tx, user, "200").await;
    let draft = task::upsert_found(&mut tx, &draft, now()).await.unwrap();
    assert!(!task::submit(&mut tx, draft, PRICE, None, later(8)).await.unwrap(), "a draft has no criteria");
}

async fn invalid_task_rows_are_refused(w: World) {
    let user = w.person(0).await;
    let id = w.submitted(user, "100").await;
    let statements = [
        "UPDATE task SET status = 'asleep' WHERE id = $1",
        "UPDATE task SET wish = NULL WHERE id = $1",
        "UPDATE task SET submitted_at = NULL WHERE id = $1",
        "UPDATE task SET booked_time = NULL WHERE id = $1",
        "UPDATE task SET booked_facility = NULL WHERE id = $1",
        "UPDATE task SET user_id = id WHERE id = $1",
        "UPDATE task SET verdict = NULL WHERE id = $1",
    ];
    for sql in statements {
        let mut tx = w.begin().await;
        let refused = exec!(&mut tx, sql, id.0);
        assert!(matches!(refused, Err(Error::Refused(_))), "{sql}: {refused:?}");
    }
    // A user has at most one task per group that is not deleted, in any status.
    let mut tx = w.begin().await;
    let other = w.configured(&mut tx, user, "200").await;
    tx.commit().await.unwrap();
    let mut tx = w.begin().await;
    let twice = exec!(&mut tx, "UPDATE task SET portal_schedule_id = '100' WHERE id = $1", other.0);
    assert!(matches!(twice, Err(Error::Conflict(_))), "{twice:?}");
}

async fn task_lists_have_pages_and_filters(w: World) {
    let (user, other) = (w.person(0).await, w.person(0).await);
    let mut ids = Vec::new();
    for n in 0..5 {
        let mut tx = w.begin().await;
        let id = w.configured(&mut tx, user, &format!("{n}")).await;
        if n > 0 {
            task::submit(&mut tx, id, PRICE, None, later(n)).await.unwrap();
        }
        tx.commit().await.unwrap();
        ids.push(id);
    }
    w.submitted(other, "9").await;
    let mut tx = w.begin().await;
    let step = (TaskStatus::Submitted, TaskStatus::Stopped);
    task::set_status(&mut tx, ids[2], step, Some(Reason::ByUser), later(9)).await.unwrap();
    task::delete(&mut tx, ids[4], later(10)).await.unwrap();
    tx.commit().await.unwrap();
    let page = async |words: &[&str], order, page, size| {
        let filters: Vec<_> = words.iter().map(|word| TaskFilter::parse(word).unwrap()).collect();
        let wanted = task::Listing { filters: &filters, order, page, size, now: now(), asking: &[] };
        let mut tx = w.db.read().await.unwrap();
        let (tasks, total) = task::list(&mut tx, user, wanted).await.unwrap();
        let places: Vec<_> = tasks.iter().map(|t| ids.iter().position(|id| *id == t.id).unwrap()).collect();
        (places, total)
    };
    let newest = TaskOrder::Submitted;
    assert_eq!(
        page(&[], newest, 1, 10).await,
        (vec![3, 2, 1, 0], 4),
        "newest first, tasks that were not submitted last"
    );
    assert_eq!(page(&[], newest, 1, 3).await, (vec![3, 2, 1], 4));
    assert_eq!(page(&[], newest, 2, 3).await, (vec![0], 4));
    assert_eq!(page(&[], newest, 3, 3).await, (vec![], 4));
    assert_eq!(page(&["stopped"], newest, 1, 10).await, (vec![2], 1));
    assert_eq!(page(&["stopped", "submitted"], newest, 1, 10).await, (vec![3, 2, 1], 3));
    assert_eq!(page(&["active"], newest, 1, 10).await, (vec![], 0));
    assert_eq!(page(&["paused", "running"], newest, 1, 10).await, (vec![3, 2, 1], 3));
    assert_eq!(page(&["completed", "needs_you"], newest, 1, 10).await, (vec![], 0));
    let mut tx = w.begin().await;
    let days = [None, Some("2027-03-09"), Some("2027-03-02"), Some("2027-03-04")];
    for (place, day) in days.into_iter().enumerate() {
        let booked = day.map(|day| appointment(92, day, "08:15"));
        task::set_booked(&mut tx, ids[place], booked, later(11)).await.unwrap();
    }
    // Without an engine, the time of the next check is unknown.
    store::lease::acquire(&mut tx, store::lease::ENGINE, "node", 600).await.unwrap();
    for (place, at) in [(1, Some(later(20))), (2, Some(later(12))), (3, None)] {
        let condition = TaskCondition::Watching;
        task::set_condition(&mut tx, ids[place], condition, &json!({}), at, later(12)).await.unwrap();
    }
    tx.commit().await.unwrap();
    let soonest = TaskOrder::Appointment;
    assert_eq!(
        page(&[], soonest, 1, 10).await,
        (vec![2, 3, 1, 0], 4),
        "tasks without an appointment are last"
    );
    assert_eq!(page(&["submitted"], soonest, 1, 1).await, (vec![3], 2));
    let next = TaskOrder::NextCheck;
    assert_eq!(page(&[], next, 1, 10).await, (vec![1, 3, 2, 0], 4), "a paused task is not checked");
    assert_eq!(page(&[], next, 2, 3).await, (vec![0], 4));
}

async fn task_changes_are_found_by_time(w: World) {
    let (user, other) = (w.person(0).await, w.person(0).await);
    let (first, second) = (w.submitted(user, "1").await, w.submitted(user, "2").await);
    let third = w.submitted(other, "3").await;
    let mut tx = w.begin().await;
    w.configured(&mut tx, user, "4").await;
    let instant = later(10);
    let micro = TimeDelta::microseconds(1);
    task::count_reschedule(&mut tx, second, 0, instant).await.unwrap();
    task::delete(&mut tx, first, instant + micro).await.unwrap();
    task::count_reschedule(&mut tx, third, 0, instant + micro * 2).await.unwrap();
    let ids = |changes: Vec<task::Change>| changes.iter().map(|c| c.id).collect::<Vec<_>>();
    let outlined = |tasks: Vec<task::Outline>| tasks.iter().map(|t| t.id).collect::<Vec<_>>();
    let changed =
        async |tx: &mut Tx, at| outlined(task::changed(tx, (at, TaskId(Uuid::max())), 10).await.unwrap());
    assert_eq!(changed(&mut tx, instant - micro).await, [second, first, third]);
    assert_eq!(changed(&mut tx, instant).await, [first, third], "deleted tasks too");
    assert_eq!(changed(&mut tx, instant + micro * 2).await, []);
    let one = task::changed(&mut tx, (instant - micro, TaskId(Uuid::max())), 1).await.unwrap();
    assert_eq!(outlined(one), [second], "no more than requested");
    let again = task::changed(&mut tx, (instant, TaskId(Uuid::nil())), 10).await.unwrap();
    assert_eq!(outlined(again), [second, first, third], "the page continues within an instant");
    let mine = task::changed_of_user(&mut tx, user, now()).await.unwrap();
    assert_eq!(ids(mine), [second, first], "neither drafts nor tasks of other users");
    let mut both = [second, third];
    both.sort_unstable();
    let nobody = TaskId(Uuid::nil());
    assert_eq!(outlined(task::running(&mut tx, nobody, 10).await.unwrap()), both);
    assert_eq!(
        outlined(task::running(&mut tx, nobody, 1).await.unwrap()),
        both[..1],
        "in order of their ids"
    );
    assert_eq!(
        outlined(task::running(&mut tx, both[0], 10).await.unwrap()),
        both[1..],
        "the page continues from there"
    );
    assert_eq!(task::newest_change(&mut tx).await.unwrap(), Some(instant + micro * 2));
    let whole = task::get(&mut tx, second).await.unwrap().unwrap();
    let outline = task::running(&mut tx, nobody, 10).await.unwrap().into_iter().find(|t| t.id == second);
    assert_eq!(format!("{:?}", Some(task::Outline::from(&whole))), format!("{outline:?}"));
}

async fn old_drafts_are_swept_and_holds_of_deleted_tasks_are_found(w: World) {
    let user = w.person(0).await;
    let id = w.submitted(user, "1").await;
    let mut tx = w.begin().await;
    let draft = w.configured(&mut tx, user, "2").await;
    assert_eq!(task::sweep_drafts(&mut tx, now(), later(1)).await.unwrap(), 0);
    assert_eq!(task::sweep_drafts(&mut tx, later(5), later(6)).await.unwrap(), 1);
    assert_eq!(task::get(&mut tx, draft).await.unwrap().unwrap().deleted_at, Some(later(6)));
    let hold = TransferId::new(now(), w.random.bytes());
    task::set_hold(&mut tx, id, Some(hold), later(7)).await.unwrap();
    assert!(task::deleted_with_hold(&mut tx, nobody(), 100).await.unwrap().is_empty());
    task::delete(&mut tx, id, later(8)).await.unwrap();
    let found = task::deleted_with_hold(&mut tx, nobody(), 100).await.unwrap();
    assert_eq!(found.iter().map(|t| t.id).collect::<Vec<_>>(), [id]);
    task::set_captured(&mut tx, id, 76_00, later(9)).await.unwrap();
    assert!(
        task::deleted_with_hold(&mut tx, nobody(), 100).await.unwrap().is_empty(),
        "the task is paid, so there is nothing to release"
    );
}

fn tally(key: &CalendarKey, polls: i64, at: i64) -> observation::Tally {
    let last_poll_at = Some(later(at));
    observation::Tally {
        key: key.clone(),
        polls,
        slots: polls,
        last_poll_at,
        answered_at: last_poll_at,
        next: Some(NextPoll { at: later(at + 1), wait: None }),
        bound: Some(TimeDelta::hours(3)),
    }
}

async fn polls_are_counted_once_per_calendar(w: World) {
    let user = w.person(0).await;
    let id = w.submitted(user, "1").await;
    let kind = Kind::of(CountryCode::CANADA, VisaType::Niv, &group(), true);
    let key = |facility| CalendarKey {
        kind: kind.clone(),
        facility: FacilityId::try_from(facility).expect("a known city"),
    };
    let read = async || w.read_task(id).await;
    let mut tx = w.begin().await;
    observation::add_polls(&mut tx, &tally(&key(94), 4, 2), later(2)).await.unwrap();
    let missing = task::Difference { checks: 1, slots: 1, last_check_at: Some(later(2)), at: None };
    let counted =
        task::CountsByCalendar::from([(key(94).to_string(), (4, 4)), (key(92).to_string(), (0, 0))]);
    task::count_from(&mut tx, id, &missing, &counted, later(2)).await.unwrap();
    task::count_from(&mut tx, id, &missing, &counted, later(2)).await.unwrap();
    observation::add_polls(&mut tx, &tally(&key(94), 2, 7), later(7)).await.unwrap();
    observation::add_polls(&mut tx, &tally(&key(92), 3, 6), later(8)).await.unwrap();
    observation::add_polls(&mut tx, &tally(&key(91), 3, 9), later(9)).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(read().await.checks, 1, "the row itself counts once");
    let mut tx = w.begin().await;
    let shown = task::of_user(&mut tx, user, id).await.unwrap().unwrap();
    assert_eq!((shown.checks, shown.slots_seen), (6, 6));
    assert_eq!(shown.last_check_at, Some(later(7)));
    assert_eq!(shown.updated_at, later(8), "the version increases with the calendars");
    assert_eq!(task::changed_of_user(&mut tx, user, later(7)).await.unwrap().len(), 1);
    assert!(task::changed_of_user(&mut tx, user, later(8)).await.unwrap().is_empty());
    task::settle_counts(&mut tx, &[id], 10, later(20)).await.unwrap();
    task::settle_counts(&mut tx, &[id], 10, later(20)).await.unwrap();
    let settled = task::get(&mut tx, id).await.unwrap().unwrap();
    assert_eq!((settled.checks, settled.slots_seen, settled.counted), (6, 6, None));
    assert_eq!(settled.last_check_at, Some(later(7)));
}

// spec: 3.36
async fn the_figures_of_a_user_add_up(w: World) {
    let user = w.person(0).await;
    let (first, second) = (w.submitted(user, "1").await, w.submitted(user, "2").await);
    let mut tx = w.begin().await;
    w.configured(&mut tx, user, "3").await;
    let empty = task::task_stats(&mut tx, UserId(uuid::Uuid::nil())).await.unwrap();
    assert_eq!((empty.checks, empty.submitted, empty.succeeded, empty.active), (0, 0, 0, 0));
    let missing = |checks| task::Difference { checks, slots: 1, last_check_at: Some(later(2)), at: None };
    task::count_up(&mut tx, first, &missing(3), false, later(2)).await.unwrap();
    let key = CalendarKey {
        kind: Kind::of(CountryCode::CANADA, VisaType::Niv, &group(), true),
        facility: FacilityId::TORONTO,
    };
    let counted = task::CountsByCalendar::from([(key.to_string(), (7, 1))]);
    task::count_from(&mut tx, first, &task::Difference::default(), &counted, later(2)).await.unwrap();
    observation::add_polls(&mut tx, &tally(&key, 9, 2), later(3)).await.unwrap();
    task::count_up(&mut tx, second, &missing(2), false, later(2)).await.unwrap();
    task::delete(&mut tx, second, later(4)).await.unwrap();
    for step in
        [(TaskStatus::Submitted, TaskStatus::Processing), (TaskStatus::Processing, TaskStatus::Active)]
    {
        assert_eq!(task::task_stats(&mut tx, user).await.unwrap().active, 1, "{:?} runs as well", step.0);
        task::set_status(&mut tx, first, step, None, later(3)).await.unwrap();
    }
    let sum = task::task_stats(&mut tx, user).await.unwrap();
    assert_eq!((sum.checks, sum.submitted, sum.succeeded, sum.active), (7, 2, 0, 1));
    for condition in [TaskCondition::PortalDown, TaskCondition::Overloaded, TaskCondition::Watching] {
        for id in [first, second] {
            task::set_condition(&mut tx, id, condition, &json!({}), None, later(5)).await.unwrap();
        }
        let expected = task::TroubledTasks {
            down: i64::from(condition == TaskCondition::PortalDown),
            overloaded: i64::from(condition == TaskCondition::Overloaded),
        };
        assert_eq!(
            task::troubled(&mut tx).await.unwrap(),
            expected,
            "the deleted task does not count any more"
        );
    }
}

async fn a_calendar_stores_its_history_of_dates(w: World) {
    let kind = Kind::of(CountryCode::CANADA, VisaType::Niv, &group(), true);
    let key = CalendarKey { kind: kind.clone(), facility: FacilityId::TORONTO };
    let lists: [&[&str]; 4] =
        [&["2027-01-05", "2027-02-01"], &["2027-02-01"], &["2027-01-05", "2027-03-01"], &[]];
    let mut before: Vec<NaiveDate> = Vec::new();
    let mut tx = w.begin().await;
    observation::add_polls(&mut tx, &tally(&key, 4, 0), now()).await.unwrap();
    for (n, list) in lists.iter().enumerate() {
        let days: Vec<_> = list.iter().map(|d| day(d)).collect();
        let (id, at) = (uuid::Uuid::from_bytes(w.random.bytes()), later(i64::try_from(n).unwrap() * 10));
        // Repeat the call, as after a commit whose response was lost. Only one row is inserted.
        for _ in 0..2 {
            observation::record(&mut tx, id, &key, &days, &compare(&before, &days), at).await.unwrap();
        }
        before = days;
    }
    observation::add_polls(&mut tx, &tally(&key, 5, 60), later(60)).await.unwrap();
    let other = CalendarKey { kind: Kind { booked: false, ..kind }, facility: FacilityId::TORONTO };
    let id = uuid::Uuid::from_bytes(w.random.bytes());
    let first = [day("2027-09-09")];
    observation::record(&mut tx, id, &other, &first, &compare(&[], &first), now()).await.unwrap();
    tx.commit().await.unwrap();
    let mut tx = w.db.read().await.unwrap();
    let all = observation::calendars(&mut tx).await.unwrap();
    let found = all.iter().find(|c| c.key == key).unwrap();
    assert_eq!(observation::last_poll(&mut tx, &key).await.unwrap(), Some(later(60)));
    let nowhere = CalendarKey { facility: FacilityId::MONTREAL, ..key.clone() };
    assert_eq!(observation::last_poll(&mut tx, &nowhere).await.unwrap(), None);
    assert_eq!((all.len(), found.polls, found.last_poll_at), (2, 9, Some(later(60))));
    assert!(found.days.is_empty());
    let seen = observation::seen_days(&mut tx, &key, now(), 10).await.unwrap();
    let seen: Vec<_> = seen.iter().map(|s| (s.day, s.times, s.last_seen_at, s.facility.number())).collect();
    let expected = [
        (day("2027-01-05"), 2, later(20), 94),
        (day("2027-02-01"), 1, later(10), 94),
        (day("2027-03-01"), 1, later(20), 94),
    ];
    assert_eq!(seen, expected);
    assert_eq!(observation::seen_days(&mut tx, &key, later(11), 10).await.unwrap().len(), 2);
    assert_eq!(observation::seen_days(&mut tx, &key, now(), 1).await.unwrap().len(), 1);
}
