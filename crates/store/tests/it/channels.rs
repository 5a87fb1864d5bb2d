//! Tests of stored notification channels.

use chrono::NaiveTime;
use domain::channel::setting::{Digest, QuietHours, Setting};
use domain::channel::{ChannelKind, ChannelState, EventKind, Proof};
use domain::ids::{ChannelId, UserId};
use secrecy::{ExposeSecret as _, SecretString};
use store::channel::{self, Channel, NewChannel, NewTarget, PendingProof, ProviderRefusal};
use store::keyring::Sealed;
use store::{Tx, deletion, user};

use crate::support::{World, later, now};

stories!(
    a_channel_is_added_verified_and_used,
    a_channel_link_is_opened_and_confirmed,
    a_broken_channel_is_reported_once,
    channels_have_the_order_set_by_their_user,
    settings_are_stored_and_have_defaults_without_a_row,
    erasing_a_user_removes_the_channels,
    urgent_messages_are_claimed_first,
    a_message_of_a_newer_build_does_not_block_others
);

fn sealed(w: &World, id: ChannelId, owner: UserId, (version, target): (i32, &str)) -> Sealed {
    w.ring.seal(&channel::place(id, owner, version), &SecretString::from(target), &w.random)
}

fn code(seconds: i64) -> PendingProof {
    let hash = Some(vec![7; 32]);
    PendingProof { kind: Proof::Code, hash, tries: 0, expires_at: later(seconds), link: None }
}

async fn added(w: &World, tx: &mut Tx, owner: UserId, kind: ChannelKind) -> Channel {
    let id = ChannelId::new(now(), w.random.bytes());
    let target = Some(sealed(w, id, owner, (1, "{}")));
    let new = NewChannel { id, user: owner, kind, label: "…3f2a", target, proof: Some(&code(600)) };
    channel::add(tx, &new, now()).await.unwrap();
    channel::get(tx, owner, id).await.unwrap().unwrap()
}

async fn a_channel_is_added_verified_and_used(w: World) {
    let (owner, other) = (w.person(0).await, w.person(0).await);
    let mut tx = w.begin().await;
    let new = added(&w, &mut tx, owner, ChannelKind::Bark).await;
    assert_eq!((new.state, new.position, new.verified_at), (ChannelState::Pending, 1, None));
    assert_eq!(new.events, ChannelKind::Bark.usual_events());
    assert!(!new.takes(EventKind::Booked), "an unproven channel gets no messages");
    assert_eq!(w.ring.open(&new.place(), new.target.as_ref().unwrap()).unwrap().expose_secret(), "{}");
    assert!(
        channel::get(&mut tx, other, new.id).await.unwrap().is_none(),
        "the channel belongs to another user"
    );
    assert_eq!(channel::code_tried(&mut tx, new.id).await.unwrap(), 1);
    assert_eq!(channel::code_tried(&mut tx, new.id).await.unwrap(), 2);
    channel::wait_for(&mut tx, new.id, &code(900)).await.unwrap();
    let again = channel::find(&mut tx, new.id).await.unwrap().unwrap().proof.unwrap();
    assert_eq!((again.kind, again.tries, again.expires_at), (Proof::Code, 0, later(900)));
    assert!(channel::verified(&mut tx, owner).await.unwrap().is_empty());
    channel::verify(&mut tx, new.id, later(5)).await.unwrap();
    let used = channel::verified(&mut tx, owner).await.unwrap().remove(0);
    assert_eq!((used.verified_at, used.proof.is_none()), (Some(later(5)), true));
    assert!(used.takes(EventKind::Booked) && !used.takes(EventKind::Digest));
    channel::set_events(&mut tx, new.id, &[EventKind::Digest]).await.unwrap();
    channel::set_state(&mut tx, new.id, ChannelState::Off).await.unwrap();
    let off = channel::find(&mut tx, new.id).await.unwrap().unwrap();
    assert_eq!((off.state, off.events), (ChannelState::Off, vec![EventKind::Digest]));
    assert!(!channel::remove(&mut tx, other, new.id).await.unwrap());
    assert!(channel::remove(&mut tx, owner, new.id).await.unwrap());
    assert!(channel::list(&mut tx, owner).await.unwrap().is_empty());
}

async fn a_channel_link_is_opened_and_confirmed(w: World) {
    let owner = w.person(0).await;
    let mut tx = w.begin().await;
    let link = Some(serde_json::json!({ "url": "https://t.me/sooner_bot?start=abc" }));
    let proof =
        PendingProof { kind: Proof::Link, hash: Some(vec![9; 32]), tries: 0, expires_at: later(600), link };
    let id = ChannelId::new(now(), w.random.bytes());
    let kind = ChannelKind::Telegram;
    let new = NewChannel { id, user: owner, kind, label: "Telegram", target: None, proof: Some(&proof) };
    channel::add(&mut tx, &new, now()).await.unwrap();
    assert!(channel::of_link(&mut tx, &[8; 32]).await.unwrap().is_none());
    assert_eq!(channel::awaiting_link(&mut tx, kind, later(599)).await.unwrap().len(), 1);
    assert!(channel::awaiting_link(&mut tx, kind, later(600)).await.unwrap().is_empty());
    let found = channel::of_link(&mut tx, &[9; 32]).await.unwrap().unwrap();
    let target = NewTarget {
        sealed: sealed(&w, id, owner, (2, r#"{"kind":"telegram","chat_id":7}"#)),
        label: "@lin",
        linked_as: Some("Lin"),
    };
    assert!(channel::replace_target(&mut tx, &found, &target).await.unwrap());
    assert!(
        !channel::replace_target(&mut tx, &found, &target).await.unwrap(),
        "the target was replaced meanwhile"
    );
    assert!(channel::of_opened_link(&mut tx, &[9; 32]).await.unwrap().is_none());
    let proof = PendingProof { kind: Proof::Confirmation, link: None, ..proof };
    channel::wait_for(&mut tx, id, &proof).await.unwrap();
    assert!(channel::of_link(&mut tx, &[9; 32]).await.unwrap().is_none(), "a link works once");
    assert_eq!(channel::of_opened_link(&mut tx, &[9; 32]).await.unwrap().unwrap().id, id);
    assert!(channel::of_opened_link(&mut tx, &[8; 32]).await.unwrap().is_none());
    let linked = channel::find(&mut tx, id).await.unwrap().unwrap();
    assert_eq!((linked.label.as_str(), linked.linked_as.as_deref()), ("@lin", Some("Lin")));
    assert!(w.ring.open(&linked.place(), linked.target.as_ref().unwrap()).is_ok());
}

async fn a_broken_channel_is_reported_once(w: World) {
    let owner = w.person(0).await;
    let mut tx = w.begin().await;
    let id = added(&w, &mut tx, owner, ChannelKind::Ntfy).await.id;
    channel::verify(&mut tx, id, now()).await.unwrap();
    channel::record_ok(&mut tx, id, later(1)).await.unwrap();
    let refusal = ProviderRefusal { reason: "operator", answer: "401", at: later(2) };
    channel::record_refusal(&mut tx, id, refusal).await.unwrap();
    let kept = channel::find(&mut tx, id).await.unwrap().unwrap();
    assert_eq!((kept.state, kept.last_ok_at), (ChannelState::Verified, Some(later(1))));
    let refusal = ProviderRefusal { reason: "gone", answer: "404", at: later(3) };
    assert!(channel::record_broken(&mut tx, id, refusal).await.unwrap());
    assert!(!channel::record_broken(&mut tx, id, refusal).await.unwrap());
    let broken = channel::find(&mut tx, id).await.unwrap().unwrap();
    assert_eq!((broken.state, broken.last_error_at), (ChannelState::NeedsAttention, Some(later(3))));
    assert_eq!((broken.last_reason.as_deref(), broken.last_answer.as_deref()), (Some("gone"), Some("404")));
    channel::set_state(&mut tx, id, ChannelState::Verified).await.unwrap();
    assert_eq!(channel::find(&mut tx, id).await.unwrap().unwrap().last_reason, None);
}

async fn channels_have_the_order_set_by_their_user(w: World) {
    let owner = w.person(0).await;
    let mut tx = w.begin().await;
    let mut ids = Vec::new();
    for kind in [ChannelKind::Bark, ChannelKind::Sms, ChannelKind::Slack] {
        ids.push(added(&w, &mut tx, owner, kind).await.id);
    }
    channel::set_order(&mut tx, owner, &[ids[2], ids[0]]).await.unwrap();
    let order: Vec<_> =
        channel::list(&mut tx, owner).await.unwrap().iter().map(|channel| channel.id).collect();
    assert_eq!(order, [ids[2], ids[0], ids[1]], "channels that are not named are last");
}

async fn settings_are_stored_and_have_defaults_without_a_row(w: World) {
    let owner = w.person(0).await;
    let mut tx = w.begin().await;
    assert_eq!(channel::setting(&mut tx, owner).await.unwrap(), Setting::default());
    let time = |hour| NaiveTime::from_hms_opt(hour, 30, 0).unwrap();
    let night = Setting {
        quiet: Some(QuietHours { from: time(22), to: time(7) }),
        zone: chrono_tz::Asia::Shanghai,
        questions_at_night: true,
        digest: Digest::Weekly,
    };
    for setting in [night, Setting { quiet: None, digest: Digest::Daily, ..night }] {
        channel::set_setting(&mut tx, owner, &setting, now()).await.unwrap();
        assert_eq!(channel::setting(&mut tx, owner).await.unwrap(), setting);
    }
}

async fn urgent_messages_are_claimed_first(w: World) {
    let owner = w.person(0).await;
    let mut tx = w.begin().await;
    let used = added(&w, &mut tx, owner, ChannelKind::Bark).await.id;
    let other = added(&w, &mut tx, owner, ChannelKind::Ntfy).await.id;
    for id in [used, other] {
        channel::verify(&mut tx, id, now()).await.unwrap();
    }
    channel::set_events(&mut tx, other, &[EventKind::Opening]).await.unwrap();
    for (n, template) in ["appointment_alert", "credited", "booked"].into_iter().enumerate() {
        let at = later(i64::try_from(n).unwrap());
        let data = serde_json::json!({});
        store::outbox::enqueue_mail(&mut tx, &w.random, owner, template, template, &data, at).await.unwrap();
    }
    let span = chrono::TimeDelta::seconds(30);
    let without = [ChannelKind::Ntfy];
    let wanted = store::outbox::ClaimRequest { limit: 2, without: &without, event: None, span };
    let first = store::outbox::claim_of(&mut tx, "one", wanted, later(9)).await.unwrap();
    let events: Vec<_> = first.iter().map(|one| one.event).collect();
    assert_eq!(
        events,
        [EventKind::Booked, EventKind::Booked],
        "mail and channel of the booking precede older events"
    );
    let rest = store::outbox::claim(&mut tx, "two", 99, span, later(9)).await.unwrap();
    assert_eq!(rest.len(), 4, "an opening by mail and two channels, and money by mail alone");
    let fallback = store::outbox::claim(&mut tx, "three", 99, span, later(32)).await.unwrap();
    assert!(fallback.len() == 1 && fallback[0].fallback && fallback[0].channel == Some(other));
    assert!(!store::outbox::is_accepted(&mut tx, fallback[0].notice.unwrap()).await.unwrap());
    assert!(store::outbox::accepted(&mut tx, &first[0], Some("r1"), later(33)).await.unwrap());
    assert!(store::outbox::is_accepted(&mut tx, fallback[0].notice.unwrap()).await.unwrap());
    // The removal of a channel removes no other rows. Messages that wait for the channel are found
    // and ended.
    channel::remove(&mut tx, owner, used).await.unwrap();
    let left = store::outbox::claim(&mut tx, "four", 99, span, later(99)).await.unwrap();
    assert!(left.iter().any(|one| one.kind == ChannelKind::Bark && one.channel.is_none()));
}

async fn erasing_a_user_removes_the_channels(w: World) {
    let owner = w.person(0).await;
    let mut tx = w.begin().await;
    added(&w, &mut tx, owner, ChannelKind::Pushover).await;
    let setting = Setting { digest: Digest::Daily, ..Setting::default() };
    channel::set_setting(&mut tx, owner, &setting, now()).await.unwrap();
    let person = user::get(&mut tx, owner).await.unwrap().unwrap();
    deletion::erase(&mut tx, &person, later(1)).await.unwrap();
    assert!(channel::list(&mut tx, owner).await.unwrap().is_empty());
    assert_eq!(channel::setting(&mut tx, owner).await.unwrap(), Setting::default());
}

async fn a_message_of_a_newer_build_does_not_block_others(w: World) {
    let owner = w.person(0).await;
    let mut tx = w.begin().await;
    for template in ["booked", "credited"] {
        let data = serde_json::json!({});
        store::outbox::enqueue_mail(&mut tx, &w.random, owner, template, template, &data, now())
            .await
            .unwrap();
    }
    store::exec!(&mut tx, "UPDATE outbox SET event = 'of_tomorrow' WHERE template = 'booked'").unwrap();
    let span = chrono::TimeDelta::seconds(30);
    let claimed = store::outbox::claim(&mut tx, "one", 9, span, later(1)).await.unwrap();
    assert_eq!(claimed.iter().map(|one| one.template.as_str()).collect::<Vec<_>>(), ["credited"]);
    assert!(store::outbox::delivered(&mut tx, &claimed[0], later(2)).await.unwrap());
    assert_eq!(
        store::outbox::counts(&mut tx).await.unwrap().0,
        1,
        "the other row stays for a build that knows it"
    );
}
