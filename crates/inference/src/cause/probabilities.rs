//! Probability of each cause of an empty answer, for an account that is not banned.

use super::infer::{CauseInference, OwnAnswer};
use super::overload_estimator;
use super::pool::{Query, UNKNOWN};
use domain::ids::PortalAccountId;

/// Maximum time between an answer and a portal error that counts as evidence for it, in
/// milliseconds.
const NEAR_MS: i64 = 6 * 60_000;

impl CauseInference {
    /// Computes the probability of each cause for the answer `mine`.
    pub(super) fn cause_probabilities(
        &self,
        account: PortalAccountId,
        mine: &OwnAnswer,
    ) -> CauseProbabilities {
        let belief = self.hours(mine.key.facility);
        let refuted = belief.is_refuted(&mine.key);
        let hours = |hour: i64| {
            let hour = u32::try_from(hour.rem_euclid(24)).unwrap_or(0);
            if refuted { belief.probability_at(&mine.key, hour) } else { belief.probability(hour) }
        };
        let pool = &self.pools[mine.pool];
        let (hour, own) =
            pool.polls.iter().rev().find(|s| s.id == mine.id).map_or((0, 0.0), |s| (s.hour, s.says));
        let view = pool.view(&Query { id: mine.id, at: mine.link.at, account, hour }, &hours);
        let quiet = self.quiet[mine.kind].chance((mine.id, mine.link.at), account, &self.lists.quiet);
        let near = |at: i64| (at - mine.link.at).abs() <= NEAR_MS;
        let portal_errors = self.portal_errors.iter().filter(|t| near(**t)).count();
        let overload = self.overload_estimator.overloaded(mine.link.at, own) * overload_estimator::EMPTIES;
        let restricted = if mine.key.kind.booked { view.restricted } else { 0.0 };
        let days = view.days * (1.0 - quiet);
        let empty = |days: f64| (1.0 - (1.0 - restricted) * (1.0 - overload) * days).max(UNKNOWN);
        let portal_errors = u32::try_from(portal_errors).unwrap_or(u32::MAX);
        let (chance, but_for_quiet) = (empty(days), empty(view.days));
        CauseProbabilities { days, restricted, overload, chance, but_for_quiet, portal_errors }
    }
}

/// Probabilities of each cause at one moment, for a free account.
#[derive(Clone, Copy, Debug)]
pub(super) struct CauseProbabilities {
    /// Probability that dates existed.
    pub(super) days: f64,
    /// Probability that the hour hides them.
    pub(super) restricted: f64,
    /// Probability that an overload empties the list.
    pub(super) overload: f64,
    /// Probability of an empty answer for any of these causes.
    pub(super) chance: f64,
    /// The same, if some city always had dates.
    pub(super) but_for_quiet: f64,
    /// Number of portal errors around that time.
    pub(super) portal_errors: u32,
}

impl CauseProbabilities {
    /// Returns the probability that a calm portal gives an empty answer to an account with the ban
    /// probability `banned`.
    pub(super) fn chance_calm(&self, banned: f64) -> f64 {
        (1.0 - (1.0 - banned) * (1.0 - self.restricted) * self.days).max(UNKNOWN)
    }

    /// Returns the probability that no dates existed.
    pub(super) fn no_availability(&self, banned: f64) -> f64 {
        let none = 1.0 - self.days;
        banned * none + (1.0 - banned) * (none / self.chance).min(1.0)
    }
}
