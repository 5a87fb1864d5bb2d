#!/usr/bin/env bash
# Every check there is, in the order in which a mistake is found soonest. Ends at the first that fails.
#   scripts/test.sh            all
#   scripts/test.sh --from N   from step N on, to go on after a repair
# Each step's output goes to target/test-logs/; the last lines of a failing one are shown, and at the very end what failed in it.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
from=1
[[ "${1:-}" != --from ]] || from="$2"
logs=target/test-logs
mkdir -p "$logs"
((from > 1)) || rm -f "$logs"/[0-9]*.log
begun="$(date +%s)"
number=0 current="" times=() failed=""

# SQLite waits for the disk at every commit: tests keep their databases in memory where there is plenty of it.
memory=""
if [[ -z "${TMPDIR:-}" && -d /dev/shm ]] && (($(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }') > 4 * 1024 * 1024)); then
  memory="$(mktemp -d /dev/shm/sooner-test.XXXXXX)"
  # PostgreSQL runs as another user where we are root.
  chmod 711 "$memory"
  export TMPDIR="$memory"
fi

# The lines of a log that name what failed, each once: by Playwright, Vitest, nextest, a panic, a compiler.
failures() { # log
  sed -E $'s/\x1b\\[[0-9;]*m//g; s/^ +//; s/( |─)+$//' "$1" |
    grep -E '^([0-9]+\) .* › |FAIL |(TRY [0-9]+ )?(FAIL|TIMEOUT|TMT|ABORT|SIG[A-Z]+) +\[|thread .* panicked at |error(\[E[0-9]+\])?: |.*: error TS[0-9]+)' |
    awk '!seen[$0]++' | head -n 15
}

# What failed and then passed: nextest's, Vitest's and ours. Each is a fault of a test or of the product, to be mended (ADR 92).
flakes() {
  sed -E $'s/\x1b\\[[0-9;]*m//g; s/^ +//' "$logs"/*.log | grep '^FLAKY ' | sort -u
}

report() {
  local code=$?
  [[ -z "$current" ]] || kill -TERM -- "-$current" 2>/dev/null || true
  {
    echo
    printf '  %6s  %s\n' "${times[@]}"
    printf '  %5ss  in all\n' "$(($(date +%s) - begun))"
    flakes || true
    if [[ -n "$failed" ]]; then
      echo
      failures "$failed" || true
    fi
  } >&2
  [[ -z "$memory" ]] || rm -rf "$memory"
  exit "$code"
}
trap report EXIT
trap 'exit 130' INT TERM

# Runs one step in a process group of its own, so that ending it ends all it started.
step() { # title, then the command
  local title="$1" log start code=0 took
  shift
  number=$((number + 1))
  if ((number < from)); then
    return
  fi
  log="$logs/$(printf '%02d' "$number")-${title//[^a-z0-9]/-}.log"
  printf '%2d  %-34s' "$number" "$title" >&2
  start="$(date +%s)"
  set -m
  "$@" >"$log" 2>&1 </dev/null &
  current=$!
  set +m
  wait "$current" || code=$?
  current=""
  took="$(($(date +%s) - start))"
  times+=("${took}s" "$title")
  if ((code)); then
    printf '\033[31mfailed\033[0m after %ss\n' "$took" >&2
    tail -n 80 "$log" >&2
    echo "The whole of it: $log" >&2
    failed="$log"
    exit 1
  fi
  printf '%ss\n' "$took" >&2
}

in_web() { (use_node && cd web && npm run --silent "$@"); }
supply_chain() { cargo deny --offline check licenses bans sources; }

# A server that lets changes in only if every test passes gives each a second try, and tells which needed it.
[[ -z "${CI:-}" ]] || export NEXTEST_RETRIES=1

step 'what is needed' scripts/bootstrap.sh test
step 'rust format' cargo fmt --all --check
step 'web packages and build' scripts/web.sh build
step 'web lint' in_web lint
step 'web sizes' in_web sizes
step 'web types' in_web typecheck
step 'web unit tests, both languages' in_web test
step 'rust lint' cargo clippy --locked --workspace --all-targets -- -D warnings
# With --tests, so that the binary and the tests are built with one set of features, once.
step 'rust build' cargo build --locked --workspace --bins --tests
step 'rust tests, both databases' scripts/with-postgres.sh cargo nextest run --locked --workspace --no-fail-fast
step 'rust examples in documents' cargo test --locked --workspace --doc
# Without what does not depend on the database: the long study of empty lists, and the week's own harness.
# shellcheck disable=SC2016
step 'engine stories on PostgreSQL' scripts/with-postgres.sh bash -c 'SOONER_STAGE_POSTGRES="$SOONER_TEST_POSTGRES" \
  exec cargo nextest run --locked --workspace --no-fail-fast -E "package(sooner-engine) & binary(stories) - test(why_a_list_was_empty)"'
step 'generated files are fresh' scripts/fresh.sh
step 'answers as documented' env SOONER_BUILT=1 scripts/contract.sh
step 'browser tests' env SOONER_BUILT=1 scripts/e2e.sh
if cargo deny --version >/dev/null 2>&1; then
  step 'licences and sources' supply_chain
fi
say "All is well."
