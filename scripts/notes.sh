#!/usr/bin/env bash
# Prints the entry of a version in CHANGELOG.md, without its heading. Fails if there is none.
#   scripts/notes.sh VERSION
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
version="${1:?usage: scripts/notes.sh VERSION}"
entry="$(awk -v heading="## [$version]" '/^## / { found = index($0, heading) == 1; next } /^\[.*\]: / { next } found' CHANGELOG.md)"
grep -q '^- ' <<<"$entry" || die "CHANGELOG.md has no entry for $version: write one under \"## [$version] - DATE\"."
sed -e '/./,$!d' <<<"$entry"
