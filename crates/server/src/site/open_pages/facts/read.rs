//! Reads the facts of the settings and of the database.

use std::sync::Arc;

use chrono::Offset as _;
use chrono_tz::America::Toronto;
use domain::channel::ChannelKind;
use domain::country::{Country, CountryCode, countries};

use super::{Facts, Live, portal, prices, stats};
use crate::AppState;
use crate::api::stats::public_stats;
use crate::api::status::{self, PortalState};
use crate::config::Registration;
use crate::http::error::ApiError;
use crate::site::open_pages::status_texts::{Now, Past, StatusTexts};

/// Offset of Beijing from UTC in hours, all year.
const BEIJING: i32 = 8;
/// Default support hours in Toronto.
const USUAL: (i32, i32) = (9, 23);

impl Live {
    /// Reads the facts from the database.
    ///
    /// # Errors
    /// Returns an error if the database fails.
    pub async fn read(app: &AppState) -> Result<Self, ApiError> {
        let mut tx = app.db.read().await?;
        let figures = public_stats(&mut tx).await?;
        let price = store::pricing::standing(&mut tx).await?.map(|plan| plan.unit_price);
        let referral = store::referral::worth(&mut tx).await?;
        tx.commit().await?;
        let status = status::current(app).await?;
        let history = status::history::current(app).await?;
        let portal = match status.portal.state {
            PortalState::Ok => Some("portal_ok"),
            PortalState::Slow => Some("portal_slow"),
            PortalState::Down => Some("portal_down"),
            PortalState::Unknown => None,
        };
        let polled_at = status.engine.last_poll_at;
        let status = Arc::new(StatusTexts { now: Now::of(&status), past: Past::of(&history) });
        Ok(Self { figures, price, referral, portal, polled_at, counted_at: app.now(), status })
    }
}

/// Returns all present facts: those of the settings, and those of the database if there are any.
#[must_use]
pub fn all(app: &AppState, live: Option<&Live>) -> Facts {
    let mut facts = Facts::default();
    facts.set_if("demo", app.settings.demo);
    facts.set_if("google", app.google.is_some());
    facts.set_if("mail", app.mail_configured());
    facts.set_if("billing_off", !app.settings.billing.is_on());
    facts.set_if("passkeys", app.relying_party().is_some());
    facts.set_if("invite_only", app.settings.registration == Registration::Invite);
    facts.set_if("registration_off", app.settings.registration == Registration::Closed);
    for kind in [ChannelKind::WebPush, ChannelKind::Telegram, ChannelKind::WxPusher, ChannelKind::Sms] {
        facts.set_if(kind.into(), app.channels.offers(kind));
    }
    places(&app.settings.countries, &mut facts);
    support(app, &mut facts);
    operator(app, &mut facts);
    if let Some(live) = live {
        stats(&live.figures, live.counted_at, &mut facts);
        if app.settings.billing.is_on() {
            prices(live, &mut facts);
        }
        portal(live, app.portal_time.now(), &mut facts);
    }
    let status = live.map_or_else(|| Arc::new(StatusTexts::default().silenced()), |live| live.status.clone());
    facts.status = Some(status);
    facts.with_gallery(app.pictures.gallery().to_vec()).with_own(app.operator.texts.clone())
}

/// Sets the facts that name the open countries with their cities.
fn places(open: &[CountryCode], facts: &mut Facts) {
    let countries = || countries().iter().filter(|country| open.contains(&country.code));
    let named = |country: &Country| {
        let cities: Vec<_> = country.cities.iter().map(|city| city.name_en).collect();
        format!("{} ({})", country.name_en, cities.join(", "))
    };
    facts.set("places_en", countries().map(named).collect::<Vec<_>>().join("; "));
    let named = |country: &Country| {
        let cities: Vec<_> = country.cities.iter().map(|city| city.name_zh).collect();
        format!("{}（{}）", country.name_zh, cities.join("、"))
    };
    facts.set("places_zh", countries().map(named).collect::<Vec<_>>().join("；"));
}

/// Sets the facts about the operator, the included tax, and the card payments.
fn operator(app: &AppState, facts: &mut Facts) {
    let operator = &app.operator;
    facts.set_given("operator", operator.name.as_deref());
    facts.set_given("operator_address", operator.address.as_deref());
    let contact = operator.contact.as_deref().or(app.settings.support_email.as_deref());
    facts.set_given("operator_contact", contact);
    if let Some((name, rate)) = operator.tax_at(app.now()) {
        facts.set("tax", format!("{rate}% {name}"));
    }
    if let Some(cards) = &app.cards {
        facts.set_if("cards", true);
        facts.set("card_min", cards.limits.min.to_string());
        facts.set("card_max", cards.limits.max.to_string());
    }
}

fn support(app: &AppState, facts: &mut Facts) {
    let settings = &app.settings;
    facts.set_given("wechat_id", settings.support_wechat.as_deref());
    facts.set_given("wechat_qr", app.pictures.code(settings.support_wechat_qr.as_deref()));
    facts.set_given("group_name", settings.support_group.as_deref());
    facts.set_given("group_qr", app.pictures.code(settings.support_group_qr.as_deref()));
    facts.set_given("xiaohongshu_id", settings.support_xiaohongshu.as_deref());
    facts.set_given("xiaohongshu_qr", app.pictures.code(settings.support_xiaohongshu_qr.as_deref()));
    facts.set_given("email", settings.support_email.as_deref());
    if let Some(email) = facts.text("email").map(mailto) {
        facts.set("email_href", email);
    }
    facts.set_if("wechat", facts.has(&["wechat_id", "wechat_qr"]));
    facts.set_if("group", facts.has(&["group_name", "group_qr"]));
    facts.set_if("social", facts.has(&["xiaohongshu_id", "xiaohongshu_qr"]));
    facts.set_if("contact", facts.has(&["wechat", "group", "social", "email"]));
    let plain: String = settings.support_hours.to_lowercase().split_whitespace().collect();
    if ["9am-11pmedt", "9am-11pmest", "9am-11pmet"].contains(&plain.replace('–', "-").as_str()) {
        let seconds = app.now().with_timezone(&Toronto).offset().fix().local_minus_utc();
        let ahead = BEIJING - seconds / 3600;
        facts.set("hours_from", format!("{}:00", (USUAL.0 + ahead) % 24));
        facts.set("hours_to", format!("{}:00", (USUAL.1 + ahead) % 24));
    } else {
        facts.set_given("hours", Some(&settings.support_hours));
    }
}

/// Returns a `mailto:` address. Characters that could end or extend the address are
/// percent-encoded.
fn mailto(address: &str) -> String {
    use std::fmt::Write as _;
    let mut href = "mailto:".to_owned();
    for byte in address.bytes() {
        if byte.is_ascii_alphanumeric() || b"@.-_+~".contains(&byte) {
            href.push(char::from(byte));
        } else {
            let _ = write!(href, "%{byte:02X}");
        }
    }
    href
}

#[cfg(test)]
mod tests {
    use super::mailto;

    #[test]
    fn a_mailto_link_escapes_mail_headers() {
        assert_eq!(mailto("a.b+c@example.com"), "mailto:a.b+c@example.com");
        assert_eq!(mailto("a@example.com?bcc=b"), "mailto:a@example.com%3Fbcc%3Db");
    }
}
