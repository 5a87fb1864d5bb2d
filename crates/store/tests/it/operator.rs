//! What is kept for operators, and what only they ask.

use serde_json::json;
use sqlx::{Connection as _, Executor as _};
use store::audit::{self, Act};
use store::operator::{self, Filter};
use store::parse_failure;

use crate::support::{World, later, now};

stories!(
    an_audit_row_stays_as_it_is,
    a_page_that_fails_again_is_one_row,
    a_task_is_found_by_the_beginning_of_its_id,
    a_released_task_frees_its_group,
    the_outbox_and_the_lease_say_how_old_they_are,
);

async fn an_audit_row_stays_as_it_is(w: World) {
    let act = Act { actor: "ops", command: "tasks release", subject: "a", data: json!({ "why": "x" }) };
    let mut tx = w.begin().await;
    audit::add(&mut tx, &w.random, &act, now()).await.unwrap();
    audit::add(&mut tx, &w.random, &Act { command: "tasks settle", ..act.clone() }, later(1)).await.unwrap();
    tx.commit().await.unwrap();
    for sql in ["UPDATE audit SET actor = 'nobody'", "DELETE FROM audit"] {
        let refused = if w.url.starts_with("sqlite:") {
            let mut other = sqlx::SqliteConnection::connect(&w.url).await.unwrap();
            other.execute(sql).await.is_err()
        } else {
            let mut other = sqlx::PgConnection::connect(&w.url).await.unwrap();
            other.execute(sql).await.is_err()
        };
        assert!(refused, "{sql}");
    }
    let mut tx = w.begin().await;
    let kept = audit::of_subject(&mut tx, "a", 10).await.unwrap();
    let commands: Vec<&str> = kept.iter().map(|e| e.command.as_str()).collect();
    assert_eq!(commands, ["tasks settle", "tasks release"]);
    assert_eq!((kept[1].actor.as_str(), &kept[1].data), ("ops", &json!({ "why": "x" })));
}

async fn a_page_that_fails_again_is_one_row(w: World) {
    let mut tx = w.begin().await;
    parse_failure::note(&mut tx, "groups", "no groups", 1, now()).await.unwrap();
    parse_failure::note(&mut tx, "days", "not a list", 3, later(5)).await.unwrap();
    parse_failure::note(&mut tx, "groups", "no heading", 2, later(9)).await.unwrap();
    let kept = parse_failure::list(&mut tx).await.unwrap();
    let [groups, days] = &kept[..] else { panic!("{kept:?}") };
    assert_eq!(
        (groups.count, groups.what.as_str(), groups.shape.as_str()),
        (2, "no heading", "0000000000000002")
    );
    assert_eq!((groups.first_at, groups.last_at), (now(), later(9)));
    assert_eq!((days.page.as_str(), days.count), ("days", 1));
}

async fn a_task_is_found_by_the_beginning_of_its_id(w: World) {
    let user = w.person(0).await;
    let (one, two) = (w.submitted(user, "100").await, w.submitted(user, "200").await);
    let mut tx = w.begin().await;
    let whole = one.to_string();
    for prefix in [whole.as_str(), &whole[..35], &whole.replace('-', "")] {
        assert_eq!(operator::tasks_by_prefix(&mut tx, prefix).await.unwrap(), [one], "{prefix}");
    }
    let mut both = vec![one, two];
    both.sort();
    assert_eq!(operator::tasks_by_prefix(&mut tx, &whole[..4]).await.unwrap(), both);
    for nothing in ["", "xyz", "ffffffff", &format!("{whole}0")] {
        assert!(operator::tasks_by_prefix(&mut tx, nothing).await.unwrap().is_empty(), "{nothing}");
    }
    let filter = Filter { status: Some("submitted".to_owned()), user: Some(user), limit: 1 };
    assert_eq!(operator::tasks(&mut tx, &filter).await.unwrap().len(), 1);
    let filter = Filter { status: Some("error".to_owned()), user: None, limit: 9 };
    assert!(operator::tasks(&mut tx, &filter).await.unwrap().is_empty());
    assert_eq!(operator::tasks_by_status(&mut tx).await.unwrap(), [("submitted".to_owned(), 2)]);
}

async fn a_released_task_frees_its_group(w: World) {
    use domain::task::{Reason, TaskStatus};
    let (first, second) = (w.person(0).await, w.person(0).await);
    let holder = w.submitted(first, "100").await;
    let mut tx = w.begin().await;
    let step = (TaskStatus::Submitted, TaskStatus::Stopped);
    let why = Some(Reason::ReleasedByOperator);
    assert!(store::task::set_status(&mut tx, holder, step, why, later(3)).await.unwrap());
    tx.commit().await.unwrap();
    assert!(!w.read_task(holder).await.holds_the_group());
    let next = w.submitted(second, "100").await;
    assert!(w.read_task(next).await.holds_the_group());
    // The first one can come back only once the second lets go.
    let mut tx = w.begin().await;
    let step = (TaskStatus::Stopped, TaskStatus::Processing);
    assert!(store::task::set_status(&mut tx, holder, step, None, later(4)).await.is_err());
}

async fn the_outbox_and_the_lease_say_how_old_they_are(w: World) {
    let user = w.person(0).await;
    let mut tx = w.begin().await;
    assert!(operator::leases(&mut tx).await.unwrap().is_empty());
    for (key, at) in [("a", 7), ("b", 2)] {
        store::outbox::enqueue_mail(&mut tx, &w.random, user, "booked", key, &json!({}), later(at))
            .await
            .unwrap();
    }
    store::lease::acquire(&mut tx, "engine", "one", 15).await.unwrap();
    let outbox = operator::outbox(&mut tx).await.unwrap();
    assert_eq!((outbox.waiting, outbox.given_up, outbox.oldest), (2, 0, Some(later(2))));
    let leases = operator::leases(&mut tx).await.unwrap();
    assert_eq!((leases[0].holder.as_str(), leases[0].epoch), ("one", 1));
    assert!((10..=15).contains(&leases[0].seconds_left), "{leases:?}");
}
