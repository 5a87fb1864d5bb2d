//! The first whole walk of a portal: until a booking form was understood and a list of days was answered, a task that books
//! by itself asks its user first.
//!
//! Reading is strict: a form with a field, button or address that is not known is not understood. So there is one shape of
//! what is read, and a walk is kept by host and country alone.

use std::collections::HashMap;

use domain::booking::Stop;
use domain::clock::Instant;
use domain::country::CountryCode;
use portal::PageKind;
use serde_json::{Value, json};

/// What was read of one country's portal so far.
#[derive(Clone, Copy, Debug, Default)]
struct Walk {
    form: bool,
    list: bool,
}

impl Walk {
    const fn is_whole(self) -> bool {
        self.form && self.list
    }
}

/// The walks of the countries of one host.
#[derive(Debug, Default)]
pub(crate) struct FirstWalks {
    /// Whether a country must be walked at all; a sandbox counts as walked.
    needed: bool,
    walks: HashMap<CountryCode, Walk>,
    /// Walks that became whole and are not written yet, each with when.
    fresh: Vec<(CountryCode, Instant)>,
}

impl FirstWalks {
    /// The walks that were whole before, of those countries.
    pub fn new(needed: bool, walked: impl IntoIterator<Item = CountryCode>) -> Self {
        let whole = Walk { form: true, list: true };
        Self {
            needed,
            walks: walked.into_iter().map(|country| (country, whole)).collect(),
            fresh: Vec::new(),
        }
    }

    /// Returns whether bookings of this country may be made without asking.
    pub fn is_walked(&self, country: CountryCode) -> bool {
        !self.needed || self.walks.get(&country).is_some_and(|walk| walk.is_whole())
    }

    /// What may be booked of this country, given what the task's own rules say: by itself only what was walked.
    ///
    /// # Errors
    /// The rule that stops it; [`Stop::Unanswered`] where nothing but the walk is missing.
    pub fn judge(&self, country: CountryCode, own: Result<(), Stop>) -> Result<(), Stop> {
        own.and(if self.is_walked(country) { Ok(()) } else { Err(Stop::Unanswered) })
    }

    /// Records that pages of this country could be read. Returns `true` if that made its walk whole.
    pub fn read(&mut self, country: CountryCode, pages: &[PageKind], now: Instant) -> bool {
        if self.is_walked(country) {
            return false;
        }
        let walk = self.walks.entry(country).or_default();
        walk.form |= pages.contains(&PageKind::Form);
        walk.list |= pages.contains(&PageKind::Days);
        let is_whole = walk.is_whole();
        if is_whole {
            self.fresh.push((country, now));
        }
        is_whole
    }

    /// Returns the walks that are not written yet, oldest first, as they are stored.
    pub fn unwritten(&self) -> Vec<(CountryCode, Value)> {
        self.fresh.iter().map(|(country, at)| (*country, json!({ "walked_at": at }))).collect()
    }

    /// The oldest `count` walks are written.
    pub fn written(&mut self, count: usize) {
        self.fresh.drain(..count.min(self.fresh.len()));
    }
}
