//! Prices tasks from the plan, the user's own discounts, codes, and applicants already paid for.
//! Preview and submission both use it.

use domain::clock::Instant;
use domain::ids::{PricingPlanId, TaskId, UserId};
use domain::money::Money;
use domain::pricing::{CodeStatus, Discounts, Quote, quote};
use store::promo::{self, Promo};
use store::referral::{self, Offer};
use store::task::{AgreedPrice, Task};
use store::{Tx, journal, pricing};

use crate::{Ctx, Error, Refusal};

/// Codes as typed. Blank ones count as none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Codes<'a> {
    /// Promotion code.
    pub promo: Option<&'a str>,
    /// Referral code.
    pub referral: Option<&'a str>,
}

impl Codes<'_> {
    /// Returns `true` if any code was typed.
    #[must_use]
    pub fn any(&self) -> bool {
        filled(self.promo).is_some() || filled(self.referral).is_some()
    }
}

/// Result for a code that was typed.
#[derive(Clone, Debug)]
pub struct CodeOutcome {
    /// Code as typed.
    pub code: String,
    /// Status of the code.
    pub status: CodeStatus,
    /// Discount on each applicant's price, if the code applies.
    pub amount: Money,
}

/// Price of one task, and the codes to reserve for it.
#[derive(Clone, Debug)]
pub struct TaskPrice {
    /// Id of the task.
    pub task: TaskId,
    /// Price to agree on.
    pub price: AgreedPrice,
    /// Promotion that gives a discount.
    pub promo: Option<Promo>,
    /// Referral offer that applies.
    pub referral: Option<Offer>,
}

/// Price of all tasks.
#[derive(Clone, Debug)]
pub struct TotalPrice {
    /// Price for one applicant of the first task, or of the next task if `tasks` is empty.
    pub unit: Quote,
    /// Price of each task, in the order of the tasks.
    pub tasks: Vec<TaskPrice>,
    /// Result for the promotion code, if one was typed.
    pub promo: Option<CodeOutcome>,
    /// Result for the referral code, if one was typed.
    pub referral: Option<CodeOutcome>,
}

impl TotalPrice {
    /// Returns the total of all tasks in minor units.
    #[must_use]
    pub fn total(&self) -> i64 {
        self.tasks.iter().map(|task| task.price.total).sum()
    }
}

/// Discount of a code and the number of further tasks it applies to, or the reason for no discount.
struct CodeOffer<T> {
    typed: Option<String>,
    found: Result<(T, i64), CodeStatus>,
    applied: bool,
}

impl<T: Clone> CodeOffer<T> {
    fn new(typed: Option<&str>, found: Result<(T, i64), CodeStatus>) -> Self {
        Self { typed: typed.map(str::to_owned), found, applied: false }
    }

    /// Returns the discount for one more task.
    fn next(&self) -> Option<T> {
        self.found.as_ref().ok().filter(|(_, left)| *left > 0).map(|(one, _)| one.clone())
    }

    fn apply(&mut self) {
        self.applied = true;
        if let Ok((_, left)) = &mut self.found {
            *left -= 1;
        }
    }

    fn outcome(self, amount: impl Fn(&T) -> Money) -> Option<CodeOutcome> {
        let (status, amount) = match &self.found {
            Err(status) => (*status, Money::cad(0)),
            Ok((one, _)) if self.applied => (CodeStatus::Applied, amount(one)),
            Ok(_) => (CodeStatus::NothingLeft, Money::cad(0)),
        };
        Some(CodeOutcome { code: self.typed?, status, amount })
    }
}

/// Parts of the price, used for one task after the other.
struct Pricing {
    base: Money,
    standing: Discounts,
    promo: CodeOffer<Promo>,
    friend: CodeOffer<Offer>,
}

impl Pricing {
    /// Collects the plan's price, the standing discounts of `user`, and the discounts of `codes`.
    async fn standing(
        tx: &mut Tx,
        user: UserId,
        plan: Option<PricingPlanId>,
        codes: Codes<'_>,
        now: Instant,
    ) -> Result<Self, Error> {
        let plans = pricing::active(tx).await?;
        let plan = match plan {
            Some(id) => plans.into_iter().find(|plan| plan.id == id).ok_or(Refusal::NotFound)?,
            None => plans.into_iter().next().ok_or(store::Error::Corrupt("pricing_plan"))?,
        };
        let standing = pricing::standing_discounts(tx, user).await?;
        let promo = match filled(codes.promo) {
            Some(code) => promo::find(tx, user, code, now).await?,
            None => Err(CodeStatus::Unknown),
        };
        let friend = match filled(codes.referral) {
            Some(code) => referral::find(tx, user, code).await?,
            None => offer_of_referrer(tx, user).await?,
        };
        Ok(Self {
            base: plan.unit_price,
            standing,
            promo: CodeOffer::new(filled(codes.promo), promo),
            friend: CodeOffer::new(filled(codes.referral), friend.map(|offer| (offer, 1))),
        })
    }

    /// Returns a price of 0 without any codes, for a server that charges nothing.
    fn free() -> Self {
        Self {
            base: Money::cad(0),
            standing: Discounts::NONE,
            promo: CodeOffer::new(None, Err(CodeStatus::Unknown)),
            friend: CodeOffer::new(None, Err(CodeStatus::Unknown)),
        }
    }

    /// Returns the unit price of one more task with `payers` paying applicants, and the codes that
    /// apply to it.
    fn next(&mut self, payers: u32) -> (Quote, Option<Promo>, Option<Offer>) {
        let promo = self.promo.next().filter(|_| payers > 0);
        let friend = self.friend.next().filter(|_| payers > 0);
        let wanted = Discounts {
            promo: promo.as_ref().map_or(Money::cad(0), |promo| promo.amount),
            referral: friend.map_or(Money::cad(0), |offer| offer.worth.newcomer_discount),
            ..self.standing
        };
        let quote = quote(self.base, wanted);
        let promo = promo.filter(|_| quote.discounts.promo.minor > 0);
        // A referral code without a discount may still earn the referrer a bonus.
        let friend =
            friend.filter(|o| quote.discounts.referral.minor > 0 || o.worth.newcomer_discount.minor == 0);
        if promo.is_some() {
            self.promo.apply();
        }
        if friend.is_some() {
            self.friend.apply();
        }
        (quote, promo, friend)
    }
}

/// Prices `tasks` for `user` in their order, so codes with few uses left go to the first ones.
/// Without tasks it prices the next one, for one applicant.
///
/// # Errors
/// Returns [`Refusal::NotFound`] for a plan that is not offered, or an error if the database fails.
pub async fn price(
    ctx: &Ctx,
    tx: &mut Tx,
    user: UserId,
    plan: Option<PricingPlanId>,
    tasks: &[Task],
    codes: Codes<'_>,
) -> Result<TotalPrice, Error> {
    let now = ctx.wall.now();
    let mut pricing = if ctx.billing.is_on() {
        Pricing::standing(tx, user, plan, codes, now).await?
    } else {
        Pricing::free()
    };
    let (mut unit, mut prices) = (None, Vec::new());
    for task in tasks {
        let group = (task.country, &task.portal_schedule_id);
        let applicants = task.group.party_size();
        let entitled = journal::entitled(tx, user, group, now).await?.min(applicants);
        let (quote, promo, referral) = pricing.next(applicants - entitled);
        let total = quote.unit.times(applicants - entitled).ok_or(store::Error::Corrupt("price"))?.minor;
        let (each, discounts) = (quote.unit.minor, quote.discounts);
        let price = AgreedPrice { unit: each, discounts, applicants, entitled, total };
        prices.push(TaskPrice { task: task.id, price, promo, referral });
        unit.get_or_insert(quote);
    }
    Ok(TotalPrice {
        unit: unit.unwrap_or_else(|| pricing.next(1).0),
        tasks: prices,
        promo: pricing.promo.outcome(|promo| promo.amount),
        referral: pricing.friend.outcome(|offer| offer.worth.newcomer_discount),
    })
}

/// Returns the offer of the user's referrer, which applies without a code.
pub(super) async fn offer_of_referrer(
    tx: &mut Tx,
    user: UserId,
) -> Result<Result<Offer, CodeStatus>, store::Error> {
    match referral::referrer_of(tx, user).await? {
        Some(friend) => referral::offer_of(tx, user, friend).await,
        None => Ok(Err(CodeStatus::Unknown)),
    }
}

fn filled(typed: Option<&str>) -> Option<&str> {
    typed.map(str::trim).filter(|code| !code.is_empty())
}
