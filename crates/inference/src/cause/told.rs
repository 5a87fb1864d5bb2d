//! What is said of one empty answer: its likeliest cause, and the evidence shown beside it.

use chrono::{DateTime, TimeDelta};

use super::Empty;
use super::judge::{Evidence, History, Judge, Judgement, SURE};
use super::weigh::Weighed;
use domain::calendar::CalendarKey;
use domain::ids::PortalAccountId;

impl Judge {
    pub(super) fn judgement(
        &self,
        account: PortalAccountId,
        history: &History,
        at: usize,
        likely_banned: f64,
        weighed: &Weighed,
    ) -> Judgement {
        let banned = history.told(likely_banned);
        let mine = &history.looks[at];
        let given = |cause: f64| banned * cause + (1.0 - banned) * (cause / weighed.chance).min(1.0);
        let (hours, overload) = (given(weighed.restricted), given(weighed.overload));
        let truly = weighed.truly(banned);
        let causes = [
            (Empty::Truly, truly),
            (Empty::RestrictedHours, hours),
            (Empty::SoftBan, likely_banned),
            (Empty::Overload, overload),
        ];
        let likeliest = causes.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        // Nothing is said of an account that cannot be called banned yet.
        let likeliest = likeliest.filter(|(cause, _)| history.proven || *cause != Empty::SoftBan);
        // Where the hour is enough by itself it is the answer, whatever there was to hide.
        let by_the_hour = (hours >= SURE).then_some((Empty::RestrictedHours, hours));
        let (meaning, confidence) = by_the_hour.or(likeliest).unwrap_or((Empty::Truly, truly));
        let percent = [weighed.days, banned, hours, overload].map(|p| (p * 100.0).round() as u8);
        let evidence = self.evidence(account, history, at, weighed.troubles, percent);
        Judgement {
            id: mine.id,
            at: DateTime::from_timestamp_millis(mine.link.at).unwrap_or_default(),
            account,
            key: CalendarKey::clone(&mine.key),
            meaning,
            confidence,
            trusted: meaning == Empty::Truly && truly >= 0.5,
            banned,
            evidence,
        }
    }

    fn evidence(
        &self,
        account: PortalAccountId,
        history: &History,
        at: usize,
        troubles: u32,
        percent: [u8; 4],
    ) -> Evidence {
        let mine = &history.looks[at];
        let minutes = |ms: i64| TimeDelta::milliseconds((ms - mine.link.at).abs()).num_minutes();
        let others = self.pools[mine.pool].looks.iter().filter(|s| s.account != account);
        let saw = others.clone().filter(|s| !s.days.is_empty()).map(|s| minutes(s.at)).min();
        let empty = others.filter(|s| s.days.is_empty() && minutes(s.at) <= 30).count();
        let own = history.looks.iter().take(at).rev();
        Evidence {
            calls: mine.link.calls,
            local_hour: mine.hour,
            others_saw_minutes: saw,
            others_empty: u32::try_from(empty).unwrap_or(u32::MAX),
            own_saw_minutes_ago: own.clone().find(|m| m.link.empty.is_none()).map(|m| minutes(m.link.at)),
            empty_in_a_row: 1 + own.take_while(|m| m.link.empty.is_some()).fold(0_u32, |n, _| n + 1),
            troubles,
            percent,
        }
    }
}
