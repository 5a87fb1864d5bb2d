#!/usr/bin/env bash
# Installs the web app's packages or builds it, each only if its sources have changed.
#   scripts/web.sh install|build
set -euo pipefail
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
use_node
cd web

install() {
  local stamp="node_modules/.sooner-lock" now
  now="$(checksum package.json package-lock.json) $(node --version)"
  [[ -f "$stamp" && "$(<"$stamp")" == "$now" ]] && return
  say "Installing the web app's packages"
  # No package needs its install script, so none runs.
  local refusal
  refusal="$(npm ci --ignore-scripts 2>&1)" || {
    # Some registries omit packages of other platforms, and npm ci then refuses the lock. npm install
    # accepts that; scripts/locked.mjs accepts only the locked packages. Any other error of npm ci
    # stops here.
    [[ "$refusal" == *"can only install packages when your package.json and package-lock.json"* ]] ||
      die "$refusal"$'\n'"Could not install the web app's packages. Is the npm registry reachable?"
    printf '%s\n' "$refusal" | head -n 12 >&2
    say "npm ci refuses the lock; installing what this registry has of it"
    npm install --no-save --ignore-scripts >&2 || die "Could not install the web app's packages: see the lines above."
  }
  node ../scripts/locked.mjs || {
    rm -f "$stamp"
    die "Remove web/node_modules and try again."
  }
  printf '%s\n' "$now" >"$stamp"
}

build() {
  local stamp="node_modules/.sooner-built" now parts=() part
  for part in src public pay.html vite.config.ts vite.card.config.ts vite.worker.config.ts astro.config.mjs tsconfig.json package.json package-lock.json chunks.ts scripts; do
    [[ -e "$part" ]] && parts+=("$part")
  done
  now="$(checksum "${parts[@]}")"
  [[ -f dist/documents/routes.json && -f "$stamp" && "$(<"$stamp")" == "$now" ]] && return
  say "Building the web app"
  # An interrupted build must not count as the previous one.
  rm -f "$stamp"
  local output
  output="$(npm run --silent build 2>&1)" || die "$output"
  printf '%s\n' "$now" >"$stamp"
}

case "${1:-build}" in
  install) install ;;
  build) install && build ;;
  *) die "usage: scripts/web.sh install|build" ;;
esac
