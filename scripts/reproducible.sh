#!/usr/bin/env bash
# Builds the release binary twice, in two separate folders, and compares them: one commit must give
# the same bytes. It takes two whole release builds and is no part of `make test` or `make package`.
#   scripts/reproducible.sh              builds the checkout's HEAD twice
#   scripts/reproducible.sh FILE         builds it once, and compares it with another build of the
#                                        same commit
set -euo pipefail
# Before the folder changes, so that a missing file is reported before the build.
other="${1:+$(realpath -e "$1")}"
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
work="$(mktemp -d)"
# In this order, because Git prunes only a worktree that is gone.
trap 'rm -rf "$work"; git worktree prune' EXIT
SOURCE_DATE_EPOCH="$(git log -1 --format=%ct)"
export SOURCE_DATE_EPOCH
# Builds without paths of this machine in panic messages and debug information.
build() { # name
  local at="$work/$1"
  git worktree add --quiet --detach "$at" HEAD
  ln -s "$root/.tools" "$at/.tools"
  (
    cd "$at"
    export CARGO_TARGET_DIR="$at/target"
    export RUSTFLAGS="--remap-path-prefix=$at=/sooner --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"
    scripts/build.sh >&2
  )
  cp "$at/target/release/sooner" "$work/sooner.$1"
  git worktree remove --force "$at"
}
build one
if [[ -n "$other" ]]; then cp "$other" "$work/sooner.two"; else build two; fi
sha256sum "$work"/sooner.*
if cmp "$work/sooner.one" "$work/sooner.two"; then
  echo "the same"
else
  if command -v diffoscope >/dev/null; then diffoscope "$work/sooner.one" "$work/sooner.two" || true; fi
  die "The builds differ."
fi
