//! SMTP client that sends mail.

use std::time::Duration;

use lettre::message::header::{self, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::PoolConfig;
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use tokio::time::timeout;

use crate::Rendered;

/// Body of the POST that a mail program sends to the unsubscribe URL (RFC 8058).
const ONE_CLICK: &str = "List-Unsubscribe=One-Click";

/// Timeout of connecting. It also guards the connection test, because the transport's own timeout
/// covers the connection only: a server that stays silent afterwards would block for ever.
const CONNECTS_WITHIN: Duration = Duration::from_secs(20);
/// Timeout of sending one mail. It must be shorter than the claim of a delivery (`CLAIM`).
const TAKEN_WITHIN: Duration = Duration::from_secs(100);

/// A mail server and the sender's address. Cheap to clone.
#[derive(Clone)]
pub struct Mailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

/// Reason that a mail server cannot be used at all.
#[derive(Debug, thiserror::Error)]
pub enum MailerError {
    /// The URL is neither `smtps://…`, nor `smtp://…` to this machine or with `tls=required`.
    #[error("invalid URL of the mail server: {0}")]
    Url(String),
    /// The sender is not an address.
    #[error("invalid address of the sender: {0}")]
    From(String),
}

/// Reason that a mail was not accepted.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// The server is unreachable or busy, or requests a retry: try again later.
    #[error("the mail server did not accept the mail: {0}")]
    Later(String),
    /// The address or the mail is refused permanently.
    #[error("the mail server refused the mail: {0}")]
    Never(String),
}

impl Mailer {
    /// Creates a client of the server at `url`: `smtps://USER:PASSWORD@HOST[:PORT]`, or
    /// `smtp://HOST:PORT`. The latter may be unencrypted, so beyond this machine it needs
    /// `tls=required`.
    ///
    /// # Errors
    /// Returns an error if the URL or the sender cannot be used.
    pub fn new(url: &str, from: &str) -> Result<Self, MailerError> {
        // `tls=opportunistic` is not enough. An attacker can remove the offer of encryption from
        // the server's answer, and the client then continues unencrypted.
        let plain = url.starts_with("smtp://") && !url.contains("tls=required");
        if plain && !to_this_machine(url) {
            return Err(MailerError::Url(
                "smtp:// may send in the clear; use smtps://, or tls=required, beyond this machine"
                    .to_owned(),
            ));
        }
        let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
            .map_err(|e| MailerError::Url(e.to_string()))?;
        // One connection per mail. On a reused connection, a late answer to the previous mail would
        // be read as the answer to the next.
        let each = PoolConfig::new().max_size(0);
        let transport = builder.timeout(Some(CONNECTS_WITHIN)).pool_config(each).build();
        let from = from.parse().map_err(|_| MailerError::From(from.to_owned()))?;
        Ok(Self { transport, from })
    }

    /// Connects and signs in without sending anything.
    ///
    /// # Errors
    /// Returns the errors of [`Mailer::send`].
    pub async fn try_connection(&self) -> Result<(), SendError> {
        match timeout(CONNECTS_WITHIN, self.transport.test_connection()).await {
            Ok(Ok(true)) => Ok(()),
            Ok(Ok(false)) => Err(SendError::Later("the server answers, but accepts no commands".to_owned())),
            Ok(Err(error)) => Err(why_not(&error)),
            Err(_) => Err(silent(CONNECTS_WITHIN)),
        }
    }

    /// Sends a mail. Retries keep `message_id`, so that mail programs can detect duplicates.
    ///
    /// # Errors
    /// Returns [`SendError::Later`] if a retry can help, otherwise [`SendError::Never`].
    pub async fn send(&self, to: &str, mail: &Rendered, message_id: &str) -> Result<(), SendError> {
        let to: Mailbox = to.parse().map_err(|_| SendError::Never("not an address".to_owned()))?;
        let host = self.from.email.domain();
        let mut message = Message::builder()
            .from(self.from.clone())
            .to(to)
            .subject(mail.subject.clone())
            .message_id(Some(format!("<{message_id}@{host}>")))
            .header(header::MIME_VERSION_1_0);
        if let Some(address) = &mail.unsubscribe {
            // RFC 8058.
            for (name, value) in [
                ("List-Unsubscribe", format!("<{address}>")),
                ("List-Unsubscribe-Post", ONE_CLICK.to_owned()),
            ] {
                let name = HeaderName::new_from_ascii(name.to_owned());
                let name = name.map_err(|e| SendError::Never(e.to_string()))?;
                message = message.raw_header(HeaderValue::new(name, value));
            }
        }
        let message = message
            .multipart(MultiPart::alternative_plain_html(mail.text.clone(), mail.html.clone()))
            .map_err(|e| SendError::Never(e.to_string()))?;
        match timeout(TAKEN_WITHIN, self.transport.send(message)).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(why_not_sent(&error)),
            Err(_) => Err(silent(TAKEN_WITHIN)),
        }
    }
}

fn silent(within: Duration) -> SendError {
    SendError::Later(format!("no answer within {} s", within.as_secs()))
}

fn why_not(error: &lettre::transport::smtp::Error) -> SendError {
    let words = nameless(&error.to_string());
    if error.is_permanent() { SendError::Never(words) } else { SendError::Later(words) }
}

/// Classifies an SMTP error of one mail. Only a refusal of this recipient or of this mail is
/// permanent. A refusal of the server's password or sender ends once the operator has fixed it, so
/// it is retried.
fn why_not_sent(error: &lettre::transport::smtp::Error) -> SendError {
    match why_not(error) {
        SendError::Never(words) if !is_about_this_mail(&words) => SendError::Later(words),
        other => other,
    }
}

/// Returns `true` if the enhanced status code (RFC 3463) is about the recipient's address or
/// mailbox, or the mail's size or content. Codes 5.1.7 and 5.1.8 are about the sender's address.
fn is_about_this_mail(words: &str) -> bool {
    let code = words.split("): ").nth(1).and_then(|rest| rest.split_whitespace().next()).unwrap_or_default();
    match code {
        "5.1.7" | "5.1.8" => false,
        "5.2.1" | "5.2.2" | "5.3.4" => true,
        _ => code.starts_with("5.1.") || code.starts_with("5.6."),
    }
}

impl std::fmt::Debug for Mailer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Mailer({})", self.from)
    }
}

/// Removes addresses from a server's message. Servers quote the recipient, and the message is
/// logged.
fn nameless(words: &str) -> String {
    let word = |word: &str| if word.contains('@') { "(an address)".to_owned() } else { word.to_owned() };
    words.split_whitespace().map(word).collect::<Vec<_>>().join(" ")
}

fn to_this_machine(url: &str) -> bool {
    let rest = url.trim_start_matches("smtp://");
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let name = if host.starts_with('[') {
        host.split(']').next().unwrap_or_default()
    } else {
        host.split(':').next().unwrap_or_default()
    };
    matches!(name, "localhost" | "127.0.0.1" | "[::1")
}

#[cfg(test)]
mod tests {
    use super::{is_about_this_mail, nameless};

    #[test]
    fn only_refused_recipients_or_mails_are_permanent_failures() {
        for said in [
            "permanent error (550): 5.1.1 (an address) Recipient rejected",
            "permanent error (552): 5.3.4 Message too big",
            "permanent error (550): 5.2.1 Mailbox disabled",
        ] {
            assert!(is_about_this_mail(said), "{said}");
        }
        for said in [
            "permanent error (535): 5.7.8 Authentication credentials invalid",
            "permanent error (535): Authentication failed",
            "permanent error (550): 5.4.5 Daily sending limit exceeded",
            "permanent error (554): 5.7.1 Relay access denied",
            "permanent error (550): 5.1.8 Sender address rejected",
            "permanent error (550): We do not relay",
        ] {
            assert!(!is_about_this_mail(said), "{said}");
        }
    }

    // spec: 10.7.77
    #[test]
    fn mail_server_errors_contain_no_addresses() {
        let said = "permanent error (550): 5.1.1 <lin@example.com>: Recipient rejected;\n to=chen@example.com, try later";
        let kept = nameless(said);
        assert!(!kept.contains("example.com") && !kept.contains("lin"), "{kept}");
        assert_eq!(
            kept,
            "permanent error (550): 5.1.1 (an address) Recipient rejected; (an address) try later"
        );
    }
}
