//! SMTP client for sending mail.

use std::time::Duration;

use lettre::message::header::{self, HeaderName, HeaderValue};
use lettre::message::{Mailbox, MultiPart};
use lettre::transport::smtp::PoolConfig;
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use tokio::time::timeout;

use crate::Rendered;

/// Body of the POST request that a mail program sends to the unsubscribe URL (RFC 8058).
const ONE_CLICK: &str = "List-Unsubscribe=One-Click";

/// Timeout of connecting and of the whole connection test. The SMTP library's own timeout covers
/// only the connection, and a server that sends nothing afterwards would block the test forever.
const CONNECTS_WITHIN: Duration = Duration::from_secs(20);
/// Timeout of sending one mail. It must be shorter than `CLAIM`, the time for which a delivery is
/// reserved.
const TAKEN_WITHIN: Duration = Duration::from_secs(100);

/// Client of a mail server, with the sender's address. A clone is cheap.
#[derive(Clone)]
pub struct Mailer {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

/// Reason why the settings of a mail server are invalid.
#[derive(Debug, thiserror::Error)]
pub enum MailerError {
    /// The URL is not `smtps://…`. An `smtp://…` URL is valid only for this machine or with
    /// `tls=required`.
    #[error("invalid URL of the mail server: {0}")]
    Url(String),
    /// The sender is not a mail address.
    #[error("invalid address of the sender: {0}")]
    From(String),
}

/// Reason why a mail was not accepted.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// The server is unreachable or busy, or asks for a retry. Try again later.
    #[error("the mail server did not accept the mail: {0}")]
    Later(String),
    /// The server permanently refused the mail or its recipient.
    #[error("the mail server refused the mail: {0}")]
    Never(String),
}

impl Mailer {
    /// Creates a client for the server at `url`: `smtps://USER:PASSWORD@HOST[:PORT]` or
    /// `smtp://HOST:PORT`. An `smtp` URL is unencrypted by default, so a remote host requires
    /// `tls=required`.
    ///
    /// # Errors
    /// Returns an error if the URL or the sender is invalid.
    pub fn new(url: &str, from: &str) -> Result<Self, MailerError> {
        // Do not accept `tls=opportunistic`. An attacker could remove the encryption offer from the
        // server's response, and the client would continue unencrypted.
        let plain = url.starts_with("smtp://") && !url.contains("tls=required");
        if plain && !to_this_machine(url) {
            return Err(MailerError::Url(
                "smtp:// may send unencrypted; use smtps:// or tls=required for a server on another machine"
                    .to_owned(),
            ));
        }
        let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
            .map_err(|e| MailerError::Url(e.to_string()))?;
        // Open one connection for each mail. On a reused connection, a late response to the
        // previous mail could be taken for the response to the next one.
        let each = PoolConfig::new().max_size(0);
        let transport = builder.timeout(Some(CONNECTS_WITHIN)).pool_config(each).build();
        let from = from.parse().map_err(|_| MailerError::From(from.to_owned()))?;
        Ok(Self { transport, from })
    }

    /// Connects and signs in without sending a mail.
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

    /// Sends a mail. Pass the same `message_id` in retries, so that mail programs can detect
    /// duplicates.
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
            // Headers required by RFC 8058.
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

/// Classifies an SMTP error. Only a refusal of this recipient or of this mail is permanent. A
/// refusal of the server's password or of the sender is retried, because the operator can fix the
/// cause.
fn why_not_sent(error: &lettre::transport::smtp::Error) -> SendError {
    match why_not(error) {
        SendError::Never(words) if !is_about_this_mail(&words) => SendError::Later(words),
        other => other,
    }
}

/// Returns `true` if the enhanced status code (RFC 3463) concerns the recipient's address or
/// mailbox, or the mail's size or content. Codes 5.1.7 and 5.1.8 concern the sender's address.
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

/// Removes mail addresses from a server's error text. Servers quote the recipient, and the text is
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
