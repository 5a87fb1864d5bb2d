//! Stories of passwords and the sessions that they open: several users of one portal account, and
//! passwords that change.

use chrono::TimeDelta;
use domain::ids::{TaskId, UserId};
use domain::task::{Reason, TaskStatus};
use engine::verify_login::NotVerified;
use portal::PortalError;
use sandbox::journal::{Effect, Entry};
use sandbox::world::NewGroup;
use sandbox::world::accounts::SessionEndReason;
use store::credential::binding::{self, SecretStatus};
use store::task::Task;

use crate::stage::{Stage, TORONTO, appointment, at, toronto};
use crate::time::kill_when;

const OLD: &str = "Maple-2026";
const NEW: &str = "Cedar-2027";

fn booked(name: &str) -> NewGroup {
    NewGroup {
        applicants: vec![name.to_owned()],
        appointment: Some(at(TORONTO, "2027-08-17", "08:15")),
        ..NewGroup::default()
    }
}

/// Changes the password at the portal, which ends every session there.
fn change_password(stage: &Stage, password: &str) {
    stage.sandbox.with_world(|world| {
        world.accounts.get_mut("lin@example.com").expect("the account").password = password.to_owned();
    });
    end_sessions(stage);
}

fn end_sessions(stage: &Stage) {
    stage.sandbox.with_world(|world| {
        world.sessions.values_mut().for_each(|session| session.ended = Some(SessionEndReason::Expired));
    });
}

/// Inserts each user's draft of one group of the account.
async fn draft(stage: &Stage, user: UserId, password: &str, group: u64) -> Task {
    let found = stage.verify_with(user, "lin", password).await.expect("verified");
    found.into_iter().find(|task| task.portal_schedule_id.0 == group.to_string()).expect("a draft")
}

async fn assert_rejected(stage: &Stage, task: TaskId) {
    let task = stage.read(task).await;
    assert_eq!((task.status, task.reason), (TaskStatus::Error, Some(Reason::CredentialsRejected)));
}

// spec: 10.3.13
#[tokio::test]
async fn an_old_password_books_nothing_over_the_owners_session() {
    let stage = Stage::new().await;
    let groups = stage.portal_groups("lin", vec![booked("LIN ANNA"), booked("LIN BO")]);
    let (agent, owner) = (stage.user("agent").await, stage.user("owner").await);
    let agents = draft(&stage, agent, OLD, groups[0]).await;
    stage.submit(&agents, toronto()).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    assert_eq!(stage.read(agents.id).await.status, TaskStatus::Active);
    change_password(&stage, NEW);
    let owners = draft(&stage, owner, NEW, groups[1]).await;
    assert_rejected(&stage, agents.id).await;
    assert_eq!(stage.mails("needs_you").await, 1, "the agent is notified");
    stage.submit(&owners, toronto()).await;
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.run_for(TimeDelta::hours(2)).await;
    assert_eq!((stage.applied(groups[0]), stage.applied(groups[1])), (0, 1), "only the owner's group moved");
    assert_rejected(&stage, agents.id).await;
    stage.assert_tidy().await;
}

// spec: 10.3.13
/// Checks the reverse order: the owner's session exists first, and the agent's task begins
/// afterwards.
#[tokio::test]
async fn a_task_started_after_its_password_was_replaced_books_nothing() {
    let stage = Stage::new().await;
    let groups = stage.portal_groups("lin", vec![booked("LIN ANNA"), booked("LIN BO")]);
    let (agent, owner) = (stage.user("agent").await, stage.user("owner").await);
    let agents = draft(&stage, agent, OLD, groups[0]).await;
    change_password(&stage, NEW);
    let owners = draft(&stage, owner, NEW, groups[1]).await;
    stage.submit(&owners, toronto()).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    // The API does not allow this; it simulates a submission at the same moment.
    stage.submit(&agents, toronto()).await;
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.slot(TORONTO, "2027-02-10", "09:15");
    stage.run_for(TimeDelta::hours(2)).await;
    assert_eq!((stage.applied(groups[0]), stage.applied(groups[1])), (0, 1), "only the owner's group moved");
    assert_rejected(&stage, agents.id).await;
    let refused = stage.sandbox.with_world(|world| {
        let refused = |entry: &&Entry| matches!(entry.effect, Effect::SignInRefused(_));
        world.journal.after(0).iter().filter(refused).count()
    });
    assert_eq!(refused, 0, "a rejected password is not tried again");
    stage.assert_tidy().await;
}

// spec: 10.15.09
/// Checks a password that was never verified here: the portal itself rejects the old one.
#[tokio::test]
async fn a_portal_password_change_stops_all_tasks_with_the_old_one() {
    let stage = Stage::new().await;
    let groups = stage.portal_groups("lin", vec![booked("LIN ANNA"), booked("LIN BO")]);
    let (one, two) = (stage.user("one").await, stage.user("two").await);
    let first = draft(&stage, one, OLD, groups[0]).await;
    let second = draft(&stage, two, OLD, groups[1]).await;
    stage.submit(&first, toronto()).await;
    stage.submit(&second, toronto()).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.clock.advance(TimeDelta::hours(1));
    change_password(&stage, NEW);
    let asked = stage.requests("sign_in");
    stage.run_for(TimeDelta::hours(3)).await;
    assert_rejected(&stage, first.id).await;
    assert_rejected(&stage, second.id).await;
    assert_eq!(stage.requests("sign_in") - asked, 1, "one password is tried once, whichever user entered it");
    stage.assert_tidy().await;
}

// spec: 10.15.09
#[tokio::test]
async fn users_with_the_same_password_share_one_session() {
    let stage = Stage::new().await;
    let groups = stage.portal_groups("lin", vec![booked("LIN ANNA"), booked("LIN BO")]);
    let (one, two) = (stage.user("one").await, stage.user("two").await);
    let first = draft(&stage, one, OLD, groups[0]).await;
    let second = draft(&stage, two, OLD, groups[1]).await;
    let asked = stage.requests("sign_in");
    for task in [&first, &second] {
        stage.submit(task, toronto()).await;
    }
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.slot(TORONTO, "2027-02-09", "10:15");
    stage.run_for(TimeDelta::hours(2)).await;
    assert_eq!((stage.applied(groups[0]), stage.applied(groups[1])), (1, 1));
    assert_eq!(stage.requests("sign_in"), asked, "the verification's session serves both");
    assert_eq!(
        stage.mails("booked_in_your_account").await,
        2,
        "each user is notified of the other's booking"
    );
    stage.assert_tidy().await;
}

// spec: 10.3.13
#[tokio::test]
async fn passwords_accepted_at_the_same_time_are_each_tested_before_they_are_used() {
    let stage = Stage::new().await;
    let groups = stage.portal_groups("lin", vec![booked("LIN ANNA"), booked("LIN BO")]);
    let (agent, owner) = (stage.user("agent").await, stage.user("owner").await);
    let agents = draft(&stage, agent, OLD, groups[0]).await;
    // Its answer was slow: the portal may have processed it after the other one.
    let (own, late) = (agents.credential_id.expect("a password"), stage.clock.now() + TimeDelta::seconds(10));
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    store::exec!(&mut tx, "UPDATE credential SET accepted_at = $2 WHERE id = $1", own.0, late).expect("sql");
    tx.commit().await.expect("commit");
    stage.clock.advance(TimeDelta::seconds(5));
    change_password(&stage, NEW);
    let owners = draft(&stage, owner, NEW, groups[1]).await;
    for task in [&agents, &owners] {
        let mut tx = stage.ctx.db.read().await.expect("tx");
        let own = task.credential_id.expect("a password");
        let bound = binding::bound(&mut tx, own).await.expect("read").expect("a credential");
        assert_eq!(bound.standing, SecretStatus::Untested);
    }
    let asked = stage.requests("sign_in");
    for task in [&agents, &owners] {
        stage.submit(task, toronto()).await;
    }
    stage.slot(TORONTO, "2027-02-09", "09:15");
    stage.slot(TORONTO, "2027-02-10", "09:15");
    stage.run_for(TimeDelta::hours(4)).await;
    assert_rejected(&stage, agents.id).await;
    assert_eq!((stage.applied(groups[0]), stage.applied(groups[1])), (0, 1));
    assert!(stage.requests("sign_in") - asked <= 2, "each is tested once at most");
    stage.assert_tidy().await;
}

// spec: 10.3.13
#[tokio::test]
async fn an_attempt_settles_although_its_password_was_replaced() {
    let stage = Stage::new().await;
    let group = stage.portal_groups("lin", vec![booked("LIN ANNA")])[0];
    let (agent, owner) = (stage.user("agent").await, stage.user("owner").await);
    let agents = draft(&stage, agent, OLD, group).await;
    stage.submit(&agents, toronto()).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.slot(TORONTO, "2027-02-09", "09:15");
    // The response of the POST is not read: the job ends here, as if it had been cut off.
    kill_when(|point| point == "post.ended");
    stage.run_until(TimeDelta::hours(2), || stage.applied(group) == 1).await;
    engine::on_fail_points(None);
    assert_eq!(stage.applied(group), 1, "the booking was posted");
    let sent = stage.clock.now();
    change_password(&stage, NEW);
    let found = stage.verify_with(owner, "lin", NEW).await.expect("verified");
    assert_eq!(found.len(), 1);
    assert_eq!(
        stage.read(agents.id).await.status,
        TaskStatus::Active,
        "the task stops when the attempt is settled"
    );
    let asked = stage.requests("sign_in");
    stage.run_for(TimeDelta::seconds(300)).await;
    let task = stage.read(agents.id).await;
    assert_eq!(task.booked, Some(appointment(TORONTO, "2027-02-09", "09:15")), "300 s after {sent}");
    assert_eq!(task.captured_amount, Some(3800));
    assert_eq!(stage.requests("sign_in"), asked, "read over the owner's session");
    stage.run_for(TimeDelta::minutes(2)).await;
    assert_rejected(&stage, agents.id).await;
    assert_eq!(stage.mails("booked_in_your_account").await, 1, "the owner is notified of it");
    stage.assert_tidy().await;
}

// spec: 10.3.13
#[tokio::test]
async fn a_new_session_from_a_verification_replaces_an_ended_one() {
    let stage = Stage::new().await;
    let group = stage.portal_groups("lin", vec![booked("LIN ANNA")])[0];
    let user = stage.user("lin").await;
    let task = draft(&stage, user, OLD, group).await;
    stage.submit(&task, toronto()).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.clock.advance(TimeDelta::minutes(50));
    stage.run_for(TimeDelta::minutes(20)).await;
    end_sessions(&stage);
    // The engine does not know yet that its session has ended when the user verifies again.
    stage.verify_with(user, "lin", OLD).await.expect("verified");
    let asked = stage.requests("sign_in");
    let polls = stage.requests("days");
    stage.run_for(TimeDelta::minutes(40)).await;
    assert!(stage.requests("days") > polls + 1, "the task still polls");
    assert_eq!(stage.requests("sign_in"), asked, "over the session that the verification opened");
    stage.assert_tidy().await;
}

// spec: 10.15.09
#[tokio::test]
async fn a_stored_password_rejected_at_verification_is_marked_rejected() {
    let stage = Stage::new().await;
    let group = stage.portal_groups("lin", vec![booked("LIN ANNA")])[0];
    let user = stage.user("lin").await;
    let task = draft(&stage, user, OLD, group).await;
    stage.submit(&task, toronto()).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    change_password(&stage, NEW);
    let again = stage.verify_with(user, "lin", OLD).await;
    assert!(matches!(again, Err(NotVerified::Portal(PortalError::CredentialsRejected))), "{again:?}");
    assert_rejected(&stage, task.id).await;
    stage.assert_tidy().await;
}

// spec: 10.15.09
/// Checks that a process that dies during each sign-in cannot sign in without limit.
#[tokio::test]
async fn a_sign_in_is_counted_before_it_is_made() {
    let stage = Stage::new().await;
    let group = stage.portal_groups("lin", vec![booked("LIN ANNA")])[0];
    let user = stage.user("lin").await;
    let task = draft(&stage, user, OLD, group).await;
    stage.submit(&task, toronto()).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.clock.advance(TimeDelta::hours(1));
    end_sessions(&stage);
    let (asked, before) = (stage.requests("sign_in"), sign_ins(&stage, &task).await);
    kill_when(|point| point == "sign_in.counted");
    stage.run_for(TimeDelta::minutes(50)).await;
    engine::on_fail_points(None);
    assert_eq!(stage.requests("sign_in"), asked, "the process died before anything was sent");
    assert_eq!(sign_ins(&stage, &task).await, before + 1, "the engine tried again within the hour");
}

/// Returns the number of sign-ins in the account's row.
async fn sign_ins(stage: &Stage, task: &Task) -> u32 {
    let mut tx = stage.ctx.db.read().await.expect("tx");
    let row = store::portal_account::get(&mut tx, task.portal_account_id).await.expect("read");
    row.expect("an account").budget.sign_ins(stage.clock.now())
}
