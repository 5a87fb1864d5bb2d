//! Numbers of cities that booking forms showed.

use domain::facility::FacilityId;
use domain::task::listing::TaskOrder;
use store::facility::{self, Discovery};
use store::{Error, exec, task};

use crate::support::{World, now};

stories!(a_number_that_another_process_stored_is_known_to_the_next_transaction);

fn discovery(number: i32, country: &str, city: &str) -> Discovery {
    Discovery { number, country: country.to_owned(), city: city.to_owned(), found_at: now() }
}

/// A row with a number that this build cannot know makes no other row unreadable.
async fn a_number_that_another_process_stored_is_known_to_the_next_transaction(w: World) {
    let user = w.person(0).await;
    let (held, other) = (w.submitted(user, "100").await, w.submitted(user, "200").await);
    let mut tx = w.begin().await;
    exec!(&mut tx, "UPDATE task SET booked_facility = 3007 WHERE id = $1", held.0).unwrap();
    for discovery in [
        discovery(3007, "en-jm", "Kingston"),
        discovery(3008, "en-jm", "Kingston"),
        discovery(3007, "en-tg", "Lome"),
        discovery(3009, "en-xx", "Somewhere"),
        discovery(94, "en-tg", "Lome"),
    ] {
        facility::insert(&mut tx, &discovery).await.unwrap();
    }
    let stored = facility::list(&mut tx).await.unwrap();
    assert_eq!(stored.iter().map(|row| row.number).collect::<Vec<_>>(), [94, 3007, 3009], "the first stays");
    tx.commit().await.unwrap();

    let mut tx = w.db.read().await.unwrap();
    let unreadable = task::get(&mut tx, held).await;
    assert!(matches!(unreadable, Err(Error::Corrupt("facility"))), "{unreadable:?}");
    let running = task::running(&mut tx, domain::ids::TaskId(uuid::Uuid::nil()), 9).await.unwrap();
    assert_eq!(running.iter().map(|task| task.id).collect::<Vec<_>>(), [other]);
    let all = task::Listing {
        filters: &[],
        order: TaskOrder::NextCheck,
        page: 1,
        size: 9,
        now: now(),
        asking: &[],
    };
    let (shown, total) = task::list(&mut tx, user, all).await.unwrap();
    assert_eq!((shown.iter().map(|task| task.id).collect::<Vec<_>>(), total), (vec![other], 2));
    assert_eq!(task::task_stats(&mut tx, user).await.unwrap().submitted, 2);
    drop(tx);

    let known = w.read_task(held).await.booked.unwrap().consular.facility;
    assert_eq!((known.name(), known.number()), ("Kingston", 3007));
    assert_eq!(FacilityId::try_from(94), Ok(FacilityId::TORONTO));
    assert!(FacilityId::try_from(3008).is_err() && FacilityId::try_from(3009).is_err());
}
