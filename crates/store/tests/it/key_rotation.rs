//! Tests of key rotation while other processes read and write. Ciphertexts stay bound to their
//! places.

use domain::channel::ChannelKind;
use domain::country::{CountryCode, VisaType};
use domain::health::CredentialHealth;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use domain::ids::{ChannelId, CredentialId, PortalAccountId, UserId};
use secrecy::{ExposeSecret, SecretString};
use store::credential::{self, Credential};
use store::keyring::rewrap::{self, Count, SealedTable};
use store::keyring::{KeyRing, Sealed, SecretPlace, check_canary};
use store::{Db, Random, exec, portal_account};

use crate::support::{World, later, now};

stories!(
    swapped_ciphertexts_cannot_be_decrypted,
    key_rotation_survives_concurrent_readers_and_kills,
    passwords_are_hashed_again_and_unknown_sessions_removed
);

/// Returns the number in an environment variable, or `short` if it is not set.
fn sized(name: &str, short: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(short)
}

fn secret(n: usize) -> String {
    format!("Maple-{n}-canary")
}

/// Inserts passwords and sessions, each with its own owner, and a few second factors. Returns their
/// places and secrets.
async fn fill(w: &World, ring: &KeyRing, most: usize) -> Vec<(SealedTable, SecretPlace, String)> {
    let mut places = Vec::new();
    let mut owners = Vec::new();
    for _ in 0..10 {
        owners.push(w.person(0).await);
    }
    let mut tx = w.begin().await;
    for n in 0..most {
        let owner = owners[n % owners.len()];
        let account = PortalAccountId::new(now(), w.random.bytes());
        let fp = ring.fingerprint(&format!("login {n}"));
        let account =
            portal_account::ensure(&mut tx, account, &fp, CountryCode::CANADA, VisaType::Niv, now())
                .await
                .unwrap();
        let place = portal_account::session_place(account, 1);
        let session = ring.seal(&place, &SecretString::from(secret(n)), &w.random);
        let secret_hash = ring.secret_hash(account, &SecretString::from("Maple-2026"));
        let stored = portal_account::StoredSession {
            sealed: session,
            version: 1,
            secret: secret_hash,
            sent_at: now(),
        };
        portal_account::set_session(&mut tx, account, &stored, now()).await.unwrap();
        places.push((SealedTable::Session, place, secret(n)));
        let id = CredentialId::new(now(), w.random.bytes());
        put(&mut tx, ring, &w.random, (id, owner, account, 1), &secret(n)).await;
        places.push((SealedTable::Credential, credential::place(id, owner, 1), secret(n)));
    }
    for owner in owners {
        let id = uuid::Builder::from_random_bytes(w.random.bytes()).into_uuid();
        let place = store::totp::place(id, owner);
        let sealed = ring.seal(&place, &SecretString::from("JBSWY3DPEHPK3PXP"), &w.random);
        let factor = store::totp::Totp { id, user: owner, sealed, confirmed_at: None };
        store::totp::put_pending(&mut tx, &factor, now()).await.unwrap();
        places.push((SealedTable::Totp, place, "JBSWY3DPEHPK3PXP".to_owned()));
        places.push(channel(&mut tx, ring, &w.random, owner).await);
    }
    tx.commit().await.unwrap();
    places
}

async fn channel(
    tx: &mut store::Tx,
    ring: &KeyRing,
    random: &Random,
    owner: UserId,
) -> (SealedTable, SecretPlace, String) {
    let id = ChannelId::new(now(), random.bytes());
    let place = store::channel::place(id, owner, 1);
    let secret = r#"{"kind":"telegram","chat_id":7}"#;
    let target = Some(ring.seal(&place, &SecretString::from(secret), random));
    let kind = ChannelKind::Telegram;
    let new = store::channel::NewChannel { id, user: owner, kind, label: "@lin", target, proof: None };
    store::channel::add(tx, &new, now()).await.unwrap();
    (SealedTable::Channel, place, secret.to_owned())
}

async fn put(
    tx: &mut store::Tx,
    ring: &KeyRing,
    random: &Random,
    (id, owner, account, version): (CredentialId, UserId, PortalAccountId, i32),
    secret: &str,
) {
    let place = credential::place(id, owner, version);
    let sealed = ring.seal(&place, &SecretString::from(secret), random);
    let new = Credential {
        id,
        user_id: owner,
        portal_account_id: account,
        username: "lin@example.com".to_owned(),
        secret_kid: sealed.kid,
        secret_blob: sealed.blob,
        secret_version: version,
        health: CredentialHealth::Valid,
        health_since: now(),
        tested_at: None,
    };
    credential::save(tx, &new, now()).await.unwrap();
}

/// Returns the ciphertext currently stored at a place.
async fn stored(db: &Db, kept: SealedTable, place: &SecretPlace) -> Sealed {
    let mut tx = db.read().await.unwrap();
    match kept {
        SealedTable::Credential => {
            let row = credential::get(&mut tx, CredentialId(place.row)).await.unwrap().unwrap();
            Sealed { kid: row.secret_kid, blob: row.secret_blob }
        }
        SealedTable::Session => {
            let row = portal_account::get(&mut tx, PortalAccountId(place.row)).await.unwrap().unwrap();
            row.session.unwrap().sealed
        }
        SealedTable::Channel => {
            store::channel::find(&mut tx, ChannelId(place.row)).await.unwrap().unwrap().target.unwrap()
        }
        _ => {
            let row = store::totp::pending(&mut tx, UserId(place.owner)).await.unwrap().unwrap();
            row.sealed
        }
    }
}

// spec: 10.7.37
/// Checks promise 15: an attacker with write access to the database cannot use one row's secret in
/// another row.
async fn swapped_ciphertexts_cannot_be_decrypted(w: World) {
    let places = fill(&w, &w.ring, 60).await;
    let (mut swaps, mut rows) = (0, Vec::new());
    for (kept, place, secret) in &places {
        let sealed = stored(&w.db, *kept, place).await;
        assert_eq!(w.ring.open(place, &sealed).unwrap().expose_secret(), secret);
        rows.push((kept, place, sealed));
    }
    for step in 1..=9 {
        for (n, (_, place, sealed)) in rows.iter().enumerate() {
            // Swap rows, owners and kinds. Neighbours in this list have different kinds.
            let (_, other, _) = rows[(n + step) % rows.len()];
            assert!(w.ring.open(other, sealed).is_err(), "{place:?} opens as {other:?}");
            assert!(w.ring.rewrap(other, sealed, &w.random).is_err(), "sealed again as {other:?}");
            swaps += 1;
        }
    }
    // Exchange the rows of two users in the database, as an intruder would.
    let (one, two) = (&places[1].1, &places[3].1);
    let (first, second) = (
        stored(&w.db, SealedTable::Credential, one).await,
        stored(&w.db, SealedTable::Credential, two).await,
    );
    let mut tx = w.begin().await;
    for (place, sealed) in [(one, &second), (two, &first)] {
        let (kid, blob) = (sealed.kid.clone(), sealed.blob.clone());
        exec!(
            &mut tx,
            "UPDATE credential SET secret_kid = $2, secret_blob = $3 WHERE id = $1",
            place.row,
            kid,
            blob
        )
        .unwrap();
    }
    tx.commit().await.unwrap();
    for place in [one, two] {
        assert!(w.ring.open(place, &stored(&w.db, SealedTable::Credential, place).await).is_err());
    }
    assert!(swaps >= 1_000, "{swaps}");
}

async fn under(db: &Db, kid: &str) -> i64 {
    let mut tx = db.read().await.unwrap();
    let counts: Vec<Count> = rewrap::counts(&mut tx).await.unwrap();
    counts.iter().filter(|count| count.kid == kid).map(|count| count.secrets).sum()
}

/// Reads until it is stopped, like another server that only reloads the key ring file. Every read
/// must succeed.
async fn read_all(
    db: Db,
    path: PathBuf,
    places: Arc<Vec<(SealedTable, SecretPlace, String)>>,
    end: Arc<AtomicBool>,
) -> u64 {
    let ring = KeyRing::load(&path).unwrap();
    let mut reads = 0;
    let mut at = 0;
    while !end.load(Ordering::Relaxed) {
        at = (at + 7) % places.len();
        let (kept, place, secret) = &places[at];
        let sealed = stored(&db, *kept, place).await;
        let opened =
            ring.open(place, &sealed).unwrap_or_else(|e| panic!("{place:?} under {}: {e}", sealed.kid));
        assert_eq!(opened.expose_secret(), secret);
        reads += 1;
    }
    reads
}

/// Checks the rows after a migration or after a new key for hashes. Password hashes are computed
/// from the decrypted passwords. Sessions of unknown passwords are removed.
async fn passwords_are_hashed_again_and_unknown_sessions_removed(w: World) {
    let places = fill(&w, &w.ring, 3).await;
    let mut tx = w.begin().await;
    exec!(&mut tx, "UPDATE credential SET secret_hash = NULL, accepted_at = NULL").unwrap();
    exec!(&mut tx, "UPDATE portal_account SET session_secret_version = 0 WHERE id = $1", places[0].1.row)
        .unwrap();
    tx.commit().await.unwrap();
    assert_eq!(credential::binding::fill(&w.db, &w.ring).await.unwrap(), 3);
    assert_eq!(credential::binding::fill(&w.db, &w.ring).await.unwrap(), 0, "once");
    let mut tx = w.begin().await;
    let mut sessions = 0;
    for (kept, place, secret) in &places {
        match kept {
            SealedTable::Credential => {
                let row = credential::get(&mut tx, CredentialId(place.row)).await.unwrap().unwrap();
                let bound = credential::binding::bound(&mut tx, row.id).await.unwrap().unwrap();
                let password = SecretString::from(secret.clone());
                let hash = w.ring.secret_hash(row.portal_account_id, &password);
                assert_eq!((bound.secret, bound.accepted), (Some(hash), None));
                assert!(credential::binding::is_valid(&mut tx, row.id, &hash).await.unwrap());
                let other = w.ring.secret_hash(PortalAccountId(place.row), &password);
                assert!(!credential::binding::is_valid(&mut tx, row.id, &other).await.unwrap());
            }
            SealedTable::Session => {
                let row = portal_account::get(&mut tx, PortalAccountId(place.row)).await.unwrap().unwrap();
                sessions += usize::from(row.session.is_some());
            }
            _ => {}
        }
    }
    assert_eq!(sessions, 2, "the session whose password is unknown is gone");
}

// spec: 10.7.38
/// Checks promise 16. `SOONER_REWRAPS=10000 SOONER_REWRAP_KILLS=50` selects the full size.
async fn key_rotation_survives_concurrent_readers_and_kills(w: World) {
    let (rewraps, kills) = (sized("SOONER_REWRAPS", 600), sized("SOONER_REWRAP_KILLS", 4));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ring.json");
    KeyRing::generate(&w.random).save_new(&path).unwrap();
    let ring = Arc::new(KeyRing::load(&path).unwrap());
    check_canary(&w.db, &ring, &w.random).await.unwrap();
    let places = Arc::new(fill(&w, &ring, 150).await);
    let end = Arc::new(AtomicBool::new(false));
    let readers: Vec<_> = (0..2)
        .map(|_| tokio::spawn(read_all(w.db.clone(), path.clone(), places.clone(), end.clone())))
        .collect();
    let wrapped = Arc::new(AtomicU64::new(0));
    let (mut killed, mut rounds) = (0, 0);
    while (wrapped.load(Ordering::Relaxed) as usize) < rewraps || killed < kills {
        rounds += 1;
        let old = ring.active();
        let new = KeyRing::rotate(&path, &w.random, now()).unwrap();
        assert_eq!(ring.active(), new, "a running server loads the new key from the file");
        // Abort each round in the middle and begin again, as after a killed process.
        for _ in 0..=rounds % 3 {
            let (db, ring, random) = (w.db.clone(), ring.clone(), w.random.clone());
            let cut =
                tokio::spawn(async move { rewrap::all(&db, &ring, &random).await.map(|done| done.wrapped) });
            tokio::time::sleep(std::time::Duration::from_millis(3 + (rounds * 7 % 40) as u64)).await;
            cut.abort();
            match cut.await {
                Err(error) if error.is_cancelled() => killed += 1,
                done => drop(wrapped.fetch_add(done.unwrap().unwrap(), Ordering::Relaxed)),
            }
        }
        let done = rewrap::all(&w.db, &ring, &w.random).await.unwrap();
        assert_eq!(done.unreadable, 0);
        // A round encrypts all secrets with the new key, no matter which of the aborted attempts
        // did the work.
        wrapped.store((rounds * (places.len() + 1)) as u64, Ordering::Relaxed);
        assert_eq!(under(&w.db, &old).await, 0, "nothing is left under {old}");
        assert_eq!(under(&w.db, &new).await as usize, places.len() + 1);
        check_canary(&w.db, &KeyRing::load(&path).unwrap(), &w.random).await.unwrap();
    }
    end.store(true, Ordering::Relaxed);
    for reader in readers {
        assert!(reader.await.unwrap() > 0);
    }
    retired_keys_open_nothing(&w, &path, &ring, &places).await;
    eprintln!("{rounds} rotations, {} re-wraps, {killed} kills", rounds * (places.len() + 1));
}

async fn retired_keys_open_nothing(
    w: &World,
    path: &Path,
    ring: &KeyRing,
    places: &[(SealedTable, SecretPlace, String)],
) {
    let (kept, place, secret) = &places[1];
    let before = stored(&w.db, *kept, place).await;
    KeyRing::rotate(path, &w.random, later(1)).unwrap();
    rewrap::all(&w.db, ring, &w.random).await.unwrap();
    assert_eq!(
        ring.open(place, &before).unwrap().expose_secret(),
        secret,
        "the old ciphertext opens until the key is retired"
    );
    KeyRing::retire(path, &[before.kid.clone(), ring.active()], later(2)).unwrap();
    let fresh = KeyRing::load(path).unwrap();
    assert!(fresh.open(place, &before).is_err(), "a retired key opens nothing");
    let after = stored(&w.db, *kept, place).await;
    assert_eq!(fresh.open(place, &after).unwrap().expose_secret(), secret, "the active key is never retired");
}
