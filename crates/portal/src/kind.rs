//! Output of `sooner portal parse KIND`: the contents of a page as JSON. See docs/portal-parse.md.

use crate::pages::{actions, applicant, appointment, groups, instructions, payment, sign_in, sign_in_answer};
use crate::{LayoutChanged, PageKind};
use serde_json::{Value, json};

/// Names of the kinds of page that [`parse_kind`] accepts.
pub const KINDS: [&str; 9] =
    ["sign_in", "groups", "actions", "payment", "applicant", "limit", "applicants", "form", "instructions"];

/// Reason why a page could not be converted to JSON.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseKindError {
    /// The kind is not one of [`KINDS`].
    #[error("unknown kind of page; known: {}", KINDS.join(" "))]
    UnknownKind,
    /// The page could not be parsed.
    #[error(transparent)]
    LayoutChanged(#[from] LayoutChanged),
}

/// Parses a page of the given kind. A value that the page lacks becomes `null`.
///
/// The output omits passport and DS-160 numbers.
pub fn parse_kind(kind: &str, html: &str) -> Result<Value, ParseKindError> {
    Ok(match kind {
        "sign_in" => sign_in_json(html)?,
        "groups" => groups::parse(html)?.iter().map(group_json).collect(),
        "actions" => json!(actions::parse(html)?.actions),
        "payment" => payment_json(html)?,
        "applicant" => json!(applicant::parse(html)?),
        "limit" => json!({ "remaining": appointment::parse_limit(html)?.remaining }),
        "applicants" => json!(appointment::parse_applicants(html)?),
        "form" => {
            let form = appointment::parse_form(html)?;
            json!({ "token": form.token, "facilities": form.facilities })
        }
        "instructions" => {
            let page = instructions::parse(html)?;
            json!({
                "flash": page.flash,
                "date": page.interview.map(|m| m.date.to_string()),
                "time": page.interview.map(|m| m.time.format("%H:%M").to_string()),
                "deadline": page.deadline.map(|m| m.iso()),
            })
        }
        _ => return Err(ParseKindError::UnknownKind),
    })
}

fn group_json(group: &groups::Group) -> Value {
    let appointment = group.appointment.as_ref();
    json!({
        "portal_schedule_id": group.portal_schedule_id,
        "status": group.status_text,
        "date": appointment.map(|a| a.at.date.to_string()),
        "time": appointment.map(|a| a.at.time.format("%H:%M").to_string()),
        "facility": appointment.map(|a| &a.facility_name),
        "visa_class": group.visa_class,
        "applicants": group.applicants.iter().map(|a| a.name.as_str()).collect::<Vec<_>>(),
        "ivr_account_number": group.ivr_account_number,
    })
}

fn payment_json(html: &str) -> Result<Value, LayoutChanged> {
    let page = payment::parse(html)?;
    let rows: Vec<Value> = page
        .first_available
        .iter()
        .map(|r| json!({ "facility": r.facility, "date": r.date.map(|d| d.to_string()) }))
        .collect();
    Ok(json!({ "first_available": rows, "receipt_date": page.receipt_date.map(|d| d.to_string()) }))
}

/// Parses the sign-in page, or the script that responds to a sign-in.
fn sign_in_json(text: &str) -> Result<Value, LayoutChanged> {
    let page = sign_in::parse(text);
    if let Ok(page) = page {
        return Ok(json!({
            "csrf_token": page.csrf_token, "captcha": page.captcha,
            "outcome": null, "location": null, "locked_until": null,
        }));
    }
    use sign_in_answer::SignInAnswer::{BadCredentials, Captcha, Locked, SignedIn};
    // If the text is neither, report the error for the sign-in page, because the caller named that
    // kind.
    let answer = sign_in_answer::parse(text).map_err(|_| {
        page.err().unwrap_or(LayoutChanged { page: PageKind::SignIn, what: "no sign-in form", shape: 0 })
    })?;
    let (outcome, location, until) = match answer {
        SignedIn { location } => ("signed_in", Some(location), None),
        BadCredentials => ("bad_credentials", None, None),
        Locked { until, .. } => ("locked", None, until),
        Captcha => ("captcha", None, None),
    };
    Ok(json!({
        "csrf_token": null, "captcha": outcome == "captcha",
        "outcome": outcome, "location": location,
        "locked_until": until.map(|u| u.to_rfc3339()),
    }))
}
