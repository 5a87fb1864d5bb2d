#!/usr/bin/env bash
# Builds target/release/sooner with the web app in it.
#   scripts/build.sh
#   TARGET=aarch64-unknown-linux-gnu scripts/build.sh   builds target/aarch64-unknown-linux-gnu/release/sooner
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
read_target
scripts/bootstrap.sh build
scripts/web.sh build
options=()
if ((cross)); then
  options=(--target "$triple")
  # Cargo and the cc crate read these names.
  upper="${triple^^}"
  export "CARGO_TARGET_${upper//-/_}_LINKER=$gnu_triple-gcc" "CC_${triple//-/_}=$gnu_triple-gcc" "AR_${triple//-/_}=$gnu_triple-ar"
fi
cargo build --locked --release -p sooner-server --bin sooner "${options[@]}"
ls -lh "$release_dir/sooner" >&2
