//! Next step of a payer who pays without a card: visit the provider's page or scan a code.

use domain::card::PaymentMethod;
use serde::Deserialize;

use super::NewIntent;

/// The field `next_action` of a started payment.
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
    /// Returns the URL of the page. Returns `None` unless it is an http(s) URL, because the payer's
    /// browser is redirected to it.
    pub(super) fn redirect_url(&self) -> Option<&str> {
        let redirect = self.alipay_handle_redirect.as_ref().or(self.redirect_to_url.as_ref())?;
        redirect.url.as_deref().filter(|url| url.starts_with("https://") || url.starts_with("http://"))
    }

    /// Returns the picture of the code as a `data:` URL. Returns `None` for other URLs, because the
    /// site's pages load nothing from other hosts.
    pub(super) fn qr_image(&self) -> Option<&str> {
        let image = self.wechat_pay_display_qr_code.as_ref()?.image_data_url.as_deref()?;
        Some(image).filter(|image| image.starts_with("data:image/"))
    }
}

/// Returns the form fields that start a payment with its method. Returns no fields for a card,
/// because the payer's browser confirms card payments.
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
