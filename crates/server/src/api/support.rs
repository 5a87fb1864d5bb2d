//! Endpoint `GET /support`.

use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use crate::AppState;
use crate::http::envelope::{Answer, Envelope, ok};

/// Contacts of support; fields that the operator has not configured are null.
#[derive(Serialize, ToSchema)]
pub struct Support {
    wechat_id: Option<String>,
    /// Content of the WeChat QR code.
    wechat_qr: Option<String>,
    /// Address of a picture (PNG) of the WeChat QR code.
    wechat_picture: Option<String>,
    /// Name of the group chat.
    group_name: Option<String>,
    /// Content of the group chat's QR code.
    group_qr: Option<String>,
    /// Address of a picture (PNG) of the group chat's QR code.
    group_picture: Option<String>,
    email: Option<String>,
    xiaohongshu_id: Option<String>,
    /// Content of the Xiaohongshu QR code.
    xiaohongshu_qr: Option<String>,
    /// Address of a picture (PNG) of the Xiaohongshu QR code.
    xiaohongshu_picture: Option<String>,
    hours: String,
}

/// Returns the contacts of support.
#[utoipa::path(get, path = "/support", tag = "meta", responses((status = 200, body = Envelope<Support>)))]
pub async fn get_support(State(app): State<AppState>) -> Answer<Support> {
    let picture = |text: &Option<String>| app.pictures.code(text.as_deref()).map(str::to_owned);
    ok(Support {
        wechat_id: app.settings.support_wechat.clone(),
        wechat_qr: app.settings.support_wechat_qr.clone(),
        wechat_picture: picture(&app.settings.support_wechat_qr),
        group_name: app.settings.support_group.clone(),
        group_qr: app.settings.support_group_qr.clone(),
        group_picture: picture(&app.settings.support_group_qr),
        email: app.settings.support_email.clone(),
        xiaohongshu_id: app.settings.support_xiaohongshu.clone(),
        xiaohongshu_qr: app.settings.support_xiaohongshu_qr.clone(),
        xiaohongshu_picture: picture(&app.settings.support_xiaohongshu_qr),
        hours: app.settings.support_hours.clone(),
    })
}
