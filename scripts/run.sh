#!/usr/bin/env bash
# From a clean clone to a running demo. Arguments go to `sooner demo`.
#
# The dev profile on purpose: on two cores it is built minutes earlier than the release one, and is quick enough.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
scripts/bootstrap.sh run
scripts/web.sh build
say "Building sooner (the first time takes a few minutes)"
cargo build --locked -p sooner-server --bin sooner
exec target/debug/sooner demo "$@"
