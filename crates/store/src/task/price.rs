//! What was agreed for a task, and what another group would cost.

use domain::money::Money;
use domain::pricing::{DiscountKind, Discounts};
use serde_json::{Value, json};

use super::{Task, read};
use crate::Error;

/// The price a user agreed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgreedPrice {
    /// Final price per person, minor units.
    pub unit: i64,
    /// What was taken off per person.
    pub discounts: Discounts,
    /// People in the group when it was priced.
    pub applicants: u32,
    /// How many of them had nothing to pay, because an earlier capture covers them.
    pub entitled: u32,
    /// The whole price, minor units.
    pub total: i64,
}

impl AgreedPrice {
    /// A price without discounts, for people who have paid nothing before.
    #[must_use]
    pub const fn plain(unit: i64, applicants: u32) -> Self {
        let total = unit * applicants as i64;
        Self { unit, discounts: Discounts::NONE, applicants, entitled: 0, total }
    }

    /// What discounts took off per person, minor units.
    #[must_use]
    pub const fn discount(&self) -> i64 {
        self.discounts.total().minor
    }

    /// How many people pay.
    #[must_use]
    pub const fn paying(&self) -> u32 {
        self.applicants.saturating_sub(self.entitled)
    }
}

/// Discounts as they are stored: `[{"type": "promo", "amount": minor}]`.
pub(crate) fn discount_lines(discounts: &Discounts) -> Value {
    let line =
        |(kind, amount): (DiscountKind, Money)| json!({ "type": kind.as_str(), "amount": amount.minor });
    discounts.lines().map(line).collect()
}

/// Reads stored discounts; a sum without lines, of before there were any, counts as personal.
pub(super) fn read_discounts(sum: i64, lines: Option<Value>) -> Result<Discounts, Error> {
    #[derive(serde::Deserialize)]
    struct Line {
        r#type: String,
        amount: i64,
    }
    let Some(lines) = lines else { return Ok(Discounts::NONE.with(DiscountKind::Personal, Money::cad(sum))) };
    let mut discounts = Discounts::NONE;
    for line in read::<Vec<Line>>("discount_lines", lines)? {
        let kind: DiscountKind = line.r#type.parse().map_err(|_| Error::Corrupt("discount_lines"))?;
        discounts = discounts.with(kind, Money::cad(line.amount));
    }
    Ok(discounts)
}

/// What a task costs for the people its group has now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Regrouped {
    /// The price to agree on.
    pub price: AgreedPrice,
    /// What must be set aside for it, minor units, in place of the hold there is.
    pub hold: i64,
    /// That less the hold there is.
    pub difference: i64,
}

impl Task {
    /// The price for the people its group has now, where they are not as many as were priced.
    #[must_use]
    pub fn regrouped(&self) -> Option<Regrouped> {
        let (agreed, people) = (self.price?, self.group.party_size());
        if agreed.applicants == people {
            return None;
        }
        let captured = self.captured_amount.unwrap_or(0);
        let covered = if self.captured_at.is_some() { agreed.applicants } else { agreed.entitled };
        let entitled = covered.min(people);
        let hold = agreed.unit.checked_mul(i64::from(people - entitled))?;
        let open = self.captured_at.is_none() && self.hold_id.is_some();
        let held = if open { agreed.total - captured } else { 0 };
        let price = AgreedPrice { applicants: people, entitled, total: captured + hold, ..agreed };
        Some(Regrouped { price, hold, difference: hold - held })
    }
}
