//! Benchmark of shared polling. It measures the number of polls per slot and the share of slots
//! that are seen.

use std::collections::HashSet;

use chrono::TimeDelta;
use clap::Args;
use engine::Config;

use crate::Table;
use crate::fixture::{Fixture, TORONTO};

/// Options of `bench share`.
#[derive(Args)]
pub struct Share {
    /// Numbers of poll sources (accounts) on one calendar to measure
    #[arg(long, value_delimiter = ',', default_values_t = [1_usize, 10, 100])]
    #[arg(long = "viewpoints")]
    poll_sources: Vec<usize>,
    /// Number of virtual hours, from 19:30 in Toronto; accounts with an appointment see dates until
    /// 04:00
    #[arg(long, default_value_t = 8)]
    hours: i64,
    /// Mean number of seconds between two slots
    #[arg(long, default_value_t = 300.0)]
    gap: f64,
    /// Median lifetime of a slot in seconds
    #[arg(long, default_value_t = 120.0)]
    life: f64,
}

/// Measures each number of poll sources in a separate world with the same arrival of slots.
pub async fn run(options: Share) -> anyhow::Result<Table> {
    let mut rows = Vec::new();
    for poll_sources in &options.poll_sources {
        rows.push(measure_one(*poll_sources, &options).await?);
    }
    Ok(Table {
        name: "share",
        columns: vec![
            "viewpoints",
            "looks",
            "slots",
            "seen",
            "seen_share",
            "looks_per_seen",
            "looks_per_account",
        ],
        rows,
    })
}

async fn measure_one(poll_sources: usize, options: &Share) -> anyhow::Result<Vec<f64>> {
    let folder = tempfile::tempdir()?;
    let fixture = Fixture::new(folder.path(), true, Config::default()).await?;
    for n in 0..poll_sources {
        fixture.task(&format!("v{n}"), true).await?;
    }
    settle(&fixture, TimeDelta::minutes(1)).await;
    fixture.with_world(|w| {
        w.add_source(::sandbox::world::arrivals::Source {
            pool: "B1/B2".to_owned(),
            facility: TORONTO.into(),
            mean_gap_seconds: options.gap,
            at_marks: 0.7,
            median_life_seconds: options.life,
            life_sigma: 1.2,
            days_ahead: (14, 390),
            burst: 1,
            phantoms: 0.0,
            rivals: 0.0,
        });
    })?;
    let before = fixture.polls().await?;
    settle(&fixture, TimeDelta::hours(options.hours)).await;
    let polls = fixture.polls().await? - before;
    let (slots, seen) = slots(&fixture).await?;
    let share = |a: usize, b: usize| if b == 0 { 0.0 } else { a as f64 / b as f64 };
    Ok(vec![
        poll_sources as f64,
        polls as f64,
        slots as f64,
        seen as f64,
        share(seen, slots),
        share(polls, seen),
        share(polls, poll_sources),
    ])
}

/// Advances virtual time from event to event until `span` has passed.
async fn settle(fixture: &Fixture, span: TimeDelta) {
    let Some(clock) = &fixture.clock else { return };
    let end = clock.now() + span;
    while clock.now() < end {
        let due = fixture.engine.run_due().await;
        let now = clock.now();
        clock.set(due.unwrap_or(end).clamp(now + TimeDelta::milliseconds(1), end));
    }
}

/// Returns the number of slots that appeared, and the number of slots whose date is in the recorded
/// observations.
async fn slots(fixture: &Fixture) -> anyhow::Result<(usize, usize)> {
    use ::sandbox::journal::Effect;
    let appeared: Vec<chrono::NaiveDate> = fixture.with_world(|w| {
        let day = |e: &::sandbox::journal::Entry| match &e.effect {
            Effect::Slot { slot, what } if what == "appeared" => Some(slot.date),
            _ => None,
        };
        w.journal.after(0).iter().filter_map(day).collect()
    })?;
    let mut tx = fixture.ctx.db.read().await?;
    let mut seen = HashSet::new();
    for calendar in store::observation::calendars(&mut tx).await? {
        let since = chrono::DateTime::UNIX_EPOCH;
        for day in store::observation::seen_days(&mut tx, &calendar.key, since, 100_000).await? {
            seen.insert(day.day);
        }
    }
    tx.commit().await?;
    Ok((appeared.len(), appeared.iter().filter(|day| seen.contains(day)).count()))
}
