//! The booking POST, the one request that cannot be undone.
//!
//! The caller opens a [`BookingConnection`] ahead of time, and one POST consumes it. The POST
//! requires a [`SendingProof`], which only the function that commits attempts can create. The
//! connection checks the proof's deadline before every write to the socket. The result is evidence
//! of success or failure, never proof.

mod wire;

use crate::classify::{self, Cut};
use crate::html::Doc;
use crate::meter::CallKind;
use crate::pages::actions::ActionKind;
use crate::pages::appointment::{AppointmentForm, Fingerprints};
use crate::pages::instructions;
use crate::{Client, Clock, Meter, PageKind, PortalError, Session};
use bytes::Bytes;
use chrono::{DateTime, Utc};
use domain::appointment::{Appointment, Slot};
use domain::facility::FacilityId;
use domain::ids::PortalScheduleId;
pub use domain::journal::Wrote;
use http_body_util::{BodyExt, Full, Limited};
use hyper::client::conn::http1::{Connection, SendRequest, handshake};
use hyper::header::{
    ACCEPT, CONTENT_LENGTH, CONTENT_TYPE, COOKIE, HOST, HeaderValue, LOCATION, ORIGIN, REFERER, USER_AGENT,
};
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use wire::{Guarded, Stream, WriteLog};

const MAX_BODY: usize = 4 << 20;

/// Key that permits its owner to create a [`SendingProof`]. The function that commits attempts
/// implements this trait for a type with a private constructor.
///
/// `crates/checks` fails if a second type outside tests implements this trait.
pub trait CommitKey {}

/// Proof that a booking attempt was committed as *sending* before any byte is sent.
///
/// The type is neither `Clone` nor `Copy`, so one proof permits one POST. Code without a
/// [`CommitKey`] cannot create a proof:
///
/// ```compile_fail
/// let proof = portal::SendingProof::committed((), "an attempt", chrono::Utc::now());
/// ```
///
/// ```compile_fail
/// let proof: portal::SendingProof<()> = portal::SendingProof { attempt: String::new() };
/// ```
#[derive(Debug)]
pub struct SendingProof<K> {
    attempt: String,
    leave_before: DateTime<Utc>,
    key: PhantomData<K>,
}

impl<K: CommitKey> SendingProof<K> {
    /// Creates the proof. Call this only right after the transaction that sets `attempt` to
    /// *sending*. The connection writes no byte at or after `leave_before`, which is compared with
    /// the client's clock.
    pub fn committed(_key: K, attempt: impl Into<String>, leave_before: DateTime<Utc>) -> Self {
        Self { attempt: attempt.into(), leave_before, key: PhantomData }
    }
}

/// Booking form filled for one slot and the whole group.
#[derive(Clone, PartialEq, Eq)]
pub struct BookingForm {
    fields: Vec<(String, String)>,
    /// Address to which the form is sent, on the portal's own host, if the page named an address.
    action: Option<String>,
}

impl std::fmt::Debug for BookingForm {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("BookingForm(..)")
    }
}

/// Reason why a form cannot be filled for a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum CannotFill {
    /// The form does not offer this facility.
    #[error("the form does not offer this facility")]
    FacilityNotOffered,
    /// The form gives the number of this facility to another city.
    #[error("the form names another city under the number of this facility")]
    OtherCity,
    /// The form has unknown fields for a fingerprint appointment.
    #[error("the form has unknown fields for a fingerprint appointment")]
    UnknownFingerprintFields,
    /// The consulate takes the fingerprints itself. No request of a browser is known for this case.
    #[error("the consulate takes the fingerprints itself")]
    FingerprintsAtConsulate,
    /// The form asks for a fingerprint appointment, and none was chosen.
    #[error("the form asks for a fingerprint appointment too")]
    FingerprintsMissing,
    /// A fingerprint appointment was chosen for which the form has no field or no place.
    #[error("the form does not offer the place of the fingerprint appointment")]
    FingerprintsNotOffered,
}

impl AppointmentForm {
    /// Fills the form for an appointment. A field of a fingerprint appointment is sent only with a
    /// value: an empty one would delete the fingerprint appointment that the group holds.
    pub fn fill(&self, target: &Appointment) -> Result<BookingForm, CannotFill> {
        let Slot { facility, date, time } = target.consular;
        self.require_offer(facility)?;
        let fingerprints = self.fingerprint_fields(target)?;
        let slot = |field: &str| format!("appointments[consulate_appointment][{field}]");
        let mut fields = self.hidden.clone();
        for (name, value) in
            [("confirmed_limit_message", "1"), ("use_consulate_appointment_capacity", "true")]
        {
            if !fields.iter().any(|(known, _)| known == name) {
                fields.push((name.to_owned(), value.to_owned()));
            }
        }
        fields.retain(|(name, _)| {
            !name.starts_with("appointments[consulate_appointment]")
                && !name.starts_with("appointments[asc_appointment]")
        });
        fields.extend([
            (slot("facility_id"), facility.number().to_string()),
            (slot("date"), date.to_string()),
            (slot("time"), time.format("%H:%M").to_string()),
        ]);
        fields.extend(fingerprints.into_iter().flatten());
        fields.push(("commit".to_owned(), self.commit.clone()));
        Ok(BookingForm { fields, action: self.action.clone() })
    }

    /// Checks that the form offers a consulate under its number and name.
    ///
    /// # Errors
    /// [`CannotFill::FacilityNotOffered`] or [`CannotFill::OtherCity`].
    pub fn require_offer(&self, consulate: FacilityId) -> Result<(), CannotFill> {
        let offered = self.facilities.iter().find(|offered| offered.id == consulate.number());
        let offered = offered.ok_or(CannotFill::FacilityNotOffered)?;
        if consulate.facility().may_be_labelled(&offered.name) { Ok(()) } else { Err(CannotFill::OtherCity) }
    }

    /// Returns the fields of the fingerprint appointment; `None` if the form asks for none.
    fn fingerprint_fields(&self, target: &Appointment) -> Result<Option<[(String, String); 3]>, CannotFill> {
        let facility = target.consular.facility;
        let chosen = match (self.fingerprints_for(facility), target.fingerprints) {
            (Fingerprints::NotAsked, None) => return Ok(None),
            (Fingerprints::NotAsked, Some(_)) => return Err(CannotFill::FingerprintsNotOffered),
            (Fingerprints::AtConsulate, _) => return Err(CannotFill::FingerprintsAtConsulate),
            (Fingerprints::Unknown, _) => return Err(CannotFill::UnknownFingerprintFields),
            (Fingerprints::Asked, None) => return Err(CannotFill::FingerprintsMissing),
            (Fingerprints::Asked, Some(chosen)) => chosen,
        };
        let places = self.fingerprint_places(facility.facility().country);
        let place = places.into_iter().find(|(city, _)| *city == chosen.city);
        let (_, place) = place.ok_or(CannotFill::FingerprintsNotOffered)?;
        let slot = |field: &str| format!("appointments[asc_appointment][{field}]");
        Ok(Some([
            (slot("facility_id"), place.id.to_string()),
            (slot("date"), chosen.date.to_string()),
            (slot("time"), chosen.time.format("%H:%M").to_string()),
        ]))
    }

    /// Returns the action of the form, derived from its button: reschedule an appointment or book a
    /// first one. Any other button is rejected when the page is parsed.
    pub fn kind(&self) -> ActionKind {
        crate::pages::appointment::kind_of_button(&self.commit, &crate::wording::CLIENT)
            .unwrap_or(ActionKind::Other)
    }
}

/// Evidence about the result of the POST. The portal sends similar responses for success and
/// refusal. Read the appointment at the portal before relying on this evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PostEvidence {
    /// Identifier of the booking attempt, copied from the proof.
    pub attempt: String,
    /// The part of the request that was sent. Only after [`Wrote::Nothing`] is it certain that the
    /// portal received nothing.
    pub wrote: Wrote,
    /// The HTTP status, if the head of the response arrived.
    pub status: Option<u16>,
    /// The redirect target in the response. The client does not follow the redirect.
    pub location: Option<String>,
    /// The flash message in this response. Usually the portal shows the message on the next page.
    pub flash: Option<String>,
    /// The failure of the request, or the error that the response reports.
    pub error: Option<PortalError>,
    /// Time of the first write to the connection, by the client's clock.
    pub sent_at: Option<DateTime<Utc>>,
    /// Time at which the head of the response had arrived.
    pub answered_at: Option<DateTime<Utc>>,
    /// Time at which the call ended: end of the response, failure or timeout.
    pub ended_at: DateTime<Utc>,
}

type Conn = Connection<TokioIo<Guarded>, Full<Bytes>>;

/// Connection for one booking POST, opened ahead of time. It has no pool, no retry, and follows no
/// redirect.
pub struct BookingConnection {
    client: Client,
    sender: SendRequest<Full<Bytes>>,
    conn: Pin<Box<Conn>>,
    log: Arc<WriteLog>,
    clock: Clock,
}

impl std::fmt::Debug for BookingConnection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("BookingConnection(..)")
    }
}

impl BookingConnection {
    /// Opens a connection, with TLS for https, and sends no request.
    #[tracing::instrument(skip_all)]
    pub async fn open(client: &Client) -> Result<Self, PortalError> {
        let settings = &client.transport.settings;
        let opening = Self::connect(client);
        let stream = tokio::time::timeout(settings.timeouts.connect, opening)
            .await
            .map_err(|_| PortalError::Timeout)?
            .map_err(|e| client.transport.cut_off(classify::cut(&e)))?;
        let clock = settings.clock.clone();
        let log = Arc::new(WriteLog::default());
        let guarded = Guarded::new(stream, log.clone(), clock.clone());
        let shaken = handshake(TokioIo::new(guarded)).await;
        let (sender, conn) = shaken.map_err(|e| client.transport.cut_off(classify::cut(&e)))?;
        Ok(Self { client: client.clone(), sender, conn: Box::pin(conn), log, clock })
    }

    async fn connect(client: &Client) -> std::io::Result<Stream> {
        let base = &client.transport.settings.host.base;
        let unusable = |what| std::io::Error::new(std::io::ErrorKind::InvalidInput, what);
        let host = base.host_str().ok_or_else(|| unusable("no host"))?;
        let bare = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let port = base.port_or_known_default().ok_or_else(|| unusable("no port"))?;
        let tcp = TcpStream::connect((bare.as_str(), port)).await?;
        tcp.set_nodelay(true)?;
        if !client.transport.settings.host.is_tls() {
            return Ok(Stream::Plain(tcp));
        }
        let name = ServerName::try_from(bare).map_err(|_| unusable("no host name"))?;
        let tls = TlsConnector::from(client.transport.tls.clone()).connect(name, tcp).await?;
        Ok(Stream::Tls(Box::new(tls)))
    }

    /// Returns `true` if the connection is still open. The portal closes idle connections. In that
    /// case open a new connection.
    pub async fn is_usable(&mut self) -> bool {
        let conn = &mut self.conn;
        let ended =
            std::future::poll_fn(|cx| std::task::Poll::Ready(conn.as_mut().poll(cx).is_ready())).await;
        !ended && !self.sender.is_closed()
    }

    /// Sends the form once and waits at most `Timeouts::booking` for the response.
    ///
    /// Dropping the future closes the connection, but the portal may already have received the
    /// POST.
    #[tracing::instrument(skip_all)]
    pub async fn post<K: CommitKey>(
        self,
        meter: &Meter,
        session: &Session,
        schedule: &PortalScheduleId,
        form: BookingForm,
        proof: SendingProof<K>,
    ) -> PostEvidence {
        let Self { client, mut sender, mut conn, log, clock } = self;
        let mut evidence = PostEvidence {
            attempt: proof.attempt,
            wrote: Wrote::Nothing,
            status: None,
            location: None,
            flash: None,
            error: None,
            sent_at: None,
            answered_at: None,
            ended_at: clock(),
        };
        match request(&client, session, schedule, form) {
            Ok((request, body_len)) => {
                meter.count(CallKind::Page);
                client.pacer().admit(meter).await;
                log.prepare(proof.leave_before, body_len);
                let exchange = exchange(&mut sender, request, &clock, &mut evidence, session);
                let outcome = tokio::time::timeout(client.transport.settings.timeouts.booking, async {
                    let mut exchange = std::pin::pin!(exchange);
                    tokio::select! {
                        biased;
                        outcome = &mut exchange => outcome,
                        // The connection may end in the same poll of the future that delivers the
                        // response.
                        ended = &mut conn => match (exchange.await, ended) {
                            (Err(_), Err(e)) => Err(classify::cut(&e)),
                            (outcome, _) => outcome,
                        },
                    }
                });
                match outcome.await {
                    Ok(Ok(())) => {}
                    Ok(Err(cut)) => evidence.error = Some(client.transport.cut_off(cut)),
                    Err(_) => evidence.error = Some(PortalError::Timeout),
                }
            }
            Err(text) => evidence.error = Some(PortalError::Network { text: text.to_owned() }),
        }
        if log.was_late() {
            evidence.error = Some(PortalError::Network { text: "too late to send".to_owned() });
        }
        evidence.wrote = log.wrote();
        evidence.sent_at = log.first_write();
        evidence.ended_at = clock();
        evidence
    }
}

/// Builds the request. Returns the request and the length of its body in bytes.
fn request(
    client: &Client,
    session: &Session,
    schedule: &PortalScheduleId,
    form: BookingForm,
) -> Result<(hyper::Request<Full<Bytes>>, usize), &'static str> {
    let settings = &client.transport.settings;
    let own = session.path().at(&format!("/schedule/{schedule}/appointment"));
    // Use the form's own target only if it belongs to this group and this host.
    let path = form
        .action
        .and_then(|action| client.transport.own_path(&action))
        .filter(|path| path.split('?').next() == Some(own.as_str()))
        .unwrap_or_else(|| own.clone());
    let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(&form.fields).finish();
    let base = &settings.host.base;
    let host = match base.port() {
        Some(port) => format!("{}:{port}", base.host_str().unwrap_or_default()),
        None => base.host_str().unwrap_or_default().to_owned(),
    };
    let origin = base.origin().ascii_serialization();
    let mut request = hyper::Request::post(path)
        .header(HOST, host)
        .header(USER_AGENT, settings.user_agent.as_str())
        .header(ACCEPT, "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8")
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header(CONTENT_LENGTH, body.len())
        .header(REFERER, format!("{origin}{own}"))
        .header(ORIGIN, origin);
    if let Some(cookie) = session.cookie_header() {
        request = request.header(COOKIE, cookie);
    }
    let len = body.len();
    let request = request.body(Full::new(Bytes::from(body))).map_err(|_| "the request cannot be built")?;
    Ok((request, len))
}

/// Sends the request, reads the response, and fills in the evidence as parts of the response
/// arrive.
async fn exchange(
    sender: &mut SendRequest<Full<Bytes>>,
    request: hyper::Request<Full<Bytes>>,
    clock: &Clock,
    evidence: &mut PostEvidence,
    session: &Session,
) -> Result<(), Cut> {
    sender.ready().await.map_err(|e| classify::cut(&e))?;
    let response = sender.send_request(request).await.map_err(|e| classify::cut(&e))?;
    let status = response.status().as_u16();
    evidence.answered_at = Some(clock());
    evidence.status = Some(status);
    let location = response.headers().get(LOCATION).and_then(|l: &HeaderValue| l.to_str().ok());
    evidence.location = location.map(str::to_owned);
    session.absorb_cookies(response.headers());
    let headers = response.headers().clone();
    let body = Limited::new(response.into_body(), MAX_BODY).collect().await;
    let body = match body {
        Ok(body) => body.to_bytes(),
        // The head alone is sufficient evidence, so an incomplete body must not discard it.
        Err(_) => return Err(Cut::ByPeer("the connection closed before the response was complete")),
    };
    let body = String::from_utf8_lossy(&body);
    let signed_out = evidence.location.as_deref().is_some_and(|l| l.contains("/users/sign_in"));
    evidence.error = if signed_out {
        Some(PortalError::SignedOut)
    } else {
        classify::by_status(PageKind::Booking, status, &headers, &body, clock())
    };
    if status == 200 {
        let doc = Doc::new(&body);
        evidence.flash = instructions::flash(&doc);
        evidence.error = classify::by_page(&doc);
    }
    Ok(())
}
