use std::collections::{BTreeMap, BTreeSet};

use chrono::Duration;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use sandbox::{Sandbox, journal::Effect};
use serde_json::json;

use crate::client::{Client, fault, quiet};

/// Checks that the journal, the list of applied changes and the groups agree, with random clients
/// and random faults.
#[tokio::test]
async fn journal_applied_changes_and_groups_agree() {
    for seed in [11, 12, 13] {
        let mut rng = StdRng::seed_from_u64(seed);
        let (sandbox, hands) = quiet("busy").await;
        sandbox.with_world(|w| w.config.lag.probability = 0.3);
        let before: BTreeMap<u64, u32> =
            sandbox.with_world(|w| w.groups.values().map(|g| (g.schedule_id, g.attempts_left)).collect());
        for kind in [
            "lie_booked",
            "lie_refused",
            "refuse_booking",
            "steal_slot",
            "cut_after_apply",
            "half_answer",
            "session_end",
            "bad_gateway",
            "reset",
        ] {
            fault(&sandbox, json!({"fault": kind, "probability": 0.1}));
        }
        let mut clients = Vec::new();
        for account in sandbox.ready().accounts.into_iter().filter(|a| !a.portal_schedule_ids.is_empty()) {
            clients.push((Client::new(&sandbox), account));
        }
        for _ in 0..120 {
            hands.advance(Duration::seconds(rng.random_range(1..400)));
            let number = rng.random_range(0..clients.len());
            let (client, account) = &mut clients[number];
            let id = account.portal_schedule_ids[rng.random_range(0..account.portal_schedule_ids.len())];
            // Errors are expected here. The outcome is in the journal, not in the responses.
            let _ = client
                .try_to_book_anything(&account.username, &account.password, id, rng.random_range(89..=95))
                .await;
        }
        assert!(check(&sandbox, &before) > 3, "seed {seed}: nothing was booked");
    }
}

fn check(sandbox: &Sandbox, before: &BTreeMap<u64, u32>) -> usize {
    sandbox.with_world(|world| {
        let (mut booked, mut slots, mut spent) = (Vec::new(), BTreeSet::new(), BTreeMap::<u64, u32>::new());
        for entry in world.journal.after(0) {
            match &entry.effect {
                Effect::Booked { from, to } => {
                    let id = entry.portal_schedule_id.unwrap();
                    booked.push((id, Some(to.clone())));
                    *spent.entry(id).or_default() += u32::from(from.is_some());
                }
                Effect::Reverted { to, .. } => booked.push((entry.portal_schedule_id.unwrap(), to.clone())),
                Effect::Slot { slot, what } if what == "booked" => {
                    assert!(slots.insert(slot.id), "a slot was booked twice")
                }
                _ => {}
            }
        }
        let applied: Vec<_> = world.applied.iter().map(|a| (a.portal_schedule_id, a.to.clone())).collect();
        assert_eq!(booked, applied);
        for (id, left) in before {
            let group = &world.groups[id];
            assert_eq!(group.attempts_left, left - spent.get(id).copied().unwrap_or(0), "attempts of {id}");
            if let Some((_, last)) = applied.iter().rev().find(|(group, _)| group == id) {
                assert_eq!(&group.appointment, last);
            }
        }
        booked.len()
    })
}
