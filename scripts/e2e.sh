#!/usr/bin/env bash
# The browser tests against a demo of their own, which is stopped afterwards and must end cleanly.
# Arguments go to Playwright. SOONER_BIN names another binary than target/debug/sooner.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
bin="${SOONER_BIN:-target/debug/sooner}"
if [[ -z "${SOONER_BUILT:-}" ]]; then
  scripts/bootstrap.sh test
  scripts/web.sh build
  [[ -n "${SOONER_BIN:-}" ]] || cargo build --locked -p sooner-server --bin sooner
fi
use_node

work="$(mktemp -d)"
log="$root/target/test-logs/demo.log"
mkdir -p "${log%/*}"
demo=""
cleanup() {
  [[ -z "$demo" ]] || stop_gently "$demo" || true
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

NO_COLOR=1 "$bin" demo --port 0 --data "$work/data" --ready "$work/ready.json" >"$log" 2>&1 &
demo=$!
for _ in $(seq 300); do
  [[ -s "$work/ready.json" ]] && break
  kill -0 "$demo" 2>/dev/null || break
  sleep 0.1
done
if [[ ! -s "$work/ready.json" ]]; then
  tail -n 50 "$log" >&2
  die "The demo was not ready within 30 s."
fi

code=0
(cd web && SOONER_READY="$work/ready.json" npm run --silent e2e -- "$@") || code=$?

stopped=0
stop_gently "$demo" || stopped=$?
demo=""
((code == 0)) || echo "What the demo said meanwhile: $log" >&2
((stopped == 0)) || die "The demo ended with $stopped on SIGTERM; 0 was expected (124: it had to be killed)."
exit "$code"
