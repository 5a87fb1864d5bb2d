//! Facts about this server that the open pages show, from its settings and its database.
//!
//! `web/src/shared/api/facts.tsx` has the same names, and renders the facts in the browser.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use chrono::TimeDelta;
use chrono_tz::America::Toronto;
use domain::clock::Instant;
use domain::money::Money;
use minijinja::Value;
use minijinja::value::Serde;
use serde::Serialize;
use store::referral::ReferralTerms;

use super::own_texts::OwnTexts;
use super::status_texts::{StatusTexts, counted};
use crate::api::stats::{ENOUGH, PublicStats};

mod read;

pub use read::all;

/// Names of all facts, as in `web/src/shared/api/facts.tsx`.
pub const NAMES: [&str; 56] = [
    "demo",
    "google",
    "mail",
    "passkeys",
    "billing_off",
    "invite_only",
    "registration_off",
    "places_en",
    "places_zh",
    "web_push",
    "telegram",
    "wx_pusher",
    "sms",
    "portal_ok",
    "portal_slow",
    "portal_down",
    "seen_seconds",
    "seen_minutes",
    "figures",
    "finished_tasks",
    "days_saved",
    "checks_total",
    "ratings",
    "ratings_wanted",
    "enough",
    "few",
    "figures_date",
    "figures_time",
    "satisfied",
    "rating",
    "price",
    "tax",
    "cards",
    "card_min",
    "card_max",
    "referral_off",
    "referral_bonus",
    "operator",
    "operator_address",
    "operator_contact",
    "contact",
    "wechat",
    "wechat_id",
    "wechat_qr",
    "group",
    "group_name",
    "group_qr",
    "email",
    "email_href",
    "social",
    "xiaohongshu_id",
    "xiaohongshu_qr",
    "hours_from",
    "hours_to",
    "hours",
    "pictures",
];
/// Facts that the code of every page needs, even if its document does not show them.
const ALWAYS: [&str; 7] =
    ["demo", "google", "mail", "passkeys", "billing_off", "invite_only", "registration_off"];
/// Maximum age of a poll that shows the current state of the portal.
const FRESH: TimeDelta = TimeDelta::minutes(15);
/// Text of a fact without a value.
const YES: &str = "1";
/// A picture of the operator's gallery.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Picture {
    /// Address of the picture on this server.
    pub src: String,
    /// Description in Chinese.
    pub zh: String,
    /// Description in English.
    pub en: String,
}

/// Texts of facts, by name. A fact that does not apply is absent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Facts {
    #[serde(flatten)]
    texts: BTreeMap<&'static str, String>,
    #[serde(skip_serializing_if = "<[Picture]>::is_empty")]
    gallery: Arc<[Picture]>,
    #[serde(flatten)]
    status: Option<Arc<StatusTexts>>,
    /// HTML of the operator's own pages; only the documents contain it.
    #[serde(skip)]
    own: Arc<OwnTexts>,
}

impl<const N: usize> From<[(&'static str, &str); N]> for Facts {
    fn from(texts: [(&'static str, &str); N]) -> Self {
        let texts = texts.map(|(name, text)| (name, text.to_owned()));
        Self { texts: BTreeMap::from(texts), ..Self::default() }
    }
}

impl Facts {
    /// Returns the text of a fact; `None` if it does not apply.
    #[must_use]
    pub fn text(&self, name: &str) -> Option<&str> {
        self.texts.get(name).map(String::as_str)
    }

    /// Returns the operator's pictures.
    #[must_use]
    pub fn gallery(&self) -> &[Picture] {
        &self.gallery
    }

    /// Returns the facts with the operator's pictures.
    #[must_use]
    pub fn with_gallery(mut self, gallery: Vec<Picture>) -> Self {
        self.gallery = gallery.into();
        self.set_if("pictures", !self.gallery.is_empty());
        self
    }

    /// Returns the facts with the operator's own pages.
    #[must_use]
    pub fn with_own(self, own: Arc<OwnTexts>) -> Self {
        Self { own, ..self }
    }

    /// Returns all values that a template can use: each text, the lists, and all facts as one
    /// value.
    pub fn values(&self) -> impl Iterator<Item = (&'static str, Value)> {
        let texts = self.texts.iter().map(|(name, text)| (*name, Value::from(text.as_str())));
        let all = [
            ("gallery", Value::from(Serde(&self.gallery))),
            ("own", Value::from(Serde(&*self.own))),
            ("facts", Value::from(Serde(self))),
        ];
        let status = self.status.iter().flat_map(|status| {
            [("now", Value::from(Serde(&status.now))), ("past", Value::from(Serde(&status.past)))]
        });
        texts.chain(all).chain(status)
    }

    /// Returns the facts that a document uses, and the facts that its code needs.
    #[must_use]
    pub fn of(&self, names: &BTreeSet<String>) -> Self {
        let wanted = |name: &str| names.contains(name) || ALWAYS.contains(&name);
        let texts = self.texts.iter().filter(|(name, _)| wanted(name));
        Self {
            texts: texts.map(|(name, text)| (*name, text.clone())).collect(),
            gallery: if names.contains("gallery") { self.gallery.clone() } else { Arc::default() },
            status: self.status.clone().filter(|_| names.contains("now")),
            own: if names.contains("own") { self.own.clone() } else { Arc::default() },
        }
    }

    fn set(&mut self, name: &'static str, text: impl Into<String>) {
        debug_assert!(NAMES.contains(&name), "{name} is not among the facts");
        self.texts.insert(name, text.into());
    }

    fn set_if(&mut self, name: &'static str, so: bool) {
        if so {
            self.set(name, YES);
        }
    }

    fn set_given(&mut self, name: &'static str, text: Option<&str>) {
        if let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) {
            // Control characters are invisible, but could change the meaning of the HTML.
            self.set(name, text.replace(char::is_control, " "));
        }
    }

    fn has(&self, names: &[&str]) -> bool {
        names.iter().any(|name| self.texts.contains_key(name))
    }
}

/// Facts from one read of the database.
#[derive(Clone, Debug)]
pub struct Live {
    figures: PublicStats,
    price: Option<Money>,
    referral: Option<ReferralTerms>,
    portal: Option<&'static str>,
    polled_at: Option<Instant>,
    counted_at: Instant,
    status: Arc<StatusTexts>,
}

impl Live {
    /// Returns the facts for the time after the database stopped responding.
    #[must_use]
    pub fn silenced(&self) -> Self {
        Self { status: Arc::new(StatusTexts::clone(&self.status).silenced()), ..self.clone() }
    }
}

/// Sets the facts about prices.
fn prices(live: &Live, facts: &mut Facts) {
    let mut set = |name, amount: Option<Money>| {
        let amount = amount.map(|amount| amount.to_string());
        facts.set_given(name, amount.as_deref());
    };
    set("price", live.price);
    let more_than_nothing = |amount: Money| Some(amount).filter(|amount| amount.minor > 0);
    let friend = live.referral.as_ref();
    set("referral_off", friend.and_then(|terms| more_than_nothing(terms.newcomer_discount)));
    set("referral_bonus", friend.and_then(|terms| more_than_nothing(terms.referrer_bonus)));
}

fn stats(all: &PublicStats, at: Instant, facts: &mut Facts) {
    if all.checks_total == 0 {
        return;
    }
    facts.set_if("figures", true);
    facts.set("finished_tasks", counted(all.finished_tasks));
    facts.set("days_saved", counted(all.days_saved));
    facts.set("checks_total", counted(all.checks_total));
    facts.set("ratings", counted(all.ratings));
    facts.set("ratings_wanted", counted(ENOUGH));
    let at = at.with_timezone(&Toronto);
    facts.set("figures_date", at.format("%Y-%m-%d").to_string());
    facts.set("figures_time", at.format("%H:%M").to_string());
    match (all.satisfied_share, all.average_rating) {
        (Some(share), Some(average)) if all.enough => {
            facts.set_if("enough", true);
            facts.set("satisfied", format!("{:.0}%", share * 100.0));
            facts.set("rating", format!("{average:.1}"));
        }
        _ => facts.set_if("few", true),
    }
}

/// Sets the state of the portal, if the last poll is recent.
fn portal(live: &Live, now: Instant, facts: &mut Facts) {
    let (Some(state), Some(at)) = (live.portal, live.polled_at) else { return };
    let ago = (now - at).max(TimeDelta::zero());
    let (unit, number) = match ago {
        _ if ago < TimeDelta::minutes(1) => ("seen_seconds", ago.num_seconds()),
        _ if ago < FRESH => ("seen_minutes", ago.num_minutes()),
        _ => return,
    };
    facts.set_if(state, true);
    facts.set(unit, number.to_string());
}

#[cfg(test)]
mod tests {
    use super::{Facts, NAMES, PublicStats, stats};

    #[test]
    fn the_web_app_has_the_same_fact_names() {
        let web = include_str!("../../../../../web/src/shared/api/facts.tsx");
        let names: Vec<_> =
            web.lines().filter_map(|line| line.strip_prefix("  | '")?.split('\'').next()).collect();
        assert_eq!(names, NAMES);
    }

    // spec: 10.12.04
    #[test]
    fn a_rating_is_shown_only_with_enough_ratings() {
        let all = PublicStats {
            finished_tasks: 61,
            ratings: 25,
            average_rating: Some(4.84),
            satisfied_share: Some(0.964),
            checks_total: 38_412,
            days_saved: 4_514,
            enough: true,
        };
        let told = |all: &PublicStats| {
            let mut facts = Facts::default();
            stats(all, chrono::DateTime::UNIX_EPOCH, &mut facts);
            ["figures", "enough", "few", "satisfied", "rating", "ratings", "ratings_wanted", "figures_date"]
                .map(|name| facts.text(name).unwrap_or("-").to_owned())
                .join(" ")
        };
        assert_eq!(told(&all), "1 1 - 96% 4.8 25 20 1969-12-31");
        assert_eq!(
            told(&PublicStats { ratings: 19, enough: false, ..all.clone() }),
            "1 - 1 - - 19 20 1969-12-31"
        );
        assert_eq!(
            told(&PublicStats { checks_total: 0, ..all }),
            "- - - - - - - -",
            "nothing was counted yet"
        );
    }
}
