#!/usr/bin/env bash
# Compares processor time per check and memory per watch with changedetection.io, in one run on this
# machine.
#
# Both watch lists of days in `sooner sandbox` on 127.0.0.1. changedetection.io is installed from
# the package registry into a temporary folder (pip's own settings apply). Nothing else uses a
# network.
# SOONER=path to a release build; WATCHES, CHECKS: the number of each.
set -euo pipefail
cd "$(dirname "$0")/.."
sooner=${SOONER:-target/release/sooner}
[ -x "$sooner" ] || { echo "build it first: cargo build --release -p sooner-server" >&2; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check "changedetection.io==${CHANGEDETECTION:-0.60.10}"
"$folder/venv/bin/python" scripts/compare_changedetection.py "$sooner" "$folder" "${WATCHES:-100}" "${CHECKS:-2000}"
