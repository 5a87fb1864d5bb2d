//! Visible slots and their scheduled events.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, NaiveDate, NaiveTime, Utc};
use serde::{Deserialize, Serialize};

use super::World;
use crate::journal::Effect;

/// Free time at a facility, which groups of one slot pool can book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Slot {
    /// The number of the slot.
    pub id: u64,
    /// Slot pool: the first word of a visa class, e.g. `B1/B2`.
    pub pool: String,
    /// Facility number.
    pub facility: u32,
    /// Local date at the facility.
    pub date: NaiveDate,
    /// Local time at the facility.
    #[serde(with = "super::hour_minute")]
    pub time: NaiveTime,
    /// Maximum number of applicants in a group that sees the slot. A booking uses up the whole
    /// slot.
    pub max_party: u32,
    /// Time at which the slot appeared.
    pub appeared: DateTime<Utc>,
    /// Time at which the slot vanishes without a booking, if it does.
    pub gone_at: Option<DateTime<Utc>>,
    /// True for a phantom: its date is listed, its list of times is empty, and it cannot be booked.
    pub phantom: bool,
    /// True if a rival books the slot at `gone_at`. Otherwise it only vanishes.
    pub rival: bool,
}

/// New slot, created by `POST /control/slots`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NewSlot {
    /// Slot pool, B1/B2 by default.
    #[serde(default = "visitor_pool")]
    pub pool: String,
    /// Facility number.
    pub facility: u32,
    /// Local date at the facility.
    pub date: NaiveDate,
    /// Local time at the facility.
    #[serde(with = "super::hour_minute")]
    pub time: NaiveTime,
    /// Seconds until the slot vanishes. `None` means never.
    #[serde(default)]
    pub lifetime_seconds: Option<i64>,
    /// Seconds until the slot appears. `None` means immediately.
    #[serde(default)]
    pub delay_seconds: Option<i64>,
    /// Maximum number of applicants in a group that sees the slot, 9 by default.
    #[serde(default = "nine")]
    pub max_party: u32,
    /// True if the date is listed and its list of times is empty.
    #[serde(default)]
    pub phantom: bool,
}

/// Thirty years: more than any slot needs, and within the range of dates.
const LONGEST_SECONDS: i64 = 30 * 366 * 86_400;

fn visitor_pool() -> String {
    "B1/B2".to_owned()
}

fn nine() -> u32 {
    9
}

/// All visible slots and their scheduled events.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Slots {
    /// Slots by `pool|facility` and then by `date time`.
    calendars: BTreeMap<String, BTreeMap<String, Slot>>,
    /// Scheduled events, ordered by time and number.
    #[serde(with = "due_list")]
    pub(super) due: DueList,
}

/// Scheduled events, ordered by time and number.
type DueList = BTreeMap<(DateTime<Utc>, u64), Due>;

/// Scheduled event of a slot or of an arrival process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Due {
    Appear(Slot),
    Vanish { calendar: String, key: String, id: u64 },
    Arrival { source: usize },
}

mod due_list {
    use super::DueList;
    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<S: Serializer>(due: &DueList, s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(due.iter())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(d: D) -> Result<DueList, D::Error> {
        Ok(Vec::deserialize(d)?.into_iter().collect())
    }
}

fn calendar_key(pool: &str, facility: u32) -> String {
    format!("{pool}|{facility}")
}

fn slot_key(date: NaiveDate, time: NaiveTime) -> String {
    format!("{date} {}", time.format("%H:%M"))
}

impl Slots {
    /// Returns all visible slots.
    pub fn iter(&self) -> impl Iterator<Item = &Slot> {
        self.calendars.values().flat_map(BTreeMap::values)
    }

    /// Returns the visible slots of one calendar that are large enough for `party` applicants,
    /// ordered by date and time.
    pub fn visible(&self, pool: &str, facility: u32, party: u32) -> impl Iterator<Item = &Slot> {
        let calendar = self.calendars.get(&calendar_key(pool, facility));
        calendar.into_iter().flat_map(BTreeMap::values).filter(move |s| s.max_party >= party)
    }

    /// Returns the visible slot at this facility and time, if there is one.
    pub fn get(&self, pool: &str, facility: u32, date: NaiveDate, time: NaiveTime) -> Option<&Slot> {
        self.calendars.get(&calendar_key(pool, facility))?.get(&slot_key(date, time))
    }

    pub(crate) fn remove(
        &mut self,
        pool: &str,
        facility: u32,
        date: NaiveDate,
        time: NaiveTime,
    ) -> Option<Slot> {
        self.calendars.get_mut(&calendar_key(pool, facility))?.remove(&slot_key(date, time))
    }

    /// Removes all visible and scheduled slots. Arrival processes continue.
    pub fn clear(&mut self) {
        self.calendars.clear();
        self.due.retain(|_, due| matches!(due, Due::Arrival { .. }));
    }

    fn remove_id(&mut self, id: u64) -> Option<Slot> {
        for calendar in self.calendars.values_mut() {
            let key = calendar.iter().find(|(_, s)| s.id == id).map(|(k, _)| k.clone());
            if let Some(slot) = key.and_then(|k| calendar.remove(&k)) {
                return Some(slot);
            }
        }
        None
    }
}

impl World {
    /// Moves world time to `to` and performs all events that are due. Ignores an earlier time.
    pub fn advance(&mut self, to: DateTime<Utc>) {
        while let Some(entry) = self.slots.due.first_entry() {
            let at = entry.key().0;
            if at > to {
                break;
            }
            let due = entry.remove();
            self.now = self.now.max(at);
            self.happen(due);
        }
        self.now = self.now.max(to);
    }

    /// Returns the time of the next scheduled event, if there is one.
    pub fn next_event(&self) -> Option<DateTime<Utc>> {
        self.slots.due.keys().next().map(|(at, _)| *at)
    }

    /// Adds a slot, after its delay if it has one. Returns the slot's number.
    pub fn add_slot(&mut self, new: NewSlot) -> u64 {
        let id = self.fresh_id();
        let appeared = self.now + Duration::seconds(new.delay_seconds.unwrap_or(0).clamp(0, LONGEST_SECONDS));
        let slot = Slot {
            id,
            pool: new.pool,
            facility: new.facility,
            date: new.date,
            time: new.time,
            max_party: new.max_party,
            appeared,
            gone_at: new.lifetime_seconds.map(|s| appeared + Duration::seconds(s.clamp(0, LONGEST_SECONDS))),
            phantom: new.phantom,
            rival: false,
        };
        self.put_slot(slot);
        id
    }

    /// Removes the visible slot with this number. Returns `false` if there is none.
    pub fn remove_slot(&mut self, id: u64) -> bool {
        let removed = self.slots.remove_id(id);
        removed.inspect(|slot| self.note_slot(slot, "removed")).is_some()
    }

    pub(crate) fn put_slot(&mut self, slot: Slot) {
        if slot.appeared <= self.now {
            self.show(slot);
        } else {
            self.plan(slot.appeared, Due::Appear(slot));
        }
    }

    pub(super) fn plan(&mut self, at: DateTime<Utc>, due: Due) {
        let number = self.fresh_id();
        self.slots.due.insert((at, number), due);
    }

    fn happen(&mut self, due: Due) {
        match due {
            Due::Appear(slot) => self.show(slot),
            Due::Vanish { calendar, key, id } => {
                let Some(slots) = self.slots.calendars.get_mut(&calendar) else {
                    return;
                };
                if slots.get(&key).is_some_and(|s| s.id == id) {
                    let slot = slots.remove(&key);
                    if let Some(slot) = slot {
                        self.note_slot(&slot, if slot.rival { "taken by a rival" } else { "vanished" });
                    }
                }
            }
            Due::Arrival { source } => {
                self.arrive(source);
                self.schedule_arrival(source);
            }
        }
    }

    pub(super) fn show(&mut self, slot: Slot) {
        let (calendar, key) = (calendar_key(&slot.pool, slot.facility), slot_key(slot.date, slot.time));
        if let Some(at) = slot.gone_at {
            self.plan(at, Due::Vanish { calendar: calendar.clone(), key: key.clone(), id: slot.id });
        }
        self.note_slot(&slot, "appeared");
        self.slots.calendars.entry(calendar).or_default().insert(key, slot);
    }

    pub(crate) fn note_slot(&mut self, slot: &Slot, what: &str) {
        if !self.config.journal_slots {
            return;
        }
        let effect = Effect::Slot { slot: slot.clone(), what: what.to_owned() };
        self.journal.world_event(self.now, effect);
    }
}
