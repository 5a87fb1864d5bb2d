//! Stories of roles: a server runs the configured roles, and reports them.

use std::sync::Arc;

use axum::body::Body;
use axum::http::Request;
use engine::{Config, Context, Engine};
use server::AppState;
use server::config::Settings;
use server::config::roles::Role;
use tower::ServiceExt as _;

use crate::app::TestApp;

stories!(
    a_server_without_the_web_role_answers_only_probes,
    a_server_without_the_engine_role_never_leads,
    running_servers_are_listed_with_their_roles,
    two_servers_with_one_name_are_detected,
    all_servers_of_a_database_use_the_same_portal,
);

fn doing(app: &AppState, role: Vec<Role>) -> AppState {
    let settings = Settings { role, ..Settings::clone(&app.settings) };
    AppState { settings: Arc::new(settings), ..app.clone() }
}

async fn get(router: axum::Router, path: &str) -> (u16, String) {
    let asked = Request::builder().uri(path).body(Body::empty()).unwrap();
    let answer = router.oneshot(asked).await.unwrap();
    let status = answer.status().as_u16();
    let body = axum::body::to_bytes(answer.into_body(), 64 * 1024).await.unwrap();
    (status, String::from_utf8_lossy(&body).into_owned())
}

// spec: 10.15.26
async fn a_server_without_the_web_role_answers_only_probes(app: TestApp) {
    let mails = doing(&app.app, vec![Role::Delivery]);
    let probes = || server::router::probes(mails.clone());
    assert_eq!(get(probes(), "/readyz").await, (200, "delivery: ready".to_owned()));
    assert_eq!(get(probes(), "/healthz").await.0, 200);
    for path in ["/", "/api/v1/status", "/dashboard"] {
        assert_eq!(get(probes(), path).await.0, 404, "{path}");
    }
}

async fn a_server_without_the_engine_role_never_leads(app: TestApp) {
    let context = app.app.engine.context().clone();
    let idle = Config { leads: false, ..context.config.clone() };
    let idle = Engine::new(Context { config: idle, ..context });
    assert!(idle.run_due().await.is_none());
    assert!(!idle.is_active() && idle.work().rounds > 0, "its rounds run all the same");
    let _ = app.app.engine.run_due().await;
    assert!(app.app.engine.is_active());
    let all = server::router(app.app.clone());
    assert_eq!(get(all, "/readyz").await, (200, "web, engine, delivery, leading: ready".to_owned()));
}

async fn running_servers_are_listed_with_their_roles(app: TestApp) {
    let web = doing(&app.app, vec![Role::Web, Role::Web]);
    server::workers::presence::report(&web).await.unwrap();
    let mut tx = app.app.db.read().await.unwrap();
    let running = store::node::running(&mut tx, app.app.now()).await.unwrap();
    let said: Vec<_> = running.iter().map(|node| (node.name.as_str(), node.roles.as_str())).collect();
    assert_eq!(said, [("single", "web")]);
}

async fn two_servers_with_one_name_are_detected(app: TestApp) {
    use server::workers::presence::{Beat, Heartbeat};
    let beat = async |server: &mut Heartbeat| {
        app.clock.advance(chrono::TimeDelta::seconds(15));
        server.beat(&app.app).await.unwrap()
    };
    // The heartbeat of a killed server remains. Its successor does not mistake it for another
    // server.
    assert_eq!(beat(&mut Heartbeat::default()).await, Beat::Recorded);
    let (mut first, mut second) = (Heartbeat::default(), Heartbeat::default());
    for _ in 0..3 {
        assert_eq!(beat(&mut first).await, Beat::Recorded);
    }
    assert_eq!(beat(&mut second).await, Beat::Recorded);
    assert_eq!(beat(&mut first).await, Beat::NameShared);
    assert_eq!(beat(&mut second).await, Beat::NameShared);
}

// spec: 10.15.26
async fn all_servers_of_a_database_use_the_same_portal(app: TestApp) {
    server::workers::presence::report(&app.app).await.unwrap();
    let own = app.app.engine.context().client.host();
    let refused = async |host: &str| {
        server::workers::presence::disagrees_on_host(&app.app.db, host, app.app.now()).await.unwrap()
    };
    assert_eq!(refused(&own).await, None);
    let other = refused("other.example.com").await;
    if !app.app.db.is_postgres() {
        assert_eq!(other, None, "its file has one server");
        return;
    }
    let said = other.unwrap();
    assert!(said.contains("single") && said.contains(&own), "{said}");
    app.clock.advance(chrono::TimeDelta::minutes(3));
    assert_eq!(refused("other.example.com").await, None, "the first server does not run any more");
}
