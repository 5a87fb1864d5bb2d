//! Lets a policy look at a world, and counts what it captured.

use domain::budget::Budget;

use crate::proving::policy::{Policy, poller};
use crate::proving::poller::PollDifference;
use crate::proving::world::{BOOKING, World};

/// What a policy brought home, from the counted part of the world on.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunResult {
    /// Captured value.
    pub value: f64,
    /// Confirmed bookings.
    pub bookings: u64,
    /// Looks made.
    pub polls: u64,
    /// All requests: looks, and what attempts cost.
    pub requests: u64,
    /// Accounts that were softly banned.
    pub bans: u64,
}

/// An attempt reads the day's times and the groups page, posts, and reads back.
const ATTEMPT: u64 = 4;
/// A phantom shows itself by empty times, read together with the groups page.
const PHANTOM: u64 = 2;

/// Runs a policy over a whole world.
#[must_use]
pub fn run(world: &World, policy: Policy, seed: u64) -> RunResult {
    let mut poller = poller(world, policy, seed);
    let mut outcome = RunResult::default();
    let mut calendars: Vec<Listed> = world.calendars.iter().map(|_| Listed::default()).collect();
    let mut budgets = vec![Budget::default(); world.accounts.len()];
    let mut now = world.span.0;
    while now < world.span.1 {
        let counted = now >= world.counted_from();
        while let Some(choice) = poller.next(now, &mut budgets) {
            let (seen, taken) = calendars[choice].poll(world, choice, now);
            if counted {
                outcome.polls += 1;
                outcome.requests += 1 + taken.requests;
                outcome.bookings += taken.bookings;
                outcome.value += taken.bookings as f64 * world.calendars[choice].value;
            }
            poller.saw(choice, now, seen);
        }
        now += poller.rest(now);
    }
    outcome.bans = poller.bans();
    outcome
}

/// A calendar's list as it was last seen.
#[derive(Default)]
struct Listed {
    /// First arrival not yet passed.
    next: usize,
    /// Days that are (or were) there and are not captured: index, seen before, found a phantom.
    present: Vec<(usize, bool, bool)>,
}

struct Taken {
    bookings: u64,
    requests: u64,
}

impl Listed {
    /// One poll: what appeared, what was at risk, what vanished; and everything of use is booked.
    fn poll(&mut self, world: &World, calendar: usize, now: f64) -> (PollDifference, Taken) {
        let days = &world.calendars[calendar].days;
        let (mut seen, mut taken) = (PollDifference::default(), Taken { bookings: 0, requests: 0 });
        while self.next < days.len() && days[self.next].from <= now {
            self.present.push((self.next, false, false));
            self.next += 1;
        }
        self.present.retain_mut(|(index, known, phantom)| {
            let day = days[*index];
            let gone = day.to <= now;
            if *known {
                seen.at_risk += 1;
                seen.vanished += u32::from(gone);
            }
            if gone {
                return false;
            }
            if !*known {
                *known = true;
                seen.appeared += 1;
                seen.useful += u32::from(day.useful);
            }
            if !day.useful || *phantom {
                return true;
            }
            if day.phantom {
                *phantom = true;
                taken.requests += PHANTOM;
                return true;
            }
            taken.requests += ATTEMPT;
            let booked = day.to > now + BOOKING;
            taken.bookings += u64::from(booked);
            !booked
        });
        (seen, taken)
    }
}
