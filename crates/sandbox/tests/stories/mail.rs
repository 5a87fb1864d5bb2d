use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::TcpStream,
};

use crate::client::{fault, quiet};

struct Talk(BufReader<TcpStream>);

impl Talk {
    async fn hear(&mut self) -> String {
        let mut line = String::new();
        loop {
            line.clear();
            self.0.read_line(&mut line).await.unwrap();
            if line.as_bytes().get(3) != Some(&b'-') {
                return line;
            }
        }
    }

    async fn say(&mut self, words: &str) -> String {
        self.0.write_all(words.as_bytes()).await.unwrap();
        self.hear().await
    }

    async fn deliver(&mut self, body: &str) -> String {
        assert!(self.say("MAIL FROM:<sooner@example.com> SIZE=900\r\n").await.starts_with("250"));
        assert!(self.say("RCPT TO:<ann@example.com>\r\n").await.starts_with("250"));
        assert!(self.say("DATA\r\n").await.starts_with("354"));
        self.say(body).await
    }
}

async fn connect(address: &str) -> Talk {
    let mut talk = Talk(BufReader::new(TcpStream::connect(address).await.unwrap()));
    talk.hear().await;
    talk
}

const MAIL: &str = "From: Sooner <sooner@example.com>\r\nTo: ann@example.com\r\nSubject: =?utf-8?B?5om+5Yiw5LqG?=\r\n\
MIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\
Hello\r\n..a line with a dot\r\nhttp://127.0.0.1:1/auth/verify-email?token=abc\r\n--b\r\nContent-Type: text/html; charset=utf-8\r\n\r\n\
<p>Hello <a href=\"http://127.0.0.1:1/x?a=1&amp;b=2\">there</a></p>\r\n--b--\r\n.\r\n";

#[tokio::test]
async fn a_sent_mail_is_in_the_inbox() {
    let (sandbox, _) = quiet("empty").await;
    let mut talk = connect(&sandbox.smtp_addr()).await;
    assert!(talk.say("EHLO here\r\n").await.starts_with("250"));
    assert!(talk.say("AUTH PLAIN AGEAYg==\r\n").await.starts_with("235"));
    assert!(talk.deliver(MAIL).await.starts_with("250"));
    assert!(talk.say("QUIT\r\n").await.starts_with("221"));
    let base = sandbox.control_url();
    let list: Value = serde_json::from_str(&get(&format!("{base}/inbox.json")).await).unwrap();
    let mail = &list[0];
    assert_eq!((&mail["subject"], &mail["envelope_to"]), (&json!("找到了"), &json!(["ann@example.com"])));
    assert!(mail["text"].as_str().unwrap().contains("\n.a line with a dot"));
    assert_eq!(
        mail["links"],
        json!(["http://127.0.0.1:1/auth/verify-email?token=abc", "http://127.0.0.1:1/x?a=1&b=2"])
    );
    let id = mail["id"].as_u64().unwrap();
    assert!(get(&format!("{base}/inbox/{id}.html")).await.contains("<p>Hello <a"));
    assert!(get(&format!("{base}/inbox/{id}")).await.contains("<iframe"));
    assert!(get(&format!("{base}/inbox")).await.contains("找到了"));
}

#[tokio::test]
async fn the_mail_server_can_be_down_or_busy() {
    let (sandbox, _) = quiet("empty").await;
    fault(&sandbox, json!({"fault": "smtp_temporary", "times": 1}));
    let mut talk = connect(&sandbox.smtp_addr()).await;
    assert!(talk.deliver(MAIL).await.starts_with("451"));
    assert!(talk.deliver(MAIL).await.starts_with("250"));
    assert_eq!(sandbox.mails().len(), 1);
    fault(&sandbox, json!({"fault": "smtp_down", "times": 1}));
    let mut talk = Talk(BufReader::new(TcpStream::connect(sandbox.smtp_addr()).await.unwrap()));
    assert!(talk.hear().await.starts_with("421"));
}

async fn get(url: &str) -> String {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let answer = http.get(url).send().await.unwrap();
    assert_eq!(answer.status(), 200);
    answer.text().await.unwrap()
}
