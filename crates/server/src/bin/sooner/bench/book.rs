//! Speed of a booking: from the portal's days answer to the first byte of the POST, as the portal's journal has it.

use std::path::PathBuf;
use std::time::Duration;

use chrono::TimeDelta;
use clap::Args;
use domain::facility::FacilityId;
use engine::Config;

use super::yard::{TORONTO, Yard};
use super::{Table, quantile};

/// Options of `bench book`.
#[derive(Args)]
pub struct Book {
    /// Bookings to make
    #[arg(long, default_value_t = 200)]
    count: usize,
    /// Folder of the database; one in memory (/dev/shm) shows the time without durable commits
    #[arg(long)]
    folder: Option<PathBuf>,
}

/// Books `count` slots one after the other and reads the journal.
pub async fn run(options: Book) -> anyhow::Result<Table> {
    let place = options.folder.clone().unwrap_or_else(std::env::temp_dir);
    let folder = tempfile::tempdir_in(place)?;
    let pace = domain::planner::Pace {
        account_spacing: TimeDelta::milliseconds(1),
        calendar_spacing: TimeDelta::milliseconds(1),
        ..domain::planner::Pace::default()
    };
    let limits = domain::budget::Limits {
        looks_per_hour: u32::MAX,
        looks_per_ten_hours: u32::MAX,
        requests_per_ten_hours: u32::MAX,
        ..domain::budget::Limits::default()
    };
    let config = Config { pace, limits, looks_per_second: 1e6, ..Config::default() };
    let yard = Yard::new(folder.path(), false, config).await?;
    let mut total = Vec::new();
    let mut own = Vec::new();
    for n in 0..options.count {
        let slot_day =
            FacilityId(TORONTO).today(yard.ctx.portal_time.now()) + TimeDelta::days(20 + n as i64 % 300);
        yard.sandbox.with_world(|w| {
            w.slots.clear();
            w.add_slot(::sandbox::world::slots::NewSlot {
                pool: "B1/B2".to_owned(),
                facility: TORONTO.into(),
                date: slot_day,
                time: chrono::NaiveTime::from_hms_opt(9, 15, 0).unwrap_or_default(),
                lifetime_seconds: None,
                delay_seconds: None,
                max_party: 9,
                phantom: false,
            })
        });
        let task = yard.task(&format!("b{n}"), false).await?;
        let since = yard.sandbox.with_world(|w| w.journal.last_seq());
        for _ in 0..50 {
            yard.engine.run_due().await;
            if let Some((all, waiting)) = measure(&yard, since) {
                total.push(all);
                own.push(all - waiting);
                break;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        // The next slot is for the next task alone.
        let mut tx = yard.ctx.db.begin().await?;
        store::task::delete(&mut tx, task, yard.ctx.wall.now()).await?;
        tx.commit().await?;
    }
    total.sort_by(f64::total_cmp);
    own.sort_by(f64::total_cmp);
    Ok(Table {
        name: "book",
        columns: vec!["bookings", "total_ms_p50", "total_ms_p99", "between_ms_p50", "between_ms_p99"],
        rows: vec![vec![
            total.len() as f64,
            quantile(&total, 0.5),
            quantile(&total, 0.99),
            quantile(&own, 0.5),
            quantile(&own, 0.99),
        ]],
    })
}

/// Milliseconds from the days request that showed the slot to the POST, and the part from the first to the last
/// of the reads between them (times and groups, in parallel), which is the portal's and the network's.
fn measure(yard: &Yard, since: u64) -> Option<(f64, f64)> {
    yard.sandbox.with_world(|w| {
        let entries = w.journal.after(since);
        let post = entries.iter().position(|e| e.kind == "book")?;
        let days = entries[..post].iter().rposition(|e| e.kind == "days")?;
        let at = |index: usize| entries[index].wall_time;
        let reads: Vec<_> = (days + 1..post).filter(|i| entries[*i].kind != "world").filter_map(at).collect();
        let ms = |span: TimeDelta| span.num_microseconds().unwrap_or(0) as f64 / 1000.0;
        let waiting = reads.iter().max().zip(reads.iter().min()).map_or(TimeDelta::zero(), |(b, a)| *b - *a);
        Some((ms(at(post)? - at(days)?), ms(waiting)))
    })
}
