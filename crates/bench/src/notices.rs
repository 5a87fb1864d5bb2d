//! Benchmark of notices. It measures the time from the transaction that settles a booking until
//! each provider has accepted the notice.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use chrono::TimeDelta;
use clap::Args;
use domain::clock::Instant;
use domain::facility::FacilityId;
use domain::task::TaskStatus;
use engine::delivery::{Delivery, SmsQuota};
use providers::Mailer;
use server::config::Settings;
use tokio_util::sync::CancellationToken;

use crate::book::eager;
use crate::channels::{self, ByProvider, PROVIDERS, Seal};
use crate::fixture::{Fixture, TORONTO};
use crate::quantile;

/// Options of `bench notices`.
#[derive(Args)]
pub struct Notices {
    /// Number of bookings, made one after the other
    #[arg(long, default_value_t = 100)]
    count: usize,
}

/// Maximum time until all notices of a booking arrive. The benchmark fails if it is exceeded.
const ARRIVES_WITHIN: TimeDelta = TimeDelta::seconds(20);

/// Pause after each booking, in which the rate limits of all providers recover.
const REST: Duration = Duration::from_millis(1_300);

/// Books for one user after the other. Each user has a channel at every provider. The two providers
/// of text messages alternate, because they share a rate limit.
pub async fn run(options: Notices) -> anyhow::Result<ByProvider> {
    let folder = tempfile::tempdir()?;
    let fixture = Fixture::new(folder.path(), false, eager()).await?;
    let stop = CancellationToken::new();
    let engine = tokio::spawn(fixture.engine.clone().run(stop.clone()));
    let sending = tokio::spawn(delivery(&fixture)?.run(stop.clone()));
    let mut took = BTreeMap::<&str, Vec<f64>>::new();
    for n in 0..options.count {
        for (provider, ms) in measure_one(&fixture, n).await? {
            took.entry(provider).or_default().push(ms);
        }
        tokio::time::sleep(REST).await;
    }
    stop.cancel();
    engine.await?;
    sending.await?;
    let row = |(provider, mut ms): (&'static str, Vec<f64>)| {
        ms.sort_by(f64::total_cmp);
        (provider, vec![ms.len() as f64, quantile(&ms, 0.5), quantile(&ms, 0.99), quantile(&ms, 1.0)])
    };
    let columns = &["bookings", "p50_ms", "p99_ms", "max_ms"];
    Ok(ByProvider { name: "notices", columns, rows: took.into_iter().map(row).collect() })
}

/// Returns the server's delivery worker, connected with the providers of the fixture's sandbox.
fn delivery(fixture: &Fixture) -> anyhow::Result<Delivery> {
    let (ctx, sandbox) = (&fixture.ctx, fixture.sandbox()?);
    let defaults = Settings::defaults();
    let settings = Settings { channels: defaults.channels.clone().at_sandbox(&sandbox.ready()), ..defaults };
    Ok(Delivery {
        db: ctx.db.clone(),
        wall: ctx.wall.clone(),
        random: ctx.random.clone(),
        keyring: ctx.keyring.clone(),
        mailer: Some(Mailer::new(&format!("smtp://{}", sandbox.smtp_addr()), "no-reply@example.com")?),
        channels: Arc::new(server::run::channels(&settings, &ctx.wall)?),
        buckets: Arc::default(),
        sms: SmsQuota { per_user: 30, day_mills: i64::MAX, text_mills: 12 },
        site: "https://sooner.example.com".to_owned(),
        node: "bench".to_owned(),
    })
}

/// Numbers of messages and mails received before a booking.
struct Before {
    messages: usize,
    mails: usize,
}

/// Books for user number `n`. Returns the time in milliseconds until each provider had accepted the
/// notice.
async fn measure_one(fixture: &Fixture, n: usize) -> anyhow::Result<Vec<(&'static str, f64)>> {
    let sandbox = fixture.sandbox()?;
    let task = fixture.task(&format!("n{n}"), false).await?;
    let other_sms = if n.is_multiple_of(2) { "twilio" } else { "aliyun" };
    let providers: Vec<_> = PROVIDERS.into_iter().filter(|provider| *provider != other_sms).collect();
    let ctx = &fixture.ctx;
    let mut tx = ctx.db.begin().await?;
    let user = store::task::get(&mut tx, task).await?.context("the task is missing")?.user_id;
    for provider in &providers {
        let target = channels::target(sandbox, provider, n)?;
        channels::link(
            &mut tx,
            Seal { ring: &ctx.keyring, random: &ctx.random },
            user,
            &target,
            ctx.wall.now(),
        )
        .await?;
    }
    tx.commit().await?;
    fixture.engine.nudge();
    anyhow::ensure!(fixture.wait(task, |t| t.status == TaskStatus::Active).await?, "the task is not watched");
    let before = Before { messages: sandbox.notifications().len(), mails: sandbox.mails().len() };
    // The sandbox's clock differs from wall time, so compute the difference.
    let ahead = sandbox.now() - ctx.wall.now();
    fixture.with_world(|w| w.slots.clear())?;
    let today = FacilityId::TORONTO.today(ctx.portal_time.now());
    fixture.slot(TORONTO, today + TimeDelta::days(20 + n as i64 % 300))?;
    anyhow::ensure!(fixture.wait(task, |t| t.captured_at.is_some()).await?, "the slot was not booked");
    let mut tx = ctx.db.read().await?;
    let settled =
        store::task::get(&mut tx, task).await?.and_then(|t| t.captured_at).context("the task is missing")?;
    drop(tx);
    let mut took = arrivals(fixture, &before, providers.len(), settled).await?;
    let mail =
        sandbox.mails().get(before.mails).context("no mail about the booking arrived")?.received - ahead;
    took.push(("email", ms(mail - settled)));
    fixture.delete(&[task]).await?;
    Ok(took)
}

/// Waits until `count` providers and the mail server have each accepted a message.
async fn arrivals(
    fixture: &Fixture,
    before: &Before,
    count: usize,
    settled: Instant,
) -> anyhow::Result<Vec<(&'static str, f64)>> {
    let sandbox = fixture.sandbox()?;
    let name = |given: &str| {
        PROVIDERS
            .into_iter()
            .find(|provider| *provider == given)
            .context("a message arrived at an unknown provider")
    };
    while fixture.ctx.wall.now() - settled < ARRIVES_WITHIN {
        let came = sandbox.notifications();
        let came = came.get(before.messages..).unwrap_or_default();
        if came.len() >= count && sandbox.mails().len() > before.mails {
            return came.iter().map(|one| Ok((name(&one.provider)?, ms(one.wall_time - settled)))).collect();
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    anyhow::bail!(
        "only {} of {count} providers accepted the notice",
        sandbox.notifications().len() - before.messages
    )
}

fn ms(span: TimeDelta) -> f64 {
    span.num_microseconds().unwrap_or(0) as f64 / 1000.0
}
