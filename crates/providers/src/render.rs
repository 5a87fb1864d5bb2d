//! Mails from templates: one subject, one HTML and one text body per kind and language.

use std::sync::LazyLock;

use chrono::{NaiveTime, Timelike as _};
use minijinja::{AutoEscape, Environment, State, UndefinedBehavior, context};
use serde_json::Value;

pub mod message;

/// A mail ready to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// One line.
    pub subject: String,
    /// For most readers.
    pub html: String,
    /// For the others.
    pub text: String,
}

/// Why a mail could not be rendered; trying again changes nothing.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// No such kind or language.
    #[error("there is no mail template {0}")]
    Unknown(String),
    /// The data does not fit the template.
    #[error("the mail template failed: {0}")]
    Template(#[from] minijinja::Error),
}

struct Kind {
    name: &'static str,
    /// Per language: HTML, then text, whose first line is the subject.
    en: [&'static str; 2],
    zh: [&'static str; 2],
}

macro_rules! kind {
    ($name:literal) => {
        Kind {
            name: $name,
            en: [
                include_str!(concat!("../templates/en/", $name, ".html")),
                include_str!(concat!("../templates/en/", $name, ".txt")),
            ],
            zh: [
                include_str!(concat!("../templates/zh/", $name, ".html")),
                include_str!(concat!("../templates/zh/", $name, ".txt")),
            ],
        }
    };
}

const KINDS: &[Kind] = &[
    kind!("account_deleted"),
    kind!("already_registered"),
    kind!("appointment_alert"),
    kind!("booked"),
    kind!("booked_in_your_account"),
    kind!("channel_broken"),
    kind!("credential_leaving"),
    // Sent no more (it is a reason of `needs_you`): for rows of older versions that still wait.
    kind!("credential_rejected"),
    kind!("credited"),
    kind!("email_change"),
    kind!("email_change_notice"),
    kind!("hold_released"),
    kind!("login_failures"),
    kind!("needs_you"),
    kind!("new_sign_in"),
    kind!("password_changed"),
    kind!("question"),
    kind!("refund"),
    kind!("reset_password"),
    kind!("session_revoked"),
    kind!("totp_changed"),
    kind!("verify_email"),
];

static TEMPLATES: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut all = Environment::new();
    // A missing name is a bug in the caller, not an empty word in somebody's mail.
    all.set_undefined_behavior(UndefinedBehavior::Strict);
    all.set_auto_escape_callback(|name| match name.ends_with(".html") {
        true => AutoEscape::Html,
        false => AutoEscape::None,
    });
    all.add_filter("clock", clock);
    let shared = [
        ("layout.html", include_str!("../templates/layout.html")),
        ("parts.html", include_str!("../templates/parts.html")),
        ("en/channels.txt", include_str!("../templates/en/channels.txt")),
        ("zh/channels.txt", include_str!("../templates/zh/channels.txt")),
        ("en/reasons.txt", include_str!("../templates/en/reasons.txt")),
        ("zh/reasons.txt", include_str!("../templates/zh/reasons.txt")),
        ("en/sequel.txt", include_str!("../templates/en/sequel.txt")),
        ("zh/sequel.txt", include_str!("../templates/zh/sequel.txt")),
    ];
    for (name, source) in shared {
        all.add_template(name, source).expect("the shared templates parse");
    }
    for kind in KINDS {
        for (language, [html, text]) in [("en", kind.en), ("zh", kind.zh)] {
            let (subject, body) = text.split_once("\n\n").expect("a text template begins with its subject");
            for (suffix, source) in [("html", html), ("txt", body), ("subject", subject)] {
                let name = format!("{language}/{}.{suffix}", kind.name);
                all.add_template_owned(name, source.to_owned()).expect("every template parses");
            }
        }
    }
    message::add_to(&mut all);
    all
});

/// Times of day within a text as the screens write them: `2027-02-03 14:05` as `2027-02-03 2:05 PM` or `2027-02-03 下午 2:05`.
fn clock(state: &State<'_, '_>, text: &str) -> String {
    let chinese = state.lookup("lang").is_some_and(|lang| lang.as_str() == Some("zh"));
    let words = text.split(' ').map(|word| match NaiveTime::parse_from_str(word, "%H:%M") {
        Ok(time) if chinese => {
            time.format(if time.hour() < 12 { "上午 %-I:%M" } else { "下午 %-I:%M" }).to_string()
        }
        Ok(time) => time.format("%-I:%M %p").to_string(),
        Err(_) => word.to_owned(),
    });
    words.collect::<Vec<_>>().join(" ")
}

fn language_of(user: &str) -> &'static str {
    if user == "en" { "en" } else { "zh" }
}

/// The names of all templates.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|kind| kind.name)
}

/// Renders a mail. `data` is the template's own object; `site` is the address links begin with.
///
/// # Errors
/// Never worth trying again.
pub fn render(template: &str, language: &str, data: &Value, site: &str) -> Result<Rendered, RenderError> {
    let language = language_of(language);
    let get = |suffix: &str| {
        let name = format!("{language}/{template}.{suffix}");
        TEMPLATES.get_template(&name).map_err(|_| RenderError::Unknown(name))
    };
    // What is about one task leads to it.
    let task = match data["task_id"].as_str() {
        Some(id) => format!("{site}/schedule/{id}"),
        None => format!("{site}/dashboard"),
    };
    let data = minijinja::Value::from(minijinja::value::Serde(data));
    let subject = get("subject")?.render(context! { site, ..data.clone() })?;
    // A line break in a name would end the header.
    let subject = subject.split_whitespace().collect::<Vec<_>>().join(" ");
    let around = context! { site, task, lang => language, subject => &subject, ..data };
    Ok(Rendered { html: get("html")?.render(&around)?, text: get("txt")?.render(&around)?, subject })
}
