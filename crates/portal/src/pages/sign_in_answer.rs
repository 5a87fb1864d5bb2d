//! The response to a sign-in: JavaScript with status 200, for success and for failure.

use crate::civil::date_at_start;
use crate::html::{find_ignore_case, not_html, squeeze};
use crate::wording::CLIENT;
use crate::{LayoutChanged, PageKind};
use chrono::{DateTime, FixedOffset, NaiveTime, TimeZone, Utc};
use domain::text::fold;
use serde::Serialize;

/// Result of a sign-in attempt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "outcome", rename_all = "snake_case")]
pub enum SignInAnswer {
    /// The portal accepted the login. The script redirects to `location`.
    SignedIn {
        /// Path or URL to which the script redirects.
        location: String,
    },
    /// The login or password is wrong.
    BadCredentials,
    /// The account is locked.
    Locked {
        /// End of the lock, or `None` if the time was unreadable.
        until: Option<DateTime<Utc>>,
        /// The sentence that the portal printed.
        text: String,
    },
    /// The portal returned the form with a captcha.
    Captcha,
}

const BAD: [&str; 7] = [
    "invalid email or password",
    "invalid login or password",
    "courriel ou mot de passe",
    "email ou mot de passe",
    "e-mail ou mot de passe",
    "correo electronico o contrasena",
    "correo electronico y/o contrasena",
];
const LOCKED: [&str; 6] = [
    "account is locked",
    "too many failed attempts",
    "compte est verrouille",
    "compte est bloque",
    "trop de tentatives",
    "cuenta esta bloqueada",
];
const CAPTCHA: [&str; 3] = ["data-sitekey", "g-recaptcha-response", "grecaptcha.render"];

/// Parses the script or page that responds to a sign-in.
///
/// A refusal text anywhere in the body takes precedence over a `window.location`, so a failed
/// sign-in never counts as a session.
pub fn parse(body: &str) -> Result<SignInAnswer, LayoutChanged> {
    let plain = unescape(body);
    let folded = fold(&plain);
    if LOCKED.iter().any(|l| folded.contains(l)) {
        return Ok(locked(&plain));
    }
    if BAD.iter().any(|b| folded.contains(b)) {
        return Ok(SignInAnswer::BadCredentials);
    }
    if CAPTCHA.iter().any(|c| folded.contains(c)) {
        return Ok(SignInAnswer::Captcha);
    }
    match location(&plain) {
        Some(to) if !to.contains("/users/sign_in") => Ok(SignInAnswer::SignedIn { location: to }),
        _ => Err(not_html(PageKind::SignInAnswer, "no redirect and no known refusal")),
    }
}

/// Returns the target of a redirect in a script: `window.location = "…"`, `.href=`, `.replace(…)`,
/// `.assign(…)` or a Turbo visit.
fn location(script: &str) -> Option<String> {
    ["window.location", "document.location", "Turbolinks.visit", "Turbo.visit"]
        .iter()
        .flat_map(|marker| script.match_indices(marker))
        .find_map(|(at, marker)| target(&script[at + marker.len()..], marker.ends_with("visit")))
}

/// Returns the quoted address of an assignment or call. Returns `None` for a comparison.
fn target(rest: &str, is_call: bool) -> Option<String> {
    let rest = rest.strip_prefix(".href").unwrap_or(rest);
    let called = rest.strip_prefix(".replace").or_else(|| rest.strip_prefix(".assign"));
    let rest = match called.or(is_call.then_some(rest)) {
        Some(call) => call.trim_start().strip_prefix('(')?,
        None => rest.trim_start().strip_prefix('=')?,
    };
    let rest = rest.trim_start();
    let quote = rest.chars().next().filter(|c| "\"'`".contains(*c))?;
    let to = &rest[1..][..rest[1..].find(quote)?];
    (to.starts_with('/') || to.starts_with("http")).then(|| to.to_owned())
}

fn locked(plain: &str) -> SignInAnswer {
    let at = ["account is locked", "too many failed", "verrouill", "bloqu", "trop de tentatives"]
        .iter()
        .find_map(|m| find_ignore_case(plain, m))
        .unwrap_or(0);
    let start = plain[..at].rfind(['>', '"', '.', '\n', '\'']).map_or(0, |i| i + 1);
    let end = plain[at..].find(['<', '"', '\n']).map_or(plain.len(), |i| at + i);
    let text: String = squeeze(&plain[start..end]).chars().take(200).collect();
    SignInAnswer::Locked { until: until(&text), text }
}

/// Parses `… until 28 March, 2026, 20:23:21 -05.`. Returns `None` without a known offset or time
/// zone.
fn until(text: &str) -> Option<DateTime<Utc>> {
    let at = text.find(|c: char| c.is_ascii_digit())?;
    let (date, rest) = date_at_start(&text[at..], &CLIENT)?;
    let rest = rest.trim_start_matches([',', ' ']);
    let (clock, zone) = rest.split_once(' ')?;
    let time = NaiveTime::parse_from_str(clock, "%H:%M:%S")
        .or_else(|_| NaiveTime::parse_from_str(clock, "%H:%M"))
        .ok()?;
    let offset = offset(zone.split([' ', '<', ',']).next()?.trim_end_matches('.'))?;
    Some(offset.from_local_datetime(&date.and_time(time)).single()?.with_timezone(&Utc))
}

/// Parses `-05`, `-0500`, `-05:00`, `UTC`, `GMT` or the name of a North American time zone.
fn offset(zone: &str) -> Option<FixedOffset> {
    let hours = match zone {
        "UTC" | "GMT" | "Z" => Some(0),
        "NDT" | "NST" => None,
        "ADT" => Some(-3),
        "AST" | "EDT" => Some(-4),
        "EST" | "CDT" => Some(-5),
        "CST" | "MDT" => Some(-6),
        "MST" | "PDT" => Some(-7),
        "PST" => Some(-8),
        _ => None,
    };
    if let Some(hours) = hours {
        return FixedOffset::east_opt(hours * 3600);
    }
    let sign = match zone.chars().next()? {
        '-' | '\u{2212}' => -1,
        '+' => 1,
        _ => return None,
    };
    let digits: String = zone.chars().filter(char::is_ascii_digit).collect();
    let (h, m) = match digits.len() {
        2 => (digits.parse::<i32>().ok()?, 0),
        4 => (digits[..2].parse::<i32>().ok()?, digits[2..].parse::<i32>().ok()?),
        _ => return None,
    };
    FixedOffset::east_opt(sign * (h * 3600 + m * 60))
}

/// Decodes the escape sequences of a JavaScript string: `\"`, `\/`, `\n`, `\u00e9`, `\x27`.
fn unescape(script: &str) -> String {
    let mut out = String::with_capacity(script.len());
    let mut chars = script.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n' | 'r' | 't') => out.push('\n'),
            Some(kind @ ('u' | 'x')) => {
                let len = if kind == 'u' { 4 } else { 2 };
                let hex: String = chars.clone().take(len).collect();
                if let Some(decoded) = u32::from_str_radix(&hex, 16).ok().and_then(char::from_u32) {
                    out.push(decoded);
                    chars.nth(len - 1);
                }
            }
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}
