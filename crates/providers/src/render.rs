//! Mails rendered from templates: one subject, one HTML and one text body per kind and language.

use std::sync::LazyLock;

use chrono::{NaiveTime, Timelike as _};
use minijinja::{AutoEscape, Environment, State, UndefinedBehavior, context};
use serde_json::Value;

pub mod message;

/// A mail ready to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rendered {
    /// Subject, one line.
    pub subject: String,
    /// HTML body, for most mail programs.
    pub html: String,
    /// Text body, for other mail programs.
    pub text: String,
    /// URL at which a mail program unsubscribes by one POST; only for mails that users may opt out
    /// of.
    pub unsubscribe: Option<String>,
}

/// Reason that a mail could not be rendered. Retrying cannot help.
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
    /// HTML and text of each language. The first line of the text is the subject.
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
    // Not sent any more (it is a reason of `needs_you`). Rows of older versions may still wait.
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
    kind!("silence"),
    kind!("silence_over"),
    kind!("totp_changed"),
    kind!("verify_email"),
];

static TEMPLATES: LazyLock<Environment<'static>> = LazyLock::new(|| {
    let mut all = Environment::new();
    // A missing name is a bug in the caller and must not become an empty text in a mail.
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

/// Formats times in a text as the screens do: `2027-02-03 14:05` as `2027-02-03 2:05 PM` or
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

/// Returns the names of all templates.
pub fn kinds() -> impl Iterator<Item = &'static str> {
    KINDS.iter().map(|kind| kind.name)
}

/// Renders a mail. `data` is the template's own object; `site` is the URL that links begin with.
///
/// # Errors
/// Returns an error that a retry cannot fix.
pub fn render(template: &str, language: &str, data: &Value, site: &str) -> Result<Rendered, RenderError> {
    let language = language_of(language);
    let get = |suffix: &str| {
        let name = format!("{language}/{template}.{suffix}");
        TEMPLATES.get_template(&name).map_err(|_| RenderError::Unknown(name))
    };
    // A mail about one task links to that task.
    let task = match data["task_id"].as_str() {
        Some(id) => format!("{site}/schedule/{id}"),
        None => format!("{site}/dashboard"),
    };
    let unsubscribe = data["unsubscribe"].as_str().map(str::to_owned);
    let data = minijinja::Value::from(minijinja::value::Serde(data));
    let subject = get("subject")?.render(context! { site, ..data.clone() })?;
    // A line break in a name would end the header.
    let subject = subject.split_whitespace().collect::<Vec<_>>().join(" ");
    let around = context! { site, task, lang => language, subject => &subject, ..data };
    let (html, text) = (get("html")?.render(&around)?, get("txt")?.render(&around)?);
    Ok(Rendered { subject, html, text, unsubscribe })
}

/// State of the page that unsubscribes from digests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Unsubscribing {
    /// The page requests a confirmation.
    Asked,
    /// The user has unsubscribed.
    Done,
    /// The link is unknown.
    Unknown,
}

/// Renders the page that the unsubscribe link of a digest opens. It has no scripts, because mail
/// programs open it in windows of their own.
///
/// # Errors
/// Returns no error in practice, because the page has only its own text.
pub fn unsubscribe_page(stands: Unsubscribing, language: &str, site: &str) -> Result<String, RenderError> {
    let lang = language_of(language);
    let page = TEMPLATES.get_template(&format!("{lang}/unsubscribe_page.html"))?;
    Ok(page.render(context! { lang, site, stands => <&str>::from(stands) })?)
}

/// Content of a notice's page.
#[derive(Clone, Debug)]
pub struct SeenPage<'a> {
    /// Text of the notice; `None` if the link is unknown or the notice is gone.
    pub words: Option<&'a message::MessageText>,
    /// Time at which the notice was confirmed as seen, as `2027-02-03 14:05`.
    pub at: Option<&'a str>,
    /// Set if Pushover still repeats the message although the notice was confirmed.
    pub rings: bool,
    /// URL of the same page in the other language.
    pub other: &'a str,
}

/// Renders the page on which a receiver confirms having seen a notice. It has no scripts, because
/// any program may open the link.
///
/// # Errors
/// Returns no error in practice, because the page has only its own text.
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
