//! Stories of questions without an answer: the next questions are about other days, and a question
//! that reached no user is sent again.

use std::sync::Arc;

use chrono::TimeDelta;
use domain::health::AccountHealth;
use domain::ids::{OutboxId, TaskId};
use domain::question::ApprovalRefusal;
use engine::Engine;
use engine::delivery::{Delivery, SmsQuota};
use providers::Mailer;
use providers::channels::Channels;
use providers::channels::config::Config;

use crate::ask_first::{DAY, asking, count, just_asked, link, person, tap};
use crate::stage::{Stage, TORONTO};

/// Returns the days of a task's questions, in order.
pub(crate) async fn asked_of(stage: &Stage, task: TaskId) -> Vec<String> {
    let lines = stage.lines(task).await;
    let asked = lines.iter().filter(|line| line.kind == "asked");
    asked.map(|line| line.data["date"].as_str().expect("a day").to_owned()).collect()
}

/// Marks every waiting question as accepted by a provider.
pub(crate) async fn all_taken(stage: &Stage, task: TaskId) {
    let raw = link(stage, task).await;
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    store::question::accepted(&mut tx, &raw, stage.ctx.wall.now()).await.expect("accepted");
    tx.commit().await.expect("commit");
}

// spec: 10.1.17
#[tokio::test]
async fn an_unanswered_question_is_followed_by_the_next_best_date() {
    let mut stage = Stage::new().await;
    let (task, group) = person(&stage, "lin", asking()).await;
    for day in [DAY, "2027-03-02", "2027-04-06"] {
        stage.slot(TORONTO, day, "09:15");
    }
    stage.run_for(TimeDelta::minutes(12)).await;
    assert_eq!(
        asked_of(&stage, task).await,
        [DAY],
        "the question is about the best day, and there is only one"
    );
    all_taken(&stage, task).await;
    stage.run_for(TimeDelta::minutes(12)).await;
    assert_eq!(asked_of(&stage, task).await, [DAY, "2027-03-02"]);
    stage.engine = Engine::new(stage.ctx.clone());
    stage.run_for(TimeDelta::hours(4)).await;
    assert_eq!(
        asked_of(&stage, task).await,
        [DAY, "2027-03-02", "2027-04-06"],
        "one question about each day"
    );
    assert_eq!(stage.applied(group), 0);
    stage.assert_tidy().await;
}

// spec: 10.1.16
#[tokio::test]
async fn a_task_sends_at_most_ten_questions_a_day_and_reports_it() {
    let stage = Stage::new().await;
    let (task, _) = person(&stage, "lin", asking()).await;
    for n in 0..14 {
        let day = crate::stage::day("2027-02-01") + TimeDelta::days(n);
        stage.slot(TORONTO, &day.to_string(), "09:15");
    }
    for _ in 0..22 {
        stage.run_for(TimeDelta::hours(1)).await;
        all_taken(&stage, task).await;
    }
    let asked = asked_of(&stage, task).await;
    assert_eq!(asked.len(), 10, "{asked:?}");
    let lines = stage.lines(task).await;
    assert!(
        lines.iter().any(|line| line.kind == "not_asked" && line.data["why"] == "asked_often"),
        "{lines:?}"
    );
    stage.run_for(TimeDelta::hours(6)).await;
    assert!(asked_of(&stage, task).await.len() > 10, "the next day more questions are sent");
}

fn delivery(stage: &Stage) -> Delivery {
    // No server listens there.
    let mailer = Mailer::new("smtp://127.0.0.1:9", "Sooner <no-reply@example.com>").expect("a mailer");
    let clock = stage.ctx.wall.clone();
    Delivery {
        db: stage.ctx.db.clone(),
        wall: stage.ctx.wall.clone(),
        random: stage.ctx.random.clone(),
        keyring: stage.ctx.keyring.clone(),
        mailer: Some(mailer),
        channels: Arc::new(Channels::new(Config::default(), clock).expect("channels")),
        buckets: Arc::default(),
        sms: SmsQuota { per_user: 0, day_mills: 0, text_mills: 0 },
        site: "https://sooner.example.com".to_owned(),
        node: "mails".to_owned(),
    }
}

/// Sends the question over a channel too. The channel is removed before the message is due, two
/// minutes from now.
async fn goes_over_a_channel_too(stage: &Stage) {
    let now = stage.ctx.wall.now();
    let id = OutboxId::new(now, stage.ctx.random.bytes());
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    store::exec!(
        &mut tx,
        "INSERT INTO outbox (id, dedup_key, user_id, recipient, language, template, data, created_at, due_at, attempts,
           epoch, channel_kind, channel_id, event, priority, not_after, task_id, notice_id, fallback)
         SELECT $1, 'another', user_id, recipient, language, template, data, created_at, $2, attempts, epoch, 'telegram',
           NULL, event, priority, NULL, task_id, notice_id, fallback FROM outbox WHERE template = 'question'",
        id.0,
        now + TimeDelta::minutes(2)
    )
    .expect("a second row");
    tx.commit().await.expect("commit");
}

// spec: 10.1.16
#[tokio::test]
async fn an_undelivered_question_is_closed_and_sent_again_later() {
    let stage = Stage::new().await;
    let (task, _, raw) = just_asked(&stage).await;
    goes_over_a_channel_too(&stage).await;
    let (delivery, begun) = (delivery(&stage), stage.clock.now());
    let mut refused = Vec::new();
    while stage.clock.now() < begun + TimeDelta::seconds(150) {
        delivery.deliver_due().await.expect("tried");
        let open = is_open(&stage, &raw).await;
        refused.push(((stage.clock.now() - begun).num_seconds() >= 120, open));
        stage.clock.advance(TimeDelta::seconds(10));
    }
    assert!(refused.iter().all(|(over, open)| over != open), "only one of two channels failed: {refused:?}");
    assert_eq!(tap(&stage, &raw).await, Err(ApprovalRefusal::Gone), "the question is closed");
    stage.run_for(TimeDelta::minutes(5)).await;
    assert_eq!(
        count(&stage, task, "asked").await,
        1,
        "not at once, because the mail server may be unavailable"
    );
    stage.run_for(TimeDelta::minutes(20)).await;
    assert_eq!(asked_of(&stage, task).await, [DAY, DAY]);
    all_taken(&stage, task).await;
    stage.run_for(TimeDelta::hours(3)).await;
    assert_eq!(count(&stage, task, "asked").await, 2, "the question reached a user");
}

/// Returns `true` if a question exists there and was not closed.
async fn is_open(stage: &Stage, raw: &[u8; 32]) -> bool {
    let mut tx = stage.ctx.db.read().await.expect("tx");
    store::question::of_link(&mut tx, raw).await.expect("read").expect("one").question.gone_at.is_none()
}

// spec: 10.1.16
#[tokio::test]
async fn questions_wait_for_the_end_of_the_account_cool_down() {
    let mut stage = Stage::new().await;
    let (task, _) = person(&stage, "lin", asking()).await;
    person(&stage, "sun", asking()).await;
    stage.run_for(TimeDelta::minutes(5)).await;
    let (account, now) = (stage.read(task).await.portal_account_id, stage.ctx.wall.now());
    let until = now + TimeDelta::minutes(20);
    let mut tx = stage.ctx.db.begin().await.expect("tx");
    store::portal_account::set_health(&mut tx, account, AccountHealth::Valid, Some(until), now)
        .await
        .expect("the back-off is stored");
    tx.commit().await.expect("commit");
    stage.engine = Engine::new(stage.ctx.clone());
    stage.slot(TORONTO, DAY, "09:15");
    stage.run_for(TimeDelta::minutes(19)).await;
    assert_eq!((count(&stage, task, "asked").await, count(&stage, task, "not_asked").await), (0, 1));
    stage.run_for(TimeDelta::minutes(15)).await;
    assert_eq!(count(&stage, task, "asked").await, 1);
}
