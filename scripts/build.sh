#!/usr/bin/env bash
# target/release/sooner with the web app in it.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
scripts/bootstrap.sh build
scripts/web.sh build
cargo build --locked --release -p sooner-server --bin sooner
ls -lh "${CARGO_TARGET_DIR:-target}/release/sooner" >&2
