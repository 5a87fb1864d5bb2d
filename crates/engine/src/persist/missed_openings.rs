//! Writes missed openings into the journals of tasks.

use serde_json::json;
use store::Tx;
use store::journal::Line;

use crate::JobError;
use crate::model::missed_openings::{MissedOpening, Why};
use crate::persist::Records;

/// Writes them into the journals.
pub(crate) async fn write(
    records: &Records,
    tx: &mut Tx,
    missed_openings: &[MissedOpening],
) -> Result<(), JobError> {
    for missed_openings in missed_openings.chunk_by(|one, next| one.at == next.at) {
        let lines: Vec<Line> = missed_openings.iter().map(|miss| miss.line(records)).collect();
        store::journal::add_all(tx, &lines, missed_openings[0].at).await?;
    }
    Ok(())
}

impl MissedOpening {
    fn line(&self, records: &Records) -> Line {
        let (facility, date) = (self.facility.name(), self.day);
        let (kind, data) = match self.why {
            Why::Gone(why) => ("slot_gone", json!({ "facility": facility, "date": date, "why": why })),
            Why::Stopped(stop) => {
                ("not_booked_because", json!({ "facility": facility, "date": date, "stop": stop }))
            }
        };
        Line { id: records.uuid(self.at), task: self.task, kind, data }
    }
}
