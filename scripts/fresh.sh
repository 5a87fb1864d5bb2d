#!/usr/bin/env bash
# Checks that the committed generated files are current: the OpenAPI document, its types and bounds,
# docs/SETTINGS.md, docs/RETENTION.md and docs/COUNTRIES.md. A test of crates/checks compares docs/SPEC.md.
#   scripts/fresh.sh          reports stale files
#   scripts/fresh.sh --write  regenerates all of them, docs/SPEC.md included
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
use_node
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
document=web/openapi.json types=(web/src/shared/api/{schema,bounds}.ts) stale=0

sooner="${CARGO_TARGET_DIR:-target}/debug/sooner"
"$sooner" openapi >"$work/openapi.json"
"$sooner" settings >"$work/SETTINGS.md"
"$sooner" retention >"$work/RETENTION.md"
"$sooner" countries >"$work/COUNTRIES.md"
if [[ "${1:-}" == --write ]]; then
  cp "$work/openapi.json" "$document"
  cp "$work"/{SETTINGS,RETENTION,COUNTRIES}.md docs/
  cargo run --quiet --package sooner-checks >"$work/SPEC.md"
  cp "$work/SPEC.md" docs/SPEC.md
  cd web && npm run --silent generate
  exit
fi
if ! cmp -s "$work/openapi.json" "$document"; then
  diff -u "$document" "$work/openapi.json" | head -n 60 >&2 || true
  echo "$document is stale" >&2
  stale=1
fi
for page in SETTINGS RETENTION COUNTRIES; do
  cmp -s "$work/$page.md" "docs/$page.md" && continue
  diff -u "docs/$page.md" "$work/$page.md" | head -n 60 >&2 || true
  echo "docs/$page.md is stale" >&2
  stale=1
done
for made in "${types[@]}"; do cp "$made" "$work/"; done
(cd web && npm run --silent generate >/dev/null)
for made in "${types[@]}"; do
  before="$work/${made##*/}"
  cmp -s "$before" "$made" && continue
  diff -u "$before" "$made" | head -n 60 >&2 || true
  cp "$before" "$made"
  echo "$made is stale" >&2
  stale=1
done
((stale == 0)) || die "Run scripts/fresh.sh --write and commit what it makes."
