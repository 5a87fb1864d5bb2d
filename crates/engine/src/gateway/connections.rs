//! Connections for booking POSTs, opened in advance.

use chrono::TimeDelta;
use domain::calendar::CalendarKey;
use domain::ids::PortalScheduleId;
use portal::{BookingConnection, BookingForm, PortalError, PostEvidence, Session};

use crate::gateway::Gateway;
use crate::gateway::account_lease::AccountLease;
use crate::persist::commit::Proof;

/// Number of connections that are kept open in advance.
const CONNECTIONS: usize = 1;

/// Wall time after which an unused connection is dropped. Portals close idle connections after
/// about a minute.
const CONNECTION_LIVES: TimeDelta = TimeDelta::seconds(45);

/// Returns a connection for a POST: the one opened in advance if it is still usable, otherwise a
/// new one.
pub(crate) async fn connection(gateway: &Gateway) -> Result<BookingConnection, PortalError> {
    loop {
        let ahead = gateway.ahead.lock().pop();
        let Some((mut connection, opened)) = ahead else {
            return BookingConnection::open(&gateway.client).await;
        };
        if gateway.records.wall.now() - opened < CONNECTION_LIVES && connection.is_usable().await {
            return Ok(connection);
        }
    }
}

/// Opens a connection in advance if the calendar has a prewarmed task. Called during a poll of that
/// calendar.
pub(crate) async fn open_ahead(gateway: &Gateway, key: &CalendarKey) {
    let now = gateway.records.wall.now();
    let wanted = gateway.records.memory.read(|state| state.accounts.is_prewarmed(key));
    {
        let mut ahead = gateway.ahead.lock();
        ahead.retain(|(_, opened)| now - *opened < CONNECTION_LIVES);
        if !wanted || ahead.len() >= CONNECTIONS {
            return;
        }
    }
    if let Ok(connection) = BookingConnection::open(&gateway.client).await {
        gateway.ahead.lock().push((connection, now));
    }
}

/// Returns the given connection if it is still usable, otherwise a new one.
pub(crate) async fn still_usable(
    gateway: &Gateway,
    mut connection: BookingConnection,
) -> Result<BookingConnection, PortalError> {
    if connection.is_usable().await { Ok(connection) } else { BookingConnection::open(&gateway.client).await }
}

/// Sends the only POST of a committed attempt, and returns evidence of its result.
pub(crate) async fn post(
    lease: &AccountLease,
    connection: BookingConnection,
    (session, group): (&Session, &PortalScheduleId),
    form: BookingForm,
    proof: Proof,
) -> PostEvidence {
    connection.post(&lease.meter, session, group, form, proof).await
}
