//! Tests of missing registrations at providers. The operator must be notified before users notice.

use domain::channel::EventKind;
use providers::channels::Channels;
use providers::channels::config::Config;
use providers::channels::registration::Registration;

use crate::fixture::{There, clock};

// spec: 10.16.20
#[tokio::test]
async fn sender_registrations_are_read_from_providers() {
    let there = There::new().await;
    let asked = async |config: Config, countries: &[&str]| {
        let channels = Channels::new(config, clock(&there.hands)).unwrap();
        let countries: Vec<_> = countries.iter().map(ToString::to_string).collect();
        let said = channels.registrations(&countries).await.into_iter();
        said.filter(|(_, said)| !matches!(said, Registration::Ready(_)))
            .map(|(_, said)| said)
            .collect::<Vec<_>>()
    };
    let config = || crate::fixture::config(&there.sandbox);
    let templates = [EventKind::Booked, EventKind::NeedsYou, EventKind::Verification];
    let whole = || {
        let mut config = config();
        if let Some(aliyun) = &mut config.aliyun {
            aliyun.templates = templates.map(|kind| (kind, "SMS_1".to_owned())).into();
        }
        config
    };
    assert_eq!(asked(whole(), &["CA", "CN"]).await, []);
    let one = |said: Vec<Registration>| match &said[..] {
        [Registration::Refused(why)] => why.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(one(asked(config(), &["CN"]).await), "CN: no template for verification");
    assert_eq!(
        one(asked(Config { aliyun: None, ..config() }, &["CA", "CN"]).await),
        "CN: only Aliyun sends there"
    );
    let mut other = whole();
    other.twilio.as_mut().unwrap().from = "+14165550199".to_owned();
    assert_eq!(one(asked(other, &[]).await), "the account has no number +14165550199");
    let mut waits = whole();
    waits.aliyun.as_mut().unwrap().sign_name = "waits".to_owned();
    assert_eq!(one(asked(waits, &[]).await), "signature waits waits for approval");
    let mut revoked = whole();
    revoked.telegram_bot_token = Some("7000000001:revoked".into());
    assert!(one(asked(revoked, &[]).await).starts_with("the bot's token is refused"));
    let mut away = whole();
    away.urls.twilio = "http://127.0.0.1:9".to_owned();
    assert!(
        matches!(&asked(away, &[]).await[..], [Registration::Silent(_)]),
        "an unknown registration was reported as wrong"
    );
}

// spec: 10.16.20
#[tokio::test]
async fn twilio_registration_for_united_states_networks_is_reported() {
    let there = There::new().await;
    let asked = async |from: &str, countries: &[&str]| {
        let mut config = crate::fixture::config(&there.sandbox);
        config.aliyun = None;
        config.twilio.as_mut().unwrap().from = from.to_owned();
        let channels = Channels::new(config, clock(&there.hands)).unwrap();
        let countries: Vec<_> = countries.iter().map(ToString::to_string).collect();
        let said = channels.registrations(&countries).await.into_iter().map(|(_, said)| said);
        said.filter(|said| format!("{said:?}").contains("10DLC") || format!("{said:?}").contains("toll-free"))
            .collect::<Vec<_>>()
    };
    let verified = Registration::Ready("the A2P 10DLC campaign of Sooner US is verified".to_owned());
    assert_eq!(
        asked("+12125550100", &["CA"]).await,
        [verified],
        "a number of the United States needs a registration"
    );
    let refused = |why: &str| [Registration::Refused(why.to_owned())];
    assert_eq!(
        asked("+12125550101", &["US"]).await,
        refused("the A2P 10DLC campaign of Sooner waits waits for approval")
    );
    assert_eq!(
        asked("+12125550102", &["US"]).await,
        refused("the messaging service Sooner without has no A2P 10DLC campaign")
    );
    assert_eq!(asked("+14165550100", &["CA"]).await, [], "Canada requires no registration");
    let canadian = asked("+14165550100", &["CA", "US"]).await;
    assert!(
        matches!(&canadian[..], [Registration::Refused(why)] if why.contains("is in no messaging service")),
        "a Canadian number that sends to the United States needs a registration: {canadian:?}"
    );
    assert!(matches!(&asked("+18335550100", &["US"]).await[..], [Registration::Ready(_)]));
}
