//! Endpoint `GET /schedules/{id}/appointment.ics`: a calendar file, in the time zone of the
//! appointment's city.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use chrono::{Datelike as _, NaiveDateTime, Offset as _, TimeDelta, TimeZone as _, Utc};
use chrono_tz::{OffsetComponents as _, Tz};
use domain::appointment::Appointment;
use domain::clock::Instant;
use icalendar::{Alarm, Calendar, Component as _, Event, EventLike as _, Property};
use serde::Deserialize;
use store::task::Task;
use utoipa::{IntoParams, ToSchema};

use super::own_task;
use crate::AppState;
use crate::auth::Caller;
use crate::http::error::{ApiError, Code, ErrorEnvelope};
use crate::http::extract::{Query, TaskPath};

/// Language of the texts in a file.
#[derive(Clone, Copy, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum FileLanguage {
    /// Chinese.
    #[default]
    Zh,
    /// English.
    En,
}

/// Language of the file.
#[derive(Clone, Copy, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
pub struct FileQuery {
    /// Language of the file; `zh` by default.
    #[serde(default)]
    #[param(inline)]
    pub language: FileLanguage,
}

/// Returns the appointment of a task's group as a calendar file, or 404 if the group has no
/// appointment. A fingerprint appointment is an event of its own.
#[utoipa::path(get, path = "/schedules/{id}/appointment.ics", tag = "schedules", security(("bearer" = [])),
    params(("id" = uuid::Uuid, Path, description = "The task"), FileQuery),
    responses((status = 200, content_type = "text/calendar", body = String),
        (status = "4XX", body = ErrorEnvelope)))]
pub async fn get_appointment_file(
    State(app): State<AppState>,
    caller: Caller,
    TaskPath(id): TaskPath,
    Query(query): Query<FileQuery>,
) -> Result<Response, ApiError> {
    let mut tx = app.db.read().await?;
    let task = own_task(&mut tx, caller.user, id).await?;
    tx.commit().await?;
    let booked = task.booked.ok_or(Code::NotFound)?;
    let link = format!("{}/schedule/{}", app.settings.public_url.trim_end_matches('/'), task.id);
    let file = file(&task, &booked, query.language, (&link, app.now()));
    let headers = [
        (header::CONTENT_TYPE, "text/calendar; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"appointment.ics\""),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, file).into_response())
}

/// Time between the reminder and the appointment.
const AHEAD: TimeDelta = TimeDelta::days(1);

/// One event of a file.
struct Entry {
    /// Beginning of the identifier, which distinguishes the events of a task.
    kind: &'static str,
    summary: String,
    location: &'static str,
    begins: NaiveDateTime,
    zone: Tz,
}

/// Returns the file. It contains the time zones around the dates, and an event of an hour with a
/// reminder for each appointment. `link` is the address of the task's page.
fn file(task: &Task, booked: &Appointment, language: FileLanguage, (link, now): (&str, Instant)) -> String {
    let names: Vec<String> = task.group.applicants.iter().map(|a| on_one_line(&a.name)).collect();
    let (names, advice) = match language {
        FileLanguage::Zh => (names.join("、"), "地址请以您的预约确认函为准。"),
        FileLanguage::En => (names.join(", "), "Check the address on your confirmation."),
    };
    let mut calendar = Calendar::empty();
    for property in [("VERSION", "2.0"), ("PRODID", "-//Sooner//Appointment//EN"), ("CALSCALE", "GREGORIAN")]
    {
        calendar.append_property(property);
    }
    let entries = entries(booked, language);
    for entry in &entries {
        calendar.push(event(task, entry, &format!("{names}\n{advice}\n{link}"), link, now));
    }
    let mut zones: Vec<String> = entries.iter().map(|entry| vtimezone(entry.zone, entry.begins)).collect();
    zones.dedup();
    // The crate does not support custom time zones, so the zones are inserted before the events.
    calendar.to_string().replacen("BEGIN:VEVENT", &format!("{}BEGIN:VEVENT", zones.concat()), 1)
}

/// Returns the events: the interview, and the fingerprint appointment if there is one.
fn entries(booked: &Appointment, language: FileLanguage) -> Vec<Entry> {
    let interview = &booked.consular;
    let city = interview.facility.facility();
    let mut entries = vec![Entry {
        kind: "",
        summary: match language {
            FileLanguage::Zh => format!("美国签证面签 · {}", city.name_zh),
            FileLanguage::En => format!("US visa interview · {}", city.name_en),
        },
        location: city.address.unwrap_or(city.name_en),
        begins: interview.date.and_time(interview.time),
        zone: city.zone,
    }];
    entries.extend(booked.fingerprints.map(|slot| Entry {
        kind: "fingerprints.",
        summary: match language {
            FileLanguage::Zh => format!("美国签证指纹采集 · {}", slot.city.city().name_zh),
            FileLanguage::En => format!("US visa fingerprints · {}", slot.city.name()),
        },
        location: slot.city.name(),
        begins: slot.date.and_time(slot.time),
        zone: slot.city.zone(),
    }));
    entries
}

fn event(task: &Task, entry: &Entry, description: &str, link: &str, now: Instant) -> Event {
    // Identifiers and time stamps are set explicitly. The crate would use the system's clock and
    // randomness.
    let mut reminder = Alarm::display(&entry.summary, -AHEAD);
    reminder.uid(&format!("{}{}.reminder@sooner", entry.kind, task.id)).timestamp(now);
    let mut event = Event::new();
    event
        .uid(&format!("{}{}@sooner", entry.kind, task.id))
        .timestamp(now)
        .summary(&entry.summary)
        .location(entry.location)
        .description(description)
        .url(link)
        .alarm(reminder);
    for (name, at) in [("DTSTART", entry.begins), ("DTEND", entry.begins + TimeDelta::hours(1))] {
        let mut property = Property::new(name, stamp(at));
        property.add_parameter("TZID", entry.zone.name());
        event.append_property(property);
    }
    event.done()
}

/// Returns a name without line breaks, which would begin a new line of the file.
fn on_one_line(name: &str) -> String {
    let breaks = |c: char| c.is_whitespace() || c.is_control();
    name.split(breaks).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

fn stamp(at: NaiveDateTime) -> String {
    at.format("%Y%m%dT%H%M%S").to_string()
}

/// Returns the part of a time zone that the event needs. It begins with the offset at the start of
/// the previous year, and ends with the last clock change of the next year.
fn vtimezone(zone: Tz, around: NaiveDateTime) -> String {
    let new_year = |year| Utc.with_ymd_and_hms(year, 1, 1, 12, 0, 0).earliest();
    let mut text = format!("BEGIN:VTIMEZONE\r\nTZID:{}\r\n", zone.name());
    if let (Some(first), Some(last)) = (new_year(around.year() - 1), new_year(around.year() + 2)) {
        text += &observance(zone, first, first);
        let mut at = first;
        while let Some(change) = next_change(zone, at, last) {
            text += &observance(zone, change, change - TimeDelta::seconds(1));
            at = change;
        }
    }
    text + "END:VTIMEZONE\r\n"
}

/// Returns the first clock change after `from`, to the minute.
fn next_change(zone: Tz, from: Instant, last: Instant) -> Option<Instant> {
    let offset = |at: Instant| at.with_timezone(&zone).offset().fix().local_minus_utc();
    let mut day = from;
    while offset(day) == offset(day + TimeDelta::days(1)) {
        day += TimeDelta::days(1);
        if day >= last {
            return None;
        }
    }
    let (mut before, mut after) = (day, day + TimeDelta::days(1));
    while after - before > TimeDelta::minutes(1) {
        let middle = before + TimeDelta::minutes((after - before).num_minutes() / 2);
        if offset(middle) == offset(before) {
            before = middle;
        } else {
            after = middle;
        }
    }
    Some(after)
}

/// Returns the VTIMEZONE observance that starts at `begins`. The instant `before` has the previous
/// offset.
fn observance(zone: Tz, begins: Instant, before: Instant) -> String {
    let (new, old) = (begins.with_timezone(&zone), before.with_timezone(&zone));
    let offset = |seconds: i32| {
        let sign = if seconds < 0 { '-' } else { '+' };
        format!("{sign}{:02}{:02}", seconds.abs() / 3600, seconds.abs() / 60 % 60)
    };
    let (to, from) = (new.offset().fix().local_minus_utc(), old.offset().fix().local_minus_utc());
    let kind = if new.offset().dst_offset() == TimeDelta::zero() { "STANDARD" } else { "DAYLIGHT" };
    // An observance begins at the local time of the previous offset.
    let local = stamp(begins.naive_utc() + TimeDelta::seconds(i64::from(from)));
    let (from, to, name) = (offset(from), offset(to), new.offset());
    format!(
        "BEGIN:{kind}\r\nDTSTART:{local}\r\nTZOFFSETFROM:{from}\r\nTZOFFSETTO:{to}\r\nTZNAME:{name}\r\nEND:{kind}\r\n"
    )
}
