#!/usr/bin/env bash
# The measures. Arguments go to `sooner bench`.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
[[ -x target/release/sooner ]] || scripts/build.sh
exec target/release/sooner bench "$@"
