//! Resolves requests that are answered by mail, from callers who may not be signed in (ADR 18).

use store::Tx;
use store::mail_request::{MailAction, MailRequest};

use super::mailed_sign_in::{self, SignInLinkRequest};
use super::register::RegistrationRequest;
use super::{AccountCtx, email, password, register};
use crate::Error;

/// Resolves a request in the caller's transaction, which has claimed its row.
///
/// # Errors
/// Returns an error if the database fails.
pub async fn resolve(ctx: &AccountCtx, tx: &mut Tx, request: MailRequest) -> Result<(), Error> {
    let MailRequest { id, email, wanted } = request;
    match wanted {
        MailAction::Register { registration, referral_code, browser } => {
            let newcomer = RegistrationRequest { email, registration, referral_code, browser };
            register::register(ctx, tx, id, &newcomer).await
        }
        MailAction::VerifyEmail => register::verify_again(ctx, tx, id, &email).await,
        MailAction::ResetPassword => match store::user::by_email(tx, &email).await? {
            Some(user) => password::mail_link(ctx, tx, id, &user).await,
            None => Ok(()),
        },
        MailAction::SignIn { browser, remembered } => {
            let request = SignInLinkRequest { email, browser, remembered };
            mailed_sign_in::mail_link(ctx, tx, id, &request).await
        }
        MailAction::ChangeEmail(user) => email::mail_link(ctx, tx, id, &email, user).await,
    }
}
