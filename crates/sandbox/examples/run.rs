//! Runs a sandbox alone for development:
//! `cargo run -p sooner-sandbox --example run -- [scenario] [portal port] [control port]`.

use sandbox::Options;

#[tokio::main]
async fn main() -> Result<(), sandbox::Error> {
    let mut words = std::env::args().skip(1);
    let scenario = words.next().unwrap_or_else(|| "demo".to_owned());
    let mut port = || words.next().and_then(|p| p.parse().ok()).unwrap_or(0);
    let options = Options { scenario, portal_port: port(), control_port: port(), ..Options::default() };
    let sandbox = sandbox::start(options).await?;
    println!("{}", serde_json::to_string_pretty(&sandbox.ready())?);
    let _ = tokio::signal::ctrl_c().await;
    sandbox.shutdown().await
}
