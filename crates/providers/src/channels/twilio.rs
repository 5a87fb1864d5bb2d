//! Twilio: sends text messages. <https://www.twilio.com/docs/messaging/api/message-resource>

use secrecy::ExposeSecret;

use super::config::TwilioAccount;
use super::http::{Answer, Http, Prepared, address};
use super::message::Message;
use super::outcome::{Outcome, Reason};
use super::text::{Limit, Lines, one_line};

/// Length of two segments in the GSM 7-bit alphabet.
const PLAIN: Limit = Limit::chars(306);
/// Length of two segments in UTF-16, which any character outside of the GSM alphabet requires.
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
    // The delivery report must contain the message's identifier, because it may arrive before the
    // receipt is stored.
    let callback = account.status_callback.as_ref().map(|url| format!("{url}?id={}", message.id));
    form.extend(callback.as_deref().map(|url| ("StatusCallback", url)));
    let request =
        http.post(url).basic_auth(&account.sid, Some(account.auth_token.expose_secret())).form(&form);
    Ok(Prepared { request, judge })
}

/// Returns sender, title and link. The message's text is left out, because each segment costs
/// money.
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
        // The receiver replied STOP earlier.
        (_, Some(21_610)) => Outcome::Broken(Reason::Blocked),
        // The number is not a phone number, or cannot receive text messages.
        (_, Some(21_211 | 21_214 | 21_217 | 21_612 | 21_614)) => Outcome::Broken(Reason::Malformed),
        // The account or sender is refused, or the country is not enabled.
        (401 | 403 | 404, _) | (_, Some(20_003 | 21_212 | 21_408 | 21_606)) => {
            Outcome::Broken(Reason::Operator)
        }
        _ => Outcome::Broken(Reason::Refused),
    }
}
