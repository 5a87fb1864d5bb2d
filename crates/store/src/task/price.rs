//! Agreed price of a task, and the price for a group of another size.

use domain::money::Money;
use domain::pricing::{DiscountKind, Discounts};
use serde_json::{Value, json};

use super::{Task, read};
use crate::Error;

/// Price that a user agreed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AgreedPrice {
    /// Final price per applicant, in minor units.
    pub unit: i64,
    /// Discounts per applicant.
    pub discounts: Discounts,
    /// Number of applicants in the group at the time of pricing.
    pub applicants: u32,
    /// Number of applicants who pay nothing, because an earlier capture covers them.
    pub entitled: u32,
    /// Total price, in minor units.
    pub total: i64,
}

impl AgreedPrice {
    /// Builds a price without discounts, for applicants without an earlier payment.
    #[must_use]
    pub const fn plain(unit: i64, applicants: u32) -> Self {
        let total = unit * applicants as i64;
        Self { unit, discounts: Discounts::NONE, applicants, entitled: 0, total }
    }

    /// Returns the discount per applicant, in minor units.
    #[must_use]
    pub const fn discount(&self) -> i64 {
        self.discounts.total().minor
    }

    /// Returns the number of applicants who pay.
    #[must_use]
    pub const fn paying(&self) -> u32 {
        self.applicants.saturating_sub(self.entitled)
    }
}

/// Encodes discounts as stored: `[{"type": "promo", "amount": minor}]`.
pub(crate) fn discount_lines(discounts: &Discounts) -> Value {
    let line =
        |(kind, amount): (DiscountKind, Money)| json!({ "type": kind.as_str(), "amount": amount.minor });
    discounts.lines().map(line).collect()
}

/// Decodes stored discounts. A sum without lines is older than the lines and counts as personal.
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

/// Price of a task for the current applicants of its group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Regrouped {
    /// Price to agree on.
    pub price: AgreedPrice,
    /// Amount of the new hold, in minor units. It replaces the existing hold.
    pub hold: i64,
    /// Amount of the new hold less the existing hold.
    pub difference: i64,
}

impl Task {
    /// Returns the price for the current applicants of the group. `None` if their number equals the
    /// priced number.
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
