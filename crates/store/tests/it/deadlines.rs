//! Tests of a PostgreSQL server that disappears silently: connections stay open, and no more data
//! arrives.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use store::{Db, Error, Options};
use tokio::net::{TcpListener, TcpStream};

use crate::support;

/// Connection to the server that the test can cut. Requests in progress then get no response, and
/// the connection is not closed.
struct Wire {
    port: u16,
    cut: Arc<AtomicBool>,
    opened: Arc<AtomicUsize>,
}

impl Wire {
    async fn to(server: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (cut, opened) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let (frozen, count) = (cut.clone(), opened.clone());
        tokio::spawn(async move {
            let mut kept = Vec::new();
            while let Ok((near, _)) = listener.accept().await {
                count.fetch_add(1, Ordering::SeqCst);
                let far = TcpStream::connect(&server).await.unwrap();
                let (near_in, near_out) = near.into_split();
                let (far_in, far_out) = far.into_split();
                kept.push(tokio::spawn(pass(near_in, far_out, frozen.clone())));
                kept.push(tokio::spawn(pass(far_in, near_out, frozen.clone())));
            }
        });
        Self { port, cut, opened }
    }
}

/// Forwards bytes until the wire is cut. After that, both ends stay open without data.
async fn pass(
    mut from: tokio::net::tcp::OwnedReadHalf,
    mut to: tokio::net::tcp::OwnedWriteHalf,
    cut: Arc<AtomicBool>,
) {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let mut bytes = [0; 4096];
    loop {
        let Ok(many) = from.read(&mut bytes).await else { return };
        if cut.load(Ordering::SeqCst) {
            std::future::pending::<()>().await;
        }
        if many == 0 || to.write_all(&bytes[..many]).await.is_err() {
            return;
        }
    }
}

async fn count(db: &Db) -> Result<i64, Error> {
    let mut tx = db.begin().await?;
    store::scalar!(&mut tx, i64, "SELECT COUNT(*) FROM users")
}

// spec: 10.15.27
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_silent_server_times_out_at_the_deadline() {
    let world = support::postgres().await;
    let (_, rest) = world.url.split_once('@').unwrap();
    let (server, name) = rest.split_once('/').unwrap();
    let wire = Wire::to(server.to_owned()).await;
    let (user, _) = world.url.split_once('@').unwrap();
    let url = format!("{user}@127.0.0.1:{}/{name}", wire.port);
    let options = Options { connections: 1, deadline: Duration::from_millis(300), ..Options::default() };
    let db = Db::open_with(&url, &options).await.unwrap();
    assert_eq!(count(&db).await.unwrap(), 0);
    let before = wire.opened.load(Ordering::SeqCst);
    let mut tx = db.begin().await.unwrap();
    wire.cut.store(true, Ordering::SeqCst);
    let cut_off = store::scalar!(&mut tx, i64, "SELECT COUNT(*) FROM users");
    assert!(matches!(cut_off, Err(Error::Unavailable(_))), "{cut_off:?}");
    drop(tx);
    // New connections work again. The old connection stays silent, and a new connection takes its
    // place in the pool.
    wire.cut.store(false, Ordering::SeqCst);
    let longest = tokio::time::timeout(Duration::from_secs(30), async { while count(&db).await.is_err() {} });
    assert!(longest.await.is_ok(), "the place of the lost connection was never freed");
    assert_eq!(wire.opened.load(Ordering::SeqCst), before + 1, "the query used a new connection");
}
