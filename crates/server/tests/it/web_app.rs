//! Stories of the served web app: which document a path gets, how long files are cached, and
//! missing files.

use axum::body::Body;
use axum::http::Request;

use crate::app::{Reply, TestApp};

stories!(
    an_auth_page_is_a_document_with_its_own_content_policy,
    each_app_page_has_a_document_that_preloads_its_code,
    a_missing_file_is_404_and_not_the_app_page,
    files_have_content_types_and_cache_lifetimes,
    a_film_supports_range_requests,
    the_service_worker_is_revalidated_and_can_be_retired,
    the_offline_page_needs_no_other_files,
);

async fn get(app: &TestApp, uri: &str, asked: &[(&str, &str)]) -> Reply {
    let request =
        asked.iter().fold(Request::builder().uri(uri), |made, (name, value)| made.header(*name, *value));
    app.send(request.body(Body::empty()).unwrap()).await
}

fn header<'a>(reply: &'a Reply, name: &str) -> &'a str {
    reply.headers.get(name).map_or("", |value| value.to_str().unwrap())
}

fn text(reply: &Reply) -> &str {
    reply.body.as_str().unwrap_or_default()
}

/// Returns the quoted text after each `mark`.
fn quoted<'a>(page: &'a str, mark: &'a str) -> Vec<&'a str> {
    page.split(mark).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

async fn an_auth_page_is_a_document_with_its_own_content_policy(app: TestApp) {
    for (accepts, lang) in [("en-CA", "en"), ("zh-CN", "zh-CN")] {
        let reply = get(&app, "/auth/login?next=%2Fsettings", &[("accept-language", accepts)]).await;
        assert_eq!(reply.status, 200);
        let document = text(&reply);
        assert!(document.contains(&format!("<html lang=\"{lang}\"")), "{accepts}");
        assert!(document.contains("method=\"post\"") && !document.contains('⟦'), "{accepts}");
        let policy = header(&reply, "content-security-policy");
        assert!(!policy.contains("unsafe-inline"), "{policy}");
        let listed = |kind: &str| {
            let part = policy.split(';').find(|part| part.trim().starts_with(kind)).unwrap_or_default();
            part.matches("'sha256-").count()
        };
        assert!(listed("script-src") > 0 && listed("style-src") > 0, "{policy}");
        assert_eq!(header(&reply, "cache-control"), "no-cache");
        assert_eq!(header(&reply, "vary"), "accept-encoding, accept-language, cookie");
        let tag = header(&reply, "etag");
        let asked = [("accept-language", accepts), ("if-none-match", tag)];
        assert_eq!(get(&app, "/auth/login", &asked).await.status, 304, "{accepts}");
    }
    assert_eq!(get(&app, "/auth/other", &[]).await.status, 404);
    assert_eq!(get(&app, "/documents/en/auth/login.html", &[]).await.status, 404, "only under its address");
}

// spec: 10.14.06
async fn each_app_page_has_a_document_that_preloads_its_code(app: TestApp) {
    for (uri, page) in [
        ("/dashboard", "DashboardPage"),
        ("/settings", "SettingsPage"),
        ("/schedule/wizard", "WizardPage"),
        ("/schedule/0192aa00-0000-7000-8000-000000000000", "TaskPage"),
    ] {
        let reply = get(&app, uri, &[("cookie", "lang=en"), ("accept-language", "zh-CN")]).await;
        assert_eq!(reply.status, 200, "{uri}");
        let document = text(&reply);
        assert!(document.contains("<html lang=\"en\""), "{uri}: the chosen language");
        assert!(document.contains("rel=\"manifest\" href=\"/site.en.webmanifest\""), "{uri}");
        let preloaded = quoted(document, "rel=\"modulepreload\" crossorigin href=\"");
        assert!(
            preloaded.iter().any(|file| file.starts_with(&format!("/assets/{page}-"))),
            "{uri}: {preloaded:?}"
        );
        let policy = header(&reply, "content-security-policy");
        assert!(!policy.contains("unsafe-inline"), "{policy}");
        let inline: usize = ["<style>", "<script>", "<script data-members"]
            .iter()
            .map(|tag| document.matches(tag).count())
            .sum();
        assert_eq!(policy.matches("'sha256-").count(), inline, "{policy}");
        assert_eq!(header(&reply, "cache-control"), "no-cache");
        assert_eq!(header(&reply, "vary"), "accept-encoding, accept-language, cookie");
        let again = get(&app, uri, &[("cookie", "lang=en"), ("if-none-match", header(&reply, "etag"))]).await;
        assert_eq!(again.status, 304, "{uri}");
        let other = get(&app, uri, &[("if-none-match", header(&reply, "etag"))]).await;
        assert!(
            other.status == 200 && text(&other).contains("<html lang=\"zh-CN\""),
            "{uri}: in the other language"
        );
    }
    let nowhere = get(&app, "/nowhere/at/all", &[]).await;
    assert_eq!(
        (nowhere.status.as_u16(), header(&nowhere, "content-type")),
        (404, "text/html; charset=utf-8")
    );
    assert!(text(&nowhere).contains("/assets/NotFoundPage-"));
}

// spec: 10.14.07
async fn a_missing_file_is_404_and_not_the_app_page(app: TestApp) {
    let kept_back = [
        "/documents/en/app/dashboard.html",
        "/documents/routes.json",
        "/open/home.zh.html",
        "/.vite/manifest.json",
    ];
    let gone =
        ["/assets/index-00000000.js", "/assets/", "/assets/x", "/worker.js.map", "/film/none.mp4", "/a.html"];
    for uri in kept_back.into_iter().chain(gone) {
        let reply = get(&app, uri, &[("accept", "text/html")]).await;
        assert_eq!(reply.status, 404, "{uri}");
        assert!(header(&reply, "content-type").starts_with("text/plain"), "{uri}");
        assert_eq!(header(&reply, "cache-control"), "no-cache", "{uri}: it may exist tomorrow");
        assert_eq!(header(&reply, "x-content-type-options"), "nosniff");
    }
}

// spec: 10.14.07
async fn files_have_content_types_and_cache_lifetimes(app: TestApp) {
    let document = get(&app, "/dashboard", &[]).await;
    let mut files = quoted(text(&document), "href=\"/assets/");
    files.extend(quoted(text(&document), "src=\"/assets/"));
    assert!(files.len() > 3, "{files:?}");
    for file in files {
        let uri = format!("/assets/{file}");
        let reply = get(&app, &uri, &[("accept-encoding", "gzip, deflate, br")]).await;
        assert_eq!(reply.status, 200, "{uri}");
        assert_eq!(header(&reply, "cache-control"), "public, max-age=31536000, immutable", "{uri}");
        assert_eq!(header(&reply, "vary"), "accept-encoding");
        let kind =
            if file.ends_with(".css") { "text/css; charset=utf-8" } else { "text/javascript; charset=utf-8" };
        assert_eq!(header(&reply, "content-type"), kind, "{uri}");
    }
    for (uri, kind) in [
        ("/site.webmanifest", "application/manifest+json"),
        ("/site.en.webmanifest", "application/manifest+json"),
        ("/mark.svg", "image/svg+xml"),
        ("/icon-192.png", "image/png"),
        ("/robots.txt", "text/plain; charset=utf-8"),
        ("/sitemap.xml", "application/xml"),
    ] {
        let reply = get(&app, uri, &[]).await;
        assert_eq!((reply.status.as_u16(), header(&reply, "content-type")), (200, kind), "{uri}");
        assert!(
            !header(&reply, "cache-control").contains("immutable"),
            "{uri}: its name stays when it changes"
        );
    }
    for (accepted, sent) in [("br, gzip", "br"), ("gzip", "gzip"), ("identity", "")] {
        let reply = get(&app, "/site.webmanifest", &[("accept-encoding", accepted)]).await;
        assert_eq!(header(&reply, "content-encoding"), sent, "{accepted}");
        let again = [("accept-encoding", accepted), ("if-none-match", header(&reply, "etag"))];
        assert_eq!(get(&app, "/site.webmanifest", &again).await.status, 304, "{accepted}");
    }
}

// spec: 10.14.07
async fn a_film_supports_range_requests(app: TestApp) {
    let films = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/public/film");
    let names =
        std::fs::read_dir(films).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let film = names.filter(|name| name.ends_with(".mp4")).min().expect("a film");
    let film = &format!("/film/{film}");
    let whole = get(&app, film, &[("accept-encoding", "br, gzip")]).await;
    assert_eq!((header(&whole, "content-encoding"), header(&whole, "accept-ranges")), ("", "bytes"));
    let tag = header(&whole, "etag");
    let part = get(&app, film, &[("range", "bytes=0-99"), ("if-range", tag)]).await;
    assert_eq!(part.status, 206);
    assert!(header(&part, "content-range").starts_with("bytes 0-99/"));
    let other = get(&app, film, &[("range", "bytes=0-99"), ("if-range", "\"another\"")]).await;
    assert_eq!(other.status, 200, "parts of two films are no film");
}

// spec: 10.14.05
async fn the_service_worker_is_revalidated_and_can_be_retired(mut app: TestApp) {
    let worker = get(&app, "/worker.js", &[]).await;
    assert_eq!(worker.status, 200);
    assert_eq!(header(&worker, "content-type"), "text/javascript; charset=utf-8");
    assert_eq!(header(&worker, "cache-control"), "no-cache");
    assert!(header(&worker, "content-security-policy").contains("worker-src 'self'"));
    assert!(text(&worker).contains("/offline") && !text(&worker).contains("__CHECKSUM__"));
    let again = get(&app, "/worker.js", &[("if-none-match", header(&worker, "etag"))]).await;
    assert_eq!(again.status, 304);
    let mut settings = server::config::Settings::clone(&app.app.settings);
    settings.worker_off = true;
    app.app.settings = std::sync::Arc::new(settings);
    app.router = server::router(app.app.clone());
    let retired = get(&app, "/worker.js", &[("if-none-match", header(&worker, "etag"))]).await;
    assert_eq!((retired.status.as_u16(), header(&retired, "cache-control")), (200, "no-cache"));
    assert!(text(&retired).contains("caches.delete") && text(&retired).contains("registration.unregister()"));
    assert!(!text(&retired).contains("'fetch'"), "the retired worker still answers requests");
}

// spec: 10.14.03
async fn the_offline_page_needs_no_other_files(app: TestApp) {
    let page = get(&app, "/offline", &[]).await;
    assert_eq!((page.status.as_u16(), header(&page, "content-type")), (200, "text/html; charset=utf-8"));
    assert!(header(&page, "content-security-policy").contains("script-src 'self' 'sha256-"));
    let document = text(&page);
    assert!(document.contains("<main lang=\"zh-CN\">") && document.contains("<main lang=\"en\">"));
    assert!(document.contains("noindex") && !document.contains("/assets/") && !document.contains("<link"));
}
