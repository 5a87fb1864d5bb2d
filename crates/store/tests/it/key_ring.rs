//! Tests of encrypted secrets, which are bound to their place in the database and to a key ring
//! that the database knows.

use domain::secret::SecretKind;
use secrecy::{ExposeSecret, SecretString};
use store::Random;
use store::keyring::{KeyRing, KeyRingError, KeyState, NotOpened, Sealed, SecretPlace, check_canary};
use uuid::Uuid;

use crate::support::{World, now};

stories!(another_key_ring_is_refused);

async fn another_key_ring_is_refused(w: World) {
    check_canary(&w.db, &w.ring, &w.random).await.unwrap();
    check_canary(&w.db, &w.ring, &w.random).await.unwrap();
    let other = KeyRing::generate(&w.random);
    assert!(matches!(check_canary(&w.db, &other, &w.random).await, Err(KeyRingError::WrongRing)));
}

fn place(row: u128) -> SecretPlace {
    SecretPlace {
        kind: SecretKind::PortalPassword,
        table: "credential",
        column: "secret_blob",
        row: Uuid::from_u128(row),
        owner: Uuid::from_u128(row % 7),
        version: 1,
    }
}

// spec: 10.5.14
#[test]
fn a_secret_can_be_decrypted_only_for_its_own_row() {
    let random = Random::seeded(3);
    let ring = KeyRing::generate(&random);
    let sealed: Vec<Sealed> =
        (0..1000).map(|n| ring.seal(&place(n), &SecretString::from(format!("word {n}")), &random)).collect();
    for n in 0..1000_usize {
        let own = place(n as u128);
        assert_eq!(ring.open(&own, &sealed[n]).unwrap().expose_secret(), format!("word {n}"));
        let swapped = ring.open(&own, &sealed[(n + 1) % 1000]);
        assert_eq!(swapped.unwrap_err(), NotOpened);
    }
    let own = place(1);
    let elsewhere = [
        SecretPlace { kind: SecretKind::PortalSession, ..own },
        SecretPlace { table: "portal_account", ..own },
        SecretPlace { column: "session_blob", ..own },
        SecretPlace { owner: Uuid::from_u128(2), ..own },
        SecretPlace { version: 2, ..own },
    ];
    for place in elsewhere {
        assert!(ring.open(&place, &sealed[1]).is_err(), "{place:?}");
    }
}

#[test]
fn a_changed_byte_prevents_decryption() {
    let random = Random::seeded(4);
    let ring = KeyRing::generate(&random);
    let sealed = ring.seal(&place(1), &SecretString::from("word"), &random);
    for at in 0..sealed.blob.len() {
        let mut blob = sealed.blob.clone();
        blob[at] ^= 1;
        assert!(ring.open(&place(1), &Sealed { kid: sealed.kid.clone(), blob }).is_err(), "byte {at}");
        let cut = Sealed { kid: sealed.kid.clone(), blob: sealed.blob[..at].to_vec() };
        assert!(ring.open(&place(1), &cut).is_err(), "cut at {at}");
    }
}

#[test]
fn ciphertexts_hide_lengths_and_never_repeat() {
    let random = Random::seeded(5);
    let ring = KeyRing::generate(&random);
    let seal = |text: &str| ring.seal(&place(1), &SecretString::from(text), &random).blob;
    assert_eq!(seal("a").len(), seal(&"a".repeat(60)).len());
    assert_eq!(seal(&"a".repeat(61)).len(), seal("").len() + 64);
    assert_ne!(seal("same"), seal("same"));
    let canary = "hunter2-canary";
    assert!(!seal(canary).windows(canary.len()).any(|w| w == canary.as_bytes()));
    assert!(!format!("{ring:?}").contains("key"));
    assert_ne!(ring.fingerprint("a"), ring.fingerprint("b"));
}

// spec: 10.7.38
#[test]
fn a_rotated_key_ring_decrypts_older_secrets() {
    let random = Random::seeded(6);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys/ring.json");
    KeyRing::generate(&random).save_new(&path).unwrap();
    let ring = KeyRing::load(&path).unwrap();
    let old = ring.seal(&place(1), &SecretString::from("old"), &random);
    KeyRing::rotate(&path, &random, now()).unwrap();
    let new = ring.seal(&place(1), &SecretString::from("new"), &random);
    assert_ne!(old.kid, new.kid);
    use std::os::unix::fs::PermissionsExt as _;
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(matches!(ring.save_new(&path), Err(KeyRingError::Exists(_))));
    let read = KeyRing::load(&path).unwrap();
    assert_eq!(read.open(&place(1), &old).unwrap().expose_secret(), "old");
    assert_eq!(read.open(&place(1), &new).unwrap().expose_secret(), "new");
    assert_eq!(read.fingerprint("x"), ring.fingerprint("x"));
    let mut states: Vec<_> =
        read.status().into_iter().map(|(_, state, _)| state == KeyState::Active).collect();
    states.sort_unstable();
    assert_eq!(states, [false, true]);
    // The key id of another secret is refused too.
    let crossed = Sealed { kid: new.kid.clone(), blob: old.blob };
    assert!(read.open(&place(1), &crossed).is_err());
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("\"decrypt_only\"", "\"retired\"")).unwrap();
    let retired = KeyRing::load(&path).unwrap();
    assert!(retired.open(&place(1), &Sealed { kid: old.kid, blob: crossed.blob }).is_err());
    std::fs::write(&path, "{}").unwrap();
    assert!(matches!(KeyRing::load(&path), Err(KeyRingError::Malformed(_))));
}

// spec: 10.7.69
#[test]
fn signing_keys_are_separate_and_rotate_independently() {
    use store::keyring::Signing;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    let random = Random::seeded(9);
    KeyRing::generate(&random).save_new(&path).unwrap();
    let before = KeyRing::load(&path).unwrap();
    let made = |ring: &KeyRing| {
        (ring.sign(Signing::Links, "x"), ring.sign(Signing::AccessTokens, "x"), ring.fingerprint("x"))
    };
    let (link, token, print) = made(&before);
    assert!(link != token && link != print && token != print, "two purposes have the same key");
    KeyRing::rotate_signing(&path, &random).unwrap();
    let after = KeyRing::load(&path).unwrap();
    let (new_link, new_token, same) = made(&after);
    assert!(new_link != link && new_token != token && same == print);
    // An older key ring creates the same signatures.
    let mut text: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    text.as_object_mut().unwrap().remove("signing_key").unwrap();
    std::fs::write(&path, text.to_string()).unwrap();
    let old = KeyRing::load(&path).unwrap();
    assert_eq!(old.sign(Signing::Links, "x"), print);
}

// spec: 10.7.69
#[test]
fn a_purged_key_is_removed_from_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    let random = Random::seeded(9);
    KeyRing::generate(&random).save_new(&path).unwrap();
    let old = KeyRing::load(&path).unwrap().active();
    KeyRing::rotate(&path, &random, now()).unwrap();
    KeyRing::purge(&path, std::slice::from_ref(&old)).unwrap();
    let has = |kid: &str| std::fs::read_to_string(&path).unwrap().contains(kid);
    assert!(has(&old), "the old key still opens secrets");
    KeyRing::retire(&path, std::slice::from_ref(&old), now()).unwrap();
    assert!(has(&old), "backups may need the old key");
    KeyRing::purge(&path, std::slice::from_ref(&old)).unwrap();
    assert!(!has(&old));
}
