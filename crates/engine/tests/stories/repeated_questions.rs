//! Stories of questions about a date that stays listed: repeats, a *no*, and a late approval.

use app::questions::QuestionAnswer;
use chrono::{NaiveTime, TimeDelta};
use domain::channel::setting::{QuietHours, Setting};
use domain::ids::{ChannelId, TaskId};
use domain::question::ApprovalRefusal;
use engine::Engine;
use providers::channels::target::Target;
use secrecy::SecretString;
use store::channel::NewChannel;

use crate::ask_first::{DAY, answer, count, just_asked, link, tap};
use crate::stage::{Stage, TORONTO, appointment};
use crate::unanswered_questions::{all_taken, asked_of};

const LATER: &str = "2027-03-02";

/// Adds a verified Telegram channel of the task's user.
async fn add_telegram(stage: &Stage, task: TaskId) {
    let user = stage.read(task).await.user_id;
    let now = stage.ctx.wall.now();
    let id = ChannelId::new(now, stage.ctx.random.bytes());
    let target = Target::Telegram { chat_id: 4_200_001 };
    let json = SecretString::from(serde_json::to_string(&target).expect("JSON"));
    let sealed = stage.ctx.keyring.seal(&store::channel::place(id, user, 1), &json, &stage.ctx.random);
    let new = NewChannel { id, user, kind: target.kind(), label: "@lin", target: Some(sealed), proof: None };
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    store::channel::add(&mut tx, &new, now).await.expect("a channel");
    store::channel::verify(&mut tx, id, now).await.expect("verified");
    tx.commit().await.expect("commit");
}

/// Runs for some hours. A provider accepts each question within ten minutes.
async fn run_hours(stage: &Stage, task: TaskId, hours: i64) {
    for _ in 0..6 * hours {
        stage.run_for(TimeDelta::minutes(10)).await;
        all_taken(stage, task).await;
    }
}

/// Returns the minutes between the questions of a task.
async fn gaps(stage: &Stage, task: TaskId) -> Vec<i64> {
    let lines = stage.lines(task).await;
    let mut times: Vec<_> = lines.iter().filter(|line| line.kind == "asked").map(|line| line.at).collect();
    times.sort_unstable();
    times.windows(2).map(|pair| (pair[1] - pair[0]).num_minutes()).collect()
}

// spec: 10.1.15
#[tokio::test]
async fn a_listed_date_is_asked_about_twice_more_over_an_instant_channel() {
    let mut stage = Stage::new().await;
    let (task, group, first) = just_asked(&stage).await;
    add_telegram(&stage, task).await;
    run_hours(&stage, task, 1).await;
    stage.engine = Engine::new(stage.ctx.clone());
    run_hours(&stage, task, 4).await;
    assert_eq!(asked_of(&stage, task).await, [DAY, DAY, DAY]);
    let gaps = gaps(&stage, task).await;
    assert!(gaps.iter().all(|minutes| (60..=80).contains(minutes)), "{gaps:?}");
    assert_eq!((stage.applied(group), stage.requests("book"), stage.requests("times")), (0, 0, 0));
    assert_eq!(tap(&stage, &first).await, Err(ApprovalRefusal::Late), "the link of the first question");
    stage.assert_tidy().await;
}

// spec: 10.1.15
#[tokio::test]
async fn a_repeated_question_waits_for_the_end_of_the_quiet_hours() {
    let stage = Stage::new().await;
    let (task, group, _) = just_asked(&stage).await;
    add_telegram(&stage, task).await;
    let now = stage.ctx.wall.now();
    let setting = Setting::default();
    let local = now.with_timezone(&setting.zone).time();
    let (from, to) = (local + TimeDelta::minutes(30), local + TimeDelta::hours(3));
    let quiet = Some(QuietHours { from: whole(from), to: whole(to) });
    let user = stage.read(task).await.user_id;
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    store::channel::set_setting(&mut tx, user, &Setting { quiet, ..setting }, now).await.expect("a setting");
    tx.commit().await.expect("commit");
    run_hours(&stage, task, 4).await;
    assert_eq!(asked_of(&stage, task).await, [DAY, DAY]);
    let gaps = gaps(&stage, task).await;
    assert!((170..=210).contains(&gaps[0]), "{gaps:?}");
    assert_eq!(tap(&stage, &link(&stage, task).await).await, Err(ApprovalRefusal::Late));
    assert_eq!(stage.applied(group), 0);
}

fn whole(time: NaiveTime) -> NaiveTime {
    let minutes = time.signed_duration_since(NaiveTime::MIN).num_minutes();
    NaiveTime::MIN + TimeDelta::minutes(minutes)
}

// spec: 10.1.15
#[tokio::test]
async fn a_repeated_question_can_be_approved() {
    let stage = Stage::new().await;
    let (task, group, _) = just_asked(&stage).await;
    add_telegram(&stage, task).await;
    all_taken(&stage, task).await;
    stage.run_for(TimeDelta::minutes(75)).await;
    assert_eq!(asked_of(&stage, task).await, [DAY, DAY]);
    let second = link(&stage, task).await;
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    let question = store::question::of_link(&mut tx, &second).await.expect("read").expect("a question");
    drop(tx);
    assert_eq!((question.question.repeats, question.question.gone_at), (1, None));
    assert_eq!(answer(&stage, &second, QuestionAnswer::YesIfListed).await, Ok(()));
    stage.run_for(TimeDelta::minutes(1)).await;
    assert_eq!(stage.applied(group), 1);
    stage.assert_tidy().await;
}

// spec: 10.1.15
#[tokio::test]
async fn after_a_no_the_next_best_date_is_asked_about_at_once() {
    let mut stage = Stage::new().await;
    let (task, group, first) = just_asked(&stage).await;
    add_telegram(&stage, task).await;
    stage.slot(TORONTO, LATER, "09:15");
    assert_eq!(answer(&stage, &first, QuestionAnswer::No).await, Ok(()));
    stage.run_for(TimeDelta::minutes(11)).await;
    assert_eq!(asked_of(&stage, task).await, [DAY, LATER], "within one poll");
    stage.engine = Engine::new(stage.ctx.clone());
    let second = link(&stage, task).await;
    assert_eq!(answer(&stage, &second, QuestionAnswer::No).await, Ok(()));
    run_hours(&stage, task, 3).await;
    assert_eq!(asked_of(&stage, task).await, [DAY, LATER], "a no is final while the date is listed");
    assert_eq!((stage.applied(group), stage.requests("book")), (0, 0));
    stage.sandbox.with_world(|w| w.slots.clear());
    stage.run_for(TimeDelta::minutes(30)).await;
    stage.slot(TORONTO, DAY, "10:00");
    stage.run_for(TimeDelta::minutes(30)).await;
    assert_eq!(count(&stage, task, "asked").await, 3, "a date that comes back is a new one");
}

// spec: 10.1.16
#[tokio::test]
async fn a_late_approval_on_the_page_books_a_date_that_is_still_listed() {
    let stage = Stage::new().await;
    let (task, group, raw) = just_asked(&stage).await;
    all_taken(&stage, task).await;
    stage.run_for(TimeDelta::minutes(40)).await;
    assert_eq!(tap(&stage, &raw).await, Err(ApprovalRefusal::Late));
    assert_eq!(answer(&stage, &raw, QuestionAnswer::YesIfListed).await, Ok(()));
    stage.run_for(TimeDelta::minutes(1)).await;
    let booked = stage.read(task).await;
    assert_eq!(booked.booked, Some(appointment(TORONTO, DAY, "09:15")));
    assert_eq!((stage.applied(group), booked.captured_amount), (1, Some(3800)));
    stage.assert_tidy().await;
}

// spec: 10.1.16
#[tokio::test]
async fn a_late_approval_of_a_vanished_date_is_refused() {
    let stage = Stage::new().await;
    let (task, group, raw) = just_asked(&stage).await;
    all_taken(&stage, task).await;
    stage.sandbox.with_world(|w| w.slots.clear());
    stage.run_for(TimeDelta::minutes(40)).await;
    assert_eq!(answer(&stage, &raw, QuestionAnswer::YesIfListed).await, Err(ApprovalRefusal::Gone));
    stage.run_for(TimeDelta::minutes(5)).await;
    assert_eq!((stage.applied(group), stage.requests("book")), (0, 0));
}
