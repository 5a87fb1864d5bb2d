//! What tasks cost a user: plan, their own discounts, codes, and who was paid for before. Preview and submit both ask here.

use domain::clock::Instant;
use domain::ids::{PricingPlanId, UserId};
use domain::money::Money;
use domain::pricing::{Discounts, Quote, quote};
use serde::Serialize;
use store::Tx;
use store::promo::{self, Promo};
use store::referral::{self, Offer};
use store::task::{AgreedPrice, Task};
use utoipa::ToSchema;

use crate::http::error::{ApiError, Code};

/// Codes as they were typed; blank ones count as none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Codes<'a> {
    /// A promotion's.
    pub promo: Option<&'a str>,
    /// A friend's.
    pub referral: Option<&'a str>,
}

impl Codes<'_> {
    /// Whether any was typed.
    #[must_use]
    pub fn any(&self) -> bool {
        filled(self.promo).is_some() || filled(self.referral).is_some()
    }
}

/// What became of a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CodeStatus {
    /// It takes something off.
    Applied,
    /// No such code.
    Unknown,
    /// Its time has not come.
    NotYet,
    /// Its time is over.
    Expired,
    /// Its last use is gone.
    UsedUp,
    /// The caller had all theirs.
    UsedByYou,
    /// For somebody else; or a friend's with whom the caller shares a portal login or a card.
    NotYours,
    /// The caller's own friend's code.
    OwnCode,
    /// A friend's code, and not the first task.
    NotFirst,
    /// Nothing is left that it could take off.
    NothingLeft,
}

/// A code with what became of it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct CodeOutcome {
    /// As it was typed.
    pub code: String,
    /// What became of it.
    pub status: CodeStatus,
    /// Off each applicant's price where it applies, two decimals.
    pub amount: f64,
}

/// What one task costs, and what must be reserved for that.
#[derive(Clone, Debug)]
pub struct TaskPrice {
    /// Unit price with its parts.
    pub quote: Quote,
    /// What is agreed on.
    pub agreed: AgreedPrice,
    /// The promotion that took something off.
    pub promo: Option<Promo>,
    /// The friend who did.
    pub referral: Option<Offer>,
}

/// What everything costs.
#[derive(Clone, Debug)]
pub struct Priced {
    /// For one applicant of the next task.
    pub unit: Quote,
    /// One for each task, in their order.
    pub tasks: Vec<TaskPrice>,
    /// What became of the promotion's code, when one was typed.
    pub promo: Option<CodeOutcome>,
    /// What became of the friend's code, when one was typed.
    pub referral: Option<CodeOutcome>,
}

impl Priced {
    /// All tasks together, minor units.
    pub fn total(&self) -> i64 {
        self.tasks.iter().map(|task| task.agreed.total).sum()
    }
}

/// A code that holds, and for how many tasks; or why not.
struct Held<T> {
    typed: Option<String>,
    found: Result<(T, i64), CodeStatus>,
    amount: Money,
    applied: bool,
}

impl<T: Clone> Held<T> {
    /// What it would take off one more task.
    fn offer(&self) -> Option<T> {
        self.found.as_ref().ok().filter(|(_, left)| *left > 0).map(|(one, _)| one.clone())
    }

    fn take(&mut self) {
        self.applied = true;
        if let Ok((_, left)) = &mut self.found {
            *left -= 1;
        }
    }

    fn outcome(&self) -> Option<CodeOutcome> {
        let status = match &self.found {
            Err(status) => *status,
            Ok(_) if self.applied => CodeStatus::Applied,
            Ok(_) => CodeStatus::NothingLeft,
        };
        let amount = if self.applied { self.amount.to_wire() } else { 0.0 };
        Some(CodeOutcome { code: self.typed.clone()?, status, amount })
    }
}

/// Prices `tasks` for `user`, one after the other: codes with few uses left go to the first ones. With no task the next one
/// is priced, for one applicant.
pub async fn price(
    tx: &mut Tx,
    user: UserId,
    plan: Option<PricingPlanId>,
    tasks: &[Task],
    codes: Codes<'_>,
    now: Instant,
) -> Result<Priced, ApiError> {
    let plans = store::pricing::active(tx).await?;
    let plan = match plan {
        Some(id) => plans.into_iter().find(|plan| plan.id == id).ok_or(ApiError::new(Code::NotFound))?,
        None => plans.into_iter().next().ok_or_else(|| ApiError::internal(&"no pricing plan is active"))?,
    };
    let standing = store::pricing::standing_discounts(tx, user).await?;
    let mut promo = promo_of(tx, user, codes.promo, now).await?;
    let mut friend = friend_of(tx, user, codes.referral).await?;
    let mut priced = Vec::new();
    for task in tasks {
        let group = (task.country.as_str(), &task.portal_schedule_id);
        let people = task.group.party_size();
        let paid = store::journal::entitled(tx, user, group, now).await?.min(people);
        let (quote, with_promo, with_friend) =
            one(plan.unit_price, standing, (&promo, &friend), people > paid);
        if with_promo.is_some() {
            promo.take();
        }
        if with_friend.is_some() {
            friend.take();
        }
        let total = quote.unit.times(people - paid).ok_or_else(|| ApiError::internal(&"price overflow"))?;
        let agreed = AgreedPrice {
            unit: quote.unit.minor,
            discounts: quote.discounts,
            applicants: people,
            entitled: paid,
            total: total.minor,
        };
        priced.push(TaskPrice { quote, agreed, promo: with_promo, referral: with_friend });
    }
    let (unit, with_promo, with_friend) = one(plan.unit_price, standing, (&promo, &friend), true);
    if tasks.is_empty() {
        promo.applied = with_promo.is_some();
        friend.applied = with_friend.is_some();
    }
    let unit = priced.first().map_or(unit, |first| first.quote);
    Ok(Priced { unit, tasks: priced, promo: promo.outcome(), referral: friend.outcome() })
}

/// The unit price of one task, and which codes took something off it.
fn one(
    base: Money,
    standing: Discounts,
    (promo, friend): (&Held<Promo>, &Held<Offer>),
    anybody_pays: bool,
) -> (Quote, Option<Promo>, Option<Offer>) {
    let (promo, friend) = if anybody_pays { (promo.offer(), friend.offer()) } else { (None, None) };
    let off = |amount: Option<Money>| amount.unwrap_or(Money { minor: 0, ..base });
    let wanted = Discounts {
        promo: off(promo.as_ref().map(|promo| promo.amount)),
        referral: off(friend.map(|offer| offer.worth.newcomer_discount)),
        ..standing
    };
    let quote = quote(base, wanted);
    let promo = promo.filter(|_| quote.discounts.promo.minor > 0);
    // A friend whose code takes nothing off may still have earned a bonus.
    let friend =
        friend.filter(|o| quote.discounts.referral.minor > 0 || o.worth.newcomer_discount.minor == 0);
    (quote, promo, friend)
}

async fn promo_of(
    tx: &mut Tx,
    user: UserId,
    typed: Option<&str>,
    now: Instant,
) -> Result<Held<Promo>, ApiError> {
    let none = Money::cad(0);
    let Some(typed) = filled(typed) else {
        return Ok(Held { typed: None, found: Err(CodeStatus::Unknown), amount: none, applied: false });
    };
    let found = promo::find(tx, user, typed, now).await?;
    let amount = found.as_ref().map_or(none, |(promo, _)| promo.amount);
    let found = found.map_err(|refused| match refused {
        promo::Refused::Unknown => CodeStatus::Unknown,
        promo::Refused::NotYet => CodeStatus::NotYet,
        promo::Refused::Expired => CodeStatus::Expired,
        promo::Refused::NotYours => CodeStatus::NotYours,
        promo::Refused::UsedUp => CodeStatus::UsedUp,
        promo::Refused::UsedByYou => CodeStatus::UsedByYou,
    });
    Ok(Held { typed: Some(typed.to_owned()), found, amount, applied: false })
}

/// The friend whose code was typed, else who registered the user: they may apply without being asked for.
async fn friend_of(tx: &mut Tx, user: UserId, typed: Option<&str>) -> Result<Held<Offer>, ApiError> {
    let typed = filled(typed);
    let found = match typed {
        Some(code) => referral::find(tx, user, code).await?,
        None => match referral::referrer_of(tx, user).await? {
            Some(friend) => referral::offer_of(tx, user, friend).await?,
            None => Err(referral::Refused::Unknown),
        },
    };
    let amount = found.as_ref().map_or(Money::cad(0), |offer| offer.worth.newcomer_discount);
    let found = found.map(|offer| (offer, 1)).map_err(|refused| match refused {
        referral::Refused::Unknown => CodeStatus::Unknown,
        referral::Refused::OwnCode => CodeStatus::OwnCode,
        referral::Refused::NotYours => CodeStatus::NotYours,
        referral::Refused::NotFirst => CodeStatus::NotFirst,
        referral::Refused::NothingLeft => CodeStatus::NothingLeft,
    });
    Ok(Held { typed: typed.map(str::to_owned), found, amount, applied: false })
}

fn filled(typed: Option<&str>) -> Option<&str> {
    typed.map(str::trim).filter(|code| !code.is_empty())
}
