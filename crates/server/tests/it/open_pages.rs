//! Stories of the documents of the open pages: facts about the server, headers, and the content
//! when the database does not respond.

use domain::country::{CountryCode, VisaType};
use std::sync::Arc;

use axum::body::Body;
use axum::http::Request;
use chrono::TimeDelta;
use domain::calendar::{CalendarKey, Kind};
use domain::facility::FacilityId;
use domain::ids::PricingPlanId;
use domain::money::Money;
use serde_json::{Value, json};
use server::config::Settings;
use server::operator::OperatorProfile;
use server::site::support_media::Pictures;
use store::observation::Tally;

use crate::app::{Reply, TestApp};

stories!(
    a_document_shows_configured_facts,
    a_document_omits_unconfigured_facts,
    operator_texts_in_documents_are_escaped,
    figures_are_refreshed_after_ten_seconds,
    without_its_database_a_document_shows_the_last_known_facts,
    a_document_is_revalidated_by_its_etag,
    support_qr_codes_are_served_as_pictures,
    every_document_can_be_rendered,
    an_operators_gallery_replaces_the_built_in_one,
    pricing_and_terms_pages_show_the_facts_of_this_server,
    an_operators_terms_replace_the_built_in_ones,
);

/// Changes the settings of the application.
pub fn set_up(app: &mut TestApp, change: impl FnOnce(&mut Settings)) {
    let mut settings = Settings::clone(&app.app.settings);
    change(&mut settings);
    app.app.pictures = Arc::new(Pictures::of(&settings).unwrap());
    app.app.operator = Arc::new(OperatorProfile::read(settings.operator.as_deref()).unwrap());
    app.app.settings = Arc::new(settings);
    app.app.open_pages = Arc::default();
    app.router = server::router(app.app.clone());
}

async fn page(app: &TestApp, uri: &str) -> String {
    let reply = sent(app, uri, &[]).await;
    assert_eq!(reply.status, 200, "{uri}");
    reply.body.as_str().unwrap().to_owned()
}

async fn sent(app: &TestApp, uri: &str, headers: &[(&str, &str)]) -> Reply {
    let request =
        headers.iter().fold(Request::builder().uri(uri), |all, (name, value)| all.header(*name, *value));
    app.send(request.body(Body::empty()).unwrap()).await
}

/// Returns the facts in a document, as the code of the page reads them.
fn facts(document: &str) -> Value {
    let (_, after) = document.split_once(r#"<script type="application/json" id="facts">"#).unwrap();
    serde_json::from_str(after.split_once("</script>").unwrap().0).unwrap()
}

/// Returns an address as a document contains it.
fn escaped(path: &str) -> String {
    path.replace('/', "&#x2f;")
}

/// Returns the visible text of a document, without scripts and tags.
fn words(document: &str) -> String {
    let body = document.split_once("<body>").unwrap().1.split("<script");
    let seen: String = body.map(|part| part.split_once("</script>").map_or(part, |(_, rest)| rest)).collect();
    let mut inside = true;
    seen.split(['<', '>'])
        .map(|piece| {
            inside = !inside;
            if inside { "" } else { piece }
        })
        .collect()
}

async fn polled(app: &TestApp, polls: i64, ago: TimeDelta) {
    let kind = Kind {
        country: CountryCode::CANADA,
        visa_type: VisaType::Niv,
        classes: "B1/B2".into(),
        party: 1,
        booked: true,
        tcn: false,
    };
    let tally = Tally {
        key: CalendarKey { kind, facility: FacilityId::TORONTO },
        polls,
        slots: 0,
        last_poll_at: Some(app.app.portal_time.now() - ago),
        answered_at: None,
        next: None,
        bound: None,
    };
    let mut tx = app.app.db.begin().await.unwrap();
    store::observation::add_polls(&mut tx, &tally, app.app.now()).await.unwrap();
    tx.commit().await.unwrap();
}

async fn priced(app: &TestApp, price: Money) {
    let mut tx = app.app.db.begin().await.unwrap();
    let id = PricingPlanId::new(app.app.now(), app.app.random.bytes());
    store::pricing::set_standing(&mut tx, app.app.now(), id, price).await.unwrap();
    tx.commit().await.unwrap();
}

const PLACES: &str = "Canada (Calgary, Halifax, Montreal, Ottawa, Quebec City, Toronto, Vancouver); \
     Ireland (Dublin); Italy (Florence, Milan, Naples, Rome)";

// spec: 10.12.04, 10.13.11
async fn a_document_shows_configured_facts(mut app: TestApp) {
    set_up(&mut app, |settings| {
        settings.demo = true;
        settings.countries = ["en-ca", "en-ie", "en-it"].map(|code| code.parse().unwrap()).to_vec();
        settings.support_wechat = Some("sooner-help".into());
        settings.support_wechat_qr = Some("https://sooner.example.com/wechat".into());
        settings.support_email = Some("help@example.com".into());
    });
    polled(&app, 38_412, TimeDelta::seconds(8)).await;
    priced(&app, Money::cad(38_00)).await;
    let document = page(&app, "/?lang=en").await;
    let facts = facts(&document);
    for (name, text) in [
        ("demo", "1"),
        ("mail", "1"),
        ("places_en", PLACES),
        ("wechat_id", "sooner-help"),
        ("email_href", "mailto:help@example.com"),
        ("checks_total", "38,412"),
        ("seen_seconds", "8"),
        ("price", "38.00 CAD"),
        ("hours_from", "22:00"),
        ("hours_to", "12:00"),
    ] {
        assert_eq!(facts[name], text, "{name}");
    }
    assert_eq!((&facts["google"], &facts["seen_minutes"]), (&Value::Null, &Value::Null));
    let seen = words(&document);
    for text in ["38,412", "sooner-help", "help@example.com", "38.00 CAD"] {
        assert!(seen.contains(text), "{text}");
    }
    assert!(seen.contains("simulated") && !seen.contains("Sign in with Google"));
    assert!(!document.contains('⟦'), "a mark was left");
    // Other pages contain only the facts that they show.
    let faq = page(&app, "/faq?lang=en").await;
    assert!(words(&faq).contains("simulated"));
    assert!(words(&faq).contains("38.00 CAD"));
    let shown = json!({
        "demo": "1", "mail": "1", "passkeys": "1", "price": "38.00 CAD", "places_en": PLACES,
    });
    assert_eq!(self::facts(&faq), shown);
    assert!(words(&faq).contains(&format!("Served here: {PLACES}.")));
    let register = page(&app, "/auth/register?lang=en").await;
    assert!(words(&register).contains("38.00 CAD"));
}

// spec: 10.12.04
async fn a_document_omits_unconfigured_facts(mut app: TestApp) {
    set_up(&mut app, |settings| {
        settings.smtp_url = None;
        settings.support_hours = String::new();
    });
    let document = page(&app, "/?lang=zh").await;
    let zh = "加拿大（卡尔加里、哈利法克斯、蒙特利尔、渥太华、魁北克城、多伦多、温哥华）";
    assert!(words(&document).contains(&format!("本站已开通：{zh}。")));
    let en = PLACES.split_once(';').unwrap().0;
    let shown = json!({ "passkeys": "1", "price": "5.00 CAD", "places_en": en, "places_zh": zh });
    assert_eq!(facts(&document), shown, "the database's own price");
    assert!(!words(&document).contains("演示环境"));
    assert!(!document.contains('⟦'), "a mark was left");
}

// spec: 10.12.06
async fn operator_texts_in_documents_are_escaped(mut app: TestApp) {
    let scripts = |document: &str| document.matches("<script").count();
    let usual = scripts(&page(&app, "/").await);
    let hostile = "\"><script>alert(1)</script>'&⟦?demo⟧<!--\u{7}";
    set_up(&mut app, |settings| {
        settings.support_wechat = Some(hostile.into());
        settings.support_group = Some(hostile.into());
        settings.support_email = Some(hostile.into());
        settings.support_xiaohongshu = Some(hostile.into());
        settings.support_hours = hostile.into();
    });
    for uri in ["/?lang=en", "/?lang=zh"] {
        let document = page(&app, uri).await;
        assert!(!document.contains("<script>alert"), "{uri}");
        assert_eq!(scripts(&document), usual, "{uri}");
        assert_eq!(facts(&document)["wechat_id"], hostile.replace('\u{7}', " "), "{uri}");
        assert!(
            document
                .contains("&quot;&gt;&lt;script&gt;alert(1)&lt;&#x2f;script&gt;&#x27;&amp;⟦?demo⟧&lt;!-- "),
            "{uri}"
        );
        let href = facts(&document)["email_href"].as_str().unwrap().to_owned();
        assert!(href.starts_with("mailto:%22%3E%3Cscript%3E"), "{href}");
    }
}

// spec: 10.12.07
async fn figures_are_refreshed_after_ten_seconds(app: TestApp) {
    polled(&app, 1_000, TimeDelta::zero()).await;
    let first = facts(&page(&app, "/").await);
    assert_eq!((&first["checks_total"], &first["seen_seconds"]), (&json!("1,000"), &json!("0")));
    polled(&app, 1, TimeDelta::zero()).await;
    app.wait(9);
    let still = facts(&page(&app, "/").await);
    assert_eq!((&still["checks_total"], &still["seen_seconds"]), (&json!("1,000"), &json!("9")));
    app.wait(1);
    assert_eq!(facts(&page(&app, "/").await)["checks_total"], "1,001");
    for (seconds, text) in [(60, "1"), (12 * 60, "13")] {
        app.wait(seconds);
        assert_eq!(facts(&page(&app, "/").await)["seen_minutes"], text);
    }
    app.wait(120);
    let late = facts(&page(&app, "/").await);
    assert_eq!(
        (&late["portal_ok"], &late["seen_minutes"]),
        (&Value::Null, &Value::Null),
        "too long ago to be shown"
    );
}

// spec: 10.12.07
async fn without_its_database_a_document_shows_the_last_known_facts(mut app: TestApp) {
    polled(&app, 7, TimeDelta::zero()).await;
    assert_eq!(facts(&page(&app, "/").await)["checks_total"], "7");
    app.app.db.close().await;
    app.wait(600);
    let known = facts(&page(&app, "/").await);
    assert_eq!((&known["checks_total"], &known["seen_minutes"]), (&json!("7"), &json!("10")));
    // A server that never reached its database has no figures, but still serves the page.
    set_up(&mut app, |_| ());
    let document = page(&app, "/?lang=en").await;
    assert_eq!((&facts(&document)["figures"], &facts(&document)["mail"]), (&Value::Null, &json!("1")));
    assert!(words(&document).contains("Create Account"));
}

// spec: 10.12.03, 10.12.08
async fn a_document_is_revalidated_by_its_etag(app: TestApp) {
    let first = sent(&app, "/", &[("accept-encoding", "gzip")]).await;
    assert_eq!(
        (&first.headers["cache-control"], &first.headers["content-encoding"]),
        (&"no-cache".parse().unwrap(), &"gzip".parse().unwrap())
    );
    let tag = first.headers["etag"].to_str().unwrap().to_owned();
    let again = [("accept-encoding", "gzip"), ("if-none-match", tag.as_str())];
    let same = sent(&app, "/", &again).await;
    assert_eq!(
        (same.status.as_u16(), &same.headers["vary"]),
        (304, &"accept-encoding, accept-language, cookie".parse().unwrap())
    );
    let other = sent(&app, "/", &[("accept-encoding", "br"), ("if-none-match", tag.as_str())]).await;
    assert_eq!(other.status, 200, "another encoding is another text");
    polled(&app, 5, TimeDelta::zero()).await;
    app.wait(10);
    let changed = sent(&app, "/", &again).await;
    assert_eq!(changed.status, 200);
    assert_ne!(changed.headers["etag"], tag.as_str());
    let policy = changed.headers["content-security-policy"].to_str().unwrap();
    let (_, scripts) = policy.split_once("script-src 'self' ").unwrap();
    let allowed = scripts.split_once(';').unwrap().0;
    assert!(
        allowed.split(' ').all(|one| one.starts_with("'sha256-")),
        "only the build's own scripts: {policy}"
    );
}

// spec: 10.12.09
async fn support_qr_codes_are_served_as_pictures(mut app: TestApp) {
    set_up(&mut app, |settings| settings.support_group_qr = Some("https://sooner.example.com/group".into()));
    let document = page(&app, "/?lang=en").await;
    let path = facts(&document)["group_qr"].as_str().unwrap().to_owned();
    assert!(document.contains(&format!("src=\"{}\"", escaped(&path))), "shown without script");
    let support = sent(&app, "/api/v1/support", &[]).await;
    assert_eq!(support.data()["group_picture"], path, "the app shows the same picture");
    let picture = sent(&app, &path, &[]).await;
    assert_eq!(
        (picture.status.as_u16(), &picture.headers["content-type"]),
        (200, &"image/png".parse().unwrap())
    );
    assert_eq!(picture.headers["cache-control"], "public, max-age=31536000, immutable");
    assert_eq!(sent(&app, "/qr/0000000000000000.png", &[]).await.status, 404);
}

async fn every_document_can_be_rendered(mut app: TestApp) {
    let rules = ["pricing", "refunds", "terms"];
    let pages = [
        "",
        "faq",
        "privacy",
        rules[0],
        rules[1],
        rules[2],
        "auth/login",
        "auth/register",
        "auth/google/callback",
        "auth/answer",
    ];
    for demo in [false, true] {
        set_up(&mut app, |settings| {
            settings.demo = demo;
            if demo {
                settings.support_wechat = Some("sooner-help".into());
                settings.support_email = Some("help@example.com".into());
            } else {
                settings.smtp_url = None;
                settings.support_hours = String::new();
            }
        });
        if demo {
            polled(&app, 38_412, TimeDelta::seconds(8)).await;
            app.wait(60);
        }
        for (page, language) in pages.iter().flat_map(|page| ["zh", "en"].map(|language| (page, language))) {
            let document = self::page(&app, &format!("/{page}?lang={language}")).await;
            assert!(document.contains(r#"id="facts""#), "{page}: a document without its facts was sent");
            assert!(!document.contains('⟦'), "{page}: a mark was left");
            let hidden = document.contains(r#"<meta name="robots" content="noindex""#);
            assert_eq!(hidden, page.starts_with("auth/"), "{page}: only public pages are for search engines");
        }
    }
}

// spec: 10.12.10
async fn an_operators_gallery_replaces_the_built_in_one(mut app: TestApp) {
    let ours = page(&app, "/?lang=en").await;
    assert!(ours.contains("src=\"/gallery/"));
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
    write("one.webp", b"RIFF\x08\0\0\0WEBPVP8 ");
    write("two.png", b"\x89PNG\r\n\x1a\n");
    write(
        "gallery.toml",
        b"[[picture]]\nfile = \"one.webp\"\nzh = \"\xe4\xb8\x80\"\nen = \"One <b>\"\n\
          [[picture]]\nfile = \"two.png\"\nzh = \"\xe4\xba\x8c\"\nen = \"Two\"\n",
    );
    set_up(&mut app, |settings| settings.gallery = Some(folder.path().to_owned()));
    let document = page(&app, "/?lang=en").await;
    assert!(!document.contains("src=\"/gallery/"));
    let pictures = facts(&document)["gallery"].clone();
    assert_eq!(
        (&pictures[0]["zh"], &pictures[1]["en"], pictures.as_array().unwrap().len()),
        (&json!("一"), &json!("Two"), 2)
    );
    assert!(document.contains("One &lt;b&gt;"));
    for (index, kind) in ["image/webp", "image/png"].into_iter().enumerate() {
        let src = pictures[index]["src"].as_str().unwrap();
        assert!(document.contains(&format!("src=\"{}\"", escaped(src))));
        assert_eq!(sent(&app, src, &[]).await.headers["content-type"], kind);
    }
    // At start, the server rejects a file that is not a picture, is outside of the folder, or has
    // no label.
    for (list, why) in [
        ("[[picture]]\nfile = \"gallery.toml\"\nzh = \"a\"\nen = \"a\"", "not a PNG"),
        ("[[picture]]\nfile = \"../one.webp\"\nzh = \"a\"\nen = \"a\"", "folder itself"),
        ("[[picture]]\nfile = \"one.webp\"\nzh = \"a\"\nen = \" \"", "both languages"),
        ("[[picture]]\nfile = \"one.webp\"\nzh = \"a\"", "missing field"),
        ("[[picture]]\nfile = \"none.webp\"\nzh = \"a\"\nen = \"a\"", "none.webp"),
    ] {
        write("gallery.toml", list.as_bytes());
        let settings =
            Settings { gallery: Some(folder.path().to_owned()), ..Settings::clone(&app.app.settings) };
        let error = Pictures::of(&settings).unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
    }
}

/// A profile with invented details.
pub const PROFILE: &str = r#"
name = "Example <Ltd>"
address = "1 Main St, Toronto"
contact = "office@example.com"
tax_number = "12345 RT0001"

[[tax]]
from = "2026-01-01"
name = "HST"
percent = "13"
"#;

// spec: 10.13.15
async fn pricing_and_terms_pages_show_the_facts_of_this_server(mut app: TestApp) {
    for page in ["pricing", "refunds", "terms"] {
        let document = self::page(&app, &format!("/{page}?lang=en")).await;
        assert!(!document.contains('⟦'), "{page}: a mark was left");
        for unset in ["HST", "Example", "bonus of", "By card:", "operator_"] {
            assert!(!words(&document).contains(unset), "{page}: {unset}");
        }
        for other in ["pricing", "refunds", "terms", "privacy"] {
            assert!(document.contains(&format!("href=\"/{other}\"")), "{page} has no link to {other}");
        }
    }
    assert!(words(&page(&app, "/terms?lang=en").await).contains("the operator of this server"));
    let plain = |path: &str| Request::builder().uri(path).body(Body::empty()).unwrap();
    let security = "/.well-known/security.txt";
    assert_eq!(app.send(plain(security)).await.status, 404, "there is no contact");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("operator.toml");
    std::fs::write(&file, PROFILE).unwrap();
    set_up(&mut app, |settings| settings.operator = Some(file));
    let told = app.send(plain(security)).await;
    assert_eq!(told.headers["content-type"], "text/plain; charset=utf-8");
    let told = told.body.as_str().unwrap().to_owned();
    assert!(told.starts_with("Contact: mailto:office@example.com\nExpires: 2027-"), "{told}");
    assert!(told.contains("\nCanonical: https://sooner.example.com/.well-known/security.txt\n"), "{told}");
    priced(&app, Money::cad(38_00)).await;
    let mut tx = app.app.db.begin().await.unwrap();
    let (off, bonus) = (Money::cad(1_00), Money::cad(3_00));
    store::operator::referrals::set_worth(&mut tx, off, bonus, app.app.now()).await.unwrap();
    tx.commit().await.unwrap();
    let pricing = words(&page(&app, "/pricing?lang=en").await);
    for text in ["38.00 CAD per applicant", "includes 13% HST", "takes 1.00 CAD", "bonus of 3.00 CAD"] {
        assert!(pricing.contains(text), "{text}: {pricing}");
    }
    assert!(words(&page(&app, "/pricing?lang=zh").await).contains("每位申请人 38.00 CAD"));
    let terms = page(&app, "/terms?lang=en").await;
    assert!(terms.contains("Run by: Example &lt;Ltd&gt;"), "the value is text, not markup");
    for text in ["1 Main St, Toronto", "office@example.com"] {
        assert!(words(&terms).contains(text), "{text}");
    }
}

// spec: 10.13.16
async fn an_operators_terms_replace_the_built_in_ones(mut app: TestApp) {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("terms.zh.md", "# 规则\n\n全部归**我们**。");
    write("terms.en.md", "# Rules\n\nAll yours. <script>alert(1)</script>\n\n[Prices](/pricing)");
    write("operator.toml", "[pages.terms]\nzh = \"terms.zh.md\"\nen = \"terms.en.md\"\n");
    let scripts = |document: &str| document.matches("<script").count();
    let usual = scripts(&page(&app, "/terms?lang=en").await);
    set_up(&mut app, |settings| settings.operator = Some(folder.path().join("operator.toml")));
    let theirs = page(&app, "/terms?lang=en").await;
    assert!(theirs.contains("<h2>Rules</h2>") && theirs.contains("<a href=\"/pricing\">Prices</a>"));
    assert!(!words(&theirs).contains("What we do not do"), "our own text is gone");
    assert_eq!(scripts(&theirs), usual, "no script was added");
    assert_eq!(theirs.matches("<h1").count(), 1);
    assert!(page(&app, "/terms?lang=zh").await.contains("<strong>我们</strong>"));
    assert!(
        words(&page(&app, "/refunds?lang=en").await).contains("Money on hold"),
        "the other pages still have our text"
    );
    assert!(facts(&theirs)["own"].is_null(), "the text is sent once");
}
