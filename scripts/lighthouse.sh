#!/usr/bin/env bash
# Runs Lighthouse (mobile, simulated slow 4G) on the open pages in both languages, against its own
# demo. Prints the four scores, LCP, TBT, CLS, and the transferred bytes. SOONER_BIN names another
# binary; release figures need `make build`.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
bin="${SOONER_BIN:-target/release/sooner}"
[[ -x "$bin" ]] || die "Build it first: make build (or SOONER_BIN=target/debug/sooner)"
use_node
work="$(mktemp -d)"
demo=""
trap '[[ -z "$demo" ]] || stop_gently "$demo" || true; rm -rf "$work"' EXIT
NO_COLOR=1 "$bin" demo --port 0 --data "$work/data" --ready "$work/ready.json" >"$work/demo.log" 2>&1 &
demo=$!
for _ in $(seq 300); do
  [[ -s "$work/ready.json" ]] && break
  sleep 0.1
done
url="$(node -p "JSON.parse(require('fs').readFileSync('$work/ready.json')).url")"
export CHROME_PATH="${SOONER_CHROMIUM:-/usr/bin/chromium}"
flags="--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
for page in "/?lang=zh" "/?lang=en" "/faq?lang=zh" "/faq?lang=en"; do
  npx --yes lighthouse@13 "$url$page" --quiet --output=json --output-path="$work/report.json" --chrome-flags="$flags" \
    --only-categories=performance,accessibility,best-practices,seo >/dev/null 2>"$work/err" || { tail -5 "$work/err" >&2; exit 1; }
  node -e '
    const report = JSON.parse(require("fs").readFileSync(process.argv[1]));
    const score = (name) => Math.round((report.categories[name].score ?? 0) * 100);
    const ms = (name) => Math.round(report.audits[name].numericValue);
    const bytes = report.audits["network-requests"].details.items.reduce((sum, item) => sum + item.transferSize, 0);
    const failed = Object.values(report.audits).filter((audit) => audit.score !== null && audit.score < 0.9 && audit.scoreDisplayMode === "binary").map((audit) => audit.id);
    console.log(process.argv[2].padEnd(14), "performance", score("performance"), "accessibility", score("accessibility"),
      "best practices", score("best-practices"), "SEO", score("seo"), " LCP", ms("largest-contentful-paint"), "ms  FCP", ms("first-contentful-paint"),
      "ms  TBT", ms("total-blocking-time"), "ms  CLS", report.audits["cumulative-layout-shift"].numericValue.toFixed(3),
      " bytes", bytes, failed.length ? "failed: " + failed.join(", ") : "");
  ' "$work/report.json" "$page"
done
