#!/usr/bin/env bash
# Installs the tools that `run`, `build`, `test` or `package` needs. Quick if nothing is missing.
#   scripts/bootstrap.sh run|build|test|package
# As root it installs with apt. Otherwise it prints the command to run and exits with 1. Nothing is
# ever skipped. TARGET=aarch64-unknown-linux-gnu adds the tools of a build for that machine.
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
goal="${1:-run}"

command -v cargo >/dev/null || die "Rust is missing: install it with rustup (rust-version is in Cargo.toml), then try again."

packages=()
need() { # package, then a command that succeeds if it is installed
  local package="$1"
  shift
  "$@" >/dev/null 2>&1 || packages+=("$package")
}
has_libc_headers() { [[ -n "$(find /usr/include -maxdepth 2 -name stdio.h -print -quit)" ]]; }
has_certificates() { [[ -s /etc/ssl/certs/ca-certificates.crt ]]; }
has_postgres() { compgen -G '/usr/lib/postgresql/*/bin/initdb'; }
has_cjk_font() { [[ -n "$(find /usr/share/fonts -name 'NotoSansCJK*' -print -quit)" ]]; }
has_npm() { command -v npm || [[ -x .tools/node/bin/npm ]]; }

need gcc command -v cc
need libc6-dev has_libc_headers
need ca-certificates has_certificates
need npm has_npm
if [[ "$goal" == test ]]; then
  need chromium test -x /usr/bin/chromium
  need fonts-noto-cjk has_cjk_font
  need postgresql has_postgres
  need python3 command -v python3
  need python3-venv python3 -c 'import ensurepip'
fi
# A build for another machine needs that machine's linker, C library and tools.
if [[ "$goal" == build || "$goal" == package ]] && read_target && ((cross)); then
  need "gcc-${gnu_triple//_/-}" command -v "$gnu_triple-gcc"
  need "libc6-dev-$architecture-cross" test -e "/usr/$gnu_triple/include/stdio.h"
fi
if [[ "$goal" == package ]]; then
  need dpkg command -v dpkg-deb
  need binutils command -v objdump
  need systemd command -v systemd-analyze
  # For its promtool. The service need not run.
  need prometheus command -v promtool
  need lintian command -v lintian
  need python3 command -v python3
  need python3-yaml python3 -c 'import yaml'
  if [[ -n "${SOONER_SIGN_KEY:-}" ]]; then
    [[ -r "$SOONER_SIGN_KEY" ]] || die "SOONER_SIGN_KEY=$SOONER_SIGN_KEY cannot be read."
    if grep -q "OPENSSH PRIVATE KEY" "$SOONER_SIGN_KEY"; then
      need openssh-client command -v ssh-keygen
    else
      need minisign command -v minisign
    fi
  fi
  # Only root can install the package in a fresh Debian and start the image.
  if [[ "$(id -u)" == 0 ]]; then
    [[ -n "${SOONER_DEBOOTSTRAP:-}" ]] || need debootstrap command -v debootstrap
    need podman command -v podman
    need runc command -v runc
    need containernetworking-plugins test -x /usr/lib/cni/bridge
    need iptables command -v iptables
  fi
fi

if ((${#packages[@]})); then
  line="apt-get install -y --no-install-recommends ${packages[*]}"
  command -v apt-get >/dev/null || die "Missing: ${packages[*]}. There is no apt-get here: install them your system's way."
  [[ "$(id -u)" == 0 ]] || die "Missing: ${packages[*]}. Run this, then try again:
  sudo $line"
  say "Installing ${packages[*]}"
  export DEBIAN_FRONTEND=noninteractive
  # The tests start their own cluster. A system-wide one would conflict.
  if [[ " ${packages[*]} " == *" postgresql "* ]]; then
    mkdir -p /etc/postgresql-common
    grep -qs '^create_main_cluster' /etc/postgresql-common/createcluster.conf ||
      echo 'create_main_cluster = false' >>/etc/postgresql-common/createcluster.conf
  fi
  # shellcheck disable=SC2086 # a list of words on purpose
  { apt-get update -q && $line -q; } >&2 ||
    die "Could not install ${packages[*]}: see the lines above. Is the package server reachable?"
fi

if [[ "$goal" == build || "$goal" == package && -z "${SOONER_BINARY:-}" ]]; then
  libraries="$(rustc --print target-libdir --target "$triple")"
  compgen -G "$libraries/libstd-*" >/dev/null || die "The compiler has no standard library for $triple. Run this, then try again:
  rustup target add $triple"
fi

use_node
[[ "$goal" == test ]] || exit 0

for part in clippy fmt; do
  cargo "$part" --version >/dev/null 2>&1 || die "cargo $part is missing. Run this, then try again:
  rustup component add clippy rustfmt"
done
# Environment of the contract tester. It is recreated when its list of versions changes.
if ! cmp -s scripts/contract/requirements.txt .tools/contract/requirements.txt; then
  say "Installing the contract tester into .tools/"
  rm -rf .tools/contract
  python3 -m venv .tools/contract
  .tools/contract/bin/pip install --quiet --disable-pip-version-check --no-deps -r scripts/contract/requirements.txt >&2 ||
    die "Could not install the contract tester: see the lines above. Is the Python registry reachable?"
  cp scripts/contract/requirements.txt .tools/contract/requirements.txt
fi
if ! cargo nextest --version >/dev/null 2>&1; then
  say "Building cargo-nextest into .tools/"
  cargo install cargo-nextest --version 0.9.143 --locked --root "$root/.tools" >&2 ||
    die "Could not build cargo-nextest: see the lines above. Is the crate registry reachable?"
fi
