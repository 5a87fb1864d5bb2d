//! Checks that carriers of the United States accept text messages from the sending number. They
//! require a number that belongs to a registered campaign (A2P 10DLC).
//! <https://www.twilio.com/docs/messaging/api/usapptoperson-resource>

use domain::phone;
use secrecy::ExposeSecret as _;
use serde_json::Value;

use super::Channels;
use super::config::TwilioAccount;
use super::http::address;
use super::registration::Registration;

/// Area codes of toll-free numbers, which need no campaign.
const TOLL_FREE: [&str; 7] = ["800", "833", "844", "855", "866", "877", "888"];

impl Channels {
    /// Returns the state of the campaign of the sending number. Returns `None` if the operator
    /// allows no text messages to the United States.
    pub(super) async fn campaign(
        &self,
        account: &TwilioAccount,
        countries: &[String],
    ) -> Option<Registration> {
        let from = &account.from;
        let area = from.strip_prefix("+1").and_then(|rest| rest.get(..3)).unwrap_or_default();
        if !countries.iter().any(|country| country == "US") && phone::country(from) != Some("US") {
            return None;
        }
        if TOLL_FREE.contains(&area) {
            let see = "see in Twilio's console that it is verified";
            return Some(Registration::Ready(format!("{from} is toll-free: {see}")));
        }
        Some(self.find_campaign(account).await.unwrap_or_else(Registration::Silent))
    }

    async fn find_campaign(&self, account: &TwilioAccount) -> Result<Registration, String> {
        let from = &account.from;
        for service in self.ask_messaging(account, &["Services"], "services").await? {
            let word = |name: &str| service[name].as_str().unwrap_or_default();
            let sid = word("sid");
            let numbers =
                self.ask_messaging(account, &["Services", sid, "PhoneNumbers"], "phone_numbers").await?;
            if numbers.iter().any(|number| number["phone_number"] == from.as_str()) {
                let path = ["Services", sid, "Compliance", "Usa2p"];
                let campaigns = self.ask_messaging(account, &path, "compliance").await?;
                let states = campaigns.iter().filter_map(|campaign| campaign["campaign_status"].as_str());
                return Ok(judge(word("friendly_name"), states));
            }
        }
        let why = "so in no A2P 10DLC campaign: networks of the United States block its texts";
        Ok(Registration::Refused(format!("{from} is in no messaging service, {why}")))
    }

    /// Fetches one page of a Twilio list. One page is enough, because an account has few entries of
    /// each kind.
    ///
    /// The JSON keys are those of Twilio's client for Go (`ListServiceResponse`,
    /// `ListPhoneNumberResponse`, `ListUsAppToPersonResponse` in its `rest/messaging/v1`).
    async fn ask_messaging(
        &self,
        account: &TwilioAccount,
        path: &[&str],
        key: &str,
    ) -> Result<Vec<Value>, String> {
        let mut url = address(&self.config.urls.twilio_messaging, &[&["v1"][..], path].concat())
            .map_err(|_| "invalid address of the provider twilio_messaging".to_owned())?;
        url.query_pairs_mut().append_pair("PageSize", "20");
        let request = self.http.get(url).basic_auth(&account.sid, Some(account.auth_token.expose_secret()));
        let answer = self.http.call(request).await.map_err(|failed| failed.answer)?;
        answer.json[key].as_array().cloned().ok_or_else(|| answer.shown())
    }
}

/// Derives the result for a messaging service from the best state of its campaigns.
fn judge<'a>(service: &str, states: impl Iterator<Item = &'a str>) -> Registration {
    let states: Vec<&str> = states.collect();
    if states.contains(&"VERIFIED") {
        return Registration::Ready(format!("the A2P 10DLC campaign of {service} is verified"));
    }
    match states.first() {
        Some(&("PENDING" | "IN_PROGRESS")) => {
            Registration::Refused(format!("the A2P 10DLC campaign of {service} waits for approval"))
        }
        Some(state) => Registration::Refused(format!("the A2P 10DLC campaign of {service}: {state}")),
        None => Registration::Refused(format!("the messaging service {service} has no A2P 10DLC campaign")),
    }
}
