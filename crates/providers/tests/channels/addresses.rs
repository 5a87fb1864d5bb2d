//! Tests of URLs entered by users: host names, IP addresses, redirects and DNS rebinding.

use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use providers::channels::Channels;
use providers::channels::addresses::Policy;
use providers::channels::addresses::resolver::Lookup;
use providers::channels::config::Config;
use providers::channels::outcome::{Delivery, Outcome, Reason};
use providers::channels::target::Target;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;

use crate::fixture::{There, booked, clock};

/// Resolver that returns different addresses at each lookup, as chosen by the test.
struct Names {
    answers: Vec<Vec<IpAddr>>,
    asked: AtomicUsize,
}

impl Lookup for Names {
    fn lookup(&self, _: String) -> Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>> {
        let n = self.asked.fetch_add(1, Ordering::SeqCst);
        let answer = self.answers[n.min(self.answers.len() - 1)].clone();
        Box::pin(async move { Ok(answer) })
    }
}

fn names(answers: &[&[&str]]) -> Arc<Names> {
    let addresses = |list: &&[&str]| list.iter().map(|a| a.parse().unwrap()).collect();
    Arc::new(Names { answers: answers.iter().map(addresses).collect(), asked: AtomicUsize::new(0) })
}

fn hook(url: &str) -> Target {
    Target::Webhook { url: url.into(), secret: "s".into(), authorization: None }
}

const REFUSED: Outcome = Outcome::Broken(Reason::AddressRefused);

async fn send(channels: &Channels, url: &str) -> Delivery {
    channels.send(&hook(url), &booked()).await
}

#[tokio::test]
async fn a_host_that_resolves_to_loopback_is_refused() {
    let there = There::new().await;
    // The operating system's resolver returns 127.0.0.1.
    for url in ["https://localhost/x", "https://localhost:8443/x"] {
        let delivery = send(&there.channels, url).await;
        assert_eq!(
            (delivery.outcome, delivery.answer.as_str()),
            (REFUSED, "the name leads to a network that is not public")
        );
    }
    let server = Some("https://localhost:8443".to_owned());
    let ntfy = Target::Ntfy { server: server.clone(), topic: "t".into(), token: None };
    let bark = Target::Bark { server, device_key: "k".into() };
    for target in [ntfy, bark] {
        assert_eq!(there.channels.send(&target, &booked()).await.outcome, REFUSED, "{target:?}");
    }
    assert_eq!(there.sandbox.with_world(|world| world.journal.last_seq()), 0);
}

#[tokio::test]
async fn private_address_literals_are_refused_before_connecting() {
    let there = There::new().await;
    let port = there.sandbox.control_url().rsplit_once(':').unwrap().1.to_owned();
    let urls = [
        "https://127.0.0.1/".to_owned(),
        "https://[::1]:8443/".to_owned(),
        "https://[::ffff:10.0.0.1]/".to_owned(),
        "https://2130706433/".to_owned(),
        "https://169.254.169.254/latest/meta-data".to_owned(),
        format!("https://example.com:{port}/"),
        format!("http://localhost:{port}/channels/webhook/x"),
    ];
    for url in urls {
        let delivery = send(&there.channels, &url).await;
        assert_eq!((delivery.outcome, delivery.answer.as_str()), (REFUSED, ""), "{url}");
    }
    assert_eq!(there.sandbox.with_world(|world| world.journal.last_seq()), 0);
}

#[tokio::test]
async fn host_names_are_checked_at_each_resolution() {
    let there = There::new().await;
    let config = |policy: Policy| Config {
        addresses: policy,
        timeout: Duration::from_millis(300),
        ..Config::default()
    };
    // The first lookup returns a public address that does not respond. The second lookup returns
    // internal addresses.
    let rebinding = names(&[&["2a00::1"], &["10.0.0.7", "::1"]]);
    let channels =
        Channels::with_lookup(config(Policy::default()), clock(&there.hands), rebinding.clone()).unwrap();
    assert_eq!(send(&channels, "https://hooks.example/").await.outcome, Outcome::Wait(Duration::ZERO));
    assert_eq!(send(&channels, "https://hooks.example/").await.outcome, REFUSED);
    assert_eq!(rebinding.asked.load(Ordering::SeqCst), 2);
    // The client may connect to a subnet that the operator allows.
    let allowed = Policy { allowed_subnets: vec!["127.0.0.0/8".parse().unwrap()], ..Policy::default() };
    let channels =
        Channels::with_lookup(config(allowed), clock(&there.hands), names(&[&["127.0.0.1", "10.0.0.7"]]))
            .unwrap();
    let delivery = send(&channels, "https://hooks.example:8443/").await;
    assert_eq!(
        (delivery.outcome, delivery.answer.as_str()),
        (Outcome::Wait(Duration::ZERO), "no connection")
    );
}

/// Starts a server that sends `answer` to the first request. Returns its address and the received
/// request.
async fn once(answer: String) -> (String, tokio::task::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let heard = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut heard = vec![0; 16 * 1024];
        let length = stream.read(&mut heard).await.unwrap();
        let _ = stream.write_all(answer.as_bytes()).await;
        let _ = stream.shutdown().await;
        String::from_utf8_lossy(&heard[..length]).into_owned()
    });
    (origin, heard)
}

async fn with_answer(there: &There, answer: String) -> Delivery {
    let (origin, heard) = once(answer).await;
    let addresses = Policy { trusted_origins: vec![origin.clone()], ..Policy::default() };
    let config = Config { addresses, timeout: Duration::from_secs(3), ..Config::default() };
    let channels = Channels::new(config, clock(&there.hands)).unwrap();
    let delivery = send(&channels, &format!("{origin}/x")).await;
    assert!(heard.await.unwrap().starts_with("POST /x "));
    delivery
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let there = There::new().await;
    let elsewhere = format!("{}/channels/webhook/x", there.sandbox.control_url());
    let answer = format!("HTTP/1.1 307 x\r\nLocation: {elsewhere}\r\nContent-Length: 0\r\n\r\n");
    assert_eq!(with_answer(&there, answer).await.outcome, Outcome::Broken(Reason::Refused));
    assert_eq!(there.requests("webhook"), 0);
}

#[tokio::test]
async fn long_responses_are_truncated_and_cleaned() {
    let there = There::new().await;
    let answer = format!("HTTP/1.1 400 x\r\n\r\n\u{202e}no\u{1b}[31m\r\n{}", "约".repeat(400_000));
    let delivery = with_answer(&there, answer).await;
    assert_eq!(delivery.outcome, Outcome::Broken(Reason::Refused));
    assert!(delivery.answer.starts_with("400 no [31m"), "{}", delivery.answer);
    assert_eq!(delivery.answer.chars().count(), "400 ".len() + 200);
}

#[tokio::test]
async fn retry_after_may_be_a_date() {
    let there = There::new().await;
    let date = "Thu, 19 Nov 2026 03:02:00 GMT";
    let answer = format!("HTTP/1.1 503 x\r\nRetry-After: {date}\r\nContent-Length: 0\r\n\r\n");
    assert_eq!(with_answer(&there, answer).await.outcome, Outcome::Wait(Duration::from_secs(120)));
    let past = "HTTP/1.1 429 x\r\nRetry-After: Thu, 19 Nov 2026 02:00:00 GMT\r\nContent-Length: 0\r\n\r\n";
    assert_eq!(with_answer(&there, past.to_owned()).await.outcome, Outcome::Wait(Duration::ZERO));
}
