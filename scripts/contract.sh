#!/usr/bin/env bash
# Checks the server's responses against its OpenAPI document. A tester generates requests from the
# document and sends them to a local demo as a signed-in user. It compares status, type, headers and
# body of each response with the document.
#   scripts/contract.sh         about 300 cases with a fixed seed, as in `make test`
#   scripts/contract.sh full    SOONER_CASES per operation (200), also the edges of each parameter,
#                               SOONER_SEED
# SOONER_BIN names another binary than target/debug/sooner. The report of a failed run contains a
# command that repeats the request.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
bin="${SOONER_BIN:-target/debug/sooner}"
if [[ -z "${SOONER_BUILT:-}" ]]; then
  scripts/bootstrap.sh test
  [[ -n "${SOONER_BIN:-}" ]] || cargo build --locked -p sooner-server --bin sooner
fi
seed=20261122 cases=5 phases=fuzzing
if [[ "${1:-}" == full ]]; then
  shift
  seed="${SOONER_SEED:-$RANDOM}" cases="${SOONER_CASES:-200}" phases=examples,coverage,fuzzing
  say "SOONER_SEED=$seed replays this."
fi

work="$(mktemp -d)"
demo=""
cleanup() {
  [[ -z "$demo" ]] || stop_gently "$demo" || true
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM
mkdir -p target/test-logs
log=target/test-logs/demo-contract.log
NO_COLOR=1 RUST_LOG="${RUST_LOG:-warn,server=warn}" "$bin" demo --port 0 --data "$work/demo" --ready "$work/ready.json" >"$log" 2>&1 &
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
url="$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["url"])' "$work/ready.json")"

checks=status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance
export SOONER_READY="$work/ready.json" SCHEMATHESIS_HOOKS=hooks PYTHONPATH="$root/scripts/contract" PYTHONDONTWRITEBYTECODE=1
# The event stream never ends, so it has no response to compare. The tester writes its notes into
# the working folder.
tester() {
  cd "$work"
  "$root/.tools/contract/bin/st" run "$url/api/openapi.json" --checks "$checks" --phases "$phases" --max-examples "$cases" \
    --seed "$seed" --generation-database none --no-shrink --continue-on-failure --request-timeout 60 --warnings off \
    --exclude-operation-id stream_events "$@"
}
tester "$@"
