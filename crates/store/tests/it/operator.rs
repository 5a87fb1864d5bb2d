//! Tests of data stored for operators, and of operators' queries.

use serde_json::json;
use sqlx::{Connection as _, Executor as _};
use store::audit::{self, NewAuditEntry};
use store::operator::{self, Filter};
use store::parse_failure;

use crate::support::{World, later, now};

stories!(
    audit_rows_cannot_be_changed_or_deleted,
    forged_audit_rows_are_refused_and_detected,
    insert_or_replace_cannot_replace_rows,
    repeated_parse_failures_of_a_page_share_one_row,
    tasks_are_found_by_id_prefix,
    a_released_task_frees_its_group,
    outbox_and_lease_report_their_age,
);

async fn audit_rows_cannot_be_changed_or_deleted(w: World) {
    let act =
        NewAuditEntry { actor: "ops", command: "tasks release", subject: "a", data: json!({ "why": "x" }) };
    let mut tx = w.begin().await;
    audit::add(&mut tx, &w.random, &act, now()).await.unwrap();
    audit::add(&mut tx, &w.random, &NewAuditEntry { command: "tasks settle", ..act.clone() }, later(1))
        .await
        .unwrap();
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

/// Runs a statement like an attacker with write access to the database. Returns `true` if the
/// database accepted it.
async fn by_hand(w: &World, sql: &'static str) -> bool {
    if w.url.starts_with("sqlite:") {
        let mut other = sqlx::SqliteConnection::connect(&w.url).await.unwrap();
        other.execute(sql).await.is_ok()
    } else {
        let mut other = sqlx::PgConnection::connect(&w.url).await.unwrap();
        other.execute(sql).await.is_ok()
    }
}

/// Inserts a row into the audit table with another id and the given number and hash.
macro_rules! forged {
    ($id:literal, $number:literal, $hash:literal) => {
        concat!(
            "INSERT INTO audit (id, at, actor, command, subject, data, number, hash) SELECT ",
            $id,
            ", at, 'innocent', command, subject, data, ",
            $number,
            ", ",
            $hash,
            " FROM audit WHERE number = 1"
        )
    };
}

async fn forged_audit_rows_are_refused_and_detected(w: World) {
    let act =
        NewAuditEntry { actor: "ops", command: "tasks release", subject: "a", data: json!({ "why": "x" }) };
    let mut tx = w.begin().await;
    for n in 0..2 {
        audit::add(&mut tx, &w.random, &act, later(n)).await.unwrap();
    }
    tx.commit().await.unwrap();
    let is_sqlite = w.url.starts_with("sqlite:");
    let forged = if is_sqlite {
        [
            forged!("randomblob(16)", "NULL", "NULL"),
            forged!("randomblob(16)", "-5", "hash"),
            forged!("randomblob(16)", "0", "hash"),
            forged!("randomblob(16)", "3", "NULL"),
        ]
    } else {
        [
            forged!("gen_random_uuid()", "NULL", "NULL"),
            forged!("gen_random_uuid()", "-5", "hash"),
            forged!("gen_random_uuid()", "0", "hash"),
            forged!("gen_random_uuid()", "3", "NULL"),
        ]
    };
    for sql in forged {
        assert!(!by_hand(&w, sql).await, "{sql}");
    }
    let mut tx = w.begin().await;
    let checked = audit::check(&mut tx).await.unwrap();
    assert_eq!((checked.rows, checked.foreign, checked.broken_at), (2, 0, None));
    drop(tx);
    // Also test the case in which the attacker has removed the trigger.
    let off = if is_sqlite {
        "DROP TRIGGER audit_insert"
    } else {
        "ALTER TABLE audit DROP CONSTRAINT audit_chained"
    };
    assert!(by_hand(&w, off).await);
    for (foreign, sql) in forged.into_iter().take(3).enumerate() {
        assert!(by_hand(&w, sql).await, "{sql}");
        let mut tx = w.begin().await;
        let checked = audit::check(&mut tx).await.unwrap();
        assert_eq!((checked.rows, checked.foreign), (2, 1 + i64::try_from(foreign).unwrap()), "{sql}");
    }
}

/// Checks that no row can be replaced. SQLite's `INSERT OR REPLACE` bypasses the triggers on
/// updates and deletions.
async fn insert_or_replace_cannot_replace_rows(w: World) {
    let user = w.person(50_00).await;
    let act = NewAuditEntry { actor: "ops", command: "tasks release", subject: "a", data: json!({}) };
    let mut tx = w.begin().await;
    audit::add(&mut tx, &w.random, &act, now()).await.unwrap();
    tx.commit().await.unwrap();
    if !w.url.starts_with("sqlite:") {
        return;
    }
    for sql in [
        "INSERT OR REPLACE INTO audit (id, at, actor, command, subject, data, written_at, written_by, number, hash)
         SELECT id, at, 'innocent', command, subject, data, written_at, written_by, number, hash FROM audit",
        "INSERT OR REPLACE INTO audit (rowid, id, at, actor, command, subject, data, number, hash)
         SELECT rowid, randomblob(16), at, 'innocent', command, subject, data, number, hash FROM audit",
        "INSERT OR REPLACE INTO ledger_transfer (id, kind, debit_account, credit_account, amount, currency, source_kind,
           source_id, source_seq, user_account, position, posted_after, held_after, created_at)
         SELECT id, kind, debit_account, credit_account, amount * 2, currency, source_kind, source_id, source_seq,
           user_account, position, posted_after, held_after, created_at FROM ledger_transfer",
        "INSERT OR REPLACE INTO ledger_transfer (id, kind, debit_account, credit_account, amount, currency, source_kind,
           source_id, source_seq, user_account, position, posted_after, held_after, created_at)
         SELECT randomblob(16), kind, debit_account, credit_account, amount * 2, currency, source_kind, source_id,
           source_seq, user_account, position, posted_after, held_after, created_at FROM ledger_transfer",
    ] {
        assert!(!by_hand(&w, sql).await, "{sql}");
    }
    // Opening an existing account again leaves it unchanged.
    by_hand(
        &w,
        "INSERT OR REPLACE INTO ledger_account (id, kind, owner, currency, posted, held, moves)
         SELECT id, kind, owner, currency, posted * 2, held, moves FROM ledger_account",
    )
    .await;
    let mut tx = w.begin().await;
    let checked = audit::check(&mut tx).await.unwrap();
    assert_eq!((checked.rows, checked.foreign, checked.broken_at), (1, 0, None));
    let balance = store::ledger::balance(&mut tx, user).await.unwrap();
    assert_eq!(balance.available, domain::money::Money::cad(50_00));
    drop(tx);
    w.books_balance().await;
}

async fn repeated_parse_failures_of_a_page_share_one_row(w: World) {
    let mut tx = w.begin().await;
    parse_failure::record(&mut tx, "groups", "no groups", 1, now()).await.unwrap();
    parse_failure::record(&mut tx, "days", "not a list", 3, later(5)).await.unwrap();
    parse_failure::record(&mut tx, "groups", "no heading", 2, later(9)).await.unwrap();
    let kept = parse_failure::list(&mut tx).await.unwrap();
    let [groups, days] = &kept[..] else { panic!("{kept:?}") };
    assert_eq!(
        (groups.count, groups.what.as_str(), groups.shape.as_str()),
        (2, "no heading", "0000000000000002")
    );
    assert_eq!((groups.first_at, groups.last_at), (now(), later(9)));
    assert_eq!((days.page.as_str(), days.count), ("days", 1));
}

async fn tasks_are_found_by_id_prefix(w: World) {
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
    // The first connection returns to the pool only when the second one is dropped.
    let mut tx = w.begin().await;
    let step = (TaskStatus::Stopped, TaskStatus::Processing);
    assert!(store::task::set_status(&mut tx, holder, step, None, later(4)).await.is_err());
}

async fn outbox_and_lease_report_their_age(w: World) {
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
