//! Tests of users, sign-ins, tokens, rate limits, leases, mails and keys.

use chrono::TimeDelta;
use domain::ids::SessionId;
use serde_json::json;
use store::forget::{self, ExpiringData};
use store::guess_limits::{Memory, Policy, Subject};
use store::idempotency::KeyStatus;
use store::outbox::NewMail;
use store::session::{Client, Method, NewSession, RefreshToken, RotateError};
use store::token::{Redeemed, TokenKind};
use store::{deletion, export, guess_limits, idempotency, lease, outbox, session, token, totp, user};

use crate::support::{World, later, now};

stories!(
    an_email_address_belongs_to_one_user,
    a_refresh_token_rotates_and_can_be_repeated_for_a_minute,
    refresh_token_reuse_from_another_device_revokes_the_family,
    an_old_refresh_token_revokes_the_family,
    throttled_attempts_leak_slowly_and_stay_limited,
    concurrent_refreshes_give_one_successor,
    a_link_is_redeemed_once_and_repeats_report_it,
    throttled_failures_wait_longer_each_time,
    a_lease_has_one_holder,
    a_mail_is_claimed_by_one_worker,
    an_idempotency_key_returns_its_stored_response,
    expired_throttle_rows_are_deleted_in_small_batches,
    migrating_again_changes_nothing,
    sessions_are_listed_and_ended_by_their_owner,
    a_second_factor_is_pending_confirmed_and_removed,
    erasing_a_user_removes_all_personal_data,
    a_password_check_is_valid_until_the_password_changes,
);

async fn an_email_address_belongs_to_one_user(w: World) {
    let first = w.person(0).await;
    let mut tx = w.begin().await;
    let found = user::get(&mut tx, first).await.unwrap().unwrap();
    let shouted = format!("  {} ", found.email.to_uppercase());
    let mut new = user::NewUser {
        id: domain::ids::UserId::new(now(), w.random.bytes()),
        email: shouted.clone(),
        password_hash: None,
        language: "en".to_owned(),
        referral_code: "x".to_owned(),
        referred_by: Some(first),
        email_verified_at: None,
    };
    assert!(!user::insert(&mut tx, &new, now()).await.unwrap());
    assert_eq!(user::by_email(&mut tx, &shouted).await.unwrap().unwrap().id, first);
    new.email = "other@example.com".to_owned();
    new.referral_code.clone_from(&found.referral_code);
    let taken = user::insert(&mut tx, &new, now()).await.unwrap_err();
    assert!(taken.is_conflict("users_referral_code"), "{taken:?}");
    drop(tx);
    let mut tx = w.begin().await;
    assert_eq!(user::by_referral_code(&mut tx, &found.referral_code).await.unwrap(), Some(first));
    user::set_language(&mut tx, first, "en", later(1)).await.unwrap();
    user::set_auto_stop(&mut tx, first, true, later(2)).await.unwrap();
    assert!(user::set_verified(&mut tx, first, None, later(3)).await.unwrap());
    let late = token::Registration { password_hash: "late".to_owned(), language: "zh".to_owned() };
    assert!(!user::set_verified(&mut tx, first, Some(&late), later(4)).await.unwrap());
    assert!(!user::replace_unproven_registration(&mut tx, &shouted, &late, later(5)).await.unwrap());
    let after = user::get(&mut tx, first).await.unwrap().unwrap();
    assert!(after.auto_stop && user::auto_stop(&mut tx, first).await.unwrap());
    assert_eq!((after.language.as_str(), after.email_verified_at), ("en", Some(later(3))));
    assert_eq!((after.created_at, after.updated_at), (now(), later(3)));
}

async fn sign_in(w: &World) -> (SessionId, RefreshToken) {
    let user = w.person(0).await;
    sign_in_of(w, user).await
}

async fn sign_in_of(w: &World, user: domain::ids::UserId) -> (SessionId, RefreshToken) {
    let id = SessionId::new(now(), w.random.bytes());
    let new = NewSession {
        id,
        user,
        remembered: true,
        expires_at: later(86_400),
        method: Method::Password,
        client: Client::default(),
    };
    let first = RefreshToken::new(w.random.bytes());
    let mut tx = w.begin().await;
    session::start(&mut tx, &new, &first, now()).await.unwrap();
    tx.commit().await.unwrap();
    (id, first)
}

// spec: 4.1.08
async fn a_refresh_token_rotates_and_can_be_repeated_for_a_minute(w: World) {
    let (id, first) = sign_in(&w).await;
    let client = Client::default();
    let mut tx = w.begin().await;
    let second = session::rotate(&mut tx, &w.ring, &first, &client, later(60)).await.unwrap();
    assert_eq!(second.session, id);
    // The response was lost. For a minute the parent token still returns the same successor.
    let again = session::rotate(&mut tx, &w.ring, &first, &client, later(120)).await.unwrap();
    assert!(again.successor == second.successor);
    let late = session::rotate(&mut tx, &w.ring, &first, &client, later(121)).await;
    assert!(matches!(late, Err(RotateError::TooLate)), "no session ends, and no token is returned");
    // After the successor was used, the parent token is valid for ten more seconds.
    let third = session::rotate(&mut tx, &w.ring, &second.successor, &client, later(3601)).await.unwrap();
    let again = session::rotate(&mut tx, &w.ring, &third.successor, &client, later(3602)).await.unwrap();
    let parent = session::rotate(&mut tx, &w.ring, &second.successor, &client, later(3611)).await.unwrap();
    assert!(parent.successor == third.successor && session::is_live(&mut tx, id, later(3611)).await.unwrap());
    let late = session::rotate(&mut tx, &w.ring, &again.successor, &client, later(86_400)).await;
    assert!(matches!(late, Err(RotateError::Invalid)));
    assert!(!session::is_live(&mut tx, id, later(86_400)).await.unwrap());
    assert_eq!(forget::batch(&mut tx, ExpiringData::RefreshTokens, later(86_401)).await.unwrap(), 4);
    assert_eq!(forget::batch(&mut tx, ExpiringData::SignIns, later(86_401)).await.unwrap(), 1);
    let unknown = session::rotate(&mut tx, &w.ring, &RefreshToken::new([1; 32]), &client, later(1)).await;
    assert!(matches!(unknown, Err(RotateError::Invalid)));
}

// spec: 4.1.09
async fn refresh_token_reuse_from_another_device_revokes_the_family(w: World) {
    let at = |network: &str| Client { network: network.to_owned(), ..Client::default() };
    let (home, train) = (at("203.0.113.x"), at("198.51.100.x"));
    // A request from another device is never the owner's.
    let (id, first) = sign_in(&w).await;
    let mut tx = w.begin().await;
    session::rotate(&mut tx, &w.ring, &first, &home, later(60)).await.unwrap();
    let phone = Client { os: "Android".to_owned(), ..home.clone() };
    let stolen = session::rotate(&mut tx, &w.ring, &first, &phone, later(61)).await;
    assert!(matches!(stolen, Err(RotateError::Reused { session, .. }) if session == id));
    drop(tx);
    // Occasional changes of the network are accepted. A thief who alternates with the owner changes
    // the network every time.
    let (_, mut newest) = sign_in(&w).await;
    let mut tx = w.begin().await;
    for round in 1..=session::REPEATS_ELSEWHERE {
        let next = session::rotate(&mut tx, &w.ring, &newest, &home, later(600 * round)).await.unwrap();
        let thief =
            session::rotate(&mut tx, &w.ring, &newest, &train, later(600 * round + 13)).await.unwrap();
        assert!(thief.successor == next.successor);
        newest = next.successor;
    }
    session::rotate(&mut tx, &w.ring, &newest, &home, later(6_000)).await.unwrap();
    let caught = session::rotate(&mut tx, &w.ring, &newest, &train, later(6_013)).await;
    assert!(matches!(caught, Err(RotateError::Reused { .. })));
}

// spec: 4.1.09
async fn an_old_refresh_token_revokes_the_family(w: World) {
    let (id, first) = sign_in(&w).await;
    let mut tx = w.begin().await;
    let second =
        session::rotate(&mut tx, &w.ring, &first, &Client::default(), later(60)).await.unwrap().successor;
    let third =
        session::rotate(&mut tx, &w.ring, &second, &Client::default(), later(120)).await.unwrap().successor;
    let stolen = session::rotate(&mut tx, &w.ring, &first, &Client::default(), later(180)).await;
    assert!(matches!(stolen, Err(RotateError::Reused { session, .. }) if session == id));
    assert!(!session::is_live(&mut tx, id, later(181)).await.unwrap());
    let honest = session::rotate(&mut tx, &w.ring, &third, &Client::default(), later(182)).await;
    assert!(matches!(honest, Err(RotateError::Invalid)));
}

// spec: 10.7.30
async fn concurrent_refreshes_give_one_successor(w: World) {
    let (id, first) = sign_in(&w).await;
    let w = std::sync::Arc::new(w);
    let mut tries = tokio::task::JoinSet::new();
    for _ in 0..100 {
        let (w, first) = (w.clone(), first.clone());
        tries.spawn(async move {
            let mut tx = w.begin().await;
            let got = session::rotate(&mut tx, &w.ring, &first, &Client::default(), later(5)).await.unwrap();
            tx.commit().await.unwrap();
            got.successor.expose()
        });
    }
    let mut answers = tries.join_all().await;
    answers.dedup();
    assert_eq!(answers.len(), 1);
    let mut tx = w.begin().await;
    assert!(session::is_live(&mut tx, id, later(6)).await.unwrap());
}

async fn a_link_is_redeemed_once_and_repeats_report_it(w: World) {
    let user = w.person(0).await;
    let (raw, other) = (w.random.bytes(), w.random.bytes());
    let mut tx = w.begin().await;
    let kind = TokenKind::VerifyEmail;
    token::issue(&mut tx, (user, kind), &raw, (now(), later(100)), None).await.unwrap();
    token::issue(&mut tx, (user, kind), &other, (now(), later(100)), None).await.unwrap();
    assert_eq!(
        token::redeem(&mut tx, TokenKind::ResetPassword, &raw, later(1)).await.unwrap(),
        Redeemed::Unknown
    );
    assert_eq!(token::redeem(&mut tx, kind, &raw, later(1)).await.unwrap(), Redeemed::Now(user));
    assert_eq!(token::redeem(&mut tx, kind, &raw, later(999)).await.unwrap(), Redeemed::Before(user));
    assert_eq!(token::redeem(&mut tx, kind, &other, later(100)).await.unwrap(), Redeemed::Expired(user));
    assert_eq!(forget::batch(&mut tx, ExpiringData::Links, later(101)).await.unwrap(), 2);
    assert_eq!(token::redeem(&mut tx, kind, &raw, later(2)).await.unwrap(), Redeemed::Unknown);
}

async fn throttled_failures_wait_longer_each_time(w: World) {
    let policy = Policy {
        free: 3,
        first: TimeDelta::seconds(2),
        longest: TimeDelta::seconds(60),
        memory: Memory::WhileBusy,
    };
    let subject = Subject { key: "login|x".to_owned(), policy };
    let mut tx = w.begin().await;
    let mut waits = Vec::new();
    for _ in 0..9 {
        guess_limits::fail(&mut tx, &subject, now()).await.unwrap();
        let wait = guess_limits::wait(&mut tx, &subject, now()).await.unwrap();
        waits.push(wait.map_or(0, |w| w.num_seconds()));
    }
    assert_eq!(waits, [0, 0, 2, 4, 8, 16, 32, 60, 60]);
    assert_eq!(guess_limits::wait(&mut tx, &subject, later(60)).await.unwrap(), None);
    guess_limits::fail(&mut tx, &subject, later(61)).await.unwrap();
    assert_eq!(
        guess_limits::wait(&mut tx, &subject, later(61)).await.unwrap(),
        None,
        "a quiet minute resets the throttle"
    );
    guess_limits::clear(&mut tx, &subject.key).await.unwrap();
    assert_eq!(forget::batch(&mut tx, ExpiringData::Guesses, later(999)).await.unwrap(), 0);
}

// spec: 10.5.06
// spec: 10.7.67
async fn throttled_attempts_leak_slowly_and_stay_limited(w: World) {
    let policy = Policy {
        free: 5,
        first: TimeDelta::seconds(1),
        longest: TimeDelta::minutes(15),
        memory: Memory::Leaks(TimeDelta::minutes(30)),
    };
    let subject = Subject { key: "leaks".to_owned(), policy };
    let mut tx = w.begin().await;
    // Guess for more than a day, each time as early as permitted.
    let (mut at, mut tried) = (0, Vec::new());
    while at < 2 * 86_400 {
        match guess_limits::attempt(&mut tx, &subject, later(at)).await.unwrap() {
            Ok(_) => tried.push(at),
            Err(wait) => at += wait.num_seconds().max(1),
        }
    }
    let on_day = |day: i64| tried.iter().filter(|at| **at / 86_400 == day).count();
    assert!(on_day(0) <= 110 && on_day(1) <= 100, "{} and {} guesses", on_day(0), on_day(1));
    // The failures of an attacker who pauses for the longest delay are not forgotten.
    let next = guess_limits::attempt(&mut tx, &subject, later(at + 900)).await.unwrap().unwrap();
    assert!(next.failures() > 5, "{} failures count", next.failures());
    let fresh = guess_limits::attempt(&mut tx, &subject, later(at + 2 * 86_400)).await.unwrap().unwrap();
    let leaked = next.failures() + 1 - fresh.failures();
    assert!((95..=96).contains(&leaked), "one each half hour, {leaked} in two days");
}

async fn a_lease_has_one_holder(w: World) {
    let mut tx = w.begin().await;
    assert_eq!(lease::acquire(&mut tx, "engine", "a", 60).await.unwrap(), Some(1));
    assert_eq!(lease::acquire(&mut tx, "engine", "a", 60).await.unwrap(), Some(1), "prolonged");
    assert_eq!(lease::acquire(&mut tx, "engine", "b", 60).await.unwrap(), None);
    assert!(lease::holds(&mut tx, "engine", "a", 1).await.unwrap());
    assert!(!lease::holds(&mut tx, "engine", "b", 1).await.unwrap());
    lease::release(&mut tx, "engine", "b", 1).await.unwrap();
    assert!(lease::holds(&mut tx, "engine", "a", 1).await.unwrap());
    lease::release(&mut tx, "engine", "a", 1).await.unwrap();
    assert!(!lease::holds(&mut tx, "engine", "a", 1).await.unwrap());
    assert_eq!(
        lease::acquire(&mut tx, "engine", "b", -1).await.unwrap(),
        Some(2),
        "the lease is taken over and expires at once"
    );
    if w.db.is_postgres() {
        assert_eq!(
            lease::acquire(&mut tx, "engine", "b", 60).await.unwrap(),
            Some(3),
            "a lost lease is a new one"
        );
    } else {
        let again = lease::acquire(&mut tx, "engine", "b", 60).await.unwrap();
        assert_eq!(again, Some(2), "one process owns the file, so no clock ends its lease");
        lease::seize(&mut tx, "engine").await.unwrap();
        assert_eq!(
            lease::acquire(&mut tx, "engine", "c", 60).await.unwrap(),
            Some(3),
            "the next process gets the lease"
        );
    }
    tx.commit().await.unwrap();
}

// spec: 10.5.07
async fn a_mail_is_claimed_by_one_worker(w: World) {
    let person = w.person(0).await;
    let w = std::sync::Arc::new(w);
    let mut tx = w.begin().await;
    for n in 0..40 {
        let key = format!("mail:{}", n % 30);
        let data = json!({ "n": n });
        outbox::enqueue_mail(&mut tx, &w.random, person, "booked", &key, &data, now()).await.unwrap();
    }
    tx.commit().await.unwrap();
    let mut workers = tokio::task::JoinSet::new();
    for n in 0..8 {
        let w = w.clone();
        workers.spawn(async move {
            let mut mine = Vec::new();
            loop {
                let mut tx = w.begin().await;
                let span = TimeDelta::seconds(30);
                let got = outbox::claim(&mut tx, &n.to_string(), 3, span, later(1)).await.unwrap();
                tx.commit().await.unwrap();
                if got.is_empty() {
                    return mine;
                }
                mine.extend(got);
            }
        });
    }
    let claimed = workers.join_all().await.concat();
    assert_eq!(claimed.len(), 30);
    let mut tx = w.begin().await;
    assert!(outbox::delivered(&mut tx, &claimed[0], later(2)).await.unwrap());
    assert!(!outbox::delivered(&mut tx, &claimed[0], later(2)).await.unwrap());
    assert!(outbox::dead(&mut tx, &claimed[1], "no such address", later(2)).await.unwrap());
    assert!(outbox::retry_later(&mut tx, &claimed[2], later(500), "busy").await.unwrap());
    // The other claims expire and another worker takes them over. After that, the first worker's
    // reports have no effect.
    let again = outbox::claim(&mut tx, "late", 99, TimeDelta::seconds(30), later(31)).await.unwrap();
    assert_eq!((again.len(), again[0].attempts), (27, 2));
    let lost = claimed.iter().find(|m| m.id == again[0].id).unwrap();
    assert!(!outbox::delivered(&mut tx, lost, later(32)).await.unwrap());
    assert_eq!(outbox::counts(&mut tx).await.unwrap(), (28, 1));
    assert_eq!(outbox::next_due(&mut tx, &[], later(900)).await.unwrap(), Some(now()));
    let new = NewMail {
        user: None,
        recipient: "a@example.com",
        language: "en",
        template: "x",
        data: &json!({}),
        dedup_key: "mail:1",
    };
    assert!(!outbox::enqueue(&mut tx, &w.random, &new, now()).await.unwrap());
}

// spec: 10.5.05
async fn an_idempotency_key_returns_its_stored_response(w: World) {
    let user = w.person(0).await;
    let mut tx = w.begin().await;
    assert_eq!(idempotency::find(&mut tx, user, "topup", "k", &[1]).await.unwrap(), KeyStatus::New);
    let answer = json!({ "status": 200, "body": { "x": 1.5 } });
    assert!(idempotency::store(&mut tx, user, ("topup", "k"), &[1], &answer, now()).await.unwrap());
    assert!(!idempotency::store(&mut tx, user, ("topup", "k"), &[1], &answer, now()).await.unwrap());
    assert_eq!(
        idempotency::find(&mut tx, user, "topup", "k", &[1]).await.unwrap(),
        KeyStatus::Answered(answer)
    );
    assert_eq!(idempotency::find(&mut tx, user, "topup", "k", &[2]).await.unwrap(), KeyStatus::OtherBody);
    assert_eq!(idempotency::find(&mut tx, user, "submit", "k", &[1]).await.unwrap(), KeyStatus::New);
    assert_eq!(forget::batch(&mut tx, ExpiringData::Answers, later(1)).await.unwrap(), 1);
}

// spec: 10.15.14
async fn expired_throttle_rows_are_deleted_in_small_batches(w: World) {
    let policy = Policy {
        free: 1,
        first: TimeDelta::seconds(1),
        longest: TimeDelta::seconds(1),
        memory: Memory::WhileBusy,
    };
    let mut tx = w.begin().await;
    for n in 0..=450 {
        let subject = Subject { key: format!("guess{n}"), policy };
        // One of the rows is too recent to be deleted.
        guess_limits::fail(&mut tx, &subject, later(if n == 450 { 100 } else { 0 })).await.unwrap();
    }
    assert_eq!(
        forget::batch(&mut tx, ExpiringData::Guesses, later(50)).await.unwrap(),
        200,
        "one transaction deletes no more"
    );
    tx.commit().await.unwrap();
    let before = store::statements();
    assert_eq!(forget::forget(&w.db, ExpiringData::Guesses, later(50)).await.unwrap(), 250);
    // Two full batches and one empty batch need few statements, independently of the number of
    // rows.
    assert!(store::statements() - before <= 12, "{} statements", store::statements() - before);
    assert_eq!(
        forget::forget(&w.db, ExpiringData::Guesses, later(200)).await.unwrap(),
        1,
        "the young row had stayed"
    );
    for what in ExpiringData::all() {
        assert_eq!(forget::forget(&w.db, what, now()).await.unwrap(), 0, "{what:?} on this database");
    }
}

async fn migrating_again_changes_nothing(w: World) {
    assert!(store::migrate::migrate(&w.db).await.unwrap().is_empty());
    assert!(store::migrate::pending(&w.db).await.unwrap().is_empty());
}

// spec: 10.7.19
async fn sessions_are_listed_and_ended_by_their_owner(w: World) {
    let owner = w.person(0).await;
    let (first, _) = sign_in_of(&w, owner).await;
    let mut tx = w.begin().await;
    let listed = session::all_of_user(&mut tx, owner, now()).await.unwrap();
    assert_eq!(listed.len(), 1);
    assert_eq!((listed[0].id, listed[0].last_used_at, listed[0].kind.as_str()), (first, now(), "other"));
    assert!(
        session::all_of_user(&mut tx, owner, later(86_400)).await.unwrap().is_empty(),
        "the session has ended"
    );
    assert_eq!(session::stepped_up_at(&mut tx, first).await.unwrap(), None);
    session::step_up(&mut tx, first, later(5)).await.unwrap();
    assert_eq!(session::stepped_up_at(&mut tx, first).await.unwrap(), Some(later(5)));
    let stranger = domain::ids::UserId::new(now(), w.random.bytes());
    assert!(!session::revoke_own(&mut tx, stranger, first, "x", now()).await.unwrap());
    assert!(session::revoke_own(&mut tx, owner, first, "x", now()).await.unwrap());
    assert!(!session::revoke_own(&mut tx, owner, first, "x", now()).await.unwrap(), "once");
    assert!(session::revoke_all(&mut tx, owner, None, "x", now()).await.unwrap().is_empty());
    let client = [7; 32];
    assert!(
        !session::record_client(&mut tx, owner, &client, now()).await.unwrap(),
        "the first client is not reported"
    );
    assert!(session::record_client(&mut tx, owner, &[8; 32], now()).await.unwrap());
    assert!(
        !session::record_client(&mut tx, owner, &[8; 32], later(9)).await.unwrap(),
        "the client is known by now"
    );
    assert_eq!(forget::batch(&mut tx, ExpiringData::Clients, later(5)).await.unwrap(), 1);
}

// spec: 10.7.21
async fn a_second_factor_is_pending_confirmed_and_removed(w: World) {
    let owner = w.person(0).await;
    let mut tx = w.begin().await;
    let draw = || {
        let id = domain::ids::uuid_v7(now(), w.random.bytes());
        let secret = secrecy::SecretString::from("JBSWY3DPEHPK3PXP");
        let sealed = w.ring.seal(&totp::place(id, owner), &secret, &w.random);
        totp::Totp { id, user: owner, sealed, confirmed_at: None }
    };
    let (first, second) = (draw(), draw());
    totp::put_pending(&mut tx, &first, now()).await.unwrap();
    totp::put_pending(&mut tx, &second, now()).await.unwrap();
    assert!(totp::confirmed(&mut tx, owner).await.unwrap().is_none());
    assert!(!totp::confirm(&mut tx, &first, 7, now()).await.unwrap(), "another secret replaced it");
    let waiting = totp::pending(&mut tx, owner).await.unwrap().unwrap();
    assert_eq!((waiting.id, &waiting.sealed), (second.id, &second.sealed));
    assert!(totp::confirm(&mut tx, &waiting, 7, now()).await.unwrap());
    assert_eq!(totp::confirmed(&mut tx, owner).await.unwrap().unwrap().confirmed_at, Some(now()));
    let steps = [(7, false), (8, true), (8, false), (6, false), (9, true)];
    for (step, good) in steps {
        assert_eq!(totp::take_step(&mut tx, second.id, step).await.unwrap(), good, "{step}");
    }
    totp::put_codes(&mut tx, owner, &[[1; 32], [2; 32]]).await.unwrap();
    assert!(totp::take_code(&mut tx, owner, &[1; 32], now()).await.unwrap());
    assert!(!totp::take_code(&mut tx, owner, &[1; 32], now()).await.unwrap());
    assert!(!totp::take_code(&mut tx, owner, &[3; 32], now()).await.unwrap());
    assert_eq!(totp::codes_left(&mut tx, owner).await.unwrap(), 1);
    assert!(totp::remove(&mut tx, owner).await.unwrap());
    assert!(!totp::remove(&mut tx, owner).await.unwrap());
    assert_eq!(totp::codes_left(&mut tx, owner).await.unwrap(), 0);
}

async fn a_password_check_is_valid_until_the_password_changes(w: World) {
    let owner = w.person(0).await;
    let mut tx = w.begin().await;
    user::set_password(&mut tx, owner, "one", now()).await.unwrap();
    assert!(user::is_still(&mut tx, owner, Some("one")).await.unwrap());
    user::set_password(&mut tx, owner, "two", now()).await.unwrap();
    assert!(!user::is_still(&mut tx, owner, Some("one")).await.unwrap());
    assert!(user::is_still(&mut tx, owner, None).await.unwrap(), "the user still exists");
}

// spec: 10.7.23
async fn erasing_a_user_removes_all_personal_data(w: World) {
    let owner = w.person(0).await;
    sign_in_of(&w, owner).await;
    let mut tx = w.begin().await;
    let before = user::get(&mut tx, owner).await.unwrap().unwrap();
    let (data, key) = (json!({}), "k");
    outbox::enqueue_mail(&mut tx, &w.random, owner, "booked", key, &data, now()).await.unwrap();
    assert_eq!(export::mails(&mut tx, owner, 10).await.unwrap().len(), 1);
    assert_eq!(export::sign_ins(&mut tx, owner, 10).await.unwrap().len(), 1);
    assert!(export::journal(&mut tx, owner, 10).await.unwrap().is_empty());
    assert!(!deletion::has_open_booking(&mut tx, owner).await.unwrap());
    assert!(store::ledger::open_holds(&mut tx, owner).await.unwrap().is_empty());
    assert_eq!(deletion::living_tasks(&mut tx, owner).await.unwrap(), 0);
    assert!(user::is_still(&mut tx, owner, None).await.unwrap());
    deletion::erase(&mut tx, &before, later(1)).await.unwrap();
    assert!(
        !user::is_still(&mut tx, owner, None).await.unwrap(),
        "a request that was in progress came too late"
    );
    assert!(user::by_email(&mut tx, &before.email).await.unwrap().is_none());
    let after = user::get(&mut tx, owner).await.unwrap().unwrap();
    assert!(after.password_hash.is_none() && after.email_verified_at.is_none());
    assert!(export::mails(&mut tx, owner, 10).await.unwrap().is_empty());
    assert!(export::sign_ins(&mut tx, owner, 10).await.unwrap().is_empty());
    let anew = user::NewUser {
        id: domain::ids::UserId::new(now(), w.random.bytes()),
        email: before.email.clone(),
        password_hash: None,
        language: "en".to_owned(),
        referral_code: before.referral_code.clone(),
        referred_by: None,
        email_verified_at: None,
    };
    assert!(user::insert(&mut tx, &anew, now()).await.unwrap(), "address and code are free again");
}

// spec: 10.7.23
#[tokio::test]
async fn every_table_that_references_a_user_is_erased() {
    let w = crate::support::sqlite().await;
    let mut tx = w.begin().await;
    let tables = store::all!(
        &mut tx,
        (String,),
        "SELECT DISTINCT m.name FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f
         WHERE m.type = 'table' AND f.\"table\" = 'users' ORDER BY m.name"
    )
    .unwrap();
    // Rows that the ledger and the bookings reference stay, under the pseudonym.
    let stays = [
        "card_payment",
        "intent",
        "payment_card",
        "promo",
        "promo_use",
        "referral",
        "task",
        "topup_code",
        "users",
    ];
    let erased = concat!(
        include_str!("../../src/deletion.rs"),
        include_str!("../../src/identity.rs"),
        include_str!("../../src/card.rs")
    );
    assert!(tables.len() > 10, "{tables:?}");
    for (table,) in tables {
        let gone = erased.contains(&format!("DELETE FROM {table} WHERE user_id = $1"));
        assert_eq!(gone, !stays.contains(&table.as_str()), "{table}");
    }
}
