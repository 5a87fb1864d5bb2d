//! What a payer without a card has to do next: go to a page of the provider's, or scan a code.

use domain::card::PaymentMethod;
use serde::Deserialize;

use super::NewIntent;

/// The provider's answer to a payment that was begun.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct NextAction {
    redirect_to_url: Option<Redirect>,
    alipay_handle_redirect: Option<Redirect>,
    wechat_pay_display_qr_code: Option<QrCode>,
}

#[derive(Clone, Debug, Deserialize)]
struct Redirect {
    url: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
struct QrCode {
    image_data_url: Option<String>,
}

impl NextAction {
    /// An address of the web, or none: the payer's browser is sent there.
    pub(super) fn redirect_url(&self) -> Option<&str> {
        let redirect = self.alipay_handle_redirect.as_ref().or(self.redirect_to_url.as_ref())?;
        redirect.url.as_deref().filter(|url| url.starts_with("https://") || url.starts_with("http://"))
    }

    /// A picture that holds its own bytes, or none: our pages load nothing from elsewhere.
    pub(super) fn qr_image(&self) -> Option<&str> {
        let image = self.wechat_pay_display_qr_code.as_ref()?.image_data_url.as_deref()?;
        Some(image).filter(|image| image.starts_with("data:image/"))
    }
}

/// What begins a payment with the method itself; nothing for a card, which the payer's browser confirms.
pub(super) fn begin<'a>(new: &NewIntent<'a>) -> Vec<(&'static str, &'a str)> {
    let method = new.method.as_str();
    let begun = [("payment_method_data[type]", method), ("confirm", "true")];
    match new.method {
        PaymentMethod::Card => Vec::new(),
        PaymentMethod::Alipay => [&begun[..], &[("return_url", new.return_url)]].concat(),
        PaymentMethod::WechatPay => {
            [&begun[..], &[("payment_method_options[wechat_pay][client]", "web")]].concat()
        }
    }
}
