//! Inferred cause of one empty answer, with its evidence.

use chrono::{DateTime, TimeDelta};

use super::EmptyCause;
use super::infer::{BAN_CERTAIN, CauseInference, Evidence, History, InferredCause};
use super::probabilities::CauseProbabilities;
use domain::calendar::CalendarKey;
use domain::ids::PortalAccountId;

impl CauseInference {
    pub(super) fn inferred_cause(
        &self,
        account: PortalAccountId,
        history: &History,
        at: usize,
        likely_banned: f64,
        probabilities: &CauseProbabilities,
    ) -> InferredCause {
        let banned = history.capped(likely_banned);
        let mine = &history.polls[at];
        let given = |cause: f64| banned * cause + (1.0 - banned) * (cause / probabilities.chance).min(1.0);
        let (hours, overload) = (given(probabilities.restricted), given(probabilities.overload));
        let no_availability = probabilities.no_availability(banned);
        let causes = [
            (EmptyCause::NoAvailability, no_availability),
            (EmptyCause::RestrictedHours, hours),
            (EmptyCause::SoftBan, likely_banned),
            (EmptyCause::Overload, overload),
        ];
        let likeliest = causes.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        // An unproven account is never reported as banned.
        let likeliest = likeliest.filter(|(cause, _)| history.proven || *cause != EmptyCause::SoftBan);
        // A sufficient hour is the cause, whether or not dates existed.
        let by_the_hour = (hours >= BAN_CERTAIN).then_some((EmptyCause::RestrictedHours, hours));
        let (meaning, confidence) =
            by_the_hour.or(likeliest).unwrap_or((EmptyCause::NoAvailability, no_availability));
        let percent = [probabilities.days, banned, hours, overload].map(|p| (p * 100.0).round() as u8);
        let evidence = self.evidence(account, history, at, probabilities.portal_errors, percent);
        InferredCause {
            id: mine.id,
            at: DateTime::from_timestamp_millis(mine.link.at).unwrap_or_default(),
            account,
            key: CalendarKey::clone(&mine.key),
            meaning,
            confidence,
            trusted: meaning == EmptyCause::NoAvailability && no_availability >= 0.5,
            banned,
            evidence,
        }
    }

    fn evidence(
        &self,
        account: PortalAccountId,
        history: &History,
        at: usize,
        portal_errors: u32,
        percent: [u8; 4],
    ) -> Evidence {
        let mine = &history.polls[at];
        let minutes = |ms: i64| TimeDelta::milliseconds((ms - mine.link.at).abs()).num_minutes();
        let others = self.pools[mine.pool].polls.iter().filter(|s| s.account != account);
        let saw = others.clone().filter(|s| !s.days.is_empty()).map(|s| minutes(s.at)).min();
        let empty = others.filter(|s| s.days.is_empty() && minutes(s.at) <= 30).count();
        let own = history.polls.iter().take(at).rev();
        Evidence {
            calls: mine.link.calls,
            local_hour: mine.hour,
            others_saw_minutes: saw,
            others_empty: u32::try_from(empty).unwrap_or(u32::MAX),
            own_saw_minutes_ago: own.clone().find(|m| m.link.empty.is_none()).map(|m| minutes(m.link.at)),
            empty_in_a_row: 1 + own.take_while(|m| m.link.empty.is_some()).fold(0_u32, |n, _| n + 1),
            portal_errors,
            percent,
        }
    }
}
