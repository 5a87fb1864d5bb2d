//! Stories of the form of the API: envelopes, limits, headers, pages, and the OpenAPI document.

use axum::body::Body;
use axum::http::Request;
use serde_json::json;

use crate::app::{Reply, TestApp, request};

stories!(
    invalid_bodies_get_clear_error_codes,
    unknown_paths_and_methods_return_the_error_envelope,
    every_response_has_its_security_headers,
    open_pages_use_the_visitors_language,
    meta_routes_need_no_sign_in,
);

fn post(path: &str, kind: &str, body: impl Into<Body>) -> Request<Body> {
    let request =
        Request::builder().method("POST").uri(format!("/api/v1{path}")).header("content-type", kind);
    request.body(body.into()).unwrap()
}

// spec: 10.7.08
async fn invalid_bodies_get_clear_error_codes(app: TestApp) {
    let path = "/auth/login";
    let json_kind = "application/json";
    for body in [
        "",
        "{",
        "null",
        "[]",
        "\"x\"",
        "{\"username\":1,\"password\":\"x\"}",
        "{\"username\":\"x\"}",
        "{\"username\":\"x\",\"password\":\"hunter2\",\"admin\":true}",
        "\u{0}",
    ] {
        let reply = app.send(post(path, json_kind, body)).await;
        assert_eq!(reply.error(), (400, "INVALID_BODY"), "{body}");
        assert!(!reply.body.to_string().contains("hunter2"), "a body is never echoed");
    }
    let reply = app.send(post(path, "text/plain", "{}")).await;
    assert_eq!(reply.error(), (415, "UNSUPPORTED_MEDIA_TYPE"));
    let reply = app.send(post(path, "application/json; charset=utf-8", "{}")).await;
    assert_eq!(reply.error(), (400, "INVALID_BODY"));
    let huge = json!({ "username": "x".repeat(70_000), "password": "x" }).to_string();
    assert_eq!(app.send(post(path, json_kind, huge)).await.error(), (413, "BODY_TOO_LARGE"));
    let reply = app.post(path, json!({ "username": " ", "password": "" })).await;
    assert_eq!(reply.error(), (422, "VALIDATION_FAILED"));
    assert_eq!(reply.body["data"]["fields"], json!({ "username": "required", "password": "required" }));
    let not_utf8 = vec![b'{', 0xff, b'}'];
    assert_eq!(app.send(post(path, json_kind, not_utf8)).await.error(), (400, "INVALID_BODY"));
}

// spec: 3.66, 7.1.01, 9.01
async fn unknown_paths_and_methods_return_the_error_envelope(app: TestApp) {
    assert_eq!(app.send(request("GET", "/nothing", None, None)).await.error(), (404, "NOT_FOUND"));
    assert_eq!(
        app.send(request("DELETE", "/auth/login", None, None)).await.error(),
        (405, "METHOD_NOT_ALLOWED")
    );
    let other = Request::builder().uri("/api/v2/x").body(Body::empty()).unwrap();
    assert_eq!(app.send(other).await.error(), (404, "NOT_FOUND"));
}

// spec: 10.7.09, 10.12.03
async fn every_response_has_its_security_headers(app: TestApp) {
    for path in ["/api/v1/status", "/api/v1/nothing", "/healthz", "/readyz", "/", "/dashboard", "/api/docs/"]
    {
        let reply = app.send(Request::builder().uri(path).body(Body::empty()).unwrap()).await;
        let policy = reply.headers["content-security-policy"].to_str().unwrap();
        // A document permits its own scripts by their hashes, and no other scripts.
        let document = ["/", "/dashboard"].contains(&path);
        let own = if document {
            policy.contains("script-src 'self' 'sha256-") && !policy.contains("unsafe-inline")
        } else {
            policy.contains("script-src 'self';")
        };
        assert!(own && policy.contains("frame-ancestors 'none'"), "{path}: {policy}");
        assert_eq!(reply.headers["x-content-type-options"], "nosniff");
        assert_eq!(reply.headers["referrer-policy"], "no-referrer");
        assert_eq!(reply.headers["cross-origin-resource-policy"], "same-origin");
        assert!(
            reply.headers["strict-transport-security"].to_str().unwrap().starts_with("max-age="),
            "https is public"
        );
        assert_eq!(reply.headers["x-request-id"].len(), 36);
        let no_store = reply.headers.get("cache-control").is_some_and(|v| v == "no-store");
        assert_eq!(no_store, path.starts_with("/api/v1"), "{path}");
    }
}

/// Requests a page with one header. Returns the response.
async fn open_page(app: &TestApp, uri: &str, name: &str, value: &str) -> Reply {
    app.send(Request::builder().uri(uri).header(name, value).body(Body::empty()).unwrap()).await
}

// spec: 2.1.09, 10.12.01, 10.12.02
async fn open_pages_use_the_visitors_language(app: TestApp) {
    let public = app.app.settings.public_url.clone();
    for (uri, name, value, lang) in [
        ("/", "accept-language", "en-CA,zh;q=0.5", "en"),
        ("/", "accept-language", "fr", "zh-CN"),
        ("/faq", "cookie", "a=b; lang=en", "en"),
        ("/privacy?lang=zh", "cookie", "lang=en", "zh-CN"),
    ] {
        let page = open_page(&app, uri, name, value).await;
        let text = page.body.as_str().unwrap_or_default();
        assert!(text.contains(&format!("<html lang=\"{lang}\"")), "{uri} {value}");
        let path = uri.split('?').next().unwrap_or_default();
        assert!(text.contains(&format!("hreflang=\"en\" href=\"{public}{path}?lang=en\"")), "{uri}");
        assert!(!text.contains("public-url.invalid"), "{uri}");
        assert_eq!(page.headers["vary"], "accept-encoding, accept-language, cookie");
    }
    let packed = open_page(&app, "/", "accept-encoding", "gzip, br").await;
    assert_eq!(packed.headers["content-encoding"], "br");
    let tag = packed.headers["etag"].to_str().unwrap().to_owned();
    let again = Request::builder().uri("/").header("accept-encoding", "br").header("if-none-match", tag);
    assert_eq!(app.send(again.body(Body::empty()).unwrap()).await.status, 304);
    let map = open_page(&app, "/sitemap.xml", "accept", "*/*").await;
    for page in ["", "faq", "privacy", "pricing", "refunds", "terms", "status"] {
        let place = format!("<loc>{public}/{page}?lang=en</loc>");
        assert!(map.body.as_str().unwrap_or_default().contains(&place), "{place}");
    }
}

// spec: 1.15, 3.57, 9.09, 9.18
async fn meta_routes_need_no_sign_in(app: TestApp) {
    let status = app.send(request("GET", "/status", None, None)).await;
    assert_eq!((&status.data()["demo"], &status.data()["currency"]), (&json!(false), &json!("CAD")));
    let support = app.send(request("GET", "/support", None, None)).await;
    assert_eq!(support.data()["hours"], "9am-11pm EDT");
    assert!(support.data()["wechat_picture"].is_null(), "without a code there is no picture");
    let countries = app.send(request("GET", "/facilities", None, None)).await;
    assert_eq!(
        countries.data()["countries"][0]["facilities"][5],
        json!({
            "id": 94, "nameEn": "Toronto", "nameZh": "多伦多", "fingerprints": false, "zone": "America/Toronto",
        })
    );
    let all = countries.data()["countries"].as_array().unwrap();
    let of = |code: &str| all.iter().find(|country| country["code"] == code).unwrap();
    assert_eq!((&all[0]["code"], &all[0]["state"]), (&json!("en-ca"), &json!("open")));
    assert_eq!(all.iter().filter(|country| country["available"] == true).count(), 1);
    let count = |state: &str| all.iter().filter(|country| country["state"] == state).count();
    assert_eq!((count("known"), count("not_bookable")), (47, 0));
    assert_eq!(
        (&of("zh-cn")["state"], &of("en-us")["state"]),
        (&json!("other_system"), &json!("other_system"))
    );
    assert_eq!(of("zh-cn")["officialSite"], "https://www.usvisascheduling.com");
    let cities: Vec<_> = of("zh-cn")["facilities"].as_array().unwrap().iter().map(|f| &f["nameEn"]).collect();
    assert_eq!(cities, ["Beijing", "Shanghai", "Guangzhou", "Chengdu", "Shenyang"]);
    assert_eq!(of("en-gr")["state"], "ended");
}

// spec: 10.7.10
#[test]
fn the_committed_openapi_document_is_up_to_date() {
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/openapi.json");
    let committed = std::fs::read_to_string(committed).unwrap_or_default();
    assert!(committed == server::router::document_json().unwrap(), "run: scripts/fresh.sh --write");
}

// spec: 10.7.10
#[test]
fn every_operation_documents_its_failures() {
    let document: serde_json::Value =
        serde_json::from_str(&server::router::document_json().unwrap()).unwrap();
    let mut names = std::collections::BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let name = operation["operationId"].as_str().unwrap();
            assert!(names.insert(name.to_owned()), "{name} twice");
            let responses = operation["responses"].as_object().unwrap();
            assert!(responses.contains_key("200") || responses.contains_key("303"), "{method} {path}");
            if operation["security"].as_array().is_some_and(|s| s.len() == 1) {
                assert!(responses.contains_key("401"), "{method} {path} needs a 401");
            }
            if operation.get("requestBody").is_some() {
                for status in ["400", "413", "415"] {
                    assert!(responses.contains_key(status), "{method} {path} needs a {status}");
                }
            }
        }
    }
}
