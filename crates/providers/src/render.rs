//! Rendering of mails from templates: subject, HTML body and text body for each kind and language.

use std::sync::LazyLock;

use chrono::{NaiveTime, Timelike as _};
use minijinja::{AutoEscape, Environment, State, UndefinedBehavior, context};
use serde_json::Value;

pub mod message;

/// Mail that is ready to be sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// Subject, a single line.
    pub subject: String,
    /// HTML body.
    pub html: String,
    /// Plain text body, for mail programs without HTML.
    pub text: String,
    /// URL for unsubscribing with one POST request (RFC 8058). `None` for mails that users cannot
    /// opt out of.
    pub unsubscribe: Option<String>,
}

/// Reason why a mail could not be rendered. A retry cannot succeed.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// The kind or language does not exist.
    #[error("there is no mail template {0}")]
    Unknown(String),
    /// The data does not match the template.
    #[error("cannot render the mail template: {0}")]
    Template(#[from] minijinja::Error),
}

struct Kind {
    name: &'static str,
    /// HTML and text template of each language. The first line of the text template is the subject.
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
    kind!("answer_ended"),
    kind!("appointment_alert"),
    kind!("booked"),
    kind!("booked_in_your_account"),
    kind!("changed_outside"),
    kind!("channel_added"),
    kind!("channel_broken"),
    kind!("credential_leaving"),
    // No longer created, because `needs_you` replaced it. Outboxes of older versions may still
    // contain it.
    kind!("credential_rejected"),
    kind!("credited"),
    kind!("digest"),
    kind!("email_change"),
    kind!("email_change_notice"),
    kind!("hold_released"),
    kind!("login_failures"),
    kind!("needs_you"),
    kind!("new_sign_in"),
    kind!("operator_alarm"),
    kind!("password_changed"),
    kind!("question"),
    kind!("refund"),
    kind!("reset_password"),
    kind!("security_notice"),
    kind!("session_revoked"),
    kind!("sign_in"),
    kind!("silence"),
    kind!("silence_over"),
    kind!("submitted"),
    kind!("totp_changed"),
    kind!("verify_email"),
];

static TEMPLATES: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut all = Environment::new();
    // A missing variable is a bug in the caller. Fail instead of sending a mail with a gap.
    all.set_undefined_behavior(UndefinedBehavior::Strict);
    all.set_auto_escape_callback(|name| match name.ends_with(".html") {
        true => AutoEscape::Html,
        false => AutoEscape::None,
    });
    all.add_filter("clock", clock);
    let shared = [
        ("layout.html", include_str!("../templates/layout.html")),
        ("page.html", include_str!("../templates/page.html")),
        ("en/unsubscribe_page.html", include_str!("../templates/en/unsubscribe_page.html")),
        ("zh/unsubscribe_page.html", include_str!("../templates/zh/unsubscribe_page.html")),
        ("en/seen_page.html", include_str!("../templates/en/seen_page.html")),
        ("zh/seen_page.html", include_str!("../templates/zh/seen_page.html")),
        ("parts.html", include_str!("../templates/parts.html")),
        ("en/alarms.txt", include_str!("../templates/en/alarms.txt")),
        ("zh/alarms.txt", include_str!("../templates/zh/alarms.txt")),
        ("en/channels.txt", include_str!("../templates/en/channels.txt")),
        ("zh/channels.txt", include_str!("../templates/zh/channels.txt")),
        ("en/reasons.txt", include_str!("../templates/en/reasons.txt")),
        ("zh/reasons.txt", include_str!("../templates/zh/reasons.txt")),
        ("en/silences.txt", include_str!("../templates/en/silences.txt")),
        ("zh/silences.txt", include_str!("../templates/zh/silences.txt")),
        ("en/nearest.txt", include_str!("../templates/en/nearest.txt")),
        ("zh/nearest.txt", include_str!("../templates/zh/nearest.txt")),
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

/// Formats the times in a text for readers: `2027-02-03 14:05` becomes `2027-02-03 2:05 PM` or
/// `2027-02-03 下午 2:05`.
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

/// Returns the names of all mail templates.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|kind| kind.name)
}

/// Renders a mail. `data` is the object that the template expects, and `site` is the base URL of
/// links.
///
/// # Errors
/// Returns an error if the template does not exist or does not match `data`.
pub fn render(template: &str, language: &str, data: &Value, site: &str) -> Result<Rendered, RenderError> {
    let language = language_of(language);
    let get = |suffix: &str| {
        let name = format!("{language}/{template}.{suffix}");
        TEMPLATES.get_template(&name).map_err(|_| RenderError::Unknown(name))
    };
    // A mail about one task links to the page of that task.
    let task = match data["task_id"].as_str() {
        Some(id) => format!("{site}/schedule/{id}"),
        None => format!("{site}/dashboard"),
    };
    let unsubscribe = data["unsubscribe"].as_str().map(str::to_owned);
    let data = minijinja::Value::from(minijinja::value::Serde(data));
    let subject = get("subject")?.render(context! { site, ..data.clone() })?;
    // A line break in the subject would end the mail header.
    let subject = subject.split_whitespace().collect::<Vec<_>>().join(" ");
    let around = context! { site, task, lang => language, subject => &subject, ..data };
    let (html, text) = (get("html")?.render(&around)?, get("txt")?.render(&around)?);
    Ok(Rendered { subject, html, text, unsubscribe })
}

/// Content of the page for unsubscribing from digests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Unsubscribing {
    /// The page shows a button that confirms unsubscribing.
    Asked,
    /// The user has unsubscribed.
    Done,
    /// The link is unknown.
    Unknown,
}

/// Renders the page that a digest's unsubscribe link opens. The page has no scripts, because mail
/// programs may open it in a browser window of their own.
///
/// # Errors
/// Returns an error only if the page's template is invalid.
pub fn unsubscribe_page(stands: Unsubscribing, language: &str, site: &str) -> Result<String, RenderError> {
    let lang = language_of(language);
    let page = TEMPLATES.get_template(&format!("{lang}/unsubscribe_page.html"))?;
    Ok(page.render(context! { lang, site, stands => <&str>::from(stands) })?)
}

/// Content of the page that confirms that a notice was seen.
#[derive(Clone, Debug)]
pub struct SeenPage<'a> {
    /// Text of the notice, or `None` if the link is unknown or the notice was deleted.
    pub words: Option<&'a message::MessageText>,
    /// Time of the confirmation, as `2027-02-03 14:05`.
    pub at: Option<&'a str>,
    /// `true` if Pushover still repeats the message after the confirmation.
    pub rings: bool,
    /// URL of the same page in the other language.
    pub other: &'a str,
}

/// Renders the page on which the user confirms having seen a notice. The page has no scripts,
/// because any program may open the link.
///
/// # Errors
/// Returns an error only if the page's template is invalid.
pub fn seen_page(page: &SeenPage<'_>, language: &str, site: &str) -> Result<String, RenderError> {
    let lang = language_of(language);
    let stands = match (page.words, page.at) {
        (None, _) => "unknown",
        (Some(_), None) => "asked",
        (Some(_), Some(_)) => "seen",
    };
    let said =
        |words: &message::MessageText| (words.title.clone(), words.text.clone(), words.link.url.clone());
    let (title, text, link) = page.words.map(said).unwrap_or_default();
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let template = TEMPLATES.get_template(&format!("{lang}/seen_page.html"))?;
    Ok(template.render(context! {
        lang, site, stands, title, lines, link,
        at => page.at.unwrap_or_default(),
        rings => page.rings,
        other => page.other,
    })?)
}
