//! Stories of ask-first tasks: the outcome of a question and of its answer.

use app::questions::QuestionAnswer;
use chrono::TimeDelta;
use domain::criteria::{BookingMode, SearchCriteria};
use domain::ids::TaskId;
use domain::question::{ApprovalRefusal, YesOutcome};
use engine::{Config, Engine};
use sandbox::world::NewGroup;

use crate::stage::{Stage, TORONTO, appointment, at, day, toronto};

pub(crate) const DAY: &str = "2027-02-09";

pub(crate) fn asking() -> SearchCriteria {
    SearchCriteria { mode: BookingMode::Ask, ..toronto() }
}

pub(crate) async fn person(stage: &Stage, name: &str, criteria: SearchCriteria) -> (TaskId, u64) {
    let group = stage.portal_account(name, Some(at(TORONTO, "2027-08-17", "08:15")));
    let task = stage.task(name, criteria).await;
    stage.clock.advance(TimeDelta::seconds(5));
    (task, group)
}

/// Returns the token of the link that was last mailed for a task.
pub(crate) async fn link(stage: &Stage, task: TaskId) -> [u8; 32] {
    let mut tx = stage.ctx.db.read().await.expect("tx");
    let sql = "SELECT data FROM outbox WHERE template = 'question' ORDER BY created_at DESC, id DESC";
    let mails = store::all!(&mut tx, (serde_json::Value,), sql).expect("mails");
    let mine = mails.into_iter().map(|(data,)| data).find(|data| data["task_id"] == task.to_string());
    let data = mine.expect("a question was mailed");
    store::token::mailed(&stage.ctx.keyring, data["link"]["seed"].as_str().expect("a seed"))
}

pub(crate) async fn tap(stage: &Stage, raw: &[u8; 32]) -> Result<(), ApprovalRefusal> {
    answer(stage, raw, QuestionAnswer::Yes).await
}

/// Answers the question of a link. Returns the reason if an approval is refused.
pub(crate) async fn answer(
    stage: &Stage,
    raw: &[u8; 32],
    answer: QuestionAnswer,
) -> Result<(), ApprovalRefusal> {
    let ctx = stage.use_cases();
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let answered = app::questions::answer(&ctx, &mut tx, raw, answer).await.expect("a question");
    tx.commit().await.expect("commit");
    answered.counts
}

pub(crate) async fn outcome(stage: &Stage, raw: &[u8; 32]) -> Option<YesOutcome> {
    let mut tx = stage.ctx.db.read().await.expect("tx");
    store::question::of_link(&mut tx, raw).await.expect("read").expect("a question").outcome
}

pub(crate) async fn count(stage: &Stage, task: TaskId, kind: &str) -> usize {
    stage.journal(task).await.iter().filter(|line| *line == kind).count()
}

/// Submits an ask-first task and lets the first poll send it a question.
pub(crate) async fn just_asked(stage: &Stage) -> (TaskId, u64, [u8; 32]) {
    let (task, group) = person(stage, "lin", asking()).await;
    stage.slot(TORONTO, DAY, "09:15");
    stage.run_for(TimeDelta::seconds(20)).await;
    let raw = link(stage, task).await;
    (task, group, raw)
}

// spec: 10.1.15
#[tokio::test]
async fn an_approved_date_is_booked_and_charged_as_usual() {
    let stage = Stage::new().await;
    let (task, group, raw) = just_asked(&stage).await;
    assert_eq!(
        (stage.applied(group), stage.requests("book")),
        (0, 0),
        "nothing is booked before the approval"
    );
    assert_eq!(
        count(&stage, task, "alerted").await,
        0,
        "a question is no alert: a day booked by hand costs nothing"
    );
    assert_eq!(tap(&stage, &raw).await, Ok(()));
    stage.run_for(TimeDelta::seconds(20)).await;
    let booked = stage.read(task).await;
    assert_eq!(booked.booked, Some(appointment(TORONTO, DAY, "09:15")));
    assert_eq!((stage.applied(group), booked.captured_amount), (1, Some(3800)));
    assert_eq!(stage.balance(booked.user_id).await, (96_200, 0));
    assert_eq!(outcome(&stage, &raw).await, Some(YesOutcome::Booked));
    let lines = stage.journal(task).await;
    for kind in ["asked", "said_yes", "booked"] {
        assert_eq!(lines.iter().filter(|line| *line == kind).count(), 1, "{kind}: {lines:?}");
    }
    assert_eq!(tap(&stage, &raw).await, Err(ApprovalRefusal::Spent));
    stage.run_for(TimeDelta::minutes(30)).await;
    assert_eq!(stage.applied(group), 1);
    stage.assert_tidy().await;
}

// spec: 10.1.15
#[tokio::test]
async fn without_approval_nothing_is_booked_and_one_question_is_sent() {
    let stage = Stage::new().await;
    let (task, group) = person(&stage, "lin", asking()).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    let shown = stage.slot(TORONTO, DAY, "09:15");
    stage.run_for(TimeDelta::hours(4)).await;
    let sent = (stage.applied(group), stage.requests("book"), stage.requests("times"));
    assert_eq!(sent, (0, 0, 0), "broken promises: no approval was given");
    assert_eq!((count(&stage, task, "asked").await, stage.mails("question").await), (1, 1));
    assert_eq!(stage.read(task).await.captured_at, None);
    stage.sandbox.with_world(|w| w.remove_slot(shown));
    stage.run_for(TimeDelta::hours(1)).await;
    stage.slot(TORONTO, DAY, "10:00");
    stage.run_for(TimeDelta::hours(1)).await;
    assert_eq!(count(&stage, task, "asked").await, 2, "the day had vanished and is listed again");
    assert_eq!(stage.applied(group), 0);
    stage.assert_tidy().await;
}

// spec: 10.1.16
#[tokio::test]
async fn a_late_approval_is_refused() {
    let stage = Stage::new().await;
    let (task, group, raw) = just_asked(&stage).await;
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    store::question::accepted(&mut tx, &raw, stage.ctx.wall.now()).await.expect("accepted");
    tx.commit().await.expect("commit");
    stage.run_for(TimeDelta::seconds(119)).await;
    stage.clock.advance(TimeDelta::seconds(1));
    assert_eq!(tap(&stage, &raw).await, Err(ApprovalRefusal::Late));
    stage.run_for(TimeDelta::minutes(5)).await;
    assert_eq!((stage.applied(group), count(&stage, task, "said_yes").await), (0, 0));
}

// spec: 10.1.16
#[tokio::test]
async fn an_approval_after_an_edit_or_pause_is_refused() {
    let stage = Stage::new().await;
    let (task, group, raw) = just_asked(&stage).await;
    let now = stage.ctx.wall.now();
    let step = |from, to| (from, to);
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    use domain::task::TaskStatus::{Active, Stopped};
    assert!(store::task::set_status(&mut tx, task, step(Active, Stopped), None, now).await.expect("paused"));
    tx.commit().await.expect("commit");
    assert_eq!(tap(&stage, &raw).await, Err(ApprovalRefusal::Paused));
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let wider = SearchCriteria { end_date: day("2027-06-30"), ..asking() };
    store::task::set_criteria(&mut tx, task, &wider, now).await.expect("edited");
    tx.commit().await.expect("commit");
    assert_eq!(tap(&stage, &raw).await, Err(ApprovalRefusal::Edited));
    stage.run_for(TimeDelta::minutes(5)).await;
    assert_eq!((stage.applied(group), stage.requests("book")), (0, 0));
}

// spec: 10.1.16
#[tokio::test]
async fn an_edit_between_approval_and_request_voids_the_approval() {
    let stage = Stage::new().await;
    let (task, group, raw) = just_asked(&stage).await;
    assert_eq!(tap(&stage, &raw).await, Ok(()));
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let wider = SearchCriteria { end_date: day("2027-06-30"), ..asking() };
    store::task::set_criteria(&mut tx, task, &wider, stage.ctx.wall.now()).await.expect("edited");
    tx.commit().await.expect("commit");
    stage.run_for(TimeDelta::minutes(5)).await;
    assert_eq!((stage.applied(group), stage.requests("book")), (0, 0));
    assert_eq!(outcome(&stage, &raw).await, Some(YesOutcome::NotBooked));
    stage.assert_tidy().await;
}

// spec: 10.1.17
#[tokio::test]
async fn approving_a_vanished_date_books_nothing_and_reports_it() {
    let stage = Stage::new().await;
    let (task, group, raw) = just_asked(&stage).await;
    stage.sandbox.with_world(|w| w.slots.clear());
    assert_eq!(tap(&stage, &raw).await, Ok(()), "the outcome is not known yet");
    stage.run_for(TimeDelta::seconds(30)).await;
    assert_eq!((stage.applied(group), stage.requests("book")), (0, 0));
    assert_eq!(outcome(&stage, &raw).await, Some(YesOutcome::Gone));
    assert_eq!(count(&stage, task, "slot_gone").await, 1);
    stage.assert_tidy().await;
}

// spec: 10.1.17
#[tokio::test]
async fn automatic_tasks_go_before_tasks_with_open_questions() {
    let stage = Stage::new().await;
    let (first, asker) = person(&stage, "first", asking()).await;
    let (_, booker) = person(&stage, "second", toronto()).await;
    let (third, last) = person(&stage, "third", asking()).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    stage.slot(TORONTO, DAY, "09:15");
    stage.run_until(TimeDelta::hours(1), || stage.requests("book") > 0).await;
    let raw = link(&stage, first).await;
    let tapped = tap(&stage, &raw).await;
    stage.run_for(TimeDelta::minutes(10)).await;
    assert_eq!((stage.applied(asker), stage.applied(booker), stage.applied(last)), (0, 1, 0), "{tapped:?}");
    assert_eq!(
        count(&stage, third, "asked").await,
        0,
        "a task of lower rank was sent a question about a day that another task gets"
    );
    stage.assert_tidy().await;
}

// spec: 10.1.17
#[tokio::test]
async fn of_two_tasks_with_questions_the_first_approval_books() {
    let stage = Stage::new().await;
    let (one, first) = person(&stage, "first", asking()).await;
    let (other, second) = person(&stage, "second", asking()).await;
    stage.slot(TORONTO, DAY, "09:15");
    stage.run_for(TimeDelta::seconds(20)).await;
    let (one, other) = (link(&stage, one).await, link(&stage, other).await);
    assert_eq!(tap(&stage, &other).await, Ok(()));
    stage.run_for(TimeDelta::seconds(20)).await;
    assert_eq!((stage.applied(first), stage.applied(second)), (0, 1));
    let late = tap(&stage, &one).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    assert_eq!((stage.applied(first), stage.applied(second)), (0, 1), "{late:?}");
    stage.assert_tidy().await;
}

// spec: 10.1.17
#[tokio::test]
async fn a_question_survives_a_restart() {
    let mut stage = Stage::new().await;
    let (task, group, raw) = just_asked(&stage).await;
    stage.engine = Engine::new(stage.ctx.clone());
    assert_eq!(tap(&stage, &raw).await, Ok(()));
    stage.run_for(TimeDelta::seconds(60)).await;
    assert_eq!(stage.applied(group), 1);
    assert_eq!(outcome(&stage, &raw).await, Some(YesOutcome::Booked));
    assert_eq!(count(&stage, task, "asked").await, 1, "the question is not repeated");
    stage.assert_tidy().await;
}

// spec: 10.1.16
#[tokio::test]
async fn no_question_about_the_last_reschedule_without_prior_consent() {
    for (until, asked) in [(None, 0), (Some(day(DAY)), 1)] {
        let stage = Stage::new().await;
        let appointment = Some(at(TORONTO, "2027-08-17", "08:15"));
        let last = NewGroup { appointment, attempts: Some(1), ..NewGroup::default() };
        stage.portal_group("lin", last);
        stage.slot(TORONTO, DAY, "09:15");
        let task = stage.task("lin", SearchCriteria { last_attempt_until: until, ..asking() }).await;
        stage.run_for(TimeDelta::minutes(30)).await;
        assert_eq!(count(&stage, task, "asked").await, asked, "{until:?}");
        assert_eq!(count(&stage, task, "alerted").await, 1 - asked, "the user is notified instead");
        assert_eq!(stage.requests("book"), 0);
    }
}

// spec: 10.1.16
#[tokio::test]
async fn no_question_without_booking_budget_and_the_journal_states_why() {
    let mut config = Config::default();
    (config.limits.polls_per_ten_hours, config.limits.polls_reserved) = (1, 0);
    let stage = Stage::with(config).await;
    let (task, group) = person(&stage, "lin", asking()).await;
    stage.slot(TORONTO, DAY, "09:15");
    stage.run_for(TimeDelta::minutes(20)).await;
    assert_eq!((count(&stage, task, "asked").await, stage.mails("question").await), (0, 0));
    let lines = stage.lines(task).await;
    let why: Vec<_> = lines.iter().filter(|line| line.kind == "not_asked").collect();
    assert_eq!(why.len(), 1, "{lines:?}");
    assert_eq!(why[0].data["why"], "no_budget");
    assert_eq!(stage.applied(group), 0);
}
