//! Texts of the document `/status`, by name, from the data of `GET /status` and `GET
//! /status/history`.
//!
//! In the live page, `web/src/features/status/textsNow.ts` and `textsPast.ts` derive the same texts
//! from the API's responses. Both are tested with the cases in `statusTexts.json`.

mod texts;

use chrono::{DateTime, TimeDelta, Utc};
use domain::facility::REPORTING_ZONE;
use serde::Serialize;

pub(super) use self::texts::counted;
use self::texts::{Texts, date, seconds};
use crate::api::status::history::{PortalDay, StatusHistory};
use crate::api::status::hours::{HourState, Incident, PortalHour};
use crate::api::status::{DeliveryStatus, EngineStatus, MailState, PortalState, Status};

/// Number of days in the monthly summary, and the period for which incidents are listed.
const MONTH: usize = 30;
const INCIDENTS: TimeDelta = TimeDelta::days(30);
/// Maximum delay, in seconds, of a poll that counts as on time. The engine plans by the second, and
/// stores its rows a little later.
const LATE_S: i64 = 120;
/// Kinds of the page's headline, if the server has data.
const KINDS: [&str; 7] = ["engine", "paused", "down", "slow", "late", "never", "fine"];
/// Width and height of the latency chart, and its margin above and below.
const LINE: (f64, f64, f64) = (120.0, 28.0, 3.0);

/// A bar of a chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Bar {
    state: HourState,
}

/// Texts about the current status.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Now {
    texts: Texts,
    hours: Vec<Bar>,
}

/// Texts about the past status.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Past {
    texts: Texts,
    days: Vec<Bar>,
    month: Vec<Bar>,
    incidents: Vec<Texts>,
}

/// Texts about the current and the past status.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct StatusTexts {
    /// Texts about the current status.
    pub now: Now,
    /// Texts about the last three months.
    pub past: Past,
}

impl StatusTexts {
    /// Returns the texts for a server that cannot read new data.
    #[must_use]
    pub fn silenced(self) -> Self {
        Self { now: self.now.silenced(), past: self.past }
    }
}

impl Now {
    /// Returns the texts for a response of `GET /status`.
    #[must_use]
    pub fn of(status: &Status) -> Self {
        let Status { at, portal, engine, delivery, .. } = status;
        let mut texts = Texts::default();
        texts.yes("known");
        texts.moment("read", *at, None);
        texts.banner(status);
        texts.yes(match portal.state {
            PortalState::Ok => "portal_ok",
            PortalState::Slow => "portal_slow",
            PortalState::Down => "portal_down",
            PortalState::Unknown => "portal_unknown",
        });
        texts.share("day", portal.hours.iter().map(|h| (h.looks, h.failures)));
        if let Some(latency) = portal.latency_ms {
            texts.set("latency", seconds(latency));
        }
        texts.line(&portal.hours);
        texts.sum("hours", portal.hours.iter().map(|h| h.state));
        texts.engine(engine, &portal.hours, *at);
        texts.delivery(delivery);
        Self { texts, hours: portal.hours.iter().map(|h| Bar { state: h.state }).collect() }
    }

    /// Returns the texts for a server that cannot read new data: the last known state, with its
    /// time.
    fn silenced(mut self) -> Self {
        let texts = &mut self.texts;
        for part in ["date", "am", "pm"] {
            if let Some(text) = texts.0.get(&format!("read_{part}")).cloned() {
                texts.yes("answered");
                texts.set(&format!("answered_{part}"), text);
            }
        }
        texts.0.retain(|name, _| !KINDS.contains(&name.as_str()));
        for name in ["unreachable", "silent", "alarm"] {
            texts.yes(name);
        }
        texts.set("tone", "error");
        self
    }
}

impl Past {
    /// Returns the texts for a response of `GET /status/history`.
    #[must_use]
    pub fn of(history: &StatusHistory) -> Self {
        let StatusHistory { at, incidents, recorded_since, watching, overdue_seconds, .. } = history;
        let days = recorded_days(history);
        let month = &days[days.len().saturating_sub(MONTH)..];
        let mut texts = Texts::default();
        texts.yes("known");
        for (name, days, most) in [("month_from", month, MONTH), ("quarter_from", days, history.days.len())] {
            if let Some(recorded) = recorded_since.filter(|_| days.len() < most) {
                texts.set(name, date(recorded));
            }
        }
        for (share, bars, days) in [("month", "month_bars", month), ("quarter", "quarter_bars", days)] {
            texts.share(share, days.iter().map(|d| (d.looks, d.failures)));
            texts.sum(bars, days.iter().map(|d| d.state));
        }
        if let Some(calm) = calm_since(history) {
            texts.yes("calm");
            texts.moment("calm", calm, None);
        }
        if let Some(recorded) = *recorded_since {
            texts.yes("recorded");
            if *at - recorded < INCIDENTS { texts.set("young", date(recorded)) } else { texts.yes("old") }
        }
        texts.yes(if incidents.is_empty() { "calm_so_far" } else { "incidents" });
        texts.yes(if *watching { "watching" } else { "idle" });
        if let Some(late) = overdue_seconds.filter(|late| *late > LATE_S) {
            texts.yes("late");
            texts.span("late", TimeDelta::seconds(late));
        }
        let bars = |days: &[PortalDay]| days.iter().map(|d| Bar { state: d.state }).collect();
        let incidents = incidents.iter().map(|one| incident(one, *at)).collect();
        Self { texts, days: bars(days), month: bars(month), incidents }
    }
}

/// Returns the days since the first stored poll. Earlier days would look like days without
/// responses.
fn recorded_days(history: &StatusHistory) -> &[PortalDay] {
    let first = history.recorded_since.map(|at| at.with_timezone(&REPORTING_ZONE).date_naive());
    let before = first.map_or(0, |first| history.days.partition_point(|one| one.day < first));
    &history.days[before..]
}

/// Returns the end of the last incident. Without an incident, returns the start of the records or
/// of the incident list, whichever is later. Returns `None` during an incident, or without records.
fn calm_since(history: &StatusHistory) -> Option<DateTime<Utc>> {
    match history.incidents.first() {
        Some(last) => last.ends,
        None => history.recorded_since.map(|since| since.max(history.at - INCIDENTS)),
    }
}

fn incident(one: &Incident, now: DateTime<Utc>) -> Texts {
    let mut texts = Texts::default();
    texts.yes(if one.state == HourState::Down { "down" } else { "slow" });
    texts.span("lasted", one.ends.unwrap_or(now) - one.begins);
    texts.moment("begins", one.begins, None);
    if let Some(ends) = one.ends {
        texts.yes("over");
        texts.moment("ends", ends, Some(one.begins));
    }
    if one.failures > 0 {
        texts.set("failures", counted(one.failures));
        texts.set("looks", counted(one.looks + one.failures));
    }
    if let Some(latency) = one.latency_ms {
        texts.set("latency", seconds(latency));
        if one.failures > 0 {
            texts.yes("both");
        }
    }
    texts
}

impl Texts {
    /// Sets the page's headline, which names the worst current problem.
    fn banner(&mut self, status: &Status) {
        let Status { at, portal, engine, delivery, .. } = status;
        let (kind, tone) = match portal.state {
            _ if !engine.active => ("engine", "error"),
            _ if engine.paused_since.is_some() => ("paused", "warning"),
            PortalState::Down => ("down", "error"),
            PortalState::Slow => ("slow", "warning"),
            _ if delivery.mail == MailState::Failing => ("late", "warning"),
            PortalState::Unknown => ("never", "quiet"),
            PortalState::Ok => ("fine", "ok"),
        };
        self.yes(kind);
        self.set("tone", tone);
        if !["never", "fine"].contains(&kind) {
            self.yes("alarm");
        }
        let since = match kind {
            "paused" => engine.paused_since,
            "down" | "slow" => portal.since,
            _ => None,
        };
        if let Some(since) = since {
            self.yes("since");
            self.moment("since", since, None);
            self.span("lasted", *at - since);
        }
    }

    /// Sets the chart of the response times of the last 24 hours, with their minimum and maximum.
    /// The line has gaps in hours without polls.
    fn line(&mut self, hours: &[PortalHour]) {
        let known: Vec<_> = hours.iter().filter_map(|h| h.latency_ms).collect();
        let (Some(least), Some(most)) = (known.iter().min(), known.iter().max()) else { return };
        if known.len() < 2 {
            return;
        }
        let (width, height, edge) = LINE;
        let tenths = |value: f64| format!("{:.1}", (value * 10.0 + 0.5).floor() / 10.0);
        let mut path = String::new();
        let mut before = None;
        for (index, hour) in hours.iter().enumerate() {
            if let Some(latency) = hour.latency_ms {
                let x = index as f64 / hours.len().saturating_sub(1).max(1) as f64 * width;
                let y = height - edge - latency as f64 / *most as f64 * (height - 2.0 * edge);
                let point = format!("{} {}", tenths(x), tenths(y));
                // A single point is drawn as a line of zero length, which round line ends show as a
                // dot.
                path += &if before.is_none() { format!("M{point}L{point}") } else { format!("L{point}") };
            }
            before = hour.latency_ms;
        }
        self.set("line", path);
        self.set("line_least", seconds(*least));
        self.set("line_most", seconds(*most));
    }

    fn engine(&mut self, engine: &EngineStatus, hours: &[PortalHour], at: DateTime<Utc>) {
        self.yes(match engine.paused_since {
            _ if !engine.active => "engine_off",
            Some(_) => "engine_paused",
            None => "engine_on",
        });
        self.set("looks_day", counted(hours.iter().map(|h| h.looks).sum()));
        if let Some(last) = engine.last_poll_at {
            self.yes("last");
            self.moment("last", last, Some(at));
            self.span("last_ago", (at - last).abs());
        }
        if engine.paused_since.is_some() {
            self.yes("resting");
        } else if let Some(next) = engine.next_poll_at {
            self.yes("next");
            self.moment("next", next, Some(at));
            self.span("next_in", (next - at).abs());
        }
    }

    fn delivery(&mut self, delivery: &DeliveryStatus) {
        self.yes(match delivery.mail {
            MailState::Ok => "mail_ok",
            MailState::Failing => "mail_failing",
            MailState::Off => "mail_off",
        });
        if delivery.mail != MailState::Off {
            self.yes("mails");
            self.number("sent", delivery.delivered_day);
            self.number("waiting", delivery.waiting);
        }
        if delivery.failing > 0 {
            self.yes("retried");
            self.number("retried", delivery.failing);
        }
        if let Some(waiting) = delivery.waiting_seconds {
            self.yes("oldest");
            self.span("oldest", TimeDelta::seconds(waiting));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Now, Past, Status, StatusHistory};
    use serde_json::{Value, json};

    // spec: 10.13.03
    #[test]
    fn the_document_has_the_same_texts_as_the_live_page() {
        let cases = include_str!("../../../../../web/src/features/status/statusTexts.json");
        let cases: Vec<Value> = serde_json::from_str(cases).expect("cases");
        assert!(cases.len() > 4);
        for case in cases {
            let status: Status = serde_json::from_value(case["status"].clone()).expect("a status");
            let history: StatusHistory = serde_json::from_value(case["history"].clone()).expect("a history");
            assert_eq!(json!(Now::of(&status)), case["now"], "{}", case["name"]);
            assert_eq!(json!(Past::of(&history)), case["past"], "{}", case["name"]);
        }
    }

    #[test]
    fn a_silent_server_has_the_error_texts() {
        let nothing = json!(Now::default().silenced());
        assert_eq!(
            nothing["texts"],
            json!({ "unreachable": "1", "silent": "1", "alarm": "1", "tone": "error" })
        );
    }
}
