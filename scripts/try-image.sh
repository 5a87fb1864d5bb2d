#!/usr/bin/env bash
# Loads an image archive with Podman, starts it like deploy/container/compose.yml, and requests
# /readyz.
#   scripts/try-image.sh ARCHIVE
# Needs root, podman, runc, iptables and the plugins of Podman's network. Images and containers go to
# their own folder, which is removed. runc starts containers where crun refuses (a kernel with both
# versions of control groups). Not tested: rootless Podman, and an image of another architecture.
set -euo pipefail
# lib.sh changes the folder.
archive="$(realpath -e "${1:?usage: scripts/try-image.sh ARCHIVE}")"
# shellcheck source=scripts/lib.sh
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
version="$(tar -xOf "$archive" manifest.json | python3 -c 'import json, sys; print(json.load(sys.stdin)[0]["RepoTags"][0].split(":")[1])')"
image="sooner:$version" container="sooner-try-$$" port="${SOONER_TRY_PORT:-18081}"
work="$(mktemp -d)"
engine() { podman --root "$work/storage" --runroot "$work/run" --runtime runc "$@"; }
cleanup() {
  engine rm --force "$container" >/dev/null 2>&1 || true
  engine system reset --force >/dev/null 2>&1 || true
  umount --recursive "$work"/storage/* 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT

say "The image in Podman: $image"
engine load --quiet --input "$archive" >&2
engine image exists "$image" || die "The archive is not loaded as $image, which the compose files name."

# As in compose.yml, but without raised limits, which some machines do not permit.
options=(--read-only --tmpfs /tmp --volume sooner-data:/data --volume sooner-keys:/keys --cap-drop ALL
  --security-opt no-new-privileges:true --env SOONER_PORTAL_URL=http://127.0.0.1:9
  --ulimit "nofile=$(ulimit -Hn):$(ulimit -Hn)" --ulimit nproc=1000:1000)
engine run --rm "${options[@]}" "$image" keys init >&2
engine run --detach --name "$container" --publish "127.0.0.1:$port:8080" "${options[@]}" "$image" >/dev/null
ready() {
  python3 -c 'import sys, urllib.request as r; print(r.urlopen(sys.argv[1], timeout=2).read().decode().strip())' \
    "http://127.0.0.1:$port/readyz" 2>/dev/null
}
for _ in $(seq 150); do
  if ready >"$work/answer"; then break; fi
  [[ "$(engine inspect --format '{{.State.Running}}' "$container")" == true ]] ||
    die "The container ended: $(engine logs "$container" 2>&1 | tail -n 5)"
  sleep 0.2
done
[[ -s "$work/answer" ]] || die "The container did not become ready: $(engine logs "$container" 2>&1 | tail -n 5)"
tail -n 3 "$work/answer" >&2
engine exec "$container" /usr/bin/sooner healthcheck >&2
# 1: warnings, which an instance without settings has.
engine exec "$container" /usr/bin/sooner doctor >&2 || (($? == 1)) || die "sooner doctor finds the container broken."
user="$(engine top "$container" huser | tail -n 1 | tr -d ' ')"
[[ "$user" == 65532 ]] || die "The container's server runs as user $user, not as 65532."
engine stop --time 30 "$container" >/dev/null
code="$(engine inspect --format '{{.State.ExitCode}}' "$container")"
((code == 0)) || die "The container ended with $code: $(engine logs "$container" 2>&1 | tail -n 5)"
