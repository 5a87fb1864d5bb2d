//! Promise 3: acknowledged requests survive kill -9. Promise 4: they also survive a full disk. The
//! real program runs in a separate process, and its customers record the responses.

use std::time::Duration;

use reqwest::Client;
use store::{Db, Random};

use crate::app::TestApp;
use crate::customer::Customer;
use crate::house::{self, House};
use crate::size::{seed, size};
use crate::tally;

stories!(acknowledged_writes_survive_kill_9);

const CUSTOMERS: usize = 3;

/// Customers, the program that serves them, and the violated promises.
struct Street {
    house: House,
    base: String,
    customers: Vec<Customer>,
    random: Random,
    // Both are deleted at the end.
    _app: TestApp,
    _folder: tempfile::TempDir,
}

// spec: 10.10.03
async fn acknowledged_writes_survive_kill_9(app: TestApp) {
    let kills = size("SOONER_KILLS", 12, 1_000);
    let mut street = Street::new(app, kills).await;
    for n in 0..kills {
        let life = street.house.open().await;
        street.audit(&format!("after {n} kills")).await;
        let span = Duration::from_micros(u64::from(street.random.below(90_000)));
        street
            .shop_until(async {
                tokio::time::sleep(span).await;
                life.kill();
            })
            .await;
    }
    let life = street.house.open().await;
    street.audit(&format!("after {kills} kills")).await;
    life.kill();
    println!("{kills} kills: {}", street.close().await);
}

// spec: 10.10.05
/// Simulates a full disk. The kernel returns EFBIG for any write that would exceed the limit of the
/// file size. SQLite handles that like any other disk error.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_writes_survive_a_full_disk() {
    let windows = size("SOONER_WINDOWS", 12, 200);
    let mut street = Street::new(house::sqlite().await, windows).await;
    let mut life = street.house.open().await;
    let (mut refused, mut longer) = (0, 1);
    for n in 0..windows {
        let log = std::fs::metadata(street.house.log()).map_or(0, |m| m.len());
        // The limit is a random size within the log, or slightly beyond its end. SQLite overwrites
        // the log from its start from time to time.
        let room = u64::from(street.random.below(u32::try_from(log).unwrap() + 40_000));
        let span = Duration::from_millis(u64::from(street.random.below(60)) + 20) * longer;
        life.limit(Some(room));
        street.shop_until(tokio::time::sleep(span)).await;
        life.limit(None);
        refused += street.refused();
        // If no write failed, the machine may be busy, so the next window is longer.
        longer = if refused == 0 { (longer * 2).min(64) } else { 1 };
        street.audit(&format!("after {n} windows")).await;
        if n % 8 == 7 {
            life.kill();
            life = street.house.open().await;
            street.audit(&format!("after {n} windows and a kill")).await;
        }
    }
    life.kill();
    assert!(refused > 0, "no write was ever refused");
    println!("{windows} windows, {refused} refusals: {}", street.close().await);
}

impl Street {
    async fn new(mut app: TestApp, lives: usize) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        let seed = seed();
        let folder = tempfile::tempdir().unwrap();
        let mut customers = Vec::new();
        for n in 0..CUSTOMERS {
            let random = Random::seeded(seed.wrapping_mul(100).wrapping_add(n as u64));
            let person = app.person(&format!("customer{n}")).await;
            let stock = house::stock(&app, person.id, (lives * 8 + 20, lives * 3 + 10), &random).await;
            customers.push(Customer::new(person, stock, random));
        }
        let house = House::of(&mut app, folder.path()).await;
        let base = format!("http://127.0.0.1:{}/api/v1", house.port);
        Self { house, base, customers, random: Random::seeded(seed), _app: app, _folder: folder }
    }

    /// Returns the number of 503 responses since the last call.
    fn refused(&mut self) -> usize {
        self.customers.iter_mut().map(|c| std::mem::take(&mut c.refused)).sum()
    }

    fn unanswered(&self) -> usize {
        self.customers.iter().map(|c| c.unanswered).sum()
    }

    /// Runs all customers until the future `end` has finished.
    async fn shop_until(&mut self, end: impl Future<Output = ()>) {
        let (client, base) = (client(), self.base.clone());
        let shopping =
            futures_util::future::join_all(self.customers.iter_mut().map(|c| c.shop(&client, &base)));
        tokio::select! {
            // A customer with nothing left to spend waits.
            _ = async { shopping.await; std::future::pending::<()>().await } => {}
            () = end => {}
        }
    }

    /// Checks that every customer has the balance that follows from the responses.
    async fn audit(&mut self, when: &str) {
        let client = client();
        for customer in &mut self.customers {
            customer.settle(&client, &self.base).await;
            let mut has = None;
            for _ in 0..200 {
                has = customer.asks_balance(&client, &self.base).await;
                if has.is_some() {
                    break;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            assert_eq!(
                has,
                Some(customer.purse),
                "promise 3, {when}: actual balance of {}, and the reported one",
                customer.person.email
            );
        }
    }

    /// Compares the customers with the rows of the database at the end.
    async fn close(self) -> String {
        let db = Db::open(&self.house.url).await.unwrap();
        let (purses, broken) = tally::stored(&db).await;
        assert_eq!(broken, Vec::<String>::new(), "promise 3");
        for customer in &self.customers {
            let has = purses.get(&customer.person.id).copied().unwrap_or_default();
            assert_eq!(has, customer.purse, "promise 3: {}", customer.person.email);
        }
        let mut tx = db.read().await.unwrap();
        assert_eq!(store::ledger::check(&mut tx).await.unwrap(), []);
        let told: usize = self.customers.iter().map(|c| c.told).sum();
        format!("{told} acknowledged, {} unanswered and asked again, 0 lost", self.unanswered())
    }
}

fn client() -> Client {
    Client::builder().timeout(Duration::from_secs(10)).build().unwrap()
}
