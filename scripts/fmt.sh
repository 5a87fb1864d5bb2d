#!/usr/bin/env bash
# Formats everything.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
cargo fmt --all
scripts/web.sh install
use_node
cd web && npm run --silent format
