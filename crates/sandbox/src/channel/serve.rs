//! Request handling common to all providers: faults, journal, storing of messages, and cut
//! connections.

use std::{sync::Arc, time::Duration};

use axum::{
    body::Bytes,
    extract::{ConnectInfo, State},
    http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri},
    response::{IntoResponse, Response},
};
use percent_encoding::percent_decode_str;

use super::{
    PATH, PROVIDERS, Provider, ProviderError,
    arrivals::{Arrival, Content},
    call::{Call, Reply},
    receipts, telegram,
};
use crate::{
    Shared,
    identity::now,
    journal::{Effect, Entry},
    net::Fuse,
    portal::http::pairs,
    world::{
        World,
        clock::wall,
        faults::{FaultKind, FaultTarget, Struck},
    },
};

/// Way in which the connection ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ConnectionEnd {
    Answered,
    /// The connection is reset after a part of the response.
    Cut {
        half: u8,
    },
}

/// Result of a request to a provider.
struct CallResult {
    reply: Reply,
    taken: Option<u64>,
    end: ConnectionEnd,
    slow: Duration,
}

pub(super) async fn receive(
    State(shared): State<Arc<Shared>>,
    ConnectInfo(fuse): ConnectInfo<Fuse>,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let below = uri.path().strip_prefix(PATH).unwrap_or_default().trim_start_matches('/');
    let mut path: Vec<String> =
        below.split('/').map(|part| percent_decode_str(part).decode_utf8_lossy().into_owned()).collect();
    let name = path.remove(0);
    let Some(provider) = PROVIDERS.iter().find(|provider| provider.name == name) else {
        return Reply::nowhere().into_response();
    };
    let host = headers.get("host").and_then(|host| host.to_str().ok()).unwrap_or_default();
    let call = Call {
        path,
        query: pairs(uri.query().unwrap_or_default()),
        json: serde_json::from_slice(&body).unwrap_or_default(),
        origin: format!("http://{host}"),
        now: now(&shared),
        seed: shared.seed,
        headers: &headers,
        body: &body,
    };
    let done = shared.step(|world| {
        let done = handle(world, provider, &call);
        tracing::debug!(provider = provider.name, taken = done.taken, "received a notification");
        done
    });
    tokio::time::sleep(done.slow).await;
    match done.end {
        ConnectionEnd::Answered => {}
        ConnectionEnd::Cut { half: 0 } => fuse.burn_after(0),
        ConnectionEnd::Cut { .. } => {
            fuse.burn_after(i64::try_from(done.reply.body.len() / 2).unwrap_or(0).max(1))
        }
    }
    done.reply.into_response()
}

fn handle(world: &mut World, provider: &Provider, call: &Call<'_>) -> CallResult {
    let kind = format!("channel_{}", provider.name);
    let read = (provider.read)(call);
    let target = read.as_ref().map(|content| content.target.clone()).ok();
    let struck = world.strike(&FaultTarget { kind: &kind, account: target.as_deref(), schedule: None });
    let end = if struck.has(&FaultKind::Reset) || struck.has(&FaultKind::CutAfterApply) {
        ConnectionEnd::Cut { half: 0 }
    } else if struck.has(&FaultKind::HalfAnswer) {
        ConnectionEnd::Cut { half: 1 }
    } else {
        ConnectionEnd::Answered
    };
    let refused = refusal(provider, &struck, target.as_deref()).or_else(|| {
        turned_away(world, provider.name, target.as_deref()?)
            .then(|| (provider.refuse)(ProviderError::Blocked))
    });
    let outcome = match (refused, read) {
        (Some(reply), _) => Err(reply),
        (None, read) => read,
    };
    let (reply, taken) = match outcome {
        Ok(content) => {
            let repeats = receipts::repeats(provider.name, &content);
            let report = content.clone();
            let id = world.channels.store(arrival(world, provider, content, end));
            world.channels.texting.report(provider.name, id, &report, call.now);
            let reply = (provider.taken)(id);
            (if repeats { receipts::with_receipt(reply, id) } else { reply }, Some(id))
        }
        Err(reply) => (reply, None),
    };
    let slow = struck.find(|fault| if let FaultKind::Slow { millis } = fault { Some(*millis) } else { None });
    world.journal.write(Entry {
        seq: 0,
        world_time: world.now,
        wall_time: Some(wall()),
        kind,
        account: target,
        portal_schedule_id: None,
        method: "POST".to_owned(),
        path: format!("{PATH}/{}", provider.name),
        status: if end == ConnectionEnd::Answered { reply.status } else { 0 },
        effect: taken.map_or(Effect::None, |id| Effect::Notified { id }),
        asc: None,
        faults: struck.names(),
        empty_because: Vec::new(),
        retry_after: None,
        latency_ms: slow.unwrap_or(0),
    });
    CallResult { reply, taken, end, slow: Duration::from_millis(slow.unwrap_or(0)) }
}

/// Returns `true` if the receiver has blocked the product.
fn turned_away(world: &World, provider: &str, target: &str) -> bool {
    match provider {
        "telegram" => world.channels.chats.is_blocked(target),
        "wxpusher" => world.channels.followers.has_left(target),
        "twilio" => world.channels.texting.has_stopped(target),
        _ => false,
    }
}

fn arrival(world: &World, provider: &Provider, content: Content, end: ConnectionEnd) -> Arrival {
    Arrival {
        id: 0,
        world_time: world.now,
        wall_time: wall(),
        provider: provider.name.to_owned(),
        content,
        acknowledged: end == ConnectionEnd::Answered,
    }
}

/// Returns the response of the active fault, if there is one.
fn refusal(provider: &Provider, struck: &Struck, target: Option<&str>) -> Option<Reply> {
    struck.find(|fault| match fault {
        FaultKind::RefusedInBody => Some((provider.refuse)(ProviderError::Error)),
        FaultKind::TooManyRequests { retry_after } => {
            Some((provider.refuse)(ProviderError::Limited(retry_after.unwrap_or(30))))
        }
        FaultKind::TargetGone => Some((provider.refuse)(ProviderError::Gone)),
        FaultKind::SenderBlocked => Some((provider.refuse)(ProviderError::Blocked)),
        FaultKind::ChatMigrated { to } if target != Some(&to.to_string()) => Some(telegram::migrated(*to)),
        FaultKind::BadGateway => Some(Reply::text(502, "<html>Bad Gateway</html>")),
        FaultKind::ForeignHtml => Some(Reply::text(200, "<html>Welcome to our hotel</html>")),
        FaultKind::Reset => Some(Reply::text(500, "reset")),
        _ => None,
    })
}

impl IntoResponse for Reply {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = (status, self.body).into_response();
        for (name, value) in self.headers {
            if let Ok(value) = HeaderValue::from_str(&value) {
                response.headers_mut().insert(HeaderName::from_static(name), value);
            }
        }
        response
    }
}
