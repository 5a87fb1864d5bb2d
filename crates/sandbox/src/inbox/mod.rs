//! The mail inbox, which stores every mail sent to the sandbox's mail server.

pub(crate) mod pages;
pub(crate) mod smtp;

use chrono::{DateTime, Utc};
use mail_parser::{Address, MessageParser};
use serde::{Deserialize, Serialize};

/// Received mail.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mail {
    /// Number of the mail, counted from 1.
    pub id: u64,
    /// World time of arrival.
    pub received: DateTime<Utc>,
    /// Sender in the SMTP envelope.
    pub envelope_from: String,
    /// Recipients in the SMTP envelope.
    pub envelope_to: Vec<String>,
    /// Address in the From header.
    pub from: String,
    /// Addresses in the To header.
    pub to: Vec<String>,
    /// Decoded subject.
    pub subject: String,
    /// Plain text part, if there is one.
    pub text: Option<String>,
    /// HTML part, if there is one.
    pub html: Option<String>,
    /// All headers as received, with name and raw value.
    pub headers: Vec<(String, String)>,
    /// Names of the attachments.
    pub attachments: Vec<String>,
    /// Links in the text and HTML parts, in order, without duplicates.
    pub links: Vec<String>,
}

/// All mails.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Inbox {
    last: u64,
    mails: Vec<Mail>,
}

impl Inbox {
    pub fn mails(&self) -> &[Mail] {
        &self.mails
    }

    pub fn get(&self, id: u64) -> Option<&Mail> {
        self.mails.iter().find(|m| m.id == id)
    }

    pub fn clear(&mut self) {
        self.mails.clear();
    }

    /// Parses and stores a mail. Data that is not a valid mail is stored as text.
    pub fn receive(
        &mut self,
        received: DateTime<Utc>,
        envelope_from: String,
        envelope_to: Vec<String>,
        raw: &[u8],
    ) -> u64 {
        self.last += 1;
        let parsed = MessageParser::default().parse(raw);
        let mut mail = Mail {
            id: self.last,
            received,
            envelope_from,
            envelope_to,
            from: String::new(),
            to: Vec::new(),
            subject: String::new(),
            text: None,
            html: None,
            headers: Vec::new(),
            attachments: Vec::new(),
            links: Vec::new(),
        };
        match parsed {
            Some(message) => fill(&mut mail, &message),
            None => mail.text = Some(String::from_utf8_lossy(raw).into_owned()),
        }
        mail.links = links(&mail);
        self.mails.push(mail);
        self.last
    }
}

fn fill(mail: &mut Mail, message: &mail_parser::Message<'_>) {
    mail.from = message.from().map(addresses).unwrap_or_default().join(", ");
    mail.to = message.to().map(addresses).unwrap_or_default();
    mail.subject = message.subject().unwrap_or_default().to_owned();
    let has = |part: &[u32], html: bool| {
        part.first()
            .and_then(|i| message.parts.get(*i as usize))
            .is_some_and(|p| if html { p.is_text_html() } else { !p.is_text_html() })
    };
    // The parser can convert text to HTML and back. Keep only the kinds of body that were sent.
    if has(&message.text_body, false) {
        mail.text = message.body_text(0).map(|t| t.into_owned());
    }
    if has(&message.html_body, true) {
        mail.html = message.body_html(0).map(|h| h.into_owned());
    }
    mail.headers = message.headers_raw().map(|(n, v)| (n.to_owned(), v.trim().to_owned())).collect();
    mail.attachments = message
        .attachments()
        .map(|a| mail_parser::MimeHeaders::attachment_name(a).unwrap_or("unnamed").to_owned())
        .collect();
}

fn addresses(list: &Address<'_>) -> Vec<String> {
    list.iter().filter_map(|a| a.address().map(str::to_owned)).collect()
}

fn links(mail: &Mail) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for body in [mail.text.as_deref(), mail.html.as_deref()].into_iter().flatten() {
        for (at, _) in body.match_indices("http") {
            let end = body[at..]
                .find(|c: char| c.is_whitespace() || "\"'<>)]".contains(c))
                .unwrap_or(body.len() - at);
            let link = body[at..at + end].trim_end_matches(['.', ',']).replace("&amp;", "&");
            let is_link = link.starts_with("http://") || link.starts_with("https://");
            if is_link && !found.contains(&link) {
                found.push(link);
            }
        }
    }
    found
}
