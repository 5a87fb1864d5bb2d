//! The engine as a policy, with its schedule, budgets, learning and handling of empty lists.

use std::collections::{HashMap, HashSet, VecDeque};

use chrono::{NaiveDate, TimeDelta};
use domain::appointment::Slot;
use domain::booking::Attempts;
use domain::calendar::{CalendarKey, Kind};
use domain::clock::Instant;
use domain::condition::TaskCondition;
use domain::country::{CountryCode, VisaType};
use domain::criteria::{BookingMode, ExcludedDates, SearchCriteria, TimesOfDay, Weekdays};
use domain::ids::{PortalAccountId, TaskId};
use domain::task::TaskStatus;
use engine::simulation::{DuePoll, Simulation};
use inference::planner::poll_source::instant;
use portal::Rate;
use store::task::Outline;
use uuid::Uuid;

use crate::proving::hidden::city;
use crate::proving::poller::{Poll, PollDifference, Poller};
use crate::proving::world::World;

/// Lowest number of requests in ten hours for which a ban was reported.
const BAN_FROM: u32 = 50;
/// Number of wanted dates that a calendar can show, and also the number of unwanted dates.
const DATES: i64 = 360;
/// Number of days from the start of the world to the first wanted date.
const FROM: i64 = 60;

pub(crate) struct Ours<'a> {
    world: &'a World,
    simulation: Simulation,
    keys: Vec<CalendarKey>,
    index_of: HashMap<CalendarKey, usize>,
    /// Task of each account.
    tasks: Vec<Outline>,
    dates: Vec<Dates>,
    due: VecDeque<DuePoll>,
    next_due: Option<Instant>,
    /// Calendars for which no user waits.
    unwanted: HashSet<usize>,
    /// Accounts that have made more requests than [`BAN_FROM`].
    banned: HashSet<usize>,
}

/// Calendar dates assigned to the simulated days of a calendar.
#[derive(Default)]
struct Dates {
    of: HashMap<usize, NaiveDate>,
    taken: HashSet<NaiveDate>,
    next: i64,
}

impl Dates {
    /// Assigns a separate date to each listed day. Useful days get dates that tasks want, other
    /// days get excluded dates.
    fn of(&mut self, listed: &[usize], useful: impl Fn(usize) -> bool, first: NaiveDate) -> Vec<NaiveDate> {
        let kept: HashSet<usize> = listed.iter().copied().collect();
        let taken = &mut self.taken;
        self.of.retain(|day, date| kept.contains(day) || !taken.remove(date));
        for day in listed {
            if self.of.contains_key(day) {
                continue;
            }
            let begin = first + TimeDelta::days(if useful(*day) { 0 } else { DATES });
            let free = (0..DATES).map(|ahead| begin + TimeDelta::days((self.next + ahead) % DATES));
            // If there are more days than dates, do not list the surplus days.
            let Some(date) = free.into_iter().find(|date| !self.taken.contains(date)) else { continue };
            self.next += 1;
            self.taken.insert(date);
            self.of.insert(*day, date);
        }
        let mut dates: Vec<NaiveDate> = self.of.values().copied().collect();
        dates.sort_unstable();
        dates
    }
}

impl<'a> Ours<'a> {
    pub fn new(world: &'a World) -> Self {
        let start = instant(world.span.0);
        let first = start.date_naive() + TimeDelta::days(FROM);
        let config = engine::Config {
            polls_per_second: world.size.polls_per_hour / 3600.0,
            ..engine::Config::default()
        };
        let key = |index: usize| {
            let calendar = &world.calendars[index];
            let kind = Kind {
                country: CountryCode::CANADA,
                visa_type: VisaType::Niv,
                classes: format!("B{}", calendar.pool),
                party: 1,
                booked: world.booked(index),
                tcn: false,
            };
            CalendarKey { kind, facility: city(calendar.city).id }
        };
        let keys: Vec<CalendarKey> = (0..world.calendars.len()).map(key).collect();
        let index_of = keys.iter().cloned().enumerate().map(|(index, key)| (key, index)).collect();
        let tasks = (0..world.accounts.len()).map(|account| task(world, account, &keys, first)).collect();
        let mut ours = Self {
            world,
            simulation: Simulation::new(config, Rate::default(), start),
            dates: keys.iter().map(|_| Dates::default()).collect(),
            keys,
            index_of,
            tasks,
            due: VecDeque::new(),
            next_due: None,
            unwanted: HashSet::new(),
            banned: HashSet::new(),
        };
        (0..world.accounts.len()).for_each(|account| ours.update_task(account));
        ours
    }

    /// Updates the task of an account. The task covers the cities for which users wait.
    fn update_task(&mut self, account: usize) {
        let calendars = self.world.accounts[account].calendars.iter();
        let cities = calendars.filter(|calendar| !self.unwanted.contains(calendar));
        let cities: Vec<_> = cities.map(|calendar| self.keys[*calendar].facility).collect();
        let mut task = self.tasks[account].clone();
        task.deleted = cities.is_empty();
        if let Some(criteria) = &mut task.criteria {
            criteria.cities = cities;
        }
        self.simulation.put(task);
    }

    fn put_all_of(&mut self, calendar: usize) {
        for account in 0..self.world.accounts.len() {
            if self.world.accounts[account].calendars.contains(&calendar) {
                self.update_task(account);
            }
        }
    }
}

/// Returns the task of an account, which accepts every wanted date in all cities of the account.
fn task(world: &World, account: usize, keys: &[CalendarKey], first: NaiveDate) -> Outline {
    let calendars = &world.accounts[account].calendars;
    let kind = keys[calendars[0]].kind.clone();
    let start = instant(world.span.0);
    let unwanted = first + TimeDelta::days(DATES);
    let last = unwanted + TimeDelta::days(DATES - 1);
    let booked = kind.booked.then(|| Slot {
        facility: keys[calendars[0]].facility,
        date: last + TimeDelta::days(60),
        time: chrono::NaiveTime::MIN,
    });
    let criteria = SearchCriteria {
        cities: calendars.iter().map(|calendar| keys[*calendar].facility).collect(),
        start_date: first,
        end_date: last,
        excluded: ExcludedDates::new(vec![(unwanted, last)]),
        weekdays: Weekdays::default(),
        times: TimesOfDay::default(),
        minimum_days_from_current: 0,
        min_improvement_days: 1,
        max_reschedules: 2,
        last_attempt_until: None,
        fingerprints: None,
        mode: BookingMode::Auto,
    };
    Outline {
        id: TaskId(Uuid::from_u128(account as u128 + 1)),
        portal_account_id: account_id(account),
        kind,
        status: TaskStatus::Active,
        group_read_at: start,
        booked,
        criteria: Some(criteria),
        change_deadline: None,
        attempts: Attempts { left: None, used_here: 0 },
        priority: 0,
        captured: false,
        submitted_at: start,
        condition: TaskCondition::Watching,
        next_try_at: None,
        last_check_at: None,
        counted: None,
        updated_at: start,
        deleted: false,
    }
}

fn account_id(account: usize) -> PortalAccountId {
    PortalAccountId(Uuid::from_u128(account as u128 + 1))
}

impl Poller for Ours<'_> {
    fn next(&mut self, now: f64) -> Option<Poll> {
        if self.due.is_empty() {
            let at = instant(now);
            self.simulation.end_sessions(at);
            let (polls, next_due) = self.simulation.due(at);
            (self.due, self.next_due) = (polls.into(), next_due);
        }
        let poll = self.due.pop_front()?;
        let account = usize::try_from(poll.account.0.as_u128() - 1).ok();
        Some(Poll { calendar: self.index_of[&poll.calendar], account })
    }

    fn saw(&mut self, poll: Poll, now: f64, _: PollDifference, listed: &[usize]) -> u64 {
        let Some(account) = poll.account else { return 1 };
        let days = &self.world.calendars[poll.calendar].days;
        let first = instant(self.world.span.0).date_naive() + TimeDelta::days(FROM);
        let dates = self.dates[poll.calendar].of(listed, |day| days[day].useful, first);
        let due = DuePoll { calendar: self.keys[poll.calendar].clone(), account: account_id(account) };
        let requests = self.simulation.answered(&due, dates, instant(now));
        if self.simulation.requests(due.account, instant(now)) > BAN_FROM {
            self.banned.insert(account);
        }
        u64::from(requests)
    }

    fn wanted(&mut self, calendar: usize) {
        self.unwanted.remove(&calendar);
        self.put_all_of(calendar);
    }

    fn unwanted(&mut self, calendar: usize) {
        self.unwanted.insert(calendar);
        self.put_all_of(calendar);
    }

    fn seconds_to_poll(&mut self, now: f64) -> f64 {
        let until = |at: Instant| at.timestamp_micros() as f64 / 1e6 - now;
        self.next_due.map_or(60.0, until).clamp(0.001, 3600.0)
    }

    fn bans(&self) -> u64 {
        self.banned.len() as u64
    }
}
