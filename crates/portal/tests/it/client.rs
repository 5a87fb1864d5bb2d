//! Tests of the client against a portal that works, misbehaves or fails.

use crate::fixtures::fixture;
use crate::server::{Portal, Reply, Request, found, html, now, say};
use domain::country::{CountryCode, VisaType};
use domain::facility::FacilityId;
use domain::ids::PortalScheduleId;
use portal::pages::appointment::AppointmentPage;
use portal::{
    ApplicantId, Credentials, Days, Meter, PortalError, PortalPath, Purpose, Recovery, RequestCounts,
    Session, UserAction,
};
use secrecy::{ExposeSecret, SecretString};
use std::time::Duration;

const OPENED: &str = r#"{"v":1,"path":{"country":"en-ca","visa_type":"niv"},"cookies":{"_yatri_session":"first"},"csrf":"meta-token","home":null}"#;

fn session() -> Session {
    Session::import(&SecretString::from(OPENED)).unwrap()
}

fn schedule() -> PortalScheduleId {
    PortalScheduleId("60000001".to_owned())
}

fn toronto() -> FacilityId {
    FacilityId::TORONTO
}

fn credentials() -> Credentials {
    Credentials::new("ada@example.com".into(), "s3cret & more".into())
}

fn niv() -> PortalPath {
    PortalPath::new(CountryCode::CANADA, VisaType::Niv)
}

/// Starts a portal that sends the same reply to every request.
async fn always(reply: Reply) -> Portal {
    Portal::start(move |_, _| reply.clone()).await
}

async fn days_of(portal: &Portal) -> Result<Days, PortalError> {
    portal.client.days(&Meter::new(Purpose::Poll), &session(), &schedule(), toronto()).await
}

// spec: 1.12
#[tokio::test]
async fn signing_in_posts_once_and_then_reads_the_groups() {
    let portal = Portal::start(|r, _| match (r.method.as_str(), r.path.as_str()) {
        ("GET", "/en-ca/niv/users/sign_in") => {
            html(fixture("sign_in.html")).with("set-cookie", "_yatri_session=a%2Fb; path=/; HttpOnly")
        }
        ("POST", "/en-ca/niv/users/sign_in") => {
            say(200, fixture("sign_in_ok.js")).with("set-cookie", "_yatri_session=signed%2Bin; HttpOnly")
        }
        ("GET", "/en-ca/niv/account") => found("/en-ca/niv/groups/70001"),
        ("GET", "/en-ca/niv/groups/70001") => {
            html(fixture("groups_several.html")).with("set-cookie", "_yatri_session=next")
        }
        _ => say(404, ""),
    })
    .await;
    let meter = Meter::new(Purpose::Poll);
    let session = portal.client.sign_in(&meter, niv(), &credentials()).await.unwrap();
    assert_eq!(meter.drain(), RequestCounts { requests: 2, polls: 0, sign_ins: 1 });
    let page = portal.client.groups(&meter, &session).await.unwrap();
    assert_eq!((page.groups.len(), meter.drain().requests), (2, 2));
    portal.client.groups(&meter, &session).await.unwrap();
    assert_eq!(meter.drain().requests, 1, "the address of the home page was not remembered");

    let seen = portal.seen();
    let post = &seen[1];
    assert_eq!(post.header("cookie"), Some("_yatri_session=a%2Fb"));
    assert!(post.header("x-csrf-token").is_some_and(|t| t.len() == 88));
    assert_eq!(post.header("x-requested-with"), Some("XMLHttpRequest"));
    let fields: Vec<(String, String)> =
        url::form_urlencoded::parse(post.body.as_bytes()).into_owned().collect();
    let wanted = [
        ("utf8", "✓"),
        ("user[email]", "ada@example.com"),
        ("user[password]", "s3cret & more"),
        ("policy_confirmed", "1"),
        ("commit", "Sign In"),
    ];
    assert_eq!(fields, wanted.map(|(k, v)| (k.to_owned(), v.to_owned())));
    assert_eq!(seen[2].header("cookie"), Some("_yatri_session=signed%2Bin"));
    assert_eq!(
        seen[4].header("cookie"),
        Some("_yatri_session=next"),
        "each answer's cookie replaces the one before"
    );
    assert!(post.header("user-agent").is_some_and(|u| u.starts_with("Sooner/")));
}

#[tokio::test]
async fn refused_sign_ins_have_a_code_and_a_recovery() {
    let until = "2026-03-29T01:23:21Z".parse().unwrap();
    let cases = [
        (
            say(200, fixture("sign_in_bad.js")),
            "credentials_rejected",
            Recovery::AskUser(UserAction::NewPassword),
        ),
        (
            say(401, "Invalid Email or password."),
            "credentials_rejected",
            Recovery::AskUser(UserAction::NewPassword),
        ),
        (
            say(200, fixture("sign_in_locked.js")),
            "account_locked",
            Recovery::AskUser(UserAction::Unlock { until: Some(until) }),
        ),
        (
            say(200, fixture("sign_in_too_many.js")),
            "account_locked",
            Recovery::AskUser(UserAction::Unlock { until: None }),
        ),
        (say(200, fixture("sign_in_captcha.js")), "captcha", Recovery::AskUser(UserAction::Captcha)),
        (say(200, "alert('?')"), "layout_changed", Recovery::NotifyOperator),
        (found("/en-ca/niv/users/sign_in"), "layout_changed", Recovery::NotifyOperator),
        (say(502, "<h1>Bad Gateway</h1>"), "overloaded", Recovery::RetryLater { after: None }),
    ];
    for (reply, code, recovery) in cases {
        let portal =
            Portal::start(
                move |r, _| {
                    if r.method == "GET" { html(fixture("sign_in.html")) } else { reply.clone() }
                },
            )
            .await;
        let portal_error =
            portal.client.sign_in(&Meter::new(Purpose::Poll), niv(), &credentials()).await.unwrap_err();
        assert_eq!((portal_error.code(), portal_error.recovery()), (code, recovery), "{portal_error:?}");
        assert_eq!(
            portal.seen().iter().filter(|r| r.method == "POST").count(),
            1,
            "there was more than one attempt"
        );
    }
}

// spec: 10.3.10
#[tokio::test]
async fn a_captcha_stops_the_sign_in_before_anything_is_sent() {
    let portal = always(html(fixture("sign_in_captcha.html"))).await;
    let meter = Meter::new(Purpose::Poll);
    let portal_error = portal.client.sign_in(&meter, niv(), &credentials()).await.unwrap_err();
    assert_eq!(portal_error, PortalError::Captcha);
    assert_eq!(meter.spent().sign_ins, 0);
    assert_eq!(portal.lines(), ["GET /en-ca/niv/users/sign_in"]);
}

#[tokio::test]
async fn a_poll_sends_the_required_headers_and_reuses_its_etag() {
    let portal = Portal::start(|r, _| {
        let fresh = r.header("if-none-match") == Some("W/\"abc\"");
        if fresh {
            return say(304, "");
        }
        say(200, r#"[{"date":"2026-12-22","business_day":true}]"#).with("etag", "W/\"abc\"")
    })
    .await;
    let (meter, session, id) = (Meter::new(Purpose::Poll), session(), schedule());
    let poll = || portal.client.days(&meter, &session, &id, FacilityId::TORONTO);
    assert_eq!(poll().await.unwrap(), Days::List(vec!["2026-12-22".parse().unwrap()]));
    assert_eq!(poll().await.unwrap(), Days::Unchanged);
    session.forget_etag(&schedule(), toronto());
    assert!(matches!(poll().await.unwrap(), Days::List(_)));
    let restored = Session::import(&session.export()).unwrap();
    assert!(matches!(
        portal.client.days(&meter, &restored, &schedule(), toronto()).await.unwrap(),
        Days::List(_)
    ));
    assert_eq!(meter.spent(), RequestCounts { requests: 4, polls: 4, sign_ins: 0 });

    let first = &portal.seen()[0];
    assert_eq!(
        first.path,
        "/en-ca/niv/schedule/60000001/appointment/days/94.json?appointments%5Bexpedite%5D=false"
    );
    assert_eq!(first.header("accept"), Some("application/json"));
    assert_eq!(first.header("x-requested-with"), Some("XMLHttpRequest"));
    assert_eq!(first.header("x-csrf-token"), Some("meta-token"));
}

#[tokio::test]
async fn null_times_and_empty_date_lists_are_accepted() {
    let portal = Portal::start(|r, _| {
        if r.path.contains("/times/") {
            say(200, r#"{"available_times":[null],"business_times":[null]}"#)
        } else {
            say(200, "[]")
        }
    })
    .await;
    let day = "2026-12-22".parse().unwrap();
    let times = portal
        .client
        .times(&Meter::new(Purpose::Poll), &session(), &schedule(), toronto(), day)
        .await
        .unwrap();
    assert!(times.is_empty());
    assert_eq!(days_of(&portal).await.unwrap(), Days::List(Vec::new()));
    assert!(portal.lines()[0].ends_with("/times/94.json?date=2026-12-22&appointments%5Bexpedite%5D=false"));
}

#[tokio::test]
async fn every_failed_poll_has_a_code_and_a_recovery() {
    let later = |after| Recovery::RetryLater { after };
    let stop = |after| Recovery::StopAndNotify { after };
    let minute = Some(Duration::from_secs(60));
    let cases = [
        (
            say(401, r#"{"error":"You need to sign in or sign up before continuing."}"#),
            "signed_out",
            Recovery::SignInAgain,
        ),
        (
            say(401, r#"{"error":"Your session expired. Please sign in again to continue."}"#),
            "signed_out",
            Recovery::SignInAgain,
        ),
        (
            say(200, r#"{"error":"Your session expired. Please sign in again to continue."}"#),
            "signed_out",
            Recovery::SignInAgain,
        ),
        (found("/en-ca/niv/users/sign_in"), "signed_out", Recovery::SignInAgain),
        (html(fixture("sign_in.html")), "signed_out", Recovery::SignInAgain),
        (html(fixture("sign_in_captcha.html")), "captcha", Recovery::AskUser(UserAction::Captcha)),
        (
            html("<html><body>prove it<div class='h-captcha' data-sitekey='x'></div></body></html>"),
            "captcha",
            Recovery::AskUser(UserAction::Captcha),
        ),
        (html("<html><body>Scheduled maintenance</body></html>"), "maintenance", later(None)),
        (
            html("<html><body>Maintenance on Sunday <table><tr><td>x</td></tr></table></body></html>"),
            "layout_changed",
            Recovery::NotifyOperator,
        ),
        (html("<html><body>Hello</body></html>"), "layout_changed", Recovery::NotifyOperator),
        (say(200, r#"{"days":[]}"#), "layout_changed", Recovery::NotifyOperator),
        (say(200, ""), "overloaded", later(None)),
        (say(200, r#"[{"date":"20"#), "overloaded", later(None)),
        (say(200, r#"{"error":"Something is not as it should be."}"#), "overloaded", later(None)),
        (html("<html><body></body></html>"), "overloaded", later(None)),
        (html("<html><body><h1>The system is overloaded</h1></body></html>"), "overloaded", later(None)),
        (
            html("<html><body>The system is busy. Please try again later.</body></html>"),
            "overloaded",
            later(None),
        ),
        (say(304, ""), "layout_changed", Recovery::NotifyOperator),
        (found("/en-ca/niv/groups/70001"), "no_permission", Recovery::CheckGroups),
        (
            say(403, "You do not have permission to access that account"),
            "no_permission",
            Recovery::CheckGroups,
        ),
        (say(404, ""), "not_found", Recovery::CheckGroups),
        (say(403, "Forbidden"), "blocked", stop(None)),
        (say(429, "").with("retry-after", "60"), "blocked", stop(minute)),
        (say(502, "Bad Gateway"), "overloaded", later(None)),
        (say(500, "").with("retry-after", "60"), "overloaded", later(minute)),
        (say(503, "").with("retry-after", "Sat, 21 Nov 2026 10:01:00 GMT"), "maintenance", later(minute)),
        (say(418, ""), "layout_changed", Recovery::NotifyOperator),
        (Reply::Hang, "timeout", later(None)),
        (Reply::Reset, "network", later(None)),
        (Reply::Raw("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[".into()), "network", later(None)),
        (Reply::Raw("no such protocol\r\n\r\n".into()), "network", later(None)),
    ];
    for (reply, code, recovery) in cases {
        let portal = always(reply).await;
        let portal_error = days_of(&portal).await.unwrap_err();
        assert_eq!((portal_error.code(), portal_error.recovery()), (code, recovery), "{portal_error:?}");
        assert_eq!(portal.seen().len(), 1, "the client repeated the request: {portal_error:?}");
    }
}

#[tokio::test]
async fn repeatedly_cut_connections_count_as_a_block() {
    let portal = Portal::start(|_, before| if before == 2 { say(200, "[]") } else { Reply::Reset }).await;
    let mut codes = Vec::new();
    for _ in 0..6 {
        codes.push(days_of(&portal).await.map_or_else(|t| t.code(), |_| "fine"));
    }
    assert_eq!(codes, ["network", "network", "fine", "network", "network", "blocked"]);
}

#[tokio::test]
async fn group_pages_give_values_or_a_portal_error() {
    let portal = Portal::start(|r, _| match r.path.rsplit('/').next().unwrap() {
        "continue_actions" => html(fixture("actions_booked.html")),
        "payment" => html(fixture("payment.html")),
        "81" => html(fixture("applicant.html")),
        "instructions" => html(fixture("instructions_booked.html")),
        _ => html(fixture("limit.html")),
    })
    .await;
    let (client, meter, session, id) = (&portal.client, Meter::new(Purpose::Poll), session(), schedule());
    assert_eq!(client.actions(&meter, &session, &id).await.unwrap().actions.len(), 4);
    assert_eq!(client.payment(&meter, &session, &id).await.unwrap().first_available.len(), 7);
    let person = ApplicantId::from("81");
    let page = client.applicant(&meter, &session, &id, &person).await.unwrap();
    assert_eq!(page.from_another_country, Some(true));
    assert_eq!(client.limit(&meter, &session, &id).await.unwrap(), Some(3));
    let page = client.instructions(&meter, &session, &id).await.unwrap();
    assert_eq!(page.deadline.unwrap().iso(), "2025-01-10T15:30");
    assert_eq!(meter.spent().requests, 5);

    for (reply, code) in [
        (html(fixture("limit_reached.html")), "limit_reached"),
        (found("/en-ca/niv/groups/70001"), "no_permission"),
        (
            html("<html><body>You do not have permission to access that account.</body></html>"),
            "no_permission",
        ),
        (found("/en-ca/niv/users/sign_in"), "signed_out"),
        (html(fixture("groups_booked.html")), "layout_changed"),
        (found("https://elsewhere.example/"), "layout_changed"),
        (html(fixture("actions_booked.html").replace("</html>", "")), "overloaded"),
    ] {
        let portal = always(reply).await;
        let portal_error = portal.client.actions(&meter, &session, &id).await.unwrap_err();
        assert_eq!(portal_error.code(), code);
    }
    // An overloaded portal shows a form without facilities. The client must not report this as an
    // unknown form.
    let form = fixture("form.html");
    let empty: String = form.lines().filter(|line| !line.contains("<option")).collect();
    let portal = always(html(empty)).await;
    let portal_error = portal.client.form(&meter, &session, &id, &[]).await.unwrap_err();
    assert!(matches!(portal_error, portal::PortalError::Busy(_)), "{portal_error:?}");
}

/// Replies with limit warning, applicants page or form, depending on the query.
fn walk(r: &Request) -> Reply {
    let confirmed = r.path.contains("confirmed_limit_message=1");
    let chosen = r.path.contains("applicants%5B%5D=810001");
    html(fixture(if chosen {
        "form.html"
    } else if confirmed {
        "applicants.html"
    } else {
        "limit.html"
    }))
}

#[tokio::test]
async fn the_form_takes_three_requests_or_one_with_known_applicants() {
    let portal = Portal::start(|r, _| walk(r)).await;
    let (meter, session) = (Meter::new(Purpose::Poll), session());
    let visit = portal.client.form(&meter, &session, &schedule(), &[]).await.unwrap();
    assert_eq!((visit.remaining, visit.listed.len(), meter.drain().requests), (Some(3), 3, 3));
    let again = portal.client.form(&meter, &session, &schedule(), &visit.listed).await.unwrap();
    assert_eq!((again.form, meter.drain().requests), (visit.form, 1));
    let direct = "/en-ca/niv/schedule/60000001/appointment?applicants%5B%5D=810001&applicants%5B%5D=810004&applicants%5B%5D=810005&confirmed_limit_message=1&commit=Continue";
    assert_eq!(portal.seen()[3].path, direct);
    let listed = portal.client.applicants(&meter, &session, &schedule()).await.unwrap();
    assert_eq!(listed, visit.listed);
}

#[tokio::test]
async fn a_first_booking_gets_its_form_at_once_and_a_used_limit_none() {
    let portal = always(html(fixture("form_first.html"))).await;
    let meter = Meter::new(Purpose::Poll);
    let own = PortalScheduleId("60000002".to_owned());
    let visit = portal.client.form(&meter, &session(), &own, &[]).await.unwrap();
    assert_eq!((visit.remaining, meter.spent().requests), (None, 1));
    let elsewhere = portal.client.form(&meter, &session(), &schedule(), &[]).await.unwrap_err();
    assert!(matches!(elsewhere, PortalError::LayoutChanged(_)), "the form is of another group: {elsewhere}");
    let portal = always(html(fixture("limit_reached.html"))).await;
    let none: &[ApplicantId] = &[];
    let portal_error = portal.client.form(&meter, &session(), &schedule(), none).await.unwrap_err();
    assert_eq!(portal_error.recovery(), Recovery::StopChanging);
    let page = portal.client.appointment_page(&meter, &session(), &schedule()).await.unwrap();
    assert_eq!(page, AppointmentPage::LimitReached);
    assert_eq!(portal.client.limit(&meter, &session(), &schedule()).await.unwrap(), Some(0));
}

#[tokio::test]
async fn redirect_and_page_loops_end_after_four_requests() {
    let portal = always(html(fixture("limit.html"))).await;
    let portal_error =
        portal.client.form(&Meter::new(Purpose::Poll), &session(), &schedule(), &[]).await.unwrap_err();
    assert_eq!((portal_error.code(), portal.seen().len()), ("layout_changed", 4));
    let portal = always(found("/en-ca/niv/account")).await;
    let portal_error = portal.client.groups(&Meter::new(Purpose::Poll), &session()).await.unwrap_err();
    assert_eq!((portal_error.code(), portal.seen().len()), ("layout_changed", 4));
}

#[tokio::test]
async fn two_requests_of_one_session_may_run_concurrently() {
    let portal = Portal::start(|r, n| {
        let reply = if r.path.contains("/times/") {
            say(200, r#"{"available_times":["07:30"]}"#)
        } else {
            html(fixture("groups_booked.html"))
        };
        reply.with("set-cookie", format!("_yatri_session=v{n}"))
    })
    .await;
    let (meter, session, id) = (Meter::new(Purpose::Poll), session(), schedule());
    let day = "2026-12-22".parse().unwrap();
    let (times, groups) = tokio::join!(
        portal.client.times(&meter, &session, &id, toronto(), day),
        portal.client.groups(&meter, &session),
    );
    assert_eq!((times.unwrap().len(), groups.unwrap().groups.len(), meter.spent().requests), (1, 1, 2));
}

#[tokio::test]
async fn signing_out_of_an_ended_session_succeeds() {
    for reply in [found("/en-ca/niv/users/sign_in"), found("/en-ca/niv"), say(401, "")] {
        let portal = always(reply).await;
        portal.client.sign_out(&Meter::new(Purpose::Poll), session()).await.unwrap();
    }
}

#[test]
fn secrets_are_not_printed_and_sessions_survive_export() {
    let session = session();
    let printed = format!("{session:?} {:?} {:?}", credentials(), session.export());
    for secret in ["first", "meta-token", "s3cret", "ada@example.com"] {
        assert!(!printed.contains(secret), "{printed}");
    }
    let again = Session::import(&session.export()).unwrap();
    assert_eq!(again.export().expose_secret(), session.export().expose_secret());
    for bad in ["", "{}", "null", &OPENED.replace("\"v\":1", "\"v\":9")] {
        assert!(Session::import(&SecretString::from(bad.to_owned())).is_err(), "{bad}");
    }
    assert!(now().timestamp() > 0);
}

#[tokio::test]
async fn an_https_portal_without_tls_gives_a_network_error() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("https://{}", listener.local_addr().unwrap()).parse().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let _ = tokio::io::AsyncWriteExt::write_all(&mut stream, b"HTTP/1.1 400 X\r\n\r\n").await;
        }
    });
    let settings = portal::Settings::new(portal::PortalHost::new(base), std::sync::Arc::new(now));
    // The client cannot be created on a machine without root certificates.
    let portal_error = match portal::Client::new(settings) {
        Ok(client) => {
            let booking = portal::BookingConnection::open(&client).await.unwrap_err();
            assert_eq!(booking.code(), "network");
            client.groups(&Meter::new(Purpose::Poll), &session()).await.unwrap_err()
        }
        Err(portal_error) => portal_error,
    };
    assert_eq!(portal_error.code(), "network", "{portal_error:?}");
}

async fn ask(portal: &Portal, meter: &Meter) -> Result<Vec<chrono::NaiveTime>, PortalError> {
    let day = "2027-02-09".parse().unwrap();
    portal.client.times(meter, &session(), &schedule(), toronto(), day).await
}

#[tokio::test]
async fn only_a_booking_repeats_one_failed_get_once() {
    let failing = [say(502, "<h1>Bad Gateway</h1>"), say(504, ""), Reply::Reset];
    for failure in failing {
        let times = r#"{"available_times":["09:15"],"business_times":["09:15"]}"#;
        let of = move |good_from: usize| {
            let failure = failure.clone();
            move |_: &_, before: usize| if before < good_from { failure.clone() } else { say(200, times) }
        };
        let once = Portal::start(of(1)).await;
        let meter = Meter::new(Purpose::Booking);
        assert_eq!(ask(&once, &meter).await.unwrap().len(), 1);
        assert_eq!((meter.spent().requests, once.lines().len()), (2, 2), "both requests are counted");
        let second = Portal::start(of(9)).await;
        assert!(ask(&second, &meter).await.is_err(), "a booking permits one repetition");
        assert_eq!(second.lines().len(), 1);
        let twice = Portal::start(of(2)).await;
        assert!(ask(&twice, &Meter::new(Purpose::Booking)).await.is_err());
        assert_eq!(twice.lines().len(), 2);
        for purpose in Purpose::ALL.iter().copied().filter(|purpose| *purpose != Purpose::Booking) {
            let other = Portal::start(of(1)).await;
            assert!(ask(&other, &Meter::new(purpose)).await.is_err());
            assert_eq!(other.lines().len(), 1, "{purpose:?}");
        }
    }
    for status in [500, 503, 403, 404] {
        let portal = always(say(status, "")).await;
        let asked = portal.client.groups(&Meter::new(Purpose::Booking), &session()).await;
        assert!(asked.is_err());
        assert_eq!(portal.lines().len(), 1, "{status}");
    }
}

#[tokio::test]
async fn the_client_closes_idle_connections_before_the_portal_does() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap()).parse().unwrap();
    let mut settings = portal::Settings::new(portal::PortalHost::new(base), std::sync::Arc::new(now));
    assert_eq!(settings.timeouts.idle.as_secs(), 50, "the portal closes after about a minute");
    settings.timeouts.idle = std::time::Duration::from_millis(20);
    let client = portal::Client::new(settings).unwrap();
    let closed = tokio::spawn(async move {
        use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut bytes = [0; 4096];
        assert!(stream.read(&mut bytes).await.unwrap() > 0);
        stream.write_all(b"HTTP/1.1 200 X\r\ncontent-length: 2\r\n\r\n[]").await.unwrap();
        stream.read(&mut bytes).await.unwrap()
    });
    let days = client.days(&Meter::new(Purpose::Poll), &session(), &schedule(), toronto()).await.unwrap();
    assert_eq!((days, closed.await.unwrap()), (Days::List(Vec::new()), 0));
}
