//! Benchmark of a booking. It measures the time from the response with the free dates to the first
//! byte of the booking POST, and the parts of that time.

use std::path::PathBuf;

use ::sandbox::world::country::facility;
use anyhow::Context as _;
use chrono::{NaiveDate, TimeDelta};
use clap::Args;
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::task::TaskStatus;
use engine::Config;
use tokio_util::sync::CancellationToken;

use crate::fixture::{Fixture, TORONTO};
use crate::probe::{Probe, Stretch};
use crate::{Table, quantile};

/// Options of `bench book`.
#[derive(Args)]
pub struct Book {
    /// Number of bookings
    #[arg(long, default_value_t = 200)]
    count: usize,
    /// Folder of the database; a folder in memory (/dev/shm) shows the time without durable commits
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Latency of each response of the sandbox, in milliseconds
    #[arg(long, default_value_t = 0)]
    latency_ms: u64,
    /// Book in Bogota, where each interview needs a fingerprint appointment
    #[arg(long)]
    pairs: bool,
}

/// The consulate of Bogota, and its fingerprint place.
const BOGOTA: u16 = 25;
const BOGOTA_ASC: u32 = 26;

/// Durations of the parts of one booking, in milliseconds.
#[derive(Default)]
pub struct Parts {
    /// Time from the last byte of the response with the free dates to the first byte of the POST.
    pub total: f64,
    /// Part of `total` in which at least one request to the portal was in progress.
    pub exchanges: f64,
    /// Part of the remaining time in which a transaction of the booking protocol was open.
    pub durable: f64,
    /// Time of the transaction that commits the state *sending*, contained in `durable`.
    pub sending: f64,
    /// Rest of `total`: the time spent by the engine itself.
    pub own: f64,
    /// Time from the last byte of the response with the free dates to the end of the response to
    /// the POST.
    pub booked: f64,
    /// Time from the last byte of the response with the free dates until the database records the
    /// booking as confirmed.
    pub confirmed: f64,
}

/// Books `count` slots one after the other and measures each booking.
pub async fn run(options: Book, probe: &Probe) -> anyhow::Result<Table> {
    let place = options.folder.clone().unwrap_or_else(std::env::temp_dir);
    let folder = tempfile::tempdir_in(place)?;
    let fixture = Fixture::new(folder.path(), false, eager()).await?;
    let stop = CancellationToken::new();
    let running = tokio::spawn(fixture.engine.clone().run(stop.clone()));
    let mut parts = Vec::new();
    for n in 0..options.count {
        parts.extend(measure_one(&fixture, probe, &options, n).await?);
    }
    stop.cancel();
    running.await?;
    let mut row = vec![parts.len() as f64];
    let columns: [fn(&Parts) -> f64; 6] =
        [|p| p.total, |p| p.exchanges, |p| p.durable, |p| p.own, |p| p.booked, |p| p.confirmed];
    for part in columns {
        row.extend(quantiles(&parts, part, &[0.5, 0.99]));
    }
    Ok(Table {
        name: "book",
        columns: vec![
            "bookings",
            "total_p50",
            "total_p99",
            "exchanges_p50",
            "exchanges_p99",
            "durable_p50",
            "durable_p99",
            "own_p50",
            "own_p99",
            "booked_p50",
            "booked_p99",
            "confirmed_p50",
            "confirmed_p99",
        ],
        rows: vec![row],
    })
}

/// Returns engine settings that poll ten times a second and ignore the budgets.
pub fn eager() -> Config {
    let pace = inference::planner::Pace {
        account_spacing: TimeDelta::milliseconds(100),
        least_bound: TimeDelta::milliseconds(100),
        ..inference::planner::Pace::default()
    };
    let limits = domain::budget::Limits {
        polls_per_hour: u32::MAX,
        polls_per_ten_hours: u32::MAX,
        requests_per_ten_hours: u32::MAX,
        ..domain::budget::Limits::default()
    };
    Config { pace, limits, polls_per_second: 1e6, ..Config::default() }
}

/// Returns quantiles of one part over all bookings. `shares` are the requested quantiles from 0 to
/// 1.
pub fn quantiles(parts: &[Parts], part: fn(&Parts) -> f64, shares: &[f64]) -> Vec<f64> {
    let mut values: Vec<f64> = parts.iter().map(part).collect();
    values.sort_by(f64::total_cmp);
    shares.iter().map(|share| quantile(&values, *share)).collect()
}

/// Waits until the task is polled, adds a slot, and waits for its booking. Returns `None` if the
/// slot was not booked in time.
async fn measure_one(
    fixture: &Fixture,
    probe: &Probe,
    options: &Book,
    n: usize,
) -> anyhow::Result<Option<Parts>> {
    let city = if options.pairs { BOGOTA } else { TORONTO };
    let place = FacilityId::try_from(city).context("an unknown city")?;
    let today = place.today(fixture.ctx.portal_time.now());
    fixture.with_world(|w| {
        w.slots.clear();
        w.config.latency_ms = (0, 0);
    })?;
    // No task accepts this date. Without it the list would be empty after each booking, which the
    // engine may take for restricted hours or a ban.
    fixture.slot(city, today + TimeDelta::days(19))?;
    let date = today + TimeDelta::days(20 + n as i64 % 150 * 2);
    let date = if options.pairs { with_fingerprints(fixture, date)? } else { date };
    // The engine still knows the date that it booked last. The task must not try that one.
    let mut person = fixture.person(&format!("b{n}"), city)?;
    (person.criteria.start_date, person.criteria.end_date) = (date, date);
    let task = fixture.task_of(person).await?;
    fixture.engine.nudge();
    let active = |t: &store::task::Task| t.status == TaskStatus::Active;
    if !fixture.wait(task, active).await? {
        return Ok(None);
    }
    fixture.with_world(|w| w.config.latency_ms = (options.latency_ms, options.latency_ms))?;
    probe.drain();
    let begun = fixture.ctx.wall.now();
    fixture.slot(city, date)?;
    let booked = |t: &store::task::Task| t.captured_at.is_some();
    let confirmed = fixture.wait(task, booked).await?;
    let seen = probe.drain();
    // Delete the task, so that the next slot is only booked for the next task.
    fixture.delete(&[task]).await?;
    Ok(confirmed.then(|| parts(&seen, begun)).flatten())
}

/// Returns the first date from `date` before which the sandbox has fingerprint dates.
fn with_fingerprints(fixture: &Fixture, date: NaiveDate) -> anyhow::Result<NaiveDate> {
    let place = facility(BOGOTA_ASC).context("an unknown place")?;
    let found = fixture.with_world(|w| date.iter_days().find(|date| !w.has_no_asc(place, *date)))?;
    found.context("no date with fingerprints")
}

/// Splits the time between the response with the free dates and the POST into its parts. `shown` is
/// the time at which the slot was added.
pub fn parts(seen: &[Stretch], shown: Instant) -> Option<Parts> {
    let post = seen.iter().find(|s| s.name == "first byte")?.from;
    let is_exchange = |s: &&Stretch| s.name == "exchange" || s.name == "open";
    let days = |s: &&Stretch| s.name == "exchange" && s.parent == "days" && s.from >= shown && s.to <= post;
    let answered = seen.iter().filter(days).map(|s| s.to).min()?;
    let inside = |s: &Stretch| (s.from.max(answered), s.to.min(post));
    let exchanges: Vec<_> = seen.iter().filter(is_exchange).map(inside).collect();
    let mut both = exchanges.clone();
    both.extend(seen.iter().filter(|s| s.name == "durable").map(inside));
    let (total, waited, busy) = (ms(post - answered), covered(exchanges), covered(both));
    let sending = seen.iter().filter(|s| s.name == "durable" && s.to <= post).max_by_key(|s| s.to)?;
    let posted = seen.iter().find(|s| s.name == "post")?.to;
    let confirmed = seen.iter().find(|s| s.name == "confirmed")?.to;
    Some(Parts {
        total,
        exchanges: waited,
        durable: busy - waited,
        sending: ms(sending.to - sending.from),
        own: total - busy,
        booked: ms(posted - answered),
        confirmed: ms(confirmed - answered),
    })
}

/// Returns the time covered by at least one of the intervals.
fn covered(mut stretches: Vec<(Instant, Instant)>) -> f64 {
    stretches.retain(|(from, to)| from < to);
    stretches.sort_unstable();
    let mut sum = TimeDelta::zero();
    let mut end: Option<Instant> = None;
    for (from, to) in stretches {
        let from = end.map_or(from, |end| end.max(from));
        if to > from {
            sum += to - from;
            end = Some(to);
        }
    }
    ms(sum)
}

fn ms(span: TimeDelta) -> f64 {
    span.num_microseconds().unwrap_or(0) as f64 / 1000.0
}
