//! The control API, which accepts and returns JSON. An error response states the mistake in the
//! request.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, Query, State, rejection::JsonRejection},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use chrono::{DateTime, Duration, Utc};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    Ready, Shared,
    journal::{Effect, Entry},
    scenario,
    world::{
        Config, NewAccount, World,
        arrivals::Source,
        country::facility,
        country::known_facilities,
        facility::Facility,
        faults::InjectedFault,
        slots::{NewSlot, Slot},
    },
};

pub(super) type Shares = State<Arc<Shared>>;

/// Error response with status and description of the mistake.
pub(crate) struct ControlError(StatusCode, String);

impl ControlError {
    pub(crate) fn new(words: impl Into<String>) -> Self {
        Self(StatusCode::UNPROCESSABLE_ENTITY, words.into())
    }

    pub(super) fn missing(what: &str) -> Self {
        Self(StatusCode::NOT_FOUND, format!("no such {what}"))
    }
}

impl From<JsonRejection> for ControlError {
    fn from(rejection: JsonRejection) -> Self {
        Self(rejection.status(), rejection.body_text())
    }
}

impl IntoResponse for ControlError {
    fn into_response(self) -> Response {
        (self.0, Json(json!({ "error": self.1 }))).into_response()
    }
}

type Answer<T> = Result<Json<T>, ControlError>;
pub(crate) type Body<T> = Result<Json<T>, JsonRejection>;

pub(crate) async fn ready(State(shared): Shares) -> Json<Option<Ready>> {
    let accounts = shared.step(|world| crate::ready::accounts(world));
    Json(shared.urls.get().cloned().map(|ready| Ready { accounts, ..ready }))
}

pub(crate) async fn state(State(shared): Shares) -> Answer<Value> {
    let mut value =
        shared.step(|world| serde_json::to_value(&*world)).map_err(|e| ControlError::new(e.to_string()))?;
    let slots: Vec<Slot> = shared.step(|world| world.slots.iter().cloned().collect());
    value["slots"] = json!(slots);
    for secret in ["secret", "dice", "cookies", "next_id", "sessions"] {
        value.as_object_mut().map(|map| map.remove(secret));
    }
    Ok(Json(value))
}

/// Query parameters that filter journal entries.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct JournalQuery {
    #[serde(default)]
    after: u64,
    kind: Option<String>,
    account: Option<String>,
    portal_schedule_id: Option<u64>,
    limit: Option<usize>,
}

pub(crate) async fn journal(State(shared): Shares, Query(query): Query<JournalQuery>) -> Json<Vec<Entry>> {
    let wanted = |entry: &&Entry| {
        query.kind.as_ref().is_none_or(|kind| kind.split(',').any(|k| k == entry.kind))
            && query.account.as_ref().is_none_or(|a| entry.account.as_ref() == Some(a))
            && query.portal_schedule_id.is_none_or(|id| entry.portal_schedule_id == Some(id))
    };
    let limit = query.limit.unwrap_or(usize::MAX);
    Json(
        shared.step(|world| {
            world.journal.after(query.after).iter().filter(wanted).take(limit).cloned().collect()
        }),
    )
}

/// Returns all applied bookings and cancellations in order, for each group. Tests compare the
/// product's data with them.
pub(crate) async fn bookings(State(shared): Shares) -> Json<Value> {
    Json(shared.step(|world| {
        let posts = |id: u64| {
            let booked =
                |e: &&Entry| e.portal_schedule_id == Some(id) && matches!(e.effect, Effect::Booked { .. });
            world.journal.after(0).iter().filter(booked).count()
        };
        let groups: Vec<Value> = world
            .groups
            .values()
            .map(|g| {
                let mut group = json!({
                    "portal_schedule_id": g.schedule_id, "account": g.account, "appointment": g.appointment,
                    "attempts_left": g.attempts_left, "applied_posts": posts(g.schedule_id),
                });
                if let Some(asc) = &g.asc {
                    group["asc"] = json!(asc);
                }
                group
            })
            .collect();
        json!({ "applied": world.applied, "groups": groups })
    }))
}

pub(crate) async fn clock(State(shared): Shares) -> Json<Value> {
    let (now, next) = shared.step(|world| (world.now, world.next_event()));
    Json(
        json!({ "now": now, "next_event": next, "manual": shared.clock.manual().is_some(), "speed": shared.clock.speed }),
    )
}

/// Request that moves a manual clock.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Move {
    advance_seconds: Option<f64>,
    set: Option<DateTime<Utc>>,
}

pub(crate) async fn move_clock(State(shared): Shares, body: Body<Move>) -> Answer<Value> {
    let Json(step) = body?;
    let Some(hands) = shared.clock.manual() else {
        return Err(ControlError(StatusCode::CONFLICT, "this clock runs by itself".to_owned()));
    };
    match (step.advance_seconds, step.set) {
        (Some(seconds), None) if seconds.is_finite() && (0.0..=1e10).contains(&seconds) => {
            hands.advance(Duration::milliseconds((seconds * 1000.0) as i64));
        }
        (None, Some(at)) if at >= hands.now() => hands.set(at),
        _ => {
            return Err(ControlError::new("give advance_seconds >= 0, or set to a later time"));
        }
    }
    Ok(clock(State(shared)).await)
}

pub(crate) async fn faults(State(shared): Shares) -> Json<Vec<InjectedFault>> {
    Json(shared.step(|world| world.faults.clone()))
}

/// Fields that any kind of fault may have.
const FAULT_FIELDS: [&str; 6] = ["account", "portal_schedule_id", "on", "skip", "times", "probability"];

pub(crate) async fn add_fault(State(shared): Shares, body: Body<Value>) -> Answer<Value> {
    let Json(given) = body?;
    let fault: InjectedFault =
        serde_json::from_value(given.clone()).map_err(|e| ControlError::new(e.to_string()))?;
    // serde cannot reject unknown fields of a flattened enum. Without this check, a fault with a
    // misspelt limit would never end.
    let known = json!(fault);
    let stray = given
        .as_object()
        .and_then(|g| g.keys().find(|k| known.get(k).is_none() && !FAULT_FIELDS.contains(&k.as_str())));
    if let Some(stray) = stray {
        return Err(ControlError::new(format!("unknown field {stray:?}")));
    }
    if fault.times == Some(0) {
        return Err(ControlError::new("times must be at least 1"));
    }
    Ok(Json(json!({ "id": shared.step(|world| world.add_fault(fault)) })))
}

pub(crate) async fn clear_faults(State(shared): Shares) -> StatusCode {
    shared.step(|world| world.remove_faults(None));
    StatusCode::NO_CONTENT
}

pub(crate) async fn remove_fault(State(shared): Shares, Path(id): Path<u64>) -> StatusCode {
    shared.step(|world| world.remove_faults(Some(id)));
    StatusCode::NO_CONTENT
}

pub(crate) async fn slots(State(shared): Shares) -> Json<Vec<Slot>> {
    Json(shared.step(|world| world.slots.iter().cloned().collect()))
}

pub(crate) async fn add_slot(State(shared): Shares, body: Body<NewSlot>) -> Answer<Value> {
    let Json(slot) = body?;
    if facility(slot.facility).is_none_or(Facility::is_asc) {
        return Err(ControlError::new(format!("unknown consulate; there are {}", known_facilities())));
    }
    Ok(Json(json!({ "id": shared.step(|world| world.add_slot(slot)) })))
}

pub(crate) async fn clear_slots(State(shared): Shares) -> StatusCode {
    shared.step(|world| world.slots.clear());
    StatusCode::NO_CONTENT
}

pub(crate) async fn remove_slot(
    State(shared): Shares,
    Path(id): Path<u64>,
) -> Result<StatusCode, ControlError> {
    let removed = shared.step(|world| world.remove_slot(id));
    if removed { Ok(StatusCode::NO_CONTENT) } else { Err(ControlError::missing("slot")) }
}

pub(crate) async fn add_source(State(shared): Shares, body: Body<Source>) -> Answer<Value> {
    let Json(source) = body?;
    if facility(source.facility).is_none_or(Facility::is_asc) || !source.is_sane() {
        return Err(ControlError::new(
            "a known consulate, a mean gap of at least a second and days_ahead within 0 to 3650 are needed",
        ));
    }
    Ok(Json(json!({ "sources": shared.step(|world| { world.add_source(source); world.sources.len() }) })))
}

pub(crate) async fn clear_sources(State(shared): Shares) -> StatusCode {
    shared.step(World::clear_sources);
    StatusCode::NO_CONTENT
}

pub(crate) async fn add_account(State(shared): Shares, body: Body<NewAccount>) -> Answer<Value> {
    let Json(account) = body?;
    let username = account.username.trim().to_lowercase();
    if username.is_empty() || shared.step(|world| world.accounts.contains_key(&username)) {
        return Err(ControlError(StatusCode::CONFLICT, "the username is empty or taken".to_owned()));
    }
    let ids = shared.step(|world| world.add_account(account));
    Ok(Json(json!({ "username": username, "portal_schedule_ids": ids })))
}

pub(crate) async fn config(State(shared): Shares) -> Json<Value> {
    Json(shared.step(|world| json!(world.config)))
}

/// Replaces the given settings and keeps the others.
pub(crate) async fn change_config(State(shared): Shares, body: Body<Value>) -> Answer<Value> {
    let Json(change) = body?;
    shared.step(|world| {
        let mut merged = json!(world.config);
        merge(&mut merged, &change);
        let config: Config = serde_json::from_value(merged).map_err(|e| ControlError::new(e.to_string()))?;
        if !config.is_sane() {
            return Err(ControlError::new("a number is out of range"));
        }
        world.config = config;
        Ok(Json(json!(world.config)))
    })
}

pub(crate) fn merge(into: &mut Value, change: &Value) {
    match (into, change) {
        (Value::Object(into), Value::Object(change)) => {
            for (key, value) in change {
                merge(into.entry(key.clone()).or_insert(Value::Null), value);
            }
        }
        (into, change) => *into = change.clone(),
    }
}

/// Request that restarts the world with a scenario.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scenario {
    name: String,
    seed: Option<u64>,
}

pub(crate) async fn load_scenario(State(shared): Shares, body: Body<Scenario>) -> Answer<Value> {
    let Json(wanted) = body?;
    let seed = wanted.seed.unwrap_or(shared.seed);
    let mut fresh = scenario::build(&wanted.name, seed, shared.clock.now())
        .map_err(|e| ControlError::new(e.to_string()))?;
    shared.step(|world| {
        fresh.journal.continue_after(std::mem::take(&mut world.journal));
        // Keep the payments when the portal restarts.
        fresh.card = std::mem::take(&mut world.card);
        fresh.channels = std::mem::take(&mut world.channels);
        *world = fresh;
    });
    Ok(Json(
        json!({ "scenario": wanted.name, "accounts": shared.step(|world| crate::ready::accounts(world)) }),
    ))
}
