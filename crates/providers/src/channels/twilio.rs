//! Twilio: sends a text message. <https://www.twilio.com/docs/messaging/api/message-resource>

use secrecy::ExposeSecret;

use super::config::TwilioAccount;
use super::http::{Answer, Http, Prepared, address};
use super::message::Message;
use super::outcome::{Outcome, Reason};
use super::text::{Limit, Lines, one_line};

/// Two segments of the GSM 7-bit alphabet.
const PLAIN: Limit = Limit::chars(306);
/// Two segments of UTF-16, which one character beyond that alphabet makes necessary.
const WIDE: Limit = Limit::utf16(134);

pub(super) fn prepare(
    http: &Http,
    base: &str,
    account: &TwilioAccount,
    phone: &str,
    message: &Message,
) -> Result<Prepared, Reason> {
    let url = address(base, &["2010-04-01", "Accounts", &account.sid, "Messages.json"])?;
    let body = body(account, message);
    let mut form = vec![("To", phone), ("From", &account.from), ("Body", &body)];
    // The report carries the message's id, because it may arrive before the receipt is stored.
    let callback = account.status_callback.as_ref().map(|url| format!("{url}?id={}", message.id));
    form.extend(callback.as_deref().map(|url| ("StatusCallback", url)));
    let request =
        http.post(url).basic_auth(&account.sid, Some(account.auth_token.expose_secret())).form(&form);
    Ok(Prepared { request, judge })
}

/// Returns the sender, the title and the link. The text is left out, because each segment costs.
pub(super) fn body(account: &TwilioAccount, message: &Message) -> String {
    let title = one_line(&message.title);
    let named = title.contains(&account.sender) || account.sender.is_empty();
    let title = if named { title } else { format!("{}: {title}", account.sender) };
    let limit = if title.is_ascii() { PLAIN } else { WIDE };
    limit.join(Lines { title: &title, text: "", tail: message.url() })
}

fn judge(answer: &Answer) -> Outcome {
    if let Some(busy) = answer.busy() {
        return busy;
    }
    match (answer.status.as_u16(), answer.number("code")) {
        (200..=299, _) if !answer.text("sid").is_empty() => Outcome::accepted(answer.text("sid")),
        (200..=299, _) => Outcome::AGAIN,
        // The receiver sent STOP.
        (_, Some(21_610)) => Outcome::Broken(Reason::Blocked),
        // Not a phone number, or not one that receives text messages.
        (_, Some(21_211 | 21_214 | 21_217 | 21_612 | 21_614)) => Outcome::Broken(Reason::Malformed),
        // The account, the sender, or a country that is not enabled.
        (401 | 403 | 404, _) | (_, Some(20_003 | 21_212 | 21_408 | 21_606)) => {
            Outcome::Broken(Reason::Operator)
        }
        _ => Outcome::Broken(Reason::Refused),
    }
}
