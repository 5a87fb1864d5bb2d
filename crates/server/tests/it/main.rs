//! Stories of the API, on SQLite and on PostgreSQL (`SOONER_TEST_POSTGRES` names a server).

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]
#![allow(clippy::inconsistent_digit_grouping, reason = "50_00 reads as fifty dollars")]

/// Defines two tests for one async function over a `TestApp`: on SQLite and on PostgreSQL.
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

/// Defines two tests like [`stories`], over a `Stage`: the server with a sandbox portal.
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

mod accounts;
mod acknowledgements;
mod alarms;
mod app;
mod ask_first;
mod backups;
mod callbacks;
mod card_refunds_and_disputes;
mod cards;
mod channels;
mod channels_linked;
mod charges;
mod cli;
mod command_line;
mod concurrent_actions;
mod connections;
mod contract;
mod credentials;
mod delivery;
mod demo_channels;
mod digests;
mod edge_cases;
mod edits;
mod export_and_deletion;
mod fingerprints;
mod google;
mod lockout;
mod mailed_sign_in;
mod metrics;
mod money;
mod money_attacks;
mod notices;
mod notification_history;
mod old_databases;
mod one_server;
mod open_pages;
mod operator;
mod passkeys;
mod passwords;
mod path_check;
mod portal_parse;
mod portal_try;
mod prices;
mod provider_failures;
mod queue_fairness;
mod refresh_tokens;
mod refunds;
mod registration_links;
mod roles;
mod schedules;
mod sign_ins;
mod solo_command;
mod solo_mode;
mod stage;
mod standby;
mod status;
mod stream;
mod submit;
mod task_page;
mod task_row;
mod text_messages;
mod traces;
mod upgrades;
mod user_isolation;
mod verify_credentials;
mod wallets;
mod web_app;
