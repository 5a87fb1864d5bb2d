//! What follows a poll: bookings at once, and meanwhile what was seen is written.

use std::sync::Arc;

use domain::ids::PortalAccountId;
use futures_util::future::join_all;
use portal::Purpose;

use crate::driver::Job;
use crate::observe::Noted;
use crate::turn::Turn;
use crate::{Engine, Fault};

/// Books what the poll showed, writes what it saw, and ends the turn as soon as its own booking is over.
pub(crate) async fn follow(engine: &Arc<Engine>, mut turn: Turn, noted: Option<Noted>) -> Result<(), Fault> {
    let Some(mut noted) = noted else {
        return turn.finish().await;
    };
    let mut others = begun(engine, &mut noted, Some(turn.account));
    let own = others.iter().position(|job| job.account() == turn.account).map(|at| others.swap_remove(at));
    let own = async move {
        let tried = match own {
            Some(Job::Book { task, opening, .. }) => {
                turn.meter.serve(Purpose::Booking);
                crate::book::try_for(engine, &mut turn, task, &opening).await
            }
            _ => Ok(()),
        };
        turn.finish().await.and(tried)
    };
    let ((), own, written) = tokio::join!(perform_all(engine, others), own, noted.write(engine));
    own.and(written)
}

/// The same within a turn that goes on: only others' bookings begin.
pub(crate) async fn follow_others(engine: &Arc<Engine>, noted: Option<Noted>) -> Result<(), Fault> {
    let Some(mut noted) = noted else {
        return Ok(());
    };
    let others = begun(engine, &mut noted, None);
    let ((), written) = tokio::join!(perform_all(engine, others), noted.write(engine));
    written
}

/// Who tries for a day now; what they are told is left to their bookings.
fn begun(engine: &Engine, noted: &mut Noted, own: Option<PortalAccountId>) -> Vec<Job> {
    let jobs = engine.bookings_now(own);
    for job in &jobs {
        if let Job::Book { task, .. } = job {
            noted.leave_to_booking(*task);
        }
    }
    jobs
}

async fn perform_all(engine: &Arc<Engine>, jobs: Vec<Job>) {
    join_all(jobs.into_iter().map(|job| engine.perform(job))).await;
}
