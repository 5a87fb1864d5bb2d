#!/usr/bin/env bash
# Runs the browser tests, each scene against its own demo. The demo is stopped afterwards and must
# end cleanly. Arguments go to Playwright. SOONER_BIN names another binary than target/debug/sooner.
#   scripts/e2e.sh --tool screens    pictures of every screen to docs/screens; SOONER_SCREENS=all
#                                    SOONER_SCREENS_DIR=DIR: every language, width and scheme, in DIR
#   scripts/e2e.sh --tool film       film of the landing page with chapters and captions
#                                    (SOONER_FILM=zh-wide, zh-phone, en-wide or en-phone)
#   scripts/e2e.sh --tool booking    gallery pictures of a booking (SOONER_FILM=zh or en; 8 times
#                                    the speed without SOONER_SPEED)
#   scripts/e2e.sh --tool gallery    other gallery pictures, in both languages (SOONER_SPEED=900:
#                                    days of history in minutes)
#   scripts/e2e.sh --tool icons      icons of phones and shared links
#   scripts/e2e.sh --tool install    screenshots that a browser shows before the app is installed
#   scripts/e2e.sh --tool weight     bytes of script that a browser loads, on open pages before and
#                                    after a touch, and in the app
#   scripts/e2e.sh --tool throttled  largest content, blocked time, script and first use on a slow
#                                    connection and processor (SOONER_ROUNDS)
#   scripts/e2e.sh --tool measure    response to presses, time from a slot to the card, scrolling
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
logs="$root/target/test-logs"
mkdir -p "$logs"
demo="" groups=()
cleanup() {
  local group
  for group in "${groups[@]}"; do
    kill -TERM -- "-$group" 2>/dev/null || true
  done
  [[ -z "$demo" ]] || stop_gently "$demo" || true
  wait
  rm -rf "$work"
}
trap cleanup EXIT
trap 'exit 130' INT TERM

# With CI set, a failed scene is repeated once from its beginning, and that is reported (ADR 97).
scene() { # name, then Playwright's arguments
  if [[ -z "${CI:-}" ]]; then
    play "$@"
  elif ! (work="$(mktemp -d)" && trap cleanup EXIT && play "$@"); then
    say "Scene $1 failed and is played once more; what there is of it: target/test-logs/demo-$1.first.log, web/test-results/$1.first"
    mv "$logs/demo-$1.log" "$logs/demo-$1.first.log"
    rm -rf "web/test-results/$1.first" && mv "web/test-results/$1" "web/test-results/$1.first" || true
    play "$@"
    say "FLAKY scene $1 passed at its second try only."
  fi
}

# Runs one scene with its own demo. A portal login has one budget of sign-ins and one appointment.
play() { # name, then Playwright's arguments
  local name="$1" log="$logs/demo-$1.log" ready="$work/$1.json" code=0 stopped=0
  local countries="${SOONER_COUNTRIES:-ca}" world=demo named=()
  shift
  # Only this world has countries with fingerprint appointments.
  [[ "${1:-}" != fingerprints ]] || countries=ca,mx,br world=fingerprints
  # Browsers offer no passkeys at an IP address.
  [[ "${1:-}" != passkeys ]] || named=(--name localhost)
  NO_COLOR=1 SOONER_COUNTRIES="$countries" "$bin" demo --port 0 --speed "${SOONER_SPEED:-1}" --scenario "$world" \
    "${named[@]}" --data "$work/$name" --ready "$ready" >"$log" 2>&1 &
  demo=$!
  for _ in $(seq 300); do
    [[ -s "$ready" ]] && break
    kill -0 "$demo" 2>/dev/null || break
    sleep 0.1
  done
  if [[ ! -s "$ready" ]]; then
    tail -n 50 "$log" >&2
    die "The demo was not ready within 30 s."
  fi
  (cd web && SOONER_READY="$ready" npm run --silent e2e -- --output "test-results/$name" "$@") || code=$?
  stop_gently "$demo" || stopped=$?
  demo=""
  ((code == 0)) || die "What the demo said meanwhile: $log"
  ((stopped == 0)) || die "The demo ended with $stopped on SIGTERM; 0 was expected (124: it had to be killed)."
}

# Runs all scenes, two at a time (SOONER_SCENES_AT_ONCE), the longest first. A failure does not stop
# the others.
all_scenes() {
  local scenes=(
    'accounts accounts early keyboard list'
    'a11y a11y alive rules status'
    'channels channels dialogs'
    'fingerprints fingerprints'
    'taps taps ask'
    'zh path -g zh,'
    'en path -g en,'
    'offline offline'
    'push push'
    'passkeys passkeys'
  ) scene running=0 failed=0
  for scene in "${scenes[@]}"; do
    if ((running == ${SOONER_SCENES_AT_ONCE:-2})); then
      wait -n || failed=1
      running=$((running - 1))
    fi
    # Its own process group, so that killing it also kills its children.
    set -m
    # shellcheck disable=SC2086
    beside_others $scene </dev/null &
    set +m
    groups+=("$!")
    running=$((running + 1))
  done
  for (( ; running; running--)); do
    wait -n || failed=1
  done
  groups=()
  ((failed == 0)) || die "A scene failed; see above."
}

# Runs a scene and prints its output at its end.
beside_others() { # name, then Playwright's arguments
  local begun name="$1" printed="$logs/scene-$1.log"
  begun="$(date +%s)" groups=() work="$(mktemp -d)"
  exec 3>&2 >"$printed" 2>&1
  trap 'cleanup; { say "Scene $name: $(($(date +%s) - begun)) s"; cat "$printed"; } >&3 2>&3' EXIT
  trap 'exit 130' INT TERM
  scene "$@"
}

if [[ "${1:-}" == --tool ]]; then
  # At normal speed the booking takes longer than the tool waits.
  [[ "$2" != booking ]] || : "${SOONER_SPEED:=8}"
  scene "$2" -c e2e/tools/tools.config.ts "${@:2}"
elif (($#)); then
  scene chosen "$@"
else
  all_scenes
fi
