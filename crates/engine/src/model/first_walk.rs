//! The first walk of a country's portal: the engine has read a booking form and a list of dates.
//! Before that, an automatic task sends its user a question before it books.
//!
//! The parser rejects a form with an unknown field, button or address. All accepted forms are
//! therefore alike, and one walk per host and country is enough.

use std::collections::HashMap;

use domain::booking::Stop;
use domain::clock::Instant;
use domain::country::CountryCode;
use portal::PageKind;
use serde_json::{Value, json};

/// Pages read so far of one country's portal.
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

/// Walks of the countries of one host.
#[derive(Debug, Default)]
pub(crate) struct FirstWalks {
    /// `true` if automatic bookings in a country require its walk; `false` for a sandbox.
    needed: bool,
    walks: HashMap<CountryCode, Walk>,
    /// Walks that became complete and are not written yet, each with its time.
    fresh: Vec<(CountryCode, Instant)>,
}

impl FirstWalks {
    /// Creates the state in which every country except `walked` requires a first walk.
    pub fn needed_except(walked: Vec<CountryCode>) -> Self {
        let whole = Walk { form: true, list: true };
        let walks = walked.into_iter().map(|country| (country, whole)).collect();
        Self { needed: true, walks, fresh: Vec::new() }
    }

    /// Returns `true` if bookings of this country may be made without a question.
    pub fn is_walked(&self, country: CountryCode) -> bool {
        !self.needed || self.walks.get(&country).is_some_and(|walk| walk.is_whole())
    }

    /// Checks if a booking in this country is allowed. `own` is the result of the task's own rules.
    /// Automatic bookings also require the country's walk.
    ///
    /// # Errors
    /// Returns the rule that stops the booking, or [`Stop::Unanswered`] if only the walk is
    /// missing.
    pub fn judge(&self, country: CountryCode, own: Result<(), Stop>) -> Result<(), Stop> {
        own.and(if self.is_walked(country) { Ok(()) } else { Err(Stop::Unanswered) })
    }

    /// Records that pages of this country could be read. Returns `true` if this completed its walk.
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

    /// Removes the oldest `count` walks, which are now written.
    pub fn written(&mut self, count: usize) {
        self.fresh.drain(..count.min(self.fresh.len()));
    }
}
