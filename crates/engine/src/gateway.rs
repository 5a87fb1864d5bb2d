//! Access to the portal: account leases for jobs, sessions, connections, requests, and recovery
//! from failures.

pub(crate) mod account_lease;
pub(crate) mod connections;
pub(crate) mod fingerprints;
pub(crate) mod form;
pub(crate) mod lists;
pub(crate) mod missing_group;
pub mod outward;
pub(crate) mod pages;
pub(crate) mod preflight;
pub(crate) mod read_back;
pub(crate) mod recovery;
pub(crate) mod session;
pub(crate) mod stored_session;
pub(crate) mod take_over;
pub(crate) mod translate;

use domain::country::CountryCode;
use std::sync::Arc;

use domain::clock::Instant;
use domain::ids::PortalAccountId;
use parking_lot::Mutex;
use portal::pages::groups::GroupsPage;
use portal::{BookingConnection, LayoutChanged, PageKind};

use crate::Context;
use crate::memory::Memory;
use crate::model::page_breaker::PageFailure;
use crate::persist::Records;
use outward::Outward;

/// Dependencies of requests to the portal: the client, the state of the host, connections opened in
/// advance, and the records.
pub(crate) struct Gateway {
    pub client: Arc<portal::Client>,
    pub outward: Arc<Outward>,
    /// Connections opened in advance for booking POSTs, each with the wall time of its opening.
    pub ahead: Mutex<Vec<(BookingConnection, Instant)>>,
    pub records: Records,
}

impl Gateway {
    /// Creates a gateway with the client, the host's state and the database of `ctx`.
    pub fn new(ctx: &Context, memory: Arc<Memory>) -> Self {
        Self {
            client: ctx.client.clone(),
            outward: ctx.outward.clone(),
            ahead: Mutex::default(),
            records: Records {
                db: ctx.db.clone(),
                keyring: ctx.keyring.clone(),
                wall: ctx.wall.clone(),
                portal_time: ctx.portal_time.clone(),
                random: ctx.random.clone(),
                config: ctx.config.clone(),
                host: ctx.client.host(),
                memory,
            },
        }
    }

    /// Records that pages of these kinds could be parsed. Accounts that waited for such a page
    /// continue.
    pub fn parsed(&self, country: CountryCode, pages: &[PageKind]) {
        let now = self.records.portal_time.now();
        self.records.memory.update(|state| state.parsed(country, pages, now));
    }

    /// Records that a groups page could be parsed. Ignores a page without a group, because a
    /// changed layout of the groups may hide them.
    pub fn parsed_groups(&self, country: CountryCode, page: &GroupsPage) {
        if !page.groups.is_empty() {
            self.parsed(country, &[PageKind::Groups]);
        }
    }

    /// Records that a page of an account could not be parsed. If pages of several accounts are
    /// unreadable for minutes, all tasks of the country pause.
    pub fn unreadable(
        &self,
        country: CountryCode,
        changed: &LayoutChanged,
        account: PortalAccountId,
    ) -> PageFailure {
        let now = self.records.portal_time.now();
        self.records
            .memory
            .update(|state| state.page_breakers.add_failure(country, changed, account, &state.tasks, now))
    }
}
