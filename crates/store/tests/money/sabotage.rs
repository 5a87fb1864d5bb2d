//! Promise 5: each harness here sees the bugs that are planted for it (`store::sabotage`).

#[macro_use]
#[path = "seen.rs"]
mod seen;

bugs_seen! {
    // spec: 10.10.06
    a_hold_without_its_guard_is_seen: "unguarded_hold" by "crowd::sqlite::thirty_two_workers_leave_books_that_balance",
    // spec: 10.10.06
    a_hold_resolved_twice_is_seen: "resolve_twice" by "holds::sqlite::each_hold_resolves_once_under_four_at_once",
    // spec: 10.10.06
    a_balance_that_drifts_is_seen: "balance_drift" by "crowd::sqlite::thirty_two_workers_leave_books_that_balance",
    // spec: 10.10.06
    a_code_checked_before_it_is_taken_is_seen: "code_check_then_act" by "codes::postgres::a_code_is_one_credit_among_sixty_four",
}
