//! Promise 6: clients that disconnect during a request, over real sockets, corrupt no data and
//! break no connection to the database.

use std::io::Write as _;
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use sqlx::Connection as _;
use store::{Db, Random};

use crate::app::{Person, TestApp};
use crate::house;
use crate::size::{seed, size};
use crate::tally::{self, Purse};

stories!(disconnecting_clients_corrupt_no_data);

const CROWD: usize = 16;
const PRICE: i64 = 5_00;

/// A request that will be repeated.
#[derive(Clone, Debug)]
struct Asked {
    method: &'static str,
    path: &'static str,
    body: Option<Value>,
    key: Option<String>,
    /// Change of the posted and the held amount by the request.
    moves: (i64, i64),
}

// spec: 10.10.07
async fn disconnecting_clients_corrupt_no_data(app: TestApp) {
    let cancels = size("SOONER_CANCELS", 640, 10_000);
    let seed = seed();
    let random = Random::seeded(seed);
    let person = app.person("lin").await;
    let stock = house::stock(&app, person.id, (cancels / 2, cancels / 4), &random).await;
    // The balance is enough for the holds of all tasks, even if no code is credited.
    let all = app.code(PRICE * i64::try_from(cancels).unwrap()).await;
    let paid = app.call("POST", "/topup/use", Some(&person), Some(json!({ "code": all }))).await;
    assert_eq!(paid.status, 200);
    let begin = (paid.data()["amount"].as_f64().unwrap() * 100.0).round() as i64;

    let deeds = deeds(stock, cancels);
    let (address, serving) = serve(&app).await;
    let lost = tokio::join!(storm(&deeds, &person, address, seed), canaries(&app)).1;
    serving.abort();
    assert_eq!(lost, 0, "promise 6: concurrent writes were acknowledged and lost");
    assert_eq!(open_transactions(&app).await, 0, "promise 6: connections were left inside a transaction");

    // Each request is repeated with its key. Afterwards it has been executed once, regardless of
    // its first outcome.
    let mut purse = Purse { posted: begin, held: 0 };
    for asked in deeds.iter().filter(|d| d.key.is_some()) {
        let reply = app.send(request(asked, &person)).await;
        assert_eq!(reply.status, 200, "promise 6: {asked:?} is answered {reply:?}");
        purse.posted += asked.moves.0;
        purse.held += asked.moves.1;
    }
    let (found, broken) = tally::stored(&app.app.db).await;
    assert_eq!(broken, Vec::<String>::new(), "promise 6");
    assert_eq!(found.get(&person.id), Some(&purse), "promise 6: the balance differs from the requests");
    app.books_balance().await;
    println!("{} requests cancelled, {lost} writes lost, every one done once", deeds.len());
}

/// Returns the requests: half of them redeem a code, a quarter submit a task, and a quarter only
/// read.
fn deeds(stock: house::Stock, cancels: usize) -> Vec<Asked> {
    let mut deeds = Vec::new();
    for (code, cents) in stock.codes {
        let (path, body) = ("/topup/use", Some(json!({ "code": code })));
        deeds.push(Asked { method: "POST", path, body, key: Some(code), moves: (cents, 0) });
    }
    for task in stock.tasks {
        let (path, body) = ("/schedules/submit", Some(json!({ "schedule_ids": [task] })));
        deeds.push(Asked { method: "POST", path, body, key: Some(task), moves: (0, PRICE) });
    }
    for n in deeds.len()..cancels {
        let path = ["/users/credit", "/users/ledger", "/pricing/plans"][n % 3];
        deeds.push(Asked { method: "GET", path, body: None, key: None, moves: (0, 0) });
    }
    // Reads are placed between the writes, in the same order in each run.
    let len = deeds.len();
    (0..len).for_each(|n| deeds.swap(n, (n * 7_919 + 13) % len));
    deeds
}

async fn serve(app: &TestApp) -> (SocketAddr, tokio::task::JoinHandle<()>) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let routes = app.router.clone().into_make_service_with_connect_info::<SocketAddr>();
    let serving = tokio::spawn(async move {
        let _ = axum::serve(listener, routes).await;
    });
    (address, serving)
}

/// Sends each request from a new socket that is closed after some microseconds.
async fn storm(deeds: &[Asked], person: &Person, address: SocketAddr, seed: u64) {
    let mut crowd = tokio::task::JoinSet::new();
    for n in 0..CROWD {
        let mine: Vec<Vec<u8>> =
            deeds.iter().skip(n).step_by(CROWD).map(|asked| bytes(asked, person, address)).collect();
        let random = Random::seeded(seed.wrapping_mul(1_000).wrapping_add(n as u64));
        // Threads are used, because the timers of an async runtime have a resolution of
        // milliseconds.
        crowd.spawn_blocking(move || mine.iter().for_each(|bytes| vanish(bytes, address, &random)));
    }
    crowd.join_all().await;
}

fn vanish(bytes: &[u8], address: SocketAddr, random: &Random) {
    let mut socket = TcpStream::connect(address).unwrap();
    socket.set_nodelay(true).unwrap();
    // One in eight clients does not even send its complete request.
    let whole = if random.below(8) == 0 {
        random.below(u32::try_from(bytes.len()).unwrap()) as usize
    } else {
        bytes.len()
    };
    let _ = socket.write_all(&bytes[..whole]);
    let most = [300, 3_000, 30_000][random.below(3) as usize];
    std::thread::sleep(Duration::from_micros(u64::from(random.below(most))));
}

fn bytes(asked: &Asked, person: &Person, address: SocketAddr) -> Vec<u8> {
    let body = asked.body.as_ref().map(Value::to_string).unwrap_or_default();
    let key = asked.key.as_ref().map(|key| format!("idempotency-key: {key}\r\n")).unwrap_or_default();
    format!(
        "{} /api/v1{} HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {}\r\n{key}content-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        asked.method,
        asked.path,
        person.access,
        body.len(),
    )
    .into_bytes()
}

fn request(asked: &Asked, person: &Person) -> Request<Body> {
    let mut request = crate::app::request(asked.method, asked.path, Some(person), asked.body.clone());
    if let Some(key) = &asked.key {
        request.headers_mut().insert("idempotency-key", key.parse().unwrap());
    }
    request
}

/// Writes during the storm of requests, outside of a transaction if the database permits that.
/// Returns the number of acknowledged writes that another connection does not see.
async fn canaries(app: &TestApp) -> i64 {
    let mut acknowledged = 0;
    for n in 0..200 {
        let written = match &app.app.db {
            Db::Postgres { pool, .. } => {
                let sql = "INSERT INTO throttle (subject, failures, last_at, not_before) VALUES ($1, 1, now(), now())";
                sqlx::query(sql).bind(format!("canary {n}")).execute(pool).await.is_ok()
            }
            Db::Sqlite { .. } => {
                let mut tx = app.app.db.begin().await.unwrap();
                let now = app.clock.now();
                store::exec!(
                    &mut tx,
                    "INSERT INTO throttle (subject, failures, last_at, not_before) VALUES ($1, 1, $2, $2)",
                    format!("canary {n}"),
                    now
                )
                .unwrap();
                tx.commit().await.is_ok()
            }
        };
        acknowledged += i64::from(written);
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    let db = Db::open(&app.app.settings.database_url).await.unwrap();
    let mut tx = db.read().await.unwrap();
    let sql = "SELECT COUNT(*) FROM throttle WHERE subject LIKE 'canary %'";
    acknowledged - store::scalar!(&mut tx, i64, sql).unwrap()
}

/// Counts the connections that the database reports to be inside a transaction, after all requests
/// have ended.
async fn open_transactions(app: &TestApp) -> i64 {
    let mut open = 0;
    // Detached work may still be running.
    for _ in 0..500 {
        open = match &app.app.db {
            Db::Postgres { .. } => {
                let mut own = sqlx::PgConnection::connect(&app.app.settings.database_url).await.unwrap();
                let sql = "SELECT COUNT(*) FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid() AND state LIKE 'idle in transaction%'";
                sqlx::query_scalar(sql).fetch_one(&mut own).await.unwrap()
            }
            Db::Sqlite { .. } => i64::from(!app.app.db.is_idle()),
        };
        if open == 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    open
}
