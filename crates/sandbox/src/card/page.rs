//! Section of the control page for the card provider.

use maud::{Markup, html};
use serde_json::json;

use super::{
    ledger::{CardLedger, Status},
    test_cards::CARDS,
};
use crate::world::World;

/// Renders cards, payments and the rules for messages.
pub(crate) fn section(world: &World) -> Markup {
    let desk = &world.card;
    let messages = &desk.messages;
    html! {
        section {
            h2 { "Card provider" }
            p class="quiet" {
                "Messages taken " (messages.taken) ", refused " (messages.refused) ", lost " (messages.lost) ", waiting " (messages.waiting())
                @if let Some(url) = &messages.rules.webhook_url { ", to " code { (url) } }
                " · " a href="/control/card" { "all, as JSON" }
            }
            div class="row" {
                (rule(desk, "Each once", json!({ "copies": [1, 1], "delay_ms": [0, 0], "lost": 0, "forged": 0, "stale": 0 })))
                (rule(desk, "3 to 8 copies, shuffled", json!({ "copies": [3, 8], "delay_ms": [0, 3000] })))
                (rule(desk, "Half a minute late", json!({ "delay_ms": [30_000, 30_000] })))
                (rule(desk, "Never", json!({ "lost": 1 })))
                (rule(desk, "With forged copies", json!({ "forged": 1 })))
            }
            (payments(desk))
            details {
                summary { "Cards (any future date, any security code)" }
                @for (number, _, words) in CARDS { p { code { (number) } " " (words) } }
            }
        }
    }
}

fn rule(desk: &CardLedger, words: &str, change: serde_json::Value) -> Markup {
    let now = json!(desk.messages.rules);
    let on = change.as_object().is_some_and(|c| c.iter().all(|(name, value)| same(&now[name], value)));
    html! {
        button class=(if on { "" } else { "plain" }) aria-pressed=(on) data-method="POST" data-url="/control/card" data-body=(change) { (words) }
    }
}

/// Compares two JSON values. Treats `0` and `0.0` as equal.
fn same(a: &serde_json::Value, b: &serde_json::Value) -> bool {
    a == b || a.as_f64().is_some_and(|a| b.as_f64() == Some(a))
}

fn payments(desk: &CardLedger) -> Markup {
    let mut intents: Vec<_> = desk.intents.values().collect();
    intents.sort_by_key(|intent| std::cmp::Reverse(intent.created()));
    html! {
        div class="wide" {
            table {
                @for intent in intents.into_iter().take(30) {
                    tr {
                        td { code { (intent.id) } }
                        td { (intent.amount / 100) "." (format!("{:02}", intent.amount % 100)) " " (intent.currency.to_uppercase()) }
                        td { (json!(intent.status).as_str().unwrap_or_default()) @if intent.amount_refunded > 0 { " −" (intent.amount_refunded) } }
                        td {
                            @if intent.status == Status::Succeeded {
                                (order(&intent.id, "dispute", "Dispute")) " " (order(&intent.id, "refund", "Refund by hand")) " "
                            } @else if intent.status != Status::Canceled { (order(&intent.id, "pay", "Pay")) " " }
                            (order(&intent.id, "tell", "Tell again"))
                        }
                    }
                }
                @for dispute in desk.disputes.values().rev().take(10) {
                    tr {
                        td { code { (dispute.id) } }
                        td { (dispute.amount / 100) "." (format!("{:02}", dispute.amount % 100)) }
                        td { (dispute.status) }
                        td {
                            @if dispute.status == "needs_response" {
                                @for (won, words) in [(true, "Won"), (false, "Lost")] {
                                    button class="plain" data-method="POST" data-url={ "/control/card/disputes/" (dispute.id) "/close" } data-body=(json!({ "won": won })) { (words) } " "
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn order(intent: &str, what: &str, words: &str) -> Markup {
    html! {
        button class="plain" data-method="POST" data-url={ "/control/card/intents/" (intent) "/" (what) } data-body="{}" { (words) }
    }
}
