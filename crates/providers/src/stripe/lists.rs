//! Lists of the provider's objects by creation time. They are needed after a backup was restored,
//! because the local ledger then lacks the latest entries.

use reqwest::Method;
use serde::de::DeserializeOwned;

use super::webhook::Dispute;
use super::{Intent, Page, Refund, Stripe, StripeError};

/// Object in a paged list, with the identifier that requests the next page.
trait Listed: DeserializeOwned {
    fn id(&self) -> &str;
}

impl Listed for Intent {
    fn id(&self) -> &str {
        &self.id
    }
}

impl Listed for Refund {
    fn id(&self) -> &str {
        &self.id
    }
}

impl Listed for Dispute {
    fn id(&self) -> &str {
        &self.id
    }
}

impl Stripe {
    /// Returns the payments created at or after `since` (Unix seconds), newest first.
    pub async fn intents_since(&self, since: i64) -> Result<Vec<Intent>, StripeError> {
        self.all_since("payment_intents", since, 100).await
    }

    /// Returns the refunds created at or after `since` (Unix seconds). Includes failed refunds and
    /// those made manually at the provider.
    pub async fn refunds_since(&self, since: i64) -> Result<Vec<Refund>, StripeError> {
        self.all_since("refunds", since, 100).await
    }

    /// Returns the disputes opened at or after `since` (Unix seconds), in their current state.
    pub async fn disputes_since(&self, since: i64) -> Result<Vec<Dispute>, StripeError> {
        // Disputes contain evidence and are large, so request small pages.
        self.all_since("disputes", since, 10).await
    }

    async fn all_since<T: Listed>(
        &self,
        what: &str,
        since: i64,
        of_a_page: u8,
    ) -> Result<Vec<T>, StripeError> {
        let mut all: Vec<T> = Vec::new();
        loop {
            let mut path = format!("{what}?created[gte]={since}&limit={of_a_page}");
            if let Some(last) = all.last() {
                path.push_str("&starting_after=");
                path.push_str(checked_id(last.id())?);
            }
            let page: Page<T> = self.call(Method::GET, &path, &[], None).await?;
            let more = page.has_more && !page.data.is_empty();
            all.extend(page.data);
            if !more {
                return Ok(all);
            }
        }
    }
}

/// Validates an identifier before it becomes part of a URL.
fn checked_id(id: &str) -> Result<&str, StripeError> {
    let is_word = id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if is_word { Ok(id) } else { Err(StripeError::Unavailable("the answer is malformed".to_owned())) }
}
