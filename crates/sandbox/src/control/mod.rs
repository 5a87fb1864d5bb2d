//! The control API and the control page, which show and change the simulated world at run time.

pub(crate) mod api;
mod changes;
pub(crate) mod page;
mod sections;

use std::sync::Arc;

use axum::{
    Router,
    routing::{delete, get, post},
};

use crate::{Shared, inbox::pages};

pub(crate) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/", get(page::show))
        .route("/control.css", get(page::css))
        .route("/control.js", get(page::script))
        .route("/control/ready", get(api::ready))
        .route("/control/state", get(api::state))
        .route("/control/journal", get(api::journal))
        .route("/control/bookings", get(api::bookings))
        .route("/control/clock", get(api::clock).post(api::move_clock))
        .route("/control/faults", get(api::faults).post(api::add_fault).delete(api::clear_faults))
        .route("/control/faults/{id}", delete(api::remove_fault))
        .route("/control/slots", get(api::slots).post(api::add_slot).delete(api::clear_slots))
        .route("/control/slots/{id}", delete(api::remove_slot))
        .route("/control/sources", post(api::add_source).delete(api::clear_sources))
        .route("/control/accounts", post(api::add_account))
        .route("/control/accounts/{username}", axum::routing::patch(changes::change_account))
        .route("/control/groups/{id}", axum::routing::patch(changes::change_group))
        .route("/control/config", get(api::config).post(api::change_config))
        .route("/control/scenario", post(api::load_scenario))
        .route("/inbox", get(pages::list).delete(pages::clear))
        .route("/inbox.json", get(pages::list_json))
        .route("/inbox/{name}", get(pages::mail))
        .merge(crate::identity::router())
        .merge(crate::card::router())
        .merge(crate::channel::router())
        .with_state(shared)
}
