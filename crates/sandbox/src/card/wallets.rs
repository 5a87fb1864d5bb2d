//! Simulation of Alipay and WeChat Pay, with the page on which the payer accepts or refuses the
//! payment.

use std::sync::Arc;

use axum::{
    Router,
    extract::{Path, RawForm, State},
    http::StatusCode,
    response::{Html, IntoResponse, Redirect, Response},
    routing::get,
};
use chrono::{DateTime, Duration, Utc};
use maud::{DOCTYPE, Markup, html};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use qrcode::{QrCode, render::svg};
use serde_json::{Value, json};

use super::{
    CardError,
    forms::Form,
    ledger::{CardLedger, PROCESSING_SECONDS, Status},
    note_changes,
    objects::{Intent, Wallet, WalletKind},
};
use crate::{Shared, identity::now};

pub(super) fn router() -> Router<Arc<Shared>> {
    Router::new().route("/card/wallet/{id}", get(show).post(choose))
}

/// Choices of the payer: value in the form and label on the page.
const CHOICES: [(&str, &str); 4] = [
    ("pay", "支付 Pay"),
    ("later", "支付，10 秒后到账 Pay, arrives after 10 seconds"),
    ("cancel", "取消 Cancel"),
    ("expire", "让它过期 Let it expire"),
];

impl Wallet {
    /// Returns `next_action`, the field of the API that contains the payer's next step.
    pub(super) fn next_action(&self) -> Value {
        match self.kind {
            WalletKind::Alipay => json!({ "type": "alipay_handle_redirect",
                "alipay_handle_redirect": { "url": self.page, "return_url": self.return_url } }),
            WalletKind::WechatPay => json!({ "type": "wechat_pay_display_qr_code",
                "wechat_pay_display_qr_code": { "data": self.page, "image_data_url": qr_image(&self.page) } }),
        }
    }
}

/// Renders the QR code of an address as the `data:` URL of an SVG picture.
fn qr_image(address: &str) -> String {
    let Ok(code) = QrCode::new(address) else { return String::new() };
    let picture = code.render::<svg::Color>().min_dimensions(240, 240).build();
    format!("data:image/svg+xml,{}", utf8_percent_encode(&picture, NON_ALPHANUMERIC))
}

impl CardLedger {
    /// Starts a wallet payment on request of the merchant.
    pub(super) fn begin_wallet(
        &mut self,
        id: &str,
        form: &Form,
        address: &str,
        now: DateTime<Utc>,
    ) -> Result<(), CardError> {
        let kind = form.get("payment_method_data[type]").unwrap_or_default();
        let allowed = form.get("payment_method_types[]") == Some(kind);
        let kind = match kind {
            "alipay" if allowed && form.get("return_url").is_some() => WalletKind::Alipay,
            "wechat_pay"
                if allowed && form.get("payment_method_options[wechat_pay][client]") == Some("web") =>
            {
                WalletKind::WechatPay
            }
            _ => return Err(CardError::request("parameter_missing", "It cannot be confirmed so")),
        };
        let intent = self.intent_mut(id)?;
        intent.status = Status::RequiresAction;
        intent.wallet = Some(Wallet {
            kind,
            page: format!("{address}/card/wallet/{id}"),
            return_url: form.get("return_url").map(str::to_owned),
        });
        self.send_intent("payment_intent.requires_action", id, now);
        Ok(())
    }

    /// Applies the payer's choice: `pay`, `later`, `cancel` or `expire`.
    ///
    /// # Errors
    /// Returns an error if the payment does not wait for the payer.
    pub fn choose(&mut self, id: &str, choice: &str, now: DateTime<Utc>) -> Result<(), CardError> {
        let intent = self.intent_mut(id)?;
        if intent.wallet.is_none() || intent.status != Status::RequiresAction {
            return Err(CardError::request("payment_intent_unexpected_state", "Nothing is asked"));
        }
        let failed = |code: &str, words: &str| json!({ "type": "invalid_request_error", "code": code, "message": words });
        match choice {
            "pay" => self.pay(id, None, now),
            "later" => {
                intent.status = Status::Processing;
                intent.settles_at = Some(now + Duration::seconds(PROCESSING_SECONDS));
                self.send_intent("payment_intent.processing", id, now);
                Ok(())
            }
            "cancel" => {
                let words = "The customer canceled the payment.";
                self.fail(id, failed("payment_intent_payment_attempt_failed", words), now);
                Ok(())
            }
            "expire" => {
                let words = "The customer did not pay in time.";
                self.fail(id, failed("payment_intent_payment_attempt_expired", words), now);
                Ok(())
            }
            _ => Err(CardError::request("parameter_unknown", "No such choice")),
        }
    }
}

async fn show(State(shared): State<Arc<Shared>>, Path(id): Path<String>) -> Response {
    let present = now(&shared);
    let intent = shared.step(|world| {
        world.card.advance(present);
        world.card.intents.get(&id).cloned()
    });
    let Some((intent, wallet)) = intent.as_ref().and_then(|i| Some((i, i.wallet.as_ref()?))) else {
        return (StatusCode::NOT_FOUND, page(&html! { p { "没有这笔付款 No such payment" } }))
            .into_response();
    };
    page(&approval_page(intent, wallet)).into_response()
}

fn approval_page(intent: &Intent, wallet: &Wallet) -> Markup {
    let name = match wallet.kind {
        WalletKind::Alipay => "支付宝 Alipay",
        WalletKind::WechatPay => "微信支付 WeChat Pay",
    };
    html! {
        h1 { (name) }
        p { "演示，没有真钱 A demonstration, no real money" }
        p class="sum" { (intent.amount / 100) "." (format!("{:02}", intent.amount % 100)) " " (intent.currency.to_uppercase()) }
        @if intent.status == Status::RequiresAction {
            form method="post" {
                @for (word, words) in CHOICES { button name="choice" value=(word) { (words) } }
            }
        } @else {
            p role="status" { "这笔付款：" (json!(intent.status).as_str().unwrap_or_default()) }
        }
    }
}

fn page(content: &Markup) -> Html<String> {
    const STYLE: &str = "body{font:18px/1.5 system-ui,sans-serif;max-width:22rem;margin:2rem auto;padding:0 1rem}\
        .sum{font-size:2rem;margin:1rem 0}form{display:grid;gap:12px}button{font:inherit;padding:12px;min-height:48px}";
    let whole = html! {
        (DOCTYPE)
        html lang="zh" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Sandbox" }
                style { (maud::PreEscaped(STYLE)) }
            }
            body { main { (content) } }
        }
    };
    Html(whole.into_string())
}

async fn choose(
    State(shared): State<Arc<Shared>>,
    Path(id): Path<String>,
    RawForm(body): RawForm,
) -> Response {
    let form = Form::read(&body);
    let choice = form.get("choice").unwrap_or_default().to_owned();
    let present = now(&shared);
    let back: Result<Option<String>, CardError> = shared.step(|world| {
        world.card.choose(&id, &choice, present)?;
        note_changes(world);
        Ok(world.card.intent(&id)?.way_back())
    });
    match back {
        Ok(Some(address)) => Redirect::to(&address).into_response(),
        Ok(None) => Redirect::to(&format!("/card/wallet/{id}")).into_response(),
        Err(_) => {
            (StatusCode::CONFLICT, page(&html! { p { "已经不能这样做 Too late for that" } })).into_response()
        }
    }
}

impl Intent {
    /// Returns the address to which the payer returns, with the query parameters that the provider
    /// adds.
    fn way_back(&self) -> Option<String> {
        let base = self.wallet.as_ref()?.return_url.as_ref()?;
        let outcome = match self.status {
            Status::Succeeded => "succeeded",
            Status::Processing => "pending",
            _ => "failed",
        };
        let joint = if base.contains('?') { '&' } else { '?' };
        Some(format!(
            "{base}{joint}payment_intent={}&payment_intent_client_secret={}&redirect_status={outcome}",
            self.id, self.client_secret
        ))
    }
}
