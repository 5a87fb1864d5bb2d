#!/usr/bin/env bash
# Builds the release binary twice, in two folders of their own, and compares: the same commit has to give the same bytes. Takes
# two whole release builds; no part of `make test` nor of `make package`.
#   scripts/reproducible.sh              both of the checkout's HEAD
#   scripts/reproducible.sh FILE         one, compared with a binary that somebody else built of the same commit
set -euo pipefail
# Before the folder changes; one that is missing is not found out after a whole build.
other="${1:+$(realpath -e "$1")}"
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
work="$(mktemp -d)"
# In this order: Git forgets only a worktree that is gone.
trap 'rm -rf "$work"; git worktree prune' EXIT
SOURCE_DATE_EPOCH="$(git log -1 --format=%ct)"
export SOURCE_DATE_EPOCH
# Paths of this machine stay out of panics' messages and debug information.
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
