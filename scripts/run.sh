#!/usr/bin/env bash
# Builds and starts a demo from a clean clone. Arguments go to `sooner demo`.
#
# It uses the dev profile, because that builds minutes faster on two cores than the release profile,
# and is fast enough.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
scripts/bootstrap.sh run
scripts/web.sh build
say "Building sooner (the first time takes a few minutes)"
cargo build --locked -p sooner-server --bin sooner
exec target/debug/sooner demo "$@"
