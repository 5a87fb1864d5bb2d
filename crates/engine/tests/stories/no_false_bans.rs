//! Stories of worlds that begin empty: a world without free days is no ban of the account that
//! polls.

use chrono::TimeDelta;
use domain::condition::TaskCondition;
use domain::criteria::SearchCriteria;
use domain::facility::FacilityId;
use domain::ids::TaskId;
use inference::cause::EmptyCause;
use sandbox::world::accounts::Appointment;

use crate::stage::{Stage, TORONTO, at, criteria};

/// Submits one task that accepts any of five cities, in a world without a single day.
async fn alone(stage: &Stage, appointment: Option<Appointment>) -> TaskId {
    stage.portal_account("lin", appointment);
    let cities =
        [TORONTO, 92, 95, 91, 89].map(|number| FacilityId::try_from(number).expect("a known city")).to_vec();
    stage.task("lin", SearchCriteria { cities, ..criteria() }).await
}

// spec: 10.3.04
#[tokio::test]
async fn first_polls_of_five_empty_cities_cause_no_cool_down() {
    for appointment in [None, Some(at(TORONTO, "2027-08-17", "08:15"))] {
        let stage = Stage::new().await;
        let task = alone(&stage, appointment).await;
        stage.run_for(TimeDelta::hours(2)).await;
        assert!(stage.requests("days") >= 5, "every city was polled");
        let told = stage.read(task).await;
        assert_eq!(told.condition, TaskCondition::Watching, "{}", told.condition_evidence);
        let said = stage.engine.judgements(0);
        assert!(said.iter().all(|(_, judged)| judged.meaning != EmptyCause::SoftBan), "{said:?}");
    }
}

// spec: 10.3.04
#[tokio::test]
async fn two_days_of_empty_lists_cause_no_cool_down_and_are_learned() {
    let stage = Stage::new().await;
    let task = alone(&stage, None).await;
    let mut before = 0;
    for part in 1..=8 {
        stage.run_for(TimeDelta::hours(6)).await;
        let told = stage.read(task).await;
        assert_ne!(
            told.condition,
            TaskCondition::CoolingDown,
            "after {part} x 6 h: {}",
            told.condition_evidence
        );
        let polls = stage.requests("days");
        assert!(polls >= before + 8, "{} polls in six hours, part {part}", polls - before);
        before = polls;
    }
    let said = stage.engine.judgements(0);
    assert!(said.iter().all(|(_, judged)| judged.meaning != EmptyCause::SoftBan));
    let mut tx = stage.ctx.db.read().await.expect("tx");
    let learned = store::learned::about(&mut tx, "lists").await.expect("learned");
    let kept: inference::cause::infer::Lists =
        serde_json::from_value(learned.first().expect("a row").1.clone()).expect("read");
    assert_ne!(kept, inference::cause::infer::Lists::default(), "the next process remembers two quiet days");
}
