//! Two PostgreSQL servers, the second a streaming copy of the first, behind one address that can be
//! moved. To a program they are a cluster manager and its proxy. They run without privileges in a
//! temporary folder, and end with the story.

use std::net::{SocketAddr, TcpListener as StdListener};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU16, Ordering};
use std::time::{Duration, Instant};

use sqlx::postgres::{PgConnectOptions, PgConnection};
use sqlx::{AssertSqlSafe, Connection as _, Row as _};
use tokio::net::{TcpListener, TcpStream};

/// Longest wait for a server process.
const LONGEST: Duration = Duration::from_secs(30);

pub struct Cluster {
    folder: tempfile::TempDir,
    bin: PathBuf,
    ports: [u16; 2],
    address: SocketAddr,
    leads_to: Arc<AtomicU16>,
}

/// One of the two servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    First,
    Second,
}

fn programs() -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let bins = versions.map(|version| version.path().join("bin"));
    bins.filter(|bin| bin.join("initdb").exists()).max().expect("PostgreSQL: scripts/bootstrap.sh test")
}

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
}

/// Returns a command that runs as an ordinary user, because the server refuses to run as root.
fn command(program: &Path) -> Command {
    let mut command = Command::new(if is_root() { Path::new("runuser") } else { program });
    if is_root() {
        command.args(["-u", "postgres", "--"]).arg(program);
    }
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).current_dir("/");
    command
}

fn run(command: &mut Command) {
    let status = command.status().expect("a program of PostgreSQL");
    assert!(status.success(), "{command:?}: {status}");
}

fn free_port() -> u16 {
    StdListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("the listener's address").port()
}

impl Cluster {
    /// Starts both servers, the second as a copy of the first. With `synchronous` the first waits
    /// for it.
    pub fn start(synchronous: bool) -> Self {
        let folder = tempfile::Builder::new().prefix("sooner-cluster").tempdir().expect("a folder");
        if is_root() {
            run(Command::new("chown").arg("postgres").arg(folder.path()));
        }
        let leads_to = Arc::new(AtomicU16::new(0));
        let address = proxy(leads_to.clone());
        let cluster = Self { folder, bin: programs(), ports: [free_port(), free_port()], address, leads_to };
        let first = cluster.data(Node::First);
        run(command(&cluster.bin.join("initdb")).arg("-D").arg(&first).args([
            "-U",
            "sooner",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
            "-N",
        ]));
        cluster.up(Node::First, "");
        let from =
            format!("host=127.0.0.1 port={} user=sooner application_name=second", cluster.port(Node::First));
        run(command(&cluster.bin.join("pg_basebackup")).arg("-D").arg(cluster.data(Node::Second)).args([
            "-R",
            "-X",
            "stream",
            "-c",
            "fast",
            "--no-sync",
            "-d",
            &from,
        ]));
        cluster.up(Node::Second, "");
        cluster.lead_to(Node::First);
        cluster.wait("the second follows", || cluster.follows());
        if synchronous {
            cluster.waits_for("second");
        }
        cluster
    }

    fn data(&self, node: Node) -> PathBuf {
        self.folder.path().join(if node == Node::First { "first" } else { "second" })
    }

    fn port(&self, node: Node) -> u16 {
        self.ports[node as usize]
    }

    /// Returns the address that the program connects to.
    pub fn url(&self) -> String {
        format!("postgres://sooner@{}/postgres", self.address)
    }

    /// Directs new connections to this server from now on.
    pub fn lead_to(&self, node: Node) {
        self.leads_to.store(self.port(node), Ordering::SeqCst);
    }

    /// Starts a server.
    pub fn up(&self, node: Node, more: &str) {
        let options = format!(
            "-c listen_addresses=127.0.0.1 -c port={} -c unix_socket_directories= -c fsync=off -c full_page_writes=off \
             -c max_connections=60 -c wal_sender_timeout=5s -c wal_retrieve_retry_interval=200ms {more}",
            self.port(node)
        );
        run(command(&self.bin.join("pg_ctl"))
            .arg("-D")
            .arg(self.data(node))
            .args(["-w", "-t", "30", "-s", "-l"])
            .arg(self.folder.path().join(format!("{node:?}.log")))
            .args(["-o", &options, "start"]));
    }

    /// Stops a server at once, as a crash does.
    pub fn kill(&self, node: Node) {
        run(command(&self.bin.join("pg_ctl")).arg("-D").arg(self.data(node)).args([
            "-m",
            "immediate",
            "-s",
            "stop",
        ]));
    }

    /// Makes the second server the primary, without a standby, and directs the address to it.
    pub fn promote(&self) {
        run(command(&self.bin.join("pg_ctl"))
            .arg("-D")
            .arg(self.data(Node::Second))
            .args(["-w", "-t", "30", "-s", "promote"]));
        self.lead_to(Node::Second);
    }

    /// Starts the first primary again as a read-only server.
    pub fn demote(&self) {
        self.kill(Node::First);
        run(command(Path::new("touch")).arg(self.data(Node::First).join("standby.signal")));
        self.up(Node::First, "");
    }

    /// Sets the standby that the first server waits for; an empty name means none.
    pub fn waits_for(&self, name: &str) {
        self.on(Node::First, &format!("ALTER SYSTEM SET synchronous_standby_names = '{name}'"));
        self.on(Node::First, "SELECT pg_reload_conf()");
        self.wait("the setting", || self.ask(Node::First, "SHOW synchronous_standby_names") == name);
    }

    /// Returns `true` if the second server has all data of the first.
    pub fn follows(&self) -> bool {
        self.ask(
            Node::First,
            "SELECT CAST(count(*) AS TEXT) FROM pg_stat_replication
               WHERE state = 'streaming' AND replay_lsn = pg_current_wal_lsn()",
        ) == "1"
    }

    /// Starts the second server again, and waits until it has all data.
    pub fn second_returns(&self) {
        self.up(Node::Second, "");
        self.wait("the second follows again", || self.follows());
    }

    /// Returns the number of commits of the first server that wait for the second.
    pub fn waiting(&self) -> usize {
        let sql = "SELECT CAST(count(*) AS TEXT) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
        self.ask(Node::First, sql).parse().expect("a number")
    }

    /// Cancels every such wait, as an operator or a cluster manager may.
    pub fn cancel_waits(&self) {
        self.on(
            Node::First,
            "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'",
        );
    }

    /// Waits until a condition of a server is true.
    pub fn wait(&self, what: &str, mut done: impl FnMut() -> bool) {
        let begun = now();
        while !done() {
            assert!(begun.elapsed() < LONGEST, "{what}: not within {LONGEST:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn on(&self, node: Node, sql: &str) {
        let _ = self.ask(node, sql);
    }

    /// Queries a server for one text, outside of a story's runtime.
    fn ask(&self, node: Node, sql: &str) -> String {
        let options = PgConnectOptions::new().host("127.0.0.1").port(self.port(node)).username("sooner");
        let (options, sql) = (options.database("postgres"), sql.to_owned());
        let asked = std::thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let mut connection = PgConnection::connect_with(&options).await.expect("the server");
                let rows = sqlx::raw_sql(AssertSqlSafe(sql)).fetch_all(&mut connection).await.expect("sql");
                rows.first().and_then(|row| row.try_get::<String, _>(0).ok()).unwrap_or_default()
            })
        });
        asked.join().expect("an answer")
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for node in [Node::First, Node::Second] {
            let mut stop = command(&self.bin.join("pg_ctl"));
            let _ = stop.arg("-D").arg(self.data(node)).args(["-m", "immediate", "-s", "stop"]).status();
        }
    }
}

#[allow(clippy::disallowed_methods, reason = "patience with a server process")]
fn now() -> Instant {
    Instant::now()
}

/// Starts a proxy whose connections go where `leads_to` points when they are opened. It has a
/// thread of its own, because stories stop their own thread while a server is killed.
fn proxy(leads_to: Arc<AtomicU16>) -> SocketAddr {
    let listener = StdListener::bind("127.0.0.1:0").expect("a port");
    listener.set_nonblocking(true).expect("a listener");
    let address = listener.local_addr().expect("the proxy's address");
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let listener = TcpListener::from_std(listener).expect("a listener");
            while let Ok((mut client, _)) = listener.accept().await {
                let port = leads_to.load(Ordering::SeqCst);
                tokio::spawn(async move {
                    if let Ok(mut server) = TcpStream::connect(("127.0.0.1", port)).await {
                        let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
                    }
                });
            }
        });
    });
    address
}
