//! Runs a policy in a world and counts what the policy captures.

use crate::proving::policy::{Policy, poller};
use crate::proving::poller::PollDifference;
use crate::proving::world::{BOOKING, Calendar, NEWCOMER, Trace, World};

/// Results of a policy in the counted part of a world.
#[derive(Clone, Copy, Debug, Default)]
pub struct RunResult {
    /// Total value of the booked days.
    pub value: f64,
    /// Number of confirmed bookings.
    pub bookings: u64,
    /// Number of polls.
    pub polls: u64,
    /// Number of all requests, for polls and for booking attempts.
    pub requests: u64,
    /// Number of banned accounts.
    pub bans: u64,
    /// Longest time in seconds between two polls of a calendar for which users waited.
    pub oldest: f64,
}

/// Number of requests of a booking attempt: times of the day, groups page, POST and read-back.
const ATTEMPT: u64 = 4;
/// Number of requests that reveal a phantom: the empty list of times and the groups page.
const PHANTOM: u64 = 2;

/// Runs a policy over a whole world and returns its results.
#[must_use]
pub fn run(world: &World, policy: Policy, seed: u64) -> RunResult {
    let mut poller = poller(world, policy, seed);
    let mut outcome = RunResult::default();
    let mut calendars: Vec<Listed> = world.calendars.iter().map(|_| Listed::default()).collect();
    let mut waiting: Vec<Waiting> = world.calendars.iter().map(|c| Waiting::new(world.trace, c)).collect();
    let mut now = world.span.0;
    let mut polled = vec![world.counted_from(); world.calendars.len()];
    while now < world.span.1 {
        let counted = now >= world.counted_from();
        while let Some(poll) = poller.next(now) {
            let choice = poll.calendar;
            let before = waiting[choice].at(now) > 0;
            let (seen, taken) = if world.hides(poll, now) {
                (PollDifference::default(), Taken::default())
            } else {
                calendars[choice].poll(world, choice, now, &mut waiting[choice])
            };
            let requests = poller.saw(poll, now, seen, &std::mem::take(&mut calendars[choice].listed));
            if counted {
                outcome.note_age(world, choice, now - polled[choice]);
                polled[choice] = now;
                outcome.polls += 1;
                outcome.requests += requests + taken.requests;
                outcome.bookings += taken.bookings;
                outcome.value += taken.bookings as f64 * world.calendars[choice].value;
            }
            if before && waiting[choice].at(now) == 0 {
                poller.unwanted(choice);
            }
        }
        for (calendar, waiting) in waiting.iter_mut().enumerate() {
            if waiting.came(now) {
                poller.wanted(calendar);
            }
        }
        now += poller.seconds_to_poll(now);
    }
    for (calendar, last) in polled.iter().enumerate() {
        outcome.note_age(world, calendar, world.span.1 - last);
    }
    outcome.bans = poller.bans();
    outcome
}

impl RunResult {
    /// Records the time since a calendar's last poll, if users waited for the calendar all that
    /// time.
    fn note_age(&mut self, world: &World, calendar: usize, seconds: f64) {
        if world.trace != Trace::Demand && world.calendars[calendar].value > 0.0 {
            self.oldest = self.oldest.max(seconds);
        }
    }
}

/// State of a calendar's list at its last poll.
#[derive(Default)]
struct Listed {
    /// Index of the first day that has not yet appeared.
    next: usize,
    /// Days that appeared and were not booked: index, seen before, recognised as a phantom.
    present: Vec<(usize, bool, bool)>,
    /// Days that the last poll listed.
    listed: Vec<usize>,
}

/// Users who wait for a calendar. Their number is unlimited, or each user leaves after a booking
/// and another user arrives later.
struct Waiting {
    /// Number of waiting users, or `None` if it is unlimited, as in most worlds.
    people: Option<u64>,
    /// Times at which the next users arrive. The earliest time is last.
    coming: Vec<f64>,
}

impl Waiting {
    fn new(trace: Trace, calendar: &Calendar) -> Self {
        let people = (trace == Trace::Demand).then_some(calendar.users as u64);
        Self { people, coming: Vec::new() }
    }

    fn at(&mut self, now: f64) -> u64 {
        let Some(people) = &mut self.people else { return u64::MAX };
        while self.coming.last().is_some_and(|at| *at <= now) {
            self.coming.pop();
            *people += 1;
        }
        *people
    }

    /// Adds the users who have arrived by `now`. Returns `true` if the calendar had no waiting user
    /// before.
    fn came(&mut self, now: f64) -> bool {
        self.people == Some(0) && self.at(now) > 0
    }

    /// Removes a user who has booked, and schedules the arrival of the next one.
    fn left(&mut self, at: f64) {
        if let Some(people) = &mut self.people {
            *people -= 1;
            let back = at + NEWCOMER;
            let place = self.coming.partition_point(|other| *other > back);
            self.coming.insert(place, back);
        }
    }
}

#[derive(Default)]
struct Taken {
    bookings: u64,
    requests: u64,
}

impl Listed {
    /// Makes one poll and books every useful day that it shows. Returns the numbers of days that
    /// appeared, were at risk, and vanished.
    fn poll(
        &mut self,
        world: &World,
        calendar: usize,
        now: f64,
        waiting: &mut Waiting,
    ) -> (PollDifference, Taken) {
        let days = &world.calendars[calendar].days;
        let (mut seen, mut taken) = (PollDifference::default(), Taken::default());
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
            self.listed.push(*index);
            if !*known {
                *known = true;
                seen.appeared += 1;
            }
            if !day.useful || *phantom {
                return true;
            }
            if day.phantom {
                *phantom = true;
                taken.requests += PHANTOM;
                return true;
            }
            let able = waiting.at(now).min(u64::from(day.times));
            if able == 0 {
                return true;
            }
            taken.requests += ATTEMPT * able;
            let booked = day.to > now + BOOKING;
            if booked {
                taken.bookings += able;
                (0..able).for_each(|_| waiting.left(now));
            }
            !booked
        });
        (seen, taken)
    }
}
