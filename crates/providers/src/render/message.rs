//! Rendering of channel messages from templates: title and text for each kind and language. The
//! texts contain no names of applicants or accounts, because other users may see the channel.

use minijinja::{Environment, context};
use serde_json::Value;

use super::{RenderError, TEMPLATES, language_of};
use crate::channels::message::{AnswerButtons, Link};

/// Text of one message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageText {
    /// Title, a single line.
    pub title: String,
    /// Plain text of a few lines.
    pub text: String,
    /// Link to the page that the message is about.
    pub link: Link,
    /// Buttons of a question.
    pub answers: Option<AnswerButtons>,
}

struct Kind {
    name: &'static str,
    en: &'static str,
    zh: &'static str,
}

macro_rules! kind {
    ($name:literal) => {
        Kind {
            name: $name,
            en: include_str!(concat!("../../templates/en/", $name, ".msg")),
            zh: include_str!(concat!("../../templates/zh/", $name, ".msg")),
        }
    };
}

const KINDS: &[Kind] = &[
    kind!("answer_ended"),
    kind!("appointment_alert"),
    kind!("booked"),
    kind!("booked_in_your_account"),
    kind!("changed_outside"),
    kind!("channel_added"),
    kind!("channel_broken"),
    kind!("credential_leaving"),
    kind!("digest"),
    kind!("email_change_notice"),
    kind!("login_failures"),
    kind!("needs_you"),
    kind!("new_sign_in"),
    kind!("operator_alarm"),
    kind!("password_changed"),
    kind!("question"),
    kind!("security_notice"),
    kind!("session_revoked"),
    kind!("silence"),
    kind!("silence_over"),
    kind!("totp_changed"),
];

/// Returns the names of all templates that have a text for channels.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|kind| kind.name)
}

pub(super) fn add_to(all: &mut Environment<'static>) {
    for kind in KINDS {
        for (language, source) in [("en", kind.en), ("zh", kind.zh)] {
            let (title, text) = source.split_once("\n\n").expect("a message begins with its title");
            for (suffix, source) in [("title", title), ("msg", text)] {
                let name = format!("{language}/{}.{suffix}", kind.name);
                all.add_template_owned(name, source.to_owned()).expect("every template parses");
            }
        }
    }
}

/// Renders a message. `data` is the object for the mail template of the same name, and `site` is
/// the base URL of links.
///
/// # Errors
/// Returns an error if the template does not exist or does not match `data`.
pub fn words(template: &str, language: &str, data: &Value, site: &str) -> Result<MessageText, RenderError> {
    let lang = language_of(language);
    let get = |suffix: &str| {
        let name = format!("{lang}/{template}.{suffix}");
        TEMPLATES.get_template(&name).map_err(|_| RenderError::Unknown(name))
    };
    let values = minijinja::Value::from(minijinja::value::Serde(data));
    let say = |suffix: &str| {
        get(suffix)?.render(context! { site, lang, ..values.clone() }).map_err(RenderError::from)
    };
    let title = say("title")?.split_whitespace().collect::<Vec<_>>().join(" ");
    let text = say("msg")?.trim().to_owned();
    let url = match (data["link"].as_str(), data["task_id"].as_str()) {
        (Some(link), _) => link.to_owned(),
        (None, Some(task)) => format!("{site}/schedule/{task}"),
        (None, None) => format!("{site}/dashboard"),
    };
    let answers = answers(template, lang, &url);
    Ok(MessageText { title, text, link: Link { url, label: label(template, lang).to_owned() }, answers })
}

/// Returns the buttons of a question, whose link contains its token.
fn answers(template: &str, language: &str, url: &str) -> Option<AnswerButtons> {
    let (_, token) = url.split_once("?token=").filter(|_| template == "question")?;
    let (yes, no) = if language == "en" { ("Yes …", "No") } else { ("要 …", "不要") };
    Some(AnswerButtons { yes: yes.to_owned(), no: no.to_owned(), token: token.to_owned() })
}

/// Returns the label of the button that opens the page of a notice.
#[must_use]
pub fn seen_label(language: &str) -> &'static str {
    if language_of(language) == "en" { "See what is needed" } else { "查看需要做什么" }
}

fn label(template: &str, language: &str) -> &'static str {
    match (template, language) {
        ("question", "en") => "Answer",
        ("question", _) => "回答",
        ("channel_added" | "channel_broken", "en") => "Open the settings",
        ("channel_added" | "channel_broken", _) => "打开设置",
        (_, "en") => "Open Sooner",
        _ => "打开早签",
    }
}
