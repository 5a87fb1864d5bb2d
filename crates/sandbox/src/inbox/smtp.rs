//! Small SMTP server, sufficient for any mail client. It stores every mail.

use std::{io, sync::Arc};

use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    sync::watch,
};

use crate::{
    Shared,
    world::faults::{FaultKind, FaultTarget},
};

const LARGEST_MAIL: usize = 10 * 1024 * 1024;
const LONGEST_LINE: u64 = 64 * 1024;

#[derive(Default)]
struct Envelope {
    from: Option<String>,
    to: Vec<String>,
}

enum Next {
    Say(&'static str),
    Data,
    AuthLines(u8),
    Quit,
}

pub(crate) async fn serve(listener: TcpListener, shared: Arc<Shared>, stop: watch::Receiver<bool>) {
    let mut end = std::pin::pin!(crate::stopped(stop));
    loop {
        let accepted = tokio::select! {
            () = &mut end => return,
            accepted = listener.accept() => accepted,
        };
        let Ok((stream, _)) = accepted else { continue };
        let shared = shared.clone();
        tokio::spawn(async move {
            if let Err(error) = talk(stream, &shared).await {
                tracing::debug!(%error, "mail connection ended early");
            }
        });
    }
}

fn strikes(shared: &Shared, kind: &FaultKind) -> bool {
    let mut world = shared.world();
    // Check the list of faults first, because `strike` counts each use of a fault and draws a
    // random number.
    world.faults.iter().any(|f| f.kind == *kind)
        && world.strike(&FaultTarget { kind: "smtp", account: None, schedule: None }).has(kind)
}

async fn talk(stream: TcpStream, shared: &Shared) -> io::Result<()> {
    let mut io = BufReader::new(stream);
    if strikes(shared, &FaultKind::SmtpDown) {
        return io.write_all(b"421 4.3.2 Service not available\r\n").await;
    }
    io.write_all(b"220 sandbox ESMTP\r\n").await?;
    let mut envelope = Envelope::default();
    while let Some(line) = line(&mut io).await? {
        match command(&line, &mut envelope) {
            Next::Say(words) => io.write_all(words.as_bytes()).await?,
            Next::Quit => return io.write_all(b"221 2.0.0 Bye\r\n").await,
            Next::AuthLines(lines) => {
                for _ in 0..lines {
                    io.write_all(b"334 \r\n").await?;
                    if self::line(&mut io).await?.is_none() {
                        return Ok(());
                    }
                }
                io.write_all(b"235 2.7.0 Accepted\r\n").await?;
            }
            Next::Data => {
                let answer = data(&mut io, shared, &mut envelope).await?;
                io.write_all(answer.as_bytes()).await?;
            }
        }
    }
    Ok(())
}

async fn line(io: &mut BufReader<TcpStream>) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let read = (&mut *io).take(LONGEST_LINE).read_until(b'\n', &mut bytes).await?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_owned()))
}

fn command(line: &str, envelope: &mut Envelope) -> Next {
    let verb = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
    match verb.as_str() {
        "EHLO" => Next::Say(
            "250-sandbox\r\n250-SIZE 10485760\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250-PIPELINING\r\n250 AUTH PLAIN LOGIN\r\n",
        ),
        "HELO" => Next::Say("250 sandbox\r\n"),
        "AUTH" => {
            let words: Vec<&str> = line.split_whitespace().collect();
            match (words.get(1).map(|w| w.to_ascii_uppercase()).as_deref(), words.len()) {
                (Some("PLAIN"), 2) => Next::AuthLines(1),
                (Some("LOGIN"), 2) => Next::AuthLines(2),
                (Some("LOGIN"), _) => Next::AuthLines(1),
                (Some("PLAIN"), _) => Next::AuthLines(0),
                _ => Next::Say("504 5.5.4 Unknown mechanism\r\n"),
            }
        }
        "MAIL" => match announced_size(line) {
            Some(size) if size > LARGEST_MAIL => Next::Say("552 5.3.4 Too big\r\n"),
            _ => {
                envelope.from = Some(address(line));
                envelope.to.clear();
                Next::Say("250 2.1.0 Ok\r\n")
            }
        },
        "RCPT" if envelope.from.is_some() => {
            envelope.to.push(address(line));
            Next::Say("250 2.1.5 Ok\r\n")
        }
        "DATA" if !envelope.to.is_empty() => Next::Data,
        "RCPT" | "DATA" => Next::Say("503 5.5.1 Out of order\r\n"),
        "RSET" => {
            *envelope = Envelope::default();
            Next::Say("250 2.0.0 Ok\r\n")
        }
        "NOOP" | "VRFY" => Next::Say("250 2.0.0 Ok\r\n"),
        "QUIT" => Next::Quit,
        _ => Next::Say("500 5.5.2 Unknown command\r\n"),
    }
}

fn address(line: &str) -> String {
    let inner = line.split_once('<').and_then(|(_, rest)| rest.split_once('>')).map(|(a, _)| a);
    inner.or_else(|| line.split_once(':').map(|(_, a)| a)).unwrap_or_default().trim().to_owned()
}

fn announced_size(line: &str) -> Option<usize> {
    line.split_whitespace()
        .find_map(|w| w.to_ascii_uppercase().strip_prefix("SIZE=").map(str::to_owned))?
        .parse()
        .ok()
}

async fn data(
    io: &mut BufReader<TcpStream>,
    shared: &Shared,
    envelope: &mut Envelope,
) -> io::Result<&'static str> {
    io.write_all(b"354 End data with <CR><LF>.<CR><LF>\r\n").await?;
    let (mut raw, mut too_big) = (Vec::new(), false);
    loop {
        let mut line = Vec::new();
        if (&mut *io).take(LONGEST_LINE).read_until(b'\n', &mut line).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if line == b".\r\n" || line == b".\n" {
            break;
        }
        // SMTP clients double a leading dot. Remove the additional one.
        let content = if line.starts_with(b".") { &line[1..] } else { &line[..] };
        too_big |= raw.len() + content.len() > LARGEST_MAIL;
        if !too_big {
            raw.extend_from_slice(content);
        }
    }
    let envelope = std::mem::take(envelope);
    if too_big {
        return Ok("552 5.3.4 Too big\r\n");
    }
    if strikes(shared, &FaultKind::SmtpTemporary) {
        return Ok("451 4.3.0 Try again later\r\n");
    }
    let now = shared.clock.now();
    shared.inbox().receive(now, envelope.from.unwrap_or_default(), envelope.to, &raw);
    shared.touch();
    Ok("250 2.0.0 Kept\r\n")
}
