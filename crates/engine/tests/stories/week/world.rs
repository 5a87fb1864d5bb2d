//! The portal's side of the week: slots slightly before the users' appointments, and every fault
//! there is.

use chrono::{Days, NaiveTime};
use rand::RngExt;
use rand::rngs::StdRng;
use sandbox::World;
use sandbox::world::asc::AppointmentKind;
use sandbox::world::faults::{FaultKind, InjectedFault};
use sandbox::world::slots::NewSlot;

/// Returns the number of booking POSTs in the journal after an entry, and the number of its last
/// entry.
pub(super) fn posts_after(world: &World, read: u64) -> (usize, u64) {
    let posts = world.journal.after(read).iter().filter(|e| e.kind == "book").count();
    (posts, world.journal.last_seq())
}

/// Adds every kind of fault, each with its chance. About a fifth of the booking answers claim a
/// booking that was not made. About a fifth deny one that was made.
pub(super) fn everything_goes_wrong(world: &mut World, hidden: f64) {
    let faults = [
        (FaultKind::LieBooked, 0.2),
        (FaultKind::LieRefused, 0.25),
        (FaultKind::RefuseBooking, 0.05),
        (FaultKind::StealSlot, 0.05),
        (FaultKind::CutAfterApply, 0.05),
        (FaultKind::HalfAnswer, 0.05),
        (FaultKind::GroupsLag { seconds: 120 }, 0.3),
        (FaultKind::HalfGroupsLag { of: AppointmentKind::Asc, seconds: 90 }, 0.1),
        (FaultKind::HalfGroupsLag { of: AppointmentKind::Consular, seconds: 90 }, 0.1),
        (FaultKind::AscBadGateway, 0.1),
        (FaultKind::StealAscSlot, 0.05),
        (FaultKind::PhantomDates, 0.05),
        (FaultKind::AttemptsUsedUp, 0.002),
        (FaultKind::SessionEnd, 0.01),
        (FaultKind::BadGateway, 0.004),
        (FaultKind::Maintenance { retry_after: None }, 0.0005),
        (FaultKind::Maintenance { retry_after: Some(120) }, 0.0005),
        (FaultKind::TooManyRequests { retry_after: Some(30) }, 0.001),
        (FaultKind::Slow { millis: 4000 }, 0.05),
        (FaultKind::Reset, 0.0002),
        (FaultKind::ChangedLayout, 0.001),
        (FaultKind::ForeignHtml, 0.001),
        (FaultKind::SoftBan, 0.001),
        (FaultKind::RestrictedHours, 0.001),
        (FaultKind::NoApplications, 0.001),
        (FaultKind::Locked { too_many: false }, 0.002),
        (FaultKind::Captcha, 0.002),
    ];
    for (kind, probability) in faults {
        world.add_fault(InjectedFault { probability: Some(probability), ..InjectedFault::of(kind) });
    }
    let printed =
        InjectedFault { on: Some("instructions".to_owned()), ..InjectedFault::of(FaultKind::ForeignHtml) };
    world.add_fault(InjectedFault { probability: Some(hidden), ..printed });
}

/// Approximate number of slots listed at once.
const ON_SHOW: usize = 30;

/// Adds slots: mostly one to four days before a user's appointment, some later, some phantoms.
pub(super) fn feed(world: &mut World, rng: &mut StdRng) {
    let held: Vec<_> = world.groups.values().filter_map(|g| g.appointment.clone()).collect();
    let missing = ON_SHOW.saturating_sub(world.slots.iter().count());
    for _ in 0..missing.min(6) {
        let of = &held[rng.random_range(0..held.len())];
        let by = Days::new(rng.random_range(1..=4));
        let bait = rng.random_bool(0.2);
        let date = if bait { of.date + by } else { of.date - by };
        let quarter = rng.random_range(0..24);
        let slot = NewSlot {
            pool: "B1/B2".to_owned(),
            facility: of.facility,
            date,
            time: NaiveTime::from_hms_opt(8 + quarter / 4, quarter % 4 * 15, 0).expect("a time"),
            lifetime_seconds: Some(rng.random_range(20..1800)),
            delay_seconds: None,
            max_party: if rng.random_bool(0.8) { 9 } else { 1 },
            phantom: rng.random_bool(0.05),
        };
        world.add_slot(slot);
    }
}
