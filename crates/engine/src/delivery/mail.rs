//! Delivery of one mail: renders it and sends it to the mail server.

use providers::{SendError, render};
use store::outbox::Outgoing;
use store::{Error, outbox};

use super::{Delivery, TRIES};

impl Delivery {
    pub(super) async fn deliver_mail(&self, mail: Outgoing) -> Result<(), Error> {
        // Without a mail server no mail is claimed.
        let Some(mailer) = &self.mailer else { return Ok(()) };
        let data = self.with_link(&mail).await?;
        let sent = match render(&mail.template, &mail.language, &data, &self.site) {
            Ok(rendered) => mailer.send(&mail.recipient, &rendered, &mail.id.to_string()).await,
            Err(error) => Err(SendError::Never(error.to_string())),
        };
        let now = self.wall.now();
        let mut tx = self.db.begin().await?;
        match sent {
            Ok(()) => {
                outbox::delivered(&mut tx, &mail, now).await?;
                self.begin_question(&mut tx, &mail, now).await?;
                crate::metrics::mail("delivered");
            }
            Err(SendError::Later(why)) if mail.attempts < TRIES => {
                tracing::warn!(mail = %mail.id, attempt = mail.attempts, why, "failed to send mail; trying again later");
                crate::metrics::mail("waits");
                outbox::retry_later(&mut tx, &mail, now + self.pause_after(mail.attempts), &why).await?;
            }
            Err(SendError::Later(why) | SendError::Never(why)) => {
                tracing::error!(mail = %mail.id, template = mail.template, why, "failed to send mail; giving up");
                crate::metrics::mail("given_up");
                outbox::dead(&mut tx, &mail, &why, now).await?;
                self.end_question(&mut tx, &mail, now).await?;
            }
        }
        tx.commit().await
    }
}
