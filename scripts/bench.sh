#!/usr/bin/env bash
# Runs the measures. Arguments go to `sooner-bench`.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
[[ -x target/release/sooner ]] || scripts/build.sh
cargo build --locked --release -p sooner-bench --bin sooner-bench
exec target/release/sooner-bench "$@"
