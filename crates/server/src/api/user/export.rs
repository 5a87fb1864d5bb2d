//! Endpoint `POST /user/export`.

use std::io::{Cursor, Write as _};

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use domain::money::Money;
use domain::security_event::SecurityEventKind;
use serde_json::{Value, json};
use store::Tx;
use store::export::ExportedData;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::AppState;
use crate::api::schedules::task_views;
use crate::api::user::UserView;
use crate::auth::user_agent::RequestClient;
use crate::auth::{Caller, StepUp, events};
use crate::http::error::{ApiError, Code, ErrorEnvelope};

mod permit;

pub use permit::{ExportPermit, Exports};

/// Maximum number of exported rows per kind, so that an export fits into memory. The newest rows
/// are exported.
const ROWS: i64 = 20_000;

/// Rows of one kind. They become a JSON file with all fields, and a CSV file with these columns.
struct Section {
    name: &'static str,
    columns: &'static [&'static str],
    rows: Vec<Value>,
}

/// Returns all data of the caller as a zip of JSON and CSV files, without passwords, tokens and
/// second factors.
#[utoipa::path(post, path = "/user/export", tag = "user", responses(
    (status = 200, content_type = "application/zip", body = String, description = "A zip file"),
    (status = 401, body = ErrorEnvelope), (status = 403, body = ErrorEnvelope),
    (status = 429, body = ErrorEnvelope, description = "An export of the caller, or too many other exports, are in progress"),
), security(("bearer" = [])))]
pub async fn export_data(
    State(app): State<AppState>,
    StepUp(caller): StepUp,
    RequestClient(client): RequestClient,
) -> Result<Response, ApiError> {
    let busy = || ApiError::new(Code::TooManyAttempts).retry_after(10);
    let _turn = app.exports.begin(caller.user).ok_or_else(busy)?;
    let mut tx = app.db.begin().await?;
    events::record(&app, &mut tx, &events::by(&caller, SecurityEventKind::Exported, &client)).await?;
    tx.commit().await?;
    let sections = gather(&app, caller).await?;
    let now = app.wall.now();
    let bytes = tokio::task::spawn_blocking(move || pack(&sections, now))
        .await
        .map_err(|e| ApiError::internal(&e))?
        .map_err(|e| ApiError::internal(&e))?;
    let name = format!("attachment; filename=\"sooner-export-{}.zip\"", now.format("%Y-%m-%d"));
    let headers = [(header::CONTENT_TYPE, "application/zip".to_owned()), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, bytes).into_response())
}

/// Reads all data of the user from one consistent state of the database.
async fn gather(app: &AppState, caller: Caller) -> Result<Vec<Section>, ApiError> {
    let mut tx = app.db.read().await?;
    let user = store::user::get(&mut tx, caller.user).await?.ok_or(ApiError::new(Code::Unauthorized))?;
    let profile = json(UserView::of(&mut tx, &user).await?)?;
    let (tasks, bookings) = tasks(app, &mut tx, caller).await?;
    Ok(vec![
        Section {
            name: "profile",
            columns: &["id", "email", "display_name", "language", "emailVerified", "createdAt", "credit"],
            rows: vec![profile],
        },
        Section {
            name: "tasks",
            columns: &[
                "id",
                "status",
                "status_reason",
                "portal_schedule_id",
                "country_code",
                "visa_type",
                "monitoring_cities",
                "schedule_config",
                "price",
                "deleted_at",
            ],
            rows: tasks,
        },
        Section {
            name: "bookings",
            columns: &["task_id", "timestamp", "date", "time", "toLocation", "fromDate", "daysAdvanced"],
            rows: bookings,
        },
        journal(&mut tx, caller).await?,
        credentials(&mut tx, caller).await?,
        ledger(&mut tx, caller).await?,
        card_payments(&mut tx, caller).await?,
        mails(&mut tx, caller).await?,
        channels(&mut tx, caller).await?,
        notification_setting(&mut tx, caller).await?,
        sign_ins(&mut tx, caller).await?,
        security_events(&mut tx, caller).await?,
        section(&mut tx, caller, ExportedData::Identities).await?,
        section(&mut tx, caller, ExportedData::KnownDevices).await?,
        section(&mut tx, caller, ExportedData::Ratings).await?,
        section(&mut tx, caller, ExportedData::Referrals).await?,
        section(&mut tx, caller, ExportedData::Promos).await?,
        section(&mut tx, caller, ExportedData::Attempts).await?,
    ])
}

async fn tasks(app: &AppState, tx: &mut Tx, caller: Caller) -> Result<(Vec<Value>, Vec<Value>), ApiError> {
    let (mut tasks, mut bookings) = (Vec::new(), Vec::new());
    let all = store::task::all_of_user(tx, caller.user).await?;
    let views = task_views(tx, app, &all).await?;
    for (task, view) in all.iter().zip(views) {
        let mut view = json(view)?;
        view["deleted_at"] = json!(task.deleted_at);
        for booking in view["success_history"].as_array().into_iter().flatten() {
            let mut booking = booking.clone();
            booking["task_id"] = json!(task.id);
            bookings.push(booking);
        }
        tasks.push(view);
    }
    Ok((tasks, bookings))
}

async fn journal(tx: &mut Tx, caller: Caller) -> Result<Section, ApiError> {
    let lines = store::export::journal(tx, caller.user, ROWS).await?;
    let rows = lines
        .into_iter()
        .map(|l| json!({ "task_id": l.task_id, "at": l.at, "kind": l.kind, "data": l.data }));
    Ok(Section { name: "journal", columns: &["task_id", "at", "kind", "data"], rows: rows.collect() })
}

async fn credentials(tx: &mut Tx, caller: Caller) -> Result<Section, ApiError> {
    let own = store::credential::all_of_user(tx, caller.user).await?;
    let rows = own.into_iter().map(|c| {
        json!({
            "id": c.id, "username": c.username, "health": c.health, "health_since": c.health_since,
            "tested_at": c.tested_at,
        })
    });
    let columns = &["id", "username", "health", "health_since", "tested_at"];
    Ok(Section { name: "portal_accounts", columns, rows: rows.collect() })
}

async fn ledger(tx: &mut Tx, caller: Caller) -> Result<Section, ApiError> {
    let all = store::ledger::Filter::default();
    let movements = store::ledger::movements(tx, caller.user, &all, ROWS).await?;
    let rows = movements.into_iter().map(|m| {
        json!({
            "id": m.id, "kind": m.kind.as_str(), "effect": Money::cad(m.effect.available()).to_wire(),
            "amount": m.amount.to_wire(), "balance_after": m.balance_after.to_wire(),
            "held_after": m.held_after.to_wire(), "currency": m.amount.currency.code(), "at": m.at, "source": m.source,
            "task_id": m.task.map(|task| task.id),
        })
    });
    let columns = &[
        "id",
        "at",
        "kind",
        "effect",
        "amount",
        "balance_after",
        "held_after",
        "currency",
        "source",
        "task_id",
    ];
    Ok(Section { name: "ledger", columns, rows: rows.collect() })
}

async fn card_payments(tx: &mut Tx, caller: Caller) -> Result<Section, ApiError> {
    let payments = store::card::list(tx, Some(caller.user), ROWS).await?;
    let rows = payments.into_iter().map(|p| {
        json!({
            "id": p.intent_id, "at": p.created_at, "asked": p.asked.to_wire(), "currency": p.asked.currency.code(),
            "received": p.received.map(Money::to_wire), "credited_at": p.credited_at,
            "refunded": p.refunded.to_wire(), "disputed": p.disputed.to_wire(), "state": p.state.as_str(),
            "method": p.method.as_str(), "description": p.description,
        })
    });
    let columns = &[
        "id",
        "at",
        "asked",
        "received",
        "credited_at",
        "refunded",
        "disputed",
        "currency",
        "state",
        "method",
        "description",
    ];
    Ok(Section { name: "card_payments", columns, rows: rows.collect() })
}

async fn mails(tx: &mut Tx, caller: Caller) -> Result<Section, ApiError> {
    let rows = store::export::mails(tx, caller.user, ROWS).await?.into_iter().map(|m| {
        json!({
            "kind": m.template, "recipient": m.recipient, "language": m.language, "created_at": m.created_at,
            "delivered_at": m.delivered_at,
        })
    });
    let columns = &["kind", "recipient", "language", "created_at", "delivered_at"];
    Ok(Section { name: "mails", columns, rows: rows.collect() })
}

/// Returns the channels without their targets, which are secrets of the providers.
async fn channels(tx: &mut Tx, caller: Caller) -> Result<Section, ApiError> {
    let rows = store::channel::list(tx, caller.user).await?.into_iter().map(|c| {
        json!({
            "id": c.id, "kind": c.kind, "label": c.label, "linked_as": c.linked_as, "state": c.state,
            "events": c.events, "created_at": c.created_at, "verified_at": c.verified_at, "last_ok_at": c.last_ok_at,
            "last_error_at": c.last_error_at, "last_answer": c.last_answer,
        })
    });
    let columns =
        &["id", "kind", "label", "linked_as", "state", "events", "created_at", "verified_at", "last_ok_at"];
    Ok(Section { name: "channels", columns, rows: rows.collect() })
}

async fn notification_setting(tx: &mut Tx, caller: Caller) -> Result<Section, ApiError> {
    let setting = store::channel::setting(tx, caller.user).await?;
    let row = json!({
        "quiet_from": setting.quiet.map(|quiet| quiet.from), "quiet_to": setting.quiet.map(|quiet| quiet.to),
        "zone": setting.zone.name(), "questions_at_night": setting.questions_at_night, "digest": setting.digest,
    });
    let columns = &["quiet_from", "quiet_to", "zone", "questions_at_night", "digest"];
    Ok(Section { name: "notifications", columns, rows: vec![row] })
}

async fn sign_ins(tx: &mut Tx, caller: Caller) -> Result<Section, ApiError> {
    let rows = store::export::sign_ins(tx, caller.user, ROWS).await?.into_iter().map(|s| {
        json!({
            "method": s.method, "browser": s.browser, "os": s.os, "kind": s.kind, "network": s.network,
            "created_at": s.created_at, "last_used_at": s.last_used_at, "expires_at": s.expires_at,
            "revoked_at": s.revoked_at,
        })
    });
    let columns = &[
        "method",
        "browser",
        "os",
        "kind",
        "network",
        "created_at",
        "last_used_at",
        "expires_at",
        "revoked_at",
    ];
    Ok(Section { name: "sign_ins", columns, rows: rows.collect() })
}

async fn section(tx: &mut Tx, caller: Caller, what: ExportedData) -> Result<Section, ApiError> {
    let rows = store::export::rows(tx, caller.user, what, ROWS).await?;
    Ok(Section { name: what.name(), columns: what.columns(), rows })
}

async fn security_events(tx: &mut Tx, caller: Caller) -> Result<Section, ApiError> {
    let rows = store::security_event::of_user(tx, caller.user, ROWS).await?.into_iter().map(|e| {
        json!({
            "at": e.at, "kind": e.kind, "succeeded": e.succeeded, "browser": e.browser, "os": e.os,
            "device": e.client, "network": e.network,
        })
    });
    let columns = &["at", "kind", "succeeded", "browser", "os", "device", "network"];
    Ok(Section { name: "security_events", columns, rows: rows.collect() })
}

fn json(value: impl serde::Serialize) -> Result<Value, ApiError> {
    serde_json::to_value(value).map_err(|e| ApiError::internal(&e))
}

/// An error while packing the files.
#[derive(Debug, thiserror::Error)]
enum PackError {
    #[error(transparent)]
    Zip(#[from] zip::result::ZipError),
    #[error(transparent)]
    Io(#[from] std::io::Error),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
    #[error(transparent)]
    Csv(#[from] csv::Error),
}

fn pack(sections: &[Section], now: domain::clock::Instant) -> Result<Vec<u8>, PackError> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    let files = sections.iter().map(|s| {
        let complete = i64::try_from(s.rows.len()).is_ok_and(|n| n < ROWS);
        json!({ "name": s.name, "rows": s.rows.len(), "complete": complete })
    });
    let manifest = json!({ "made_at": now, "files": files.collect::<Vec<_>>() });
    zip.start_file("manifest.json", options)?;
    serde_json::to_writer_pretty(&mut zip, &manifest)?;
    for section in sections {
        zip.start_file(format!("{}.json", section.name), options)?;
        serde_json::to_writer_pretty(&mut zip, &section.rows)?;
        zip.start_file(format!("{}.csv", section.name), options)?;
        // Without the byte order mark, Excel does not read the file as UTF-8.
        zip.write_all("\u{feff}".as_bytes())?;
        let mut csv = csv::Writer::from_writer(&mut zip);
        csv.write_record(section.columns)?;
        for row in &section.rows {
            csv.write_record(section.columns.iter().map(|column| cell(&row[*column])))?;
        }
        csv.flush()?;
        drop(csv);
    }
    Ok(zip.finish()?.into_inner())
}

/// Returns a value as the text of a CSV cell. A text that a spreadsheet would execute as a formula
/// gets a leading apostrophe.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) if text.starts_with(['=', '+', '-', '@', '\t', '\r']) => format!("'{text}"),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
