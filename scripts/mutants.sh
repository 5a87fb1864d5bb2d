#!/usr/bin/env bash
# Checks that the tests detect the bugs of mutants/. Applies each to a copy of the tree, and runs the
# tests that must then fail.
#   scripts/mutants.sh                  all of them, each with the first of its tests
#   scripts/mutants.sh NAME...          only these, each with all of its tests
# A mutant is a patch. Its first lines describe the bug. `caught-by:` names package, test binary and
# test. `with:` sets the size; a range of seeds (1..6) is tried until one detects the bug. The test
# must pass without the bug, with every seed. It must fail with it and name the broken promise.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
[[ -n "${SOONER_TEST_POSTGRES:-}" ]] || exec scripts/with-postgres.sh "$0" "$@"

tree="$root/target/mutants/tree"
log="$root/target/mutants/log"
export CARGO_TARGET_DIR="${SOONER_MUTANTS_TARGET:-$root/target/mutants/target}" CARGO_INCREMENTAL=1
rm -rf "$tree"
mkdir -p "$tree" "$log"
# The files keep their times, so that only changes since the last run are rebuilt.
git ls-files -coz --exclude-standard -- . ':!web' ':!docs' | xargs -0 ls -d 2>/dev/null | tar -cf - -T - | tar -xf - -C "$tree"
mkdir -p "$tree/web" && ln -sfn "$root/web/dist" "$tree/web/dist"
cd "$tree"

# Rebuilds the files that the last run mutated.
sed -n 's|^+++ b/||p' mutants/*.patch | sort -u | xargs touch

# Applies a patch to the copy, which is no repository of its own.
apply() { GIT_CEILING_DIRECTORIES="$root/target/mutants" git apply "$@"; }

# Prints all of a patch's lines with this key.
says() { sed -n "/^---/q; s/^$2: //p" "$1"; }

# Runs a test with each of its seeds. Stops at the first failure and returns nextest's code.
seeds_pass() { # log, package, binary, test, settings
  local out="$1" package="$2" binary="$3" test="$4" first=0 last=0 seed setting
  shift 4
  local settings=()
  for setting in "$@"; do
    case "$setting" in
      SOONER_SEED=*..*) first="${setting#*=}" last="${first#*..}" first="${first%%..*}" ;;
      *) settings+=("$setting") ;;
    esac
  done
  for ((seed = first; seed <= last; seed++)); do
    ((seed == 0)) || settings+=("SOONER_SEED=$seed")
    env "${settings[@]}" cargo nextest run --locked -p "$package" --test "$binary" --no-tests fail -E "test(=$test)" >"$out" 2>&1 </dev/null || return
  done
}

# Fails unless the test fails on the mutant and names the broken promise.
caught() { # log, package, binary, test, settings
  local code=0
  seeds_pass "$@" || code=$?
  # 100: the build succeeded, and a test failed.
  if ((code == 100)) && grep -qE 'promise [0-9]|broken promises' "$1"; then
    return 0
  fi
  tail -n 30 "$1" >&2
  return 1
}

named=$#
patches=("${@/#/mutants/}")
patches=("${patches[@]/%/.patch}")
# Orders the patches by crate, lowest crate last, so that the crates above are built only once.
by_crate() {
  for crate in engine server store inference domain; do
    grep -l "^+++ b/crates/$crate/" mutants/*.patch || true
  done | awk '!seen[$0]++'
}
(($#)) || mapfile -t patches < <(by_crate)

# Prints the tests of a patch: the first, or all if patches were named.
harnesses_of() {
  if ((named)); then says "$1" caught-by; else says "$1" caught-by | head -n 1; fi
}

# A test that fails without a bug detects none.
while read -r harness; do
  begun="$SECONDS"
  # shellcheck disable=SC2086
  seeds_pass "$log/unmutated.log" $harness || { tail -n 30 "$log/unmutated.log" >&2 && die "It fails without any bug: $harness"; }
  printf '%-22s %-7s %4ss  %s\n' '(no bug)' passes "$((SECONDS - begun))" "$(cut -d' ' -f3 <<<"$harness")"
done < <(for patch in "${patches[@]}"; do harnesses_of "$patch" | sed "s/\$/ $(says "$patch" with)/"; done | awk '!seen[$0]++')

lived=()
for patch in "${patches[@]}"; do
  name="$(basename "$patch" .patch)"
  begun="$SECONDS"
  apply "$patch"
  mapfile -t harnesses < <(harnesses_of "$patch")
  result=caught
  for harness in "${harnesses[@]}"; do
    # shellcheck disable=SC2046,SC2086
    caught "$log/$name.log" $harness $(says "$patch" with) || { result=lived && lived+=("$name"); }
  done
  apply -R "$patch"
  printf '%-22s %-7s %4ss  %s\n' "$name" "$result" "$((SECONDS - begun))" "${harnesses[*]##* }"
done
((${#lived[@]} == 0)) || die "Not seen by any harness: ${lived[*]}"
