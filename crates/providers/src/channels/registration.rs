//! Queries the providers to find out if the operator's accounts, senders and templates are
//! registered. Without this check, users would be the first to notice a missing registration.

use domain::channel::{ChannelKind, EventKind};
use secrecy::ExposeSecret as _;

use super::config::{AliyunAccount, TwilioAccount};
use super::http::{Answer, address};
use super::outcome::Reason;
use super::{Channels, aliyun};

/// Kinds of events sent by text message. At Aliyun each kind needs an approved template.
const TEXTS: [EventKind; 3] = [EventKind::Booked, EventKind::NeedsYou, EventKind::Verification];

/// Result of checking one account, sender or template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Registration {
    /// Registered and usable.
    Ready(String),
    /// Not registered, or refused by the provider.
    Refused(String),
    /// Unknown, because the provider returned no usable response.
    Silent(String),
}

impl Channels {
    /// Checks the operator's accounts at all configured providers. Checks text messages for each of
    /// the allowed `countries`.
    pub async fn registrations(&self, countries: &[String]) -> Vec<(ChannelKind, Registration)> {
        let mut said = Vec::new();
        if self.config.telegram_bot_token.is_some() {
            said.push((ChannelKind::Telegram, self.bot().await));
        }
        if let Some(account) = &self.config.twilio {
            said.push((ChannelKind::Sms, self.number(account).await));
            said.extend(self.campaign(account, countries).await.map(|known| (ChannelKind::Sms, known)));
        }
        if let Some(account) = &self.config.aliyun {
            for known in self.approvals(account).await {
                said.push((ChannelKind::Sms, known));
            }
        }
        let of_countries = countries.iter().filter_map(|country| self.country(country));
        said.extend(of_countries.map(|wrong| (ChannelKind::Sms, Registration::Refused(wrong))));
        said
    }

    /// Returns the reason why text messages to an allowed country would fail. Returns `None` if the
    /// settings show no such reason.
    fn country(&self, country: &str) -> Option<String> {
        match (country, &self.config.aliyun, &self.config.twilio) {
            (_, None, None) => None,
            ("CN", Some(account), _) => {
                let missing = TEXTS.iter().filter(|text| !account.templates.contains_key(text));
                let missing: Vec<&str> = missing.map(AsRef::as_ref).collect();
                (!missing.is_empty()).then(|| format!("CN: no template for {}", missing.join(", ")))
            }
            ("CN", None, _) => Some("CN: only Aliyun sends there".to_owned()),
            (_, _, Some(_)) => None,
            (other, _, None) => Some(format!("{other}: only Twilio sends there")),
        }
    }

    async fn bot(&self) -> Registration {
        match self.telegram_bot_name().await {
            Ok(name) => Registration::Ready(format!("the bot is @{name}")),
            Err(super::linking::LinkError::Operator(answer)) => {
                Registration::Refused(format!("the bot's token is refused: {answer}"))
            }
            Err(error) => Registration::Silent(error.to_string()),
        }
    }

    /// Checks that the Twilio account owns the sending number and that the number can send text
    /// messages.
    async fn number(&self, account: &TwilioAccount) -> Registration {
        let path = ["2010-04-01", "Accounts", &account.sid, "IncomingPhoneNumbers.json"];
        let Ok(mut url) = address(&self.config.urls.twilio, &path) else {
            return Registration::Silent("invalid address of the provider twilio".to_owned());
        };
        url.query_pairs_mut().append_pair("PhoneNumber", &account.from);
        let request = self.http.get(url).basic_auth(&account.sid, Some(account.auth_token.expose_secret()));
        let answer = match self.http.call(request).await {
            Ok(answer) => answer,
            Err(failed) => return Registration::Silent(failed.answer),
        };
        if matches!(answer.status.as_u16(), 401 | 403 | 404) {
            return Registration::Refused(format!("the account at Twilio is refused: {}", answer.shown()));
        }
        let Some(numbers) = answer.json["incoming_phone_numbers"].as_array() else {
            return Registration::Silent(answer.shown());
        };
        let from = &account.from;
        match numbers.first().map(|number| number["capabilities"]["sms"] == true) {
            Some(true) => Registration::Ready(format!("{from} sends text messages")),
            Some(false) => Registration::Refused(format!("{from} cannot send text messages")),
            None => Registration::Refused(format!("the account has no number {from}")),
        }
    }

    /// Checks that Aliyun has approved the signature and the templates.
    async fn approvals(&self, account: &AliyunAccount) -> Vec<Registration> {
        let mut said = Vec::new();
        let sign = [("SignName", account.sign_name.clone())];
        let answer = self.ask_aliyun(account, "QuerySmsSign", &sign).await;
        said.push(approved(&format!("signature {}", account.sign_name), "SignStatus", answer));
        let mut codes: Vec<_> = account.templates.values().cloned().collect();
        codes.dedup();
        for code in codes {
            let answer =
                self.ask_aliyun(account, "QuerySmsTemplate", &[("TemplateCode", code.clone())]).await;
            said.push(approved(&format!("template {code}"), "TemplateStatus", answer));
        }
        said
    }

    async fn ask_aliyun(
        &self,
        account: &AliyunAccount,
        action: &str,
        asked: &[aliyun::Parameter<'_>],
    ) -> Result<Answer, String> {
        let request = aliyun::query(&self.http, &self.config.urls.aliyun, account, action, asked);
        let request = request.map_err(|reason: Reason| reason.to_string())?;
        self.http.call(request).await.map_err(|failed| failed.answer)
    }
}

/// Interprets Aliyun's approval status: 0 is pending, 1 is approved, all others are refused.
fn approved(what: &str, status: &str, answer: Result<Answer, String>) -> Registration {
    let answer = match answer {
        Ok(answer) => answer,
        Err(why) => return Registration::Silent(format!("{what}: {why}")),
    };
    match (answer.text("Code"), answer.number(status)) {
        ("OK", Some(1)) => Registration::Ready(format!("{what} is approved")),
        ("OK", Some(0)) => Registration::Refused(format!("{what} waits for approval")),
        ("OK", _) => Registration::Refused(format!("{what} is not approved")),
        ("", _) => Registration::Silent(format!("{what}: {}", answer.shown())),
        (code, _) => Registration::Refused(format!("{what}: {code}")),
    }
}
