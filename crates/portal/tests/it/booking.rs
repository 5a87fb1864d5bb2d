//! Tests of the booking POST. It is sent at most once and never after its deadline, and its
//! evidence never claims more than is known.

use crate::fixtures::fixture;
use crate::server::{Portal, Reply, found, html, now, say};
use chrono::TimeDelta;
use domain::appointment::{Appointment, Slot};
use domain::facility::FacilityId;
use domain::ids::PortalScheduleId;
use portal::pages::{actions::ActionKind, appointment};
use portal::{
    BookingConnection, BookingForm, CannotFill, CommitKey, Meter, PortalError, PostEvidence, Purpose,
    SendingProof, Session, Wrote,
};
use secrecy::SecretString;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering::SeqCst};

fn group() -> PortalScheduleId {
    PortalScheduleId("60000001".to_owned())
}

fn session() -> Session {
    let opened = r#"{"v":1,"path":{"country":"en-ca","visa_type":"niv"},"cookies":{"_yatri_session":"s"},"csrf":null,"home":null}"#;
    Session::import(&SecretString::from(opened)).unwrap()
}

fn form() -> BookingForm {
    let form = appointment::parse_form(&fixture("form.html")).unwrap();
    form.fill(&interview(FacilityId::TORONTO)).unwrap()
}

fn interview(facility: FacilityId) -> Appointment {
    let (date, time) = ("2026-12-22".parse().unwrap(), "07:30:00".parse().unwrap());
    Slot { facility, date, time }.into()
}

struct Key;
impl CommitKey for Key {}

fn proof() -> SendingProof<Key> {
    SendingProof::committed(Key, "intent-1", now() + TimeDelta::seconds(5))
}

async fn book(portal: &Portal) -> PostEvidence {
    let connection = BookingConnection::open(&portal.client).await.unwrap();
    connection.post(&Meter::new(Purpose::Booking), &session(), &group(), form(), proof()).await
}

/// Returns the fields of the request that sends a filled form.
pub async fn posted(form: BookingForm) -> Vec<(String, String)> {
    let portal = Portal::start(|_, _| found("/")).await;
    let connection = BookingConnection::open(&portal.client).await.unwrap();
    connection.post(&Meter::new(Purpose::Booking), &session(), &group(), form, proof()).await;
    url::form_urlencoded::parse(portal.seen()[0].body.as_bytes()).into_owned().collect()
}

fn posts(portal: &Portal) -> usize {
    portal.seen().iter().filter(|r| r.method == "POST").count()
}

#[tokio::test]
async fn the_post_contains_the_form_and_its_redirect_is_not_followed() {
    let to = "/en-ca/niv/schedule/60000001/appointment/instructions";
    let portal = Portal::start(move |_, _| found(to).with("set-cookie", "_yatri_session=after")).await;
    let (meter, session) = (Meter::new(Purpose::Booking), session());
    let connection = BookingConnection::open(&portal.client).await.unwrap();
    assert!(portal.seen().is_empty(), "opening a connection sent a request");
    let evidence = connection.post(&meter, &session, &group(), form(), proof()).await;
    assert_eq!(
        (evidence.wrote, evidence.status, evidence.location.as_deref()),
        (Wrote::All, Some(302), Some(to))
    );
    assert_eq!((evidence.error, evidence.attempt.as_str()), (None, "intent-1"));
    assert_eq!((evidence.sent_at, evidence.answered_at), (Some(now()), Some(now())));
    assert_eq!(portal.lines(), ["POST /en-ca/niv/schedule/60000001/appointment"]);
    assert_eq!(meter.spent().requests, 1);

    let post = &portal.seen()[0];
    assert_eq!(post.header("cookie"), Some("_yatri_session=s"));
    assert!(!format!("{session:?}").contains("after"));
    let fields: Vec<(String, String)> =
        url::form_urlencoded::parse(post.body.as_bytes()).into_owned().collect();
    let field = |name: &str| {
        let all: Vec<&str> = fields.iter().filter(|(n, _)| n == name).map(|(_, v)| v.as_str()).collect();
        all.join("|")
    };
    let token = appointment::parse_form(&fixture("form.html")).unwrap().token;
    assert_eq!(field("authenticity_token"), token);
    assert_eq!(field("confirmed_limit_message"), "1");
    assert_eq!(field("use_consulate_appointment_capacity"), "true");
    assert_eq!(field("appointments[consulate_appointment][facility_id]"), "94");
    assert_eq!(field("appointments[consulate_appointment][date]"), "2026-12-22");
    assert_eq!(field("appointments[consulate_appointment][time]"), "07:30");
    assert_eq!(field("commit"), "Reschedule");
}

#[tokio::test]
async fn nothing_is_sent_at_or_after_the_deadline() {
    for late in [0, 1, 5_000] {
        let portal = Portal::start(|_, _| found("/")).await;
        let connection = BookingConnection::open(&portal.client).await.unwrap();
        let over = SendingProof::committed(Key, "late", now() - TimeDelta::milliseconds(late));
        let evidence =
            connection.post(&Meter::new(Purpose::Booking), &session(), &group(), form(), over).await;
        assert_eq!((evidence.wrote, evidence.status, evidence.sent_at), (Wrote::Nothing, None, None));
        assert!(
            matches!(&evidence.error, Some(PortalError::Network { text }) if text.contains("too late")),
            "{evidence:?}"
        );
        assert_eq!(posts(&portal), 0);
    }
}

// spec: 10.2.06
#[tokio::test]
async fn the_deadline_is_checked_at_the_write_not_at_the_call() {
    // Each reading of the clock advances it by a second, so the call begins before the deadline and
    // the write is late.
    let ticks = Arc::new(AtomicI64::new(0));
    let clock = Arc::new(move || now() + TimeDelta::seconds(ticks.fetch_add(1, SeqCst)));
    let portal = Portal::with_clock(|_, _| found("/"), clock).await;
    let connection = BookingConnection::open(&portal.client).await.unwrap();
    let tight = SendingProof::committed(Key, "tight", now() + TimeDelta::seconds(1));
    let evidence = connection.post(&Meter::new(Purpose::Booking), &session(), &group(), form(), tight).await;
    assert_eq!((evidence.wrote, posts(&portal)), (Wrote::Nothing, 0));
}

#[tokio::test]
async fn a_connection_cut_after_the_write_counts_as_sent() {
    let half = Reply::Raw("HTTP/1.1 302 Found\r\nlocation: /x\r\ncontent-length: 9\r\n\r\nab".into());
    for (reply, status) in
        [(Reply::Reset, None), (Reply::Raw(String::new()), None), (Reply::Hang, None), (half, Some(302))]
    {
        let portal = Portal::start(move |_, _| reply.clone()).await;
        let evidence = book(&portal).await;
        assert_eq!((evidence.wrote, evidence.status), (Wrote::All, status));
        assert!(evidence.error.is_some());
        assert_eq!(posts(&portal), 1, "the booking was sent again");
    }
}

#[tokio::test]
async fn a_connection_closed_by_the_portal_sends_nothing() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
    let settings = portal::Settings::new(portal::PortalHost::new(base), Arc::new(now));
    let client = portal::Client::new(settings).unwrap();
    let mut connection = BookingConnection::open(&client).await.unwrap();
    assert!(connection.is_usable().await);
    drop(listener.accept().await.unwrap());
    while connection.is_usable().await {
        tokio::task::yield_now().await;
    }
    let evidence =
        connection.post(&Meter::new(Purpose::Booking), &session(), &group(), form(), proof()).await;
    assert_eq!(evidence.wrote, Wrote::Nothing);
    assert!(evidence.error.is_some());
}

#[tokio::test]
async fn the_response_is_recorded_as_evidence_only() {
    let flash = html(fixture("instructions_booked.html"));
    for (reply, code) in [
        (found("/en-ca/niv/users/sign_in"), Some("signed_out")),
        (html(fixture("limit_reached.html")), Some("limit_reached")),
        (html(fixture("sign_in.html")), Some("signed_out")),
        (say(502, ""), Some("overloaded")),
        (say(503, ""), Some("maintenance")),
        (say(403, ""), Some("blocked")),
        (flash, None),
    ] {
        let portal = Portal::start(move |_, _| reply.clone()).await;
        let evidence = book(&portal).await;
        assert_eq!(evidence.error.as_ref().map(PortalError::code), code);
        assert_eq!((evidence.wrote, posts(&portal)), (Wrote::All, 1));
        if code.is_none() {
            assert_eq!(evidence.flash.as_deref(), Some("You Have Successfully Scheduled Your Appointment"));
        }
    }
}

#[tokio::test]
async fn a_response_on_a_closing_connection_is_read() {
    let text = "HTTP/1.1 302 Found\r\nlocation: /done\r\nconnection: close\r\ncontent-length: 0\r\n\r\n";
    let portal = Portal::start(move |_, _| Reply::Raw(text.into())).await;
    let evidence = book(&portal).await;
    assert_eq!(
        (evidence.status, evidence.location.as_deref(), evidence.error),
        (Some(302), Some("/done"), None)
    );
}

#[test]
fn a_form_is_filled_only_with_offered_values() {
    let form = appointment::parse_form(&fixture("form.html")).unwrap();
    let without_halifax = fixture("form.html").replace("value=\"90\"", "value=\"12\"");
    let other = appointment::parse_form(&without_halifax).unwrap();
    assert_eq!(other.fill(&interview(FacilityId::HALIFAX)), Err(CannotFill::FacilityNotOffered));
    let swapped =
        fixture("form.html").replace("value=\"90\"", "value=\"0\"").replace("value=\"89\"", "value=\"90\"");
    let other = appointment::parse_form(&swapped).unwrap();
    assert_eq!(other.fill(&interview(FacilityId::HALIFAX)), Err(CannotFill::OtherCity), "90 is Calgary");
    assert_eq!(form.kind(), ActionKind::Reschedule);
    let first = appointment::parse_form(&fixture("form_first.html")).unwrap();
    assert_eq!(first.kind(), ActionKind::Schedule);
    let asc = fixture("form.html").replace(
        "</ol></fieldset>",
        "<select name=\"appointments[asc_appointment][facility_id]\"></select></ol></fieldset>",
    );
    assert_eq!(
        appointment::parse_form(&asc).unwrap().fill(&interview(FacilityId::TORONTO)),
        Err(CannotFill::UnknownFingerprintFields)
    );
}
