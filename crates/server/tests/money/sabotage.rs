//! Promise 5: each harness here sees the bugs that are planted for it (`store::sabotage`).

#[macro_use]
#[path = "../../../store/tests/money/seen.rs"]
mod seen;

bugs_seen! {
    // spec: 10.10.06
    an_answer_before_its_commit_is_seen: "ack_before_commit" by "kills::sqlite::what_was_acknowledged_survives_kill_nine",
    // spec: 10.10.06
    an_answer_kept_outside_the_transaction_is_seen: "answer_outside" by "kills::sqlite::what_was_acknowledged_survives_kill_nine",
    // spec: 10.10.06
    a_credit_for_every_message_is_seen: "credit_by_event" by "payments::sqlite::one_payment_is_one_credit",
}
