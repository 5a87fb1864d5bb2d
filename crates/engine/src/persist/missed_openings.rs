//! Journal entries about missed openings: free dates that were not booked for a task.

use domain::journal::{CityName, JournalEvent};
use store::Tx;
use store::journal::NewJournalEntry;

use crate::JobError;
use crate::model::missed_openings::{MissReason, MissedOpening};
use crate::persist::Records;

/// Writes a journal entry for each of `missed_openings`.
pub(crate) async fn write(
    records: &Records,
    tx: &mut Tx,
    missed_openings: &[MissedOpening],
) -> Result<(), JobError> {
    for missed_openings in missed_openings.chunk_by(|one, next| one.at == next.at) {
        let lines: Vec<NewJournalEntry> = missed_openings.iter().map(|miss| miss.line(records)).collect();
        store::journal::add_all(tx, &lines, missed_openings[0].at).await?;
    }
    Ok(())
}

impl MissedOpening {
    fn line(&self, records: &Records) -> NewJournalEntry {
        let (facility, date) = (CityName(self.facility), self.day);
        let event = match self.why {
            MissReason::Gone(why) => JournalEvent::SlotGone { facility, date, why },
            MissReason::NotAsked(why) => JournalEvent::NotAsked { facility, date, why },
            MissReason::Stopped(stop) => JournalEvent::NotBookedBecause { facility, date, stop },
        };
        NewJournalEntry { id: records.uuid(self.at), task: self.task, event }
    }
}
