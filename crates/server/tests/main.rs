//! Stories of the API, on SQLite and on PostgreSQL (`SOONER_TEST_POSTGRES` names a server).

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(clippy::inconsistent_digit_grouping, reason = "50_00 reads as fifty dollars")]

/// Makes two tests of one async function over a `TestApp`.
macro_rules! stories {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() { super::$name($crate::app::sqlite().await).await }
            )+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() { super::$name($crate::app::postgres().await).await }
            )+
        }
    };
}

/// Makes two tests like [`stories`], over a `Stage`: the application with a sandbox portal.
macro_rules! portal_stories {
    ($($name:ident),+ $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() { super::$name($crate::stage::sqlite().await).await }
            )+
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() { super::$name($crate::stage::postgres().await).await }
            )+
        }
    };
}

#[path = "it/accounts.rs"]
mod accounts;
#[path = "it/acknowledged.rs"]
mod acknowledged;
#[path = "it/alarms.rs"]
mod alarms;
#[path = "it/app.rs"]
mod app;
#[path = "it/asking.rs"]
mod asking;
#[path = "it/backups.rs"]
mod backups;
#[path = "it/bad_days.rs"]
mod bad_days;
#[path = "it/callbacks.rs"]
mod callbacks;
#[path = "it/card_books.rs"]
mod card_books;
#[path = "it/cards.rs"]
mod cards;
#[path = "it/channels.rs"]
mod channels;
#[path = "it/channels_linked.rs"]
mod channels_linked;
#[path = "it/clicks.rs"]
mod clicks;
#[path = "it/command_line.rs"]
mod command_line;
#[path = "it/connections.rs"]
mod connections;
#[path = "it/contract.rs"]
mod contract;
#[path = "it/credentials.rs"]
mod credentials;
#[path = "it/crowds.rs"]
mod crowds;
#[path = "it/delivery.rs"]
mod delivery;
#[path = "it/desk.rs"]
mod desk;
#[path = "it/digests.rs"]
mod digests;
#[path = "it/documents.rs"]
mod documents;
#[path = "it/edits.rs"]
mod edits;
#[path = "it/first_contact.rs"]
mod first_contact;
#[path = "it/four_places.rs"]
mod four_places;
#[path = "it/google.rs"]
mod google;
#[path = "it/guessed.rs"]
mod guessed;
#[path = "it/leaks.rs"]
mod leaks;
#[path = "it/leaving.rs"]
mod leaving;
#[path = "it/metrics.rs"]
mod metrics;
#[path = "it/money.rs"]
mod money;
#[path = "it/newcomers.rs"]
mod newcomers;
#[path = "it/notices.rs"]
mod notices;
#[path = "it/notified.rs"]
mod notified;
#[path = "it/odd_calls.rs"]
mod odd_calls;
#[path = "it/one_server.rs"]
mod one_server;
#[path = "it/oneself.rs"]
mod oneself;
#[path = "it/operator.rs"]
mod operator;
#[path = "it/passwords.rs"]
mod passwords;
#[path = "it/path_check.rs"]
mod path_check;
#[path = "it/paying.rs"]
mod paying;
#[path = "it/prices.rs"]
mod prices;
#[path = "it/refunds.rs"]
mod refunds;
#[path = "it/roles.rs"]
mod roles;
#[path = "it/saved.rs"]
mod saved;
#[path = "it/schedules.rs"]
mod schedules;
#[path = "it/seen.rs"]
mod seen;
#[path = "it/served.rs"]
mod served;
#[path = "it/sign_ins.rs"]
mod sign_ins;
#[path = "it/solo.rs"]
mod solo;
#[path = "it/stage.rs"]
mod stage;
#[path = "it/standby.rs"]
mod standby;
#[path = "it/status.rs"]
mod status;
#[path = "it/storm.rs"]
mod storm;
#[path = "it/strangers.rs"]
mod strangers;
#[path = "it/stream.rs"]
mod stream;
#[path = "it/submit.rs"]
mod submit;
#[path = "it/texts.rs"]
mod texts;
#[path = "it/traces.rs"]
mod traces;
#[path = "it/upgrades.rs"]
mod upgrades;
#[path = "it/verify.rs"]
mod verify;
#[path = "it/wallets.rs"]
mod wallets;
#[path = "it/watching.rs"]
mod watching;
