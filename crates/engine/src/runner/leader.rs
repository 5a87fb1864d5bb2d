//! The engine's lease, which lets only one engine work.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use chrono::TimeDelta;
use store::Tx;
use store::migrate::Schema;
use store::timeline::History;

use crate::{Engine, JobError, LEASE};

impl Engine {
    /// Renews or acquires the lease. Loads all state again if this node did not hold it before.
    /// Returns `true` if this node holds the lease.
    pub(crate) async fn hold_lease(self: &Arc<Self>) -> Result<bool, JobError> {
        if !self.ctx.config.leads {
            return Ok(false);
        }
        let now = self.ctx.wall.now();
        let third = TimeDelta::seconds(self.ctx.config.lease_seconds) / 3;
        let (epoch, renewed) = self
            .memory()
            .read(|state| (state.leadership.epoch(), state.leadership.is_renewed_within(third, now)));
        if renewed {
            return Ok(true);
        }
        let Some(held) = self.renew_or_take(epoch).await? else {
            self.memory().update(|state| state.leadership.release());
            return Ok(false);
        };
        let fresh = epoch != Some(held);
        if fresh {
            // Until its first round this node is loading, and the watchdog must not act on it.
            self.memory().pulse.leads.store(false, Ordering::Release);
            // The lease expired, but no other node held it. If a clock was set, this node must
            // therefore still shift the stored times itself.
            let alone = epoch.is_some_and(|before| held == before + 1);
            if alone {
                self.records().shift_rows().await?;
            } else {
                // The previous leader already shifted these rows.
                self.memory().update(|state| state.housekeeping.end_clock_jump());
            }
            self.records().load_all(held).await?;
        }
        self.memory().update(|state| state.leadership.hold(held, now));
        Ok(true)
    }

    /// Renews or acquires the lease. Returns its epoch, or `None` if this node does not hold it.
    /// The epoch is new if the database server's history changed, so that all state is loaded
    /// again.
    async fn renew_or_take(&self, held_before: Option<i64>) -> Result<Option<i64>, JobError> {
        let config = &self.ctx.config;
        let highest = self.memory().read(|state| state.leadership.highest_epoch());
        let now = (self.ctx.wall.now(), self.ctx.portal_time.now());
        let mut tx = self.ctx.db.begin_first().await?;
        if !self.may_lead(&mut tx, held_before).await? {
            if let Some(epoch) = held_before {
                // The newer node takes over at once.
                store::lease::release(&mut tx, LEASE, &config.node, epoch).await?;
                tx.commit().await?;
            }
            return Ok(None);
        }
        let mut former_is_gone = false;
        if held_before.is_none() {
            if self.ctx.db.is_postgres() {
                former_is_gone =
                    store::lease::last_holder(&mut tx, LEASE).await?.as_ref() == Some(&config.node);
            } else {
                // One process owns an SQLite database: the previous holder of the lease is gone.
                former_is_gone = true;
                store::lease::seize(&mut tx, LEASE).await?;
            }
        }
        let held = store::lease::acquire(&mut tx, LEASE, &config.node, config.lease_seconds).await?;
        let Some(held) = held else { return Ok(None) };
        let history = store::timeline::check(&mut tx, LEASE, highest, now).await?;
        self.log_unguarded(history);
        if history == History::Same && held < highest {
            // This server lacks the commits since the failover, and commits made here would be lost
            // as well.
            tracing::error!(
                held,
                highest,
                "refusing to lead: this node led this database server before a failover; point SOONER_DATABASE_URL at \
                 the promoted server, or, to keep this one, stop every server, run sooner restore and start them again"
            );
            return Ok(None);
        }
        if matches!(history, History::Changed(_)) {
            tracing::error!(
                "database server continues another history, as after a failover; booking nothing for {} s, reading back \
                 every open booking attempt, and reading card payments again",
                store::timeline::QUIET.num_seconds()
            );
            store::booking_attempt::assume_all_sent(&mut tx, now.1, now.0).await?;
            store::restore::after_failover(&mut tx, now.0).await?;
        }
        if former_is_gone {
            // No other node can still be sending, so the engine need not wait before it reads the
            // attempts back.
            store::booking_attempt::read_at_once(&mut tx, now.1).await?;
        }
        tx.commit().await?;
        Ok(Some(if let History::Changed(epoch) = history { epoch } else { held }))
    }

    /// Returns `true` if this build may take or keep the lease. It must not take the lease after a
    /// newer build migrated the database. It may keep the lease only if all of those migrations
    /// allow older builds.
    async fn may_lead(&self, tx: &mut Tx, held_before: Option<i64>) -> Result<bool, JobError> {
        let newer = match store::migrate::schema(tx).await? {
            Schema::Known => None,
            Schema::Ahead(_) if held_before.is_some() => None,
            Schema::Ahead(newer) | Schema::Incompatible(newer) => Some(newer.join(", ")),
        };
        let is_new = self.memory().update(|state| state.leadership.note_newer_build(newer.as_ref()));
        if let Some(newer) = newer.as_ref().filter(|_| is_new) {
            tracing::error!(%newer, "refusing to lead: a newer version migrated the database; upgrade this node");
        }
        Ok(newer.is_none())
    }

    /// Logs once that the engine cannot detect a failover that loses commits.
    fn log_unguarded(&self, history: History) {
        if self.memory().update(|state| state.leadership.note_history(history)) {
            tracing::warn!(
                "cannot read the timeline of the database server, so a failover that loses bookings would not be \
                 detected; permit the role to call pg_control_system() and pg_walfile_name()"
            );
        }
    }

    /// Writes the last counters and releases the lease. A failure is only logged, because the lease
    /// expires by itself.
    pub(crate) async fn stand_down(self: &Arc<Self>) {
        self.memory().pulse.leads.store(false, Ordering::Release);
        self.memory().update(|state| {
            state.housekeeping.end_flush_interval();
            state.accounts.write_at_once();
        });
        if let Err(error) = self.records().flush().await {
            tracing::warn!(%error, "failed to store the last poll counters");
        }
        let epoch = self.memory().update(|state| state.leadership.release());
        let given_back = async {
            let mut tx = self.ctx.db.begin_first().await?;
            let ended = self.memory().read(|state| state.accounts.ended_leases());
            store::account_lease::give_back(&mut tx, &ended).await?;
            if let Some(epoch) = epoch {
                store::lease::release(&mut tx, LEASE, &self.ctx.config.node, epoch).await?;
            }
            tx.commit().await
        };
        if let Err(error) = given_back.await {
            tracing::warn!(%error, "failed to release the lease; it expires by itself");
        }
    }
}
