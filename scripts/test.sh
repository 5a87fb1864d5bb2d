#!/usr/bin/env bash
# Runs every check, fast ones first. Stops at the first failure.
#   scripts/test.sh            all
#   scripts/test.sh --from N   from step N on, to continue after a fix
#   SOONER_DATABASES=both      every story on both databases; otherwise a story that is the same on
#                              both runs on one of them (see below)
# Each step's output goes to target/test-logs/. A failing step prints its last lines. The end of the
# run lists the failures, the time of each step against its budget, and the twenty slowest tests.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
from=1
[[ "${1:-}" != --from ]] || from="$2"
logs=target/test-logs
mkdir -p "$logs"
# Two runs in one checkout would delete each other's logs and rebuild each other's files.
exec 9>"$logs/.lock"
flock -n 9 || die "Another scripts/test.sh runs in this checkout. Wait for its end, or test in a clone."
((from > 1)) || rm -f "$logs"/*.log
begun="$(date +%s)"
number=0 current="" times=() budgets=0 failed=""

# SQLite waits for the disk at every commit, so tests keep their databases in memory if there is
# enough.
memory=""
if [[ -z "${TMPDIR:-}" && -d /dev/shm ]] && (($(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }') > 4 * 1024 * 1024)); then
  memory="$(mktemp -d /dev/shm/sooner-test.XXXXXX)"
  # If root runs this script, PostgreSQL runs as another user.
  chmod 711 "$memory"
  export TMPDIR="$memory"
elif [[ -z "${TMPDIR:-}" ]]; then
  say "Tests keep their databases on disk, which is slower: /dev/shm has less than 4 GiB free."
fi

# Prints the lines of a log that name failures, each once: of Playwright, Vitest, nextest, a panic, a
# compiler.
failures() { # log
  sed -E $'s/\x1b\\[[0-9;]*m//g; s/^ +//; s/( |─)+$//' "$1" |
    grep -E '^([0-9]+\) .* › |FAIL |(TRY [0-9]+ )?(FAIL|TIMEOUT|TMT|ABORT|SIG[A-Z]+) +\[|thread .* panicked at |error(\[E[0-9]+\])?: |.*: error TS[0-9]+)' |
    awk '!seen[$0]++' | head -n 15
}

# Prints the tests that failed and then passed, of nextest, Vitest and ours. Each is a bug of a test
# or of the product, to be fixed (ADR 97).
flakes() {
  sed -E $'s/\x1b\\[[0-9;]*m//g; s/^ +//' "$logs"/[0-9]*.log | grep '^FLAKY ' | sort -u
}

# Prints the twenty slowest tests of nextest and Playwright, in seconds.
slowest() {
  sed -E $'s/\x1b\\[[0-9;]*m//g' "$logs"/[0-9]*.log | sed -nE \
    -e 's/^ +(PASS|FAIL|FLAKY [0-9/]+|LEAK|TIMEOUT|TRY [0-9]+ [A-Z]+) \[ *([0-9.]+)s\] *(\([^)]*\))? *(.*)$/\2 \4/p' \
    -e 's/^ +[✓✘] +[0-9]+ (.*) \(([0-9.]+)s\)$/\2 \1/p' \
    -e 's/^ +[✓✘] +[0-9]+ (.*) \(([0-9.]+)m\)$/\2 60 \1/p' |
    awk '$2 == 60 { $1 *= 60; $2 = "" } { printf "%7.1fs  ", $1; $1 = ""; sub(/^ +/, ""); print }' | sort -rn | head -n 20
}

report() {
  local code=$?
  if [[ -n "$current" ]]; then
    kill -TERM -- "-$current" 2>/dev/null || true
    wait "$current" || true
  fi
  {
    echo
    echo '    took  budget'
    ((${#times[@]} == 0)) || printf '  %5ss  %5ss  %s\n' "${times[@]}"
    printf '  %5ss  %5ss  in all\n' "$(($(date +%s) - begun))" "$budgets"
    echo
    echo 'The slowest tests:'
    slowest || true
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

# Runs one step in its own process group, so that killing it also kills its children. The budget is
# the target time on two idle cores with nothing built. A step that takes longer is not a failure.
step() { # budget in seconds, title, then the command
  local budget="$1" title="$2" log start code=0 took
  shift 2
  number=$((number + 1))
  if ((number < from)); then
    return
  fi
  log="$logs/$(printf '%02d' "$number")-${title//[^a-z0-9]/-}.log"
  printf '%2d  %-34s' "$number" "$title" >&2
  start="$(date +%s)"
  set -m
  "$@" >"$log" 2>&1 </dev/null 9>&- &
  current=$!
  set +m
  wait "$current" || code=$?
  current=""
  took="$(($(date +%s) - start))"
  times+=("$took" "$budget" "$title")
  budgets=$((budgets + budget))
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

# On the forge, which requires every test to pass, each test has a second try. The run reports which
# tests needed it.
[[ -z "${CI:-}" ]] || export NEXTEST_RETRIES=1

# Chooses the database of each story. A story that is the same on both runs on PostgreSQL for every
# fourth commit, otherwise on SQLite, which takes less than half the time. The last letter of its name
# and the commit choose it. Stories about the databases themselves, money, bookings or promises run
# on both.
both='binary(money) | test(/^(acknowledgements|ask_first|card_refunds_and_disputes|cards|charges|edits|export_and_deletion)::/)'
both+=' | test(/^(money|old_databases|one_server|operator|prices|provider_failures)::/)'
both+=' | test(/^(refunds|roles|schedules|standby|submit|task_row|upgrades|wallets)::/)'
letters=(a-d e-m n-r s-z0-9)
commit="$(git rev-parse HEAD 2>/dev/null || echo 0)"
on_postgres="${letters[16#${commit: -1} % 4]}"
# The engine's stories about stored bookings and approvals run on both. The long study of empty lists
# does not depend on the database, and one story is for SQLite only.
engine_both='test(/^(approvals|booking|manual_changes|refused_writes|regressions|stale_state|unanswered_questions)::/)'
engine='package(sooner-engine) & binary(stories) - test(causes_of_empty_lists) - test(/^engine_restarts::/)'
if [[ "${SOONER_DATABASES:-}" == both ]]; then
  rust_tests='all()' engine_on_postgres="$engine"
else
  rust_tests="not (($engine) & test(/[$on_postgres]\$/) - $engine_both) - (package(sooner-server) - ($both))"
  rust_tests+=" | package(sooner-server) - test(/::(sqlite|postgres)::/)"
  rust_tests+=" | package(sooner-server) & (test(/::sqlite::.*[^$on_postgres]\$/) | test(/::postgres::.*[$on_postgres]\$/))"
  engine_on_postgres="($engine) & (test(/[$on_postgres]\$/) | $engine_both)"
fi
tests_on_postgres() {
  # shellcheck disable=SC2016
  scripts/with-postgres.sh bash -c 'SOONER_STAGE_POSTGRES="$SOONER_TEST_POSTGRES" exec cargo nextest run --locked --workspace --no-fail-fast -E "$1"' \
    _ "$engine_on_postgres"
}

# Tests fill many small databases for a short time: vacuum and compiled queries cost more than they
# save.
export SOONER_POSTGRES_SETTINGS="-c autovacuum=off -c jit=off -c checkpoint_timeout=1h"
step 60 'what is needed' scripts/bootstrap.sh test
# The linter compiles, and its warnings are errors. It is set here, because tools are built without
# it. Cargo's `clippy` command sets the same variables.
export RUSTC_WORKSPACE_WRAPPER=clippy-driver CLIPPY_ARGS='-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__'
step 10 'rust format' cargo fmt --all --check
step 60 'web packages and build' scripts/web.sh build
step 60 'web lint' in_web lint
step 10 'web sizes' in_web sizes
step 30 'web types' in_web typecheck
step 90 'web unit tests, both languages' in_web test
# With --tests, so that the binary and the tests are built once, with one set of features. The linter
# is the compiler, so that nothing is compiled only for it.
step 400 'rust build and lint' cargo build --locked --workspace --bins --tests
# Stories in virtual time run on one core each (scripts/one-core.sh).
if command -v taskset >/dev/null && [[ "$(uname -sm)" == "Linux x86_64" ]]; then
  export CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER="$root/scripts/one-core.sh"
fi
step 500 'rust tests' scripts/with-postgres.sh cargo nextest run --locked --workspace --no-fail-fast -E "$rust_tests"
step 60 'rust examples in documents' cargo test --locked --workspace --doc
step 120 'engine stories on PostgreSQL' tests_on_postgres
step 20 'generated files are fresh' scripts/fresh.sh
step 60 'answers as documented' env SOONER_BUILT=1 scripts/contract.sh
step 500 'browser tests' env SOONER_BUILT=1 scripts/e2e.sh
say "All is well."
