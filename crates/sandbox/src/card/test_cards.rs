//! Invented cards and their behaviour. A card has the number of Stripe's own test card if Stripe
//! has one.

use sha2::{Digest, Sha256};

/// Behaviour of a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Card {
    Pays,
    Declines(&'static str, &'static str),
    /// The bank requires authentication. The value is `true` if the payment succeeds afterwards.
    Asks(bool),
    /// The payment stays in the state *processing* for some seconds.
    TakesTime,
    /// The payment succeeds, and the payer's bank disputes it immediately.
    Disputes,
}

/// Number and behaviour of each card, with its description on the control page.
pub(super) const CARDS: [(&str, Card, &str); 11] = [
    ("4242424242424242", Card::Pays, "pays"),
    ("5555555555554444", Card::Pays, "pays, of another brand"),
    ("4000000000000002", Card::Declines("card_declined", "generic_decline"), "is declined"),
    ("4000000000009995", Card::Declines("card_declined", "insufficient_funds"), "has too little on it"),
    ("4000000000000069", Card::Declines("expired_card", "expired_card"), "has expired"),
    ("4000000000000127", Card::Declines("incorrect_cvc", "incorrect_cvc"), "has another security code"),
    (
        "4000000000000119",
        Card::Declines("processing_error", "processing_error"),
        "meets an error at the bank",
    ),
    ("4000002760003184", Card::Asks(true), "asks its owner (3-D Secure), then pays"),
    ("4000008400001629", Card::Asks(false), "asks its owner (3-D Secure), then is declined"),
    ("4000000000007726", Card::TakesTime, "is being processed for 10 seconds"),
    ("4000000000000259", Card::Disputes, "pays, and is disputed at once"),
];

/// Returns the behaviour of the card with this number. Unknown cards are declined.
pub(super) fn card(number: &str) -> Card {
    let digits: String = number.chars().filter(char::is_ascii_digit).collect();
    let found = CARDS.into_iter().find(|(known, ..)| *known == digits);
    found.map_or(Card::Declines("card_declined", "test_mode_live_card"), |(_, card, _)| card)
}

/// Returns the fingerprint of a card, which is the same for each payment with that card.
pub(super) fn fingerprint(number: &str) -> String {
    let hash = Sha256::digest(format!("sandbox card|{number}"));
    hash[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the provider's English message for an error code.
pub(super) fn words(code: &str, decline: &str) -> &'static str {
    match (code, decline) {
        (_, "insufficient_funds") => "Your card has insufficient funds.",
        ("expired_card", _) => "Your card has expired.",
        ("incorrect_cvc", _) => "Your card's security code is incorrect.",
        ("processing_error", _) => "An error occurred while processing your card. Try again in a little bit.",
        (_, "test_mode_live_card") => {
            "Your card was declined. Your request was in test mode, but used a non test card."
        }
        _ => "Your card was declined.",
    }
}
