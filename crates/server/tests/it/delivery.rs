//! Stories of delivering mails from the outbox, with and without a mail server.

use engine::delivery::{Delivery, SmsQuota};
use providers::Mailer;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use crate::app::TestApp;

stories!(
    a_mail_is_delivered_once,
    a_mail_is_retried_until_the_server_answers,
    a_mail_server_outage_of_an_hour_loses_no_mail,
    a_mail_that_cannot_be_rendered_is_not_retried,
    many_mails_are_sent_during_concurrent_writes,
);

fn delivery(app: &TestApp, smtp: &str) -> Delivery {
    Delivery {
        db: app.app.db.clone(),
        wall: app.app.wall.clone(),
        keyring: app.app.keyring.clone(),
        random: app.app.random.clone(),
        mailer: Some(Mailer::new(&format!("smtp://{smtp}"), "Sooner 早签 <no-reply@example.com>").unwrap()),
        channels: app.app.channels.clone(),
        buckets: std::sync::Arc::default(),
        sms: SmsQuota { per_user: 0, day_mills: 0, text_mills: 0 },
        site: app.app.settings.public_url.clone(),
        node: "test".to_owned(),
    }
}

async fn counts(app: &TestApp) -> (i64, i64) {
    let mut tx = app.app.db.read().await.unwrap();
    store::outbox::counts(&mut tx).await.unwrap()
}

// spec: 1.06, 10.7.29
async fn a_mail_is_delivered_once(app: TestApp) {
    let outside = sandbox::start(sandbox::Options::default()).await.unwrap();
    let delivery = delivery(&app, &outside.smtp_addr());
    app.register("reader@example.com").await;
    app.register("Other+tag@example.com").await;
    assert_eq!(server::workers::mail_requests::resolve_due(&app.app).await.unwrap(), 2);
    assert_eq!(delivery.deliver_due().await.unwrap(), 2);
    assert_eq!(delivery.deliver_due().await.unwrap(), 0);
    assert_eq!(counts(&app).await, (0, 0));
    let seen = serde_json::to_value(outside.mails()).unwrap();
    assert_eq!(seen.as_array().unwrap().len(), 2);
    let text = seen.to_string();
    assert!(text.contains("请验证您的邮箱") && text.contains("/auth/verify-email?token="), "{text}");
    outside.shutdown().await.unwrap();
}

async fn a_mail_is_retried_until_the_server_answers(app: TestApp) {
    let outside = sandbox::start(sandbox::Options::default()).await.unwrap();
    app.register("patient@example.com").await;
    server::workers::mail_requests::resolve_due(&app.app).await.unwrap();
    let down = delivery(&app, "127.0.0.1:1");
    assert_eq!(down.deliver_due().await.unwrap(), 1);
    assert_eq!(down.deliver_due().await.unwrap(), 0, "there is a pause before the next attempt");
    app.wait(15);
    assert_eq!(down.deliver_due().await.unwrap(), 1);
    app.wait(15);
    assert_eq!(down.deliver_due().await.unwrap(), 0, "the pauses grow");
    app.wait(15);
    assert_eq!(delivery(&app, &outside.smtp_addr()).deliver_due().await.unwrap(), 1);
    assert_eq!((outside.mails().len(), counts(&app).await), (1, (0, 0)));
    outside.shutdown().await.unwrap();
}

// spec: 9.06, 10.7.29
async fn a_mail_server_outage_of_an_hour_loses_no_mail(app: TestApp) {
    let outside = sandbox::start(sandbox::Options::default()).await.unwrap();
    let person = app.person("patient").await;
    app.mails().await;
    app.register("newcomer@example.com").await;
    let down = delivery(&app, "127.0.0.1:1");
    for minute in 0..60 {
        if minute % 10 == 0 {
            let body = json!({ "email": person.email });
            assert_eq!(app.post("/auth/forgot-password", body).await.status, 200);
        }
        server::workers::mail_requests::resolve_due(&app.app).await.unwrap();
        down.deliver_due().await.unwrap();
        app.wait(60);
    }
    // A process dies after it claimed mails. The claims expire.
    let mut tx = app.app.db.begin().await.unwrap();
    let span = chrono::TimeDelta::seconds(120);
    store::outbox::claim(&mut tx, "dead", 9, span, app.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
    let up = delivery(&app, &outside.smtp_addr());
    let mut left = None;
    for _ in 0..60 {
        if outside.mails().len() < 2 {
            app.wait(60);
            up.deliver_due().await.unwrap();
            let sent = outside.mails().iter().any(|mail| mail.to == ["patient@example.com"]);
            left = left.or(sent.then(|| app.clock.now()));
        }
    }
    let mails = outside.mails();
    let mut to: Vec<_> = mails.iter().flat_map(|mail| mail.to.clone()).collect();
    to.sort_unstable();
    assert_eq!(to, ["newcomer@example.com", "patient@example.com"], "each mail once");
    let mail = mails.iter().find(|mail| mail.to == ["patient@example.com"]).unwrap();
    let (_, token) = mail.links[0].rsplit_once("reset-password?token=").unwrap();
    app.wait(59 * 60 - (app.clock.now() - left.unwrap()).num_seconds());
    let body = json!({ "token": token, "password": "Fresh-words-7" });
    assert_eq!(
        app.post("/auth/reset-password", body).await.status,
        200,
        "the hour begins when the mail is sent"
    );
    let mut tx = app.app.db.read().await.unwrap();
    let dump = store::all!(&mut tx, (String,), "SELECT CAST(data AS TEXT) FROM outbox").unwrap();
    assert!(
        dump.len() > 2 && dump.iter().all(|(data,)| !data.contains(token)),
        "the outbox contains the token"
    );
    outside.shutdown().await.unwrap();
}

async fn a_mail_that_cannot_be_rendered_is_not_retried(app: TestApp) {
    let mut tx = app.app.db.begin().await.unwrap();
    let mail = store::outbox::NewMail {
        user: None,
        recipient: "a@example.com",
        language: "en",
        template: "booked",
        data: &json!({}),
        dedup_key: "broken",
    };
    store::outbox::enqueue(&mut tx, &app.app.random, &mail, app.clock.now()).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(delivery(&app, "127.0.0.1:1").deliver_due().await.unwrap(), 1);
    assert_eq!(counts(&app).await, (0, 1));
}

/// Checks the delivery loop with a single database writer. No operation that the loop waits for may
/// wait for the loop.
async fn many_mails_are_sent_during_concurrent_writes(app: TestApp) {
    let outside = sandbox::start(sandbox::Options::default()).await.unwrap();
    let person = app.person("busy").await;
    app.mails().await;
    let stop = CancellationToken::new();
    let delivery = delivery(&app, &outside.smtp_addr());
    let running = tokio::spawn(delivery.run(stop.clone()));
    for n in 0..60 {
        let data = json!({ "at": app.clock.now(), "others_only": true, "link": "https://sooner.example.com/settings" });
        let mut tx = app.app.db.begin().await.unwrap();
        let (random, now) = (&app.app.random, app.clock.now());
        let key = format!("many:{n}");
        store::outbox::enqueue_mail(&mut tx, random, person.id, "password_changed", &key, &data, now)
            .await
            .unwrap();
        tx.commit().await.unwrap();
    }
    let all = async {
        while counts(&app).await.0 > 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(25), all).await.expect("the mails are sent");
    stop.cancel();
    running.await.unwrap();
    assert_eq!((outside.mails().len(), counts(&app).await), (60, (0, 0)));
    outside.shutdown().await.unwrap();
}
