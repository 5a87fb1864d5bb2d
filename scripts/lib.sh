# shellcheck shell=bash
# Code that the scripts share; source it. Sets $root and a PATH with cargo, node and npm.
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$root" || exit

export NPM_CONFIG_FUND=false NPM_CONFIG_AUDIT=false NPM_CONFIG_UPDATE_NOTIFIER=false

# Cargo by rustup may not be in a non-login shell's PATH.
command -v cargo >/dev/null || PATH="$HOME/.cargo/bin:$PATH"
PATH="$root/.tools/bin:$PATH"
export PATH

say() { printf '\033[1m%s\033[0m\n' "$*" >&2; }

die() {
  printf '\033[31m%s\033[0m\n' "$*" >&2
  exit 1
}

# Puts a new enough Node first in PATH.
use_node() {
  local bin
  bin="$(scripts/node.sh)"
  PATH="$bin:$PATH"
}

# Sets the names of the target machine: TARGET (a Rust target), else this machine's.
#   triple        as Rust names it
#   gnu_triple    as GNU tools and library folders name it
#   architecture  as Debian and OCI name it
#   cross         1 if it is another machine
#   release_dir   folder of its release build
# shellcheck disable=SC2034 # read by the scripts that source this file
read_target() {
  local host
  host="$(rustc -vV | sed -n 's/^host: //p')"
  triple="${TARGET:-$host}" cross=0
  case "$triple" in
    x86_64-unknown-linux-gnu) gnu_triple=x86_64-linux-gnu architecture=amd64 ;;
    aarch64-unknown-linux-gnu) gnu_triple=aarch64-linux-gnu architecture=arm64 ;;
    *) die "TARGET=$triple: only x86_64-unknown-linux-gnu and aarch64-unknown-linux-gnu are known." ;;
  esac
  release_dir="${CARGO_TARGET_DIR:-target}/release"
  if [[ "$triple" != "$host" ]]; then
    cross=1 release_dir="${CARGO_TARGET_DIR:-target}/$triple/release"
  fi
}

# Prints a checksum of files and folders, to detect whether a result is current.
checksum() {
  find "$@" -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -d' ' -f1
}

# Stops a child process: sends SIGTERM, waits up to 15 s, and returns its exit code (124: killed).
stop_gently() {
  local pid="$1" code=0
  kill -TERM "$pid" 2>/dev/null || true
  for _ in $(seq 150); do
    kill -0 "$pid" 2>/dev/null || break
    sleep 0.1
  done
  if kill -KILL "$pid" 2>/dev/null; then
    wait "$pid" 2>/dev/null || true
    return 124
  fi
  wait "$pid" || code=$?
  return "$code"
}
