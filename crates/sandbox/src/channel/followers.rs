//! WxPusher's scan codes. The operator's app creates a code, a user scans it, and the app polls
//! until then.

use std::{collections::BTreeMap, sync::Arc};

use axum::{
    Json,
    extract::{Form, Path, Query, State},
    http::{StatusCode, header},
    response::{Html, IntoResponse, Redirect, Response},
};
use chrono::{DateTime, TimeDelta, Utc};
use maud::html;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{PATH, WXPUSHER_APP_TOKEN};
use crate::{Shared, control::page::frame, identity::now};

/// Invented users, with UID and name.
pub(super) const PEOPLE: [(&str, &str); 3] =
    [("UID_demoLinZhixia", "林知夏"), ("UID_demoWangJiaqi", "王嘉琪"), ("UID_demoAnn", "Ann Example")];
/// Minimum interval between two polls for the same code. The real provider bans clients that poll
/// more often.
const BETWEEN: TimeDelta = TimeDelta::seconds(10);

/// Codes by their text, and users who no longer follow the app.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Followers {
    codes: BTreeMap<String, Made>,
    left: Vec<String>,
}

/// Created code.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Made {
    extra: String,
    expires: DateTime<Utc>,
    uid: Option<String>,
    asked_at: Option<DateTime<Utc>>,
}

impl Followers {
    pub(super) fn has_left(&self, uid: &str) -> bool {
        self.left.iter().any(|left| left == uid)
    }

    fn make(&mut self, extra: String, expires: DateTime<Utc>) -> String {
        let word = format!("sandbox{:04}", self.codes.len() + 1);
        self.codes.insert(word.clone(), Made { extra, expires, uid: None, asked_at: None });
        word
    }

    /// Returns the user who scanned the code, or the provider's error.
    fn scanned_by(&mut self, code: &str, now: DateTime<Utc>) -> Result<String, (u32, &'static str)> {
        let made = self.codes.get_mut(code).ok_or((1001, "二维码不存在"))?;
        if made.asked_at.replace(now).is_some_and(|before| now - before < BETWEEN) {
            return Err((1009, "轮询时间间隔不能小于10秒"));
        }
        if now >= made.expires {
            return Err((1001, "二维码已过期"));
        }
        made.uid.clone().ok_or((1001, "暂无用户扫描二维码"))
    }
}

fn reply(code: u32, words: &str, data: &Value) -> Response {
    Json(json!({ "code": code, "msg": words, "data": data, "success": code == 1000 })).into_response()
}

/// Request body for a new code.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewCode {
    app_token: String,
    extra: String,
    #[serde(default)]
    valid_time: i64,
}

/// Handles the creation of a code.
pub(super) async fn make(State(shared): State<Arc<Shared>>, Json(wanted): Json<NewCode>) -> Response {
    if wanted.app_token != WXPUSHER_APP_TOKEN {
        return reply(1001, "appToken 不正确", &Value::Null);
    }
    if wanted.extra.is_empty() || wanted.extra.len() > 64 {
        return reply(1001, "extra 长度错误", &Value::Null);
    }
    let seconds = if wanted.valid_time > 0 { wanted.valid_time } else { 1800 };
    let expires = now(&shared) + TimeDelta::seconds(seconds.min(2_592_000));
    let word = shared.step(|world| world.channels.followers.make(wanted.extra, expires));
    let base = shared.urls.get().map(|urls| urls.channels_url.clone()).unwrap_or_default();
    let data = json!({
        "expires": expires.timestamp_millis(),
        "code": word,
        "shortUrl": format!("{base}/wxpusher/scan/{word}"),
        "url": format!("{base}/wxpusher/qrcode/{word}.svg"),
    });
    reply(1000, "处理成功", &data)
}

/// Query parameters that identify a code.
#[derive(Deserialize)]
pub(super) struct Which {
    code: String,
}

/// Handles a poll: returns the user who scanned a code.
pub(super) async fn scanned(State(shared): State<Arc<Shared>>, Query(which): Query<Which>) -> Response {
    let at = now(&shared);
    match shared.step(|world| world.channels.followers.scanned_by(&which.code, at)) {
        Ok(uid) => reply(1000, "处理成功", &json!(uid)),
        Err((code, words)) => reply(code, words, &Value::Null),
    }
}

/// Returns the picture of a code. The picture links to the page on which a tester scans the code.
pub(super) async fn picture(State(shared): State<Arc<Shared>>, Path(file): Path<String>) -> Response {
    let word = file.trim_end_matches(".svg");
    let base = shared.urls.get().map(|urls| urls.channels_url.clone()).unwrap_or_default();
    let known = shared.step(|world| world.channels.followers.codes.contains_key(word));
    let code = qrcode::QrCode::new(format!("{base}/wxpusher/scan/{word}")).ok().filter(|_| known);
    match code {
        Some(code) => {
            let svg = code.render::<qrcode::render::svg::Color<'_>>().min_dimensions(220, 220).build();
            ([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Form with the user who scans.
#[derive(Deserialize)]
pub(super) struct Scan {
    uid: String,
}

/// Shows the page on which a tester scans a code instead of using a phone.
pub(super) async fn show(State(shared): State<Arc<Shared>>, Path(word): Path<String>) -> Response {
    let made = shared.step(|world| world.channels.followers.codes.get(&word).cloned());
    let Some(made) = made else {
        return (StatusCode::NOT_FOUND, Html(frame("WxPusher", html! { h1 { "No such code" } })))
            .into_response();
    };
    let by = made.uid.as_deref().and_then(|uid| PEOPLE.into_iter().find(|(known, _)| *known == uid));
    let content = html! {
        h1 { "WxPusher" }
        p class="quiet" { "Stands in for a phone that scans the code with WeChat and follows the app. Choose whose it is." }
        @if let Some((_, name)) = by { p class="on" role="status" { "Scanned by " (name) ". The site asks every ten seconds." } }
        @for (uid, name) in PEOPLE {
            section {
                h2 { (name) }
                form method="post" { input type="hidden" name="uid" value=(uid); button { "Scan" } }
            }
        }
    };
    Html(frame("WxPusher", content)).into_response()
}

/// Scans a code on behalf of a user, who then follows the app.
pub(super) async fn scan(
    State(shared): State<Arc<Shared>>,
    Path(word): Path<String>,
    Form(by): Form<Scan>,
) -> Response {
    let at = now(&shared);
    let done = shared.step(|world| {
        let followers = &mut world.channels.followers;
        let person = PEOPLE.into_iter().find(|(uid, _)| *uid == by.uid);
        let made = followers.codes.get_mut(&word).filter(|made| at < made.expires);
        let (Some((uid, _)), Some(made)) = (person, made) else { return false };
        made.uid = Some(uid.to_owned());
        followers.left.retain(|left| left != uid);
        true
    });
    if done {
        Redirect::to(&format!("{PATH}/wxpusher/scan/{word}")).into_response()
    } else {
        (StatusCode::GONE, Html(frame("WxPusher", html! { h1 { "This code has expired" } }))).into_response()
    }
}

/// Ends a user's subscription to the app.
pub(super) async fn unfollow(State(shared): State<Arc<Shared>>, Form(by): Form<Scan>) -> Response {
    shared.step(|world| world.channels.followers.left.push(by.uid));
    Redirect::to(PATH).into_response()
}
