//! Description of a client that its owner can recognize: labels derived from the User-Agent header,
//! and the network of its address.

use std::convert::Infallible;
use std::net::IpAddr;

use axum::extract::FromRequestParts;
use axum::http::header;
use axum::http::request::Parts;
use store::session::Client;

use crate::AppState;
use crate::http::extract::ClientIp;

/// Client of a request, in the form that is stored and shown.
#[derive(Clone, Debug)]
pub struct RequestClient(pub Client);

impl FromRequestParts<AppState> for RequestClient {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, Infallible> {
        let unknown = IpAddr::from([0, 0, 0, 0]);
        let address = ClientIp::from_request_parts(parts, app).await.map_or(unknown, |ClientIp(ip)| ip);
        let agent = parts.headers.get(header::USER_AGENT).and_then(|v| v.to_str().ok()).unwrap_or_default();
        Ok(Self(client(agent, address)))
    }
}

/// Describes a client by fixed labels, so that no text from a client is ever shown.
fn client(agent: &str, address: IpAddr) -> Client {
    let agent = agent.to_ascii_lowercase();
    let first = |words: &[(&str, &'static str)]| {
        words.iter().find(|(sign, _)| agent.contains(sign)).map_or("", |(_, word)| *word)
    };
    let os = first(&SYSTEMS);
    Client {
        browser: first(&BROWSERS).to_owned(),
        os: os.to_owned(),
        kind: kind(&agent, os),
        network: network(address),
    }
}

/// Labels in order of precedence. Most browsers also contain the names of browsers further down.
const BROWSERS: [(&str, &str); 16] = [
    ("micromessenger/", "WeChat"),
    ("edg/", "Edge"),
    ("edga/", "Edge"),
    ("edgios/", "Edge"),
    ("opr/", "Opera"),
    ("opera", "Opera"),
    ("samsungbrowser/", "Samsung Internet"),
    ("vivaldi/", "Vivaldi"),
    ("ucbrowser/", "UC Browser"),
    ("qqbrowser/", "QQ Browser"),
    ("firefox/", "Firefox"),
    ("fxios/", "Firefox"),
    ("crios/", "Chrome"),
    ("chrome/", "Chrome"),
    ("chromium/", "Chromium"),
    ("safari/", "Safari"),
];

const SYSTEMS: [(&str, &str); 8] = [
    ("harmonyos", "HarmonyOS"),
    ("android", "Android"),
    ("iphone", "iOS"),
    ("ipad", "iPadOS"),
    ("windows", "Windows"),
    ("cros ", "ChromeOS"),
    ("mac os x", "macOS"),
    ("linux", "Linux"),
];

fn kind(agent: &str, os: &str) -> &'static str {
    match os {
        "iPadOS" => "tablet",
        "iOS" => "phone",
        // Tablets omit the word "mobile".
        "Android" | "HarmonyOS" => {
            if agent.contains("mobile") {
                "phone"
            } else {
                "tablet"
            }
        }
        "" => "other",
        _ => "computer",
    }
}

/// Returns the network of an address: a /24, or a /48 of IPv6.
fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(v4) => {
            let [a, b, c, _] = v4.octets();
            format!("{a}.{b}.{c}.x")
        }
        IpAddr::V6(v6) => {
            let s = v6.segments();
            format!("{:x}:{:x}:{:x}::x", s[0], s[1], s[2])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::client;
    use std::net::IpAddr;

    #[test]
    fn user_agents_get_the_usual_names_of_browser_and_os() {
        let here: IpAddr = "203.0.113.77".parse().unwrap();
        let cases = [
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
                ("Firefox", "Linux", "computer"),
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0",
                ("Edge", "Windows", "computer"),
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
                ("Safari", "iOS", "phone"),
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.60(0x18003c2f) NetType/WIFI Language/zh_CN",
                ("WeChat", "iOS", "phone"),
            ),
            (
                "Mozilla/5.0 (Linux; Android 16; Pixel 10) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36",
                ("Chrome", "Android", "phone"),
            ),
            (
                "Mozilla/5.0 (Linux; Android 15; SM-X910) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
                ("Chrome", "Android", "tablet"),
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15",
                ("Safari", "macOS", "computer"),
            ),
            ("<script>alert(1)</script>", ("", "", "other")),
            ("", ("", "", "other")),
        ];
        for (agent, expected) in cases {
            let seen = client(agent, here);
            assert_eq!((seen.browser.as_str(), seen.os.as_str(), seen.kind), expected, "{agent}");
        }
    }

    #[test]
    fn only_the_network_of_an_address_is_stored() {
        let network = |text: &str| client("", text.parse().unwrap()).network;
        assert_eq!(network("203.0.113.77"), "203.0.113.x");
        assert_eq!(network("::ffff:203.0.113.77"), "203.0.113.x");
        assert_eq!(network("2001:db8:1:2:3:4:5:6"), "2001:db8:1::x");
    }
}
